"""CSV files: LF line ends, quotes only where needed, times as the kind writes them."""

from datetime import date

import polars as pl

from synthetic.exports.members import Member
from synthetic.exports.takeout.export import Files

UTC_MINUTE = "%Y-%m-%dT%H:%M:%SZ"


def csv_file(path: str, frame: pl.DataFrame, times: str = UTC_MINUTE) -> Member:
    """Column names are the header; ``times`` is the form of Datetime columns; null is an empty cell."""
    return Member(path, frame.write_csv(datetime_format=times).encode())


def text_rows(path: str, header: str, rows: list[str]) -> Member:
    """A small file of lines that are ready."""
    return Member(path, ("\n".join([header, *rows]) + "\n").encode())


def month_start(day: date, created: date) -> date:
    """Files start on the first of the month, the account's first one on the day it was made."""
    return max(day.replace(day=1), created)


def by_day(stem: str, frame: pl.DataFrame, times: str = UTC_MINUTE) -> Files:
    """A file for each date of the first column, named by it."""
    yield from _parts(stem, frame, pl.col(frame.columns[0]).dt.date(), times)


def by_month(stem: str, frame: pl.DataFrame, created: date, times: str = UTC_MINUTE) -> Files:
    """A file for each month of the first column, named by its start."""
    first = pl.col(frame.columns[0]).dt.date().dt.truncate("1mo")
    yield from _parts(stem, frame, pl.max_horizontal(first, pl.lit(created)), times)


def _parts(stem: str, frame: pl.DataFrame, start: pl.Expr, times: str) -> Files:
    for (first,), part in frame.group_by(start.alias("file"), maintain_order=True):
        yield csv_file(f"{stem}{first}.csv", part, times)

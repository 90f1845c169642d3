"""Fitabase files as rows with their owner and time, also as spreadsheets save them again."""

import re
from collections.abc import Sequence

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import Header, read_csv
from ingest.fitbit.reading import Rows
from ingest.fitbit.wall_text import moments

_IDS = ("Id", "Customer Id", "CustomerId", "id")
# Saved again, a time may stand beside its day, under a name of its own or under none.
_TIMES_BESIDE = ("ActivityTime", "SleepTime", "")
_OF_ONE = re.compile(r"(.+?)_(?:heartrate_[a-z0-9]+|[a-z0-9]+)_\d{8}_\d{8}(?:[. _-].*)?\.csv", re.IGNORECASE)


def timed_rows(
    content: Content,
    name: str,
    time: Header,
    needed: Sequence[Header],
    optional: Sequence[Header] = (),
    *,
    a_day_will_do: bool = False,
) -> Rows:
    """Rows with ``local`` (null where it is no time, or may be two), ``owner`` and the named columns as text.

    A day without a time of day is none, lest all minutes of a day fall on its midnight; else a_day_will_do.
    The owner is the ``Id`` of the row, else the first part of the file's name. Raises OtherForm.
    """
    rows = read_csv(content, [time, *needed], [_IDS, *((beside,) for beside in _TIMES_BESIDE), *optional])
    head = time if isinstance(time, str) else time[0]
    texts = pl.concat_str(head, *_TIMES_BESIDE, separator=" ", ignore_nulls=True)
    found = rows.frame.select(texts.alias("local")).to_series()
    owner = _OF_ONE.fullmatch(name)
    return rows.like(
        rows.frame.with_columns(
            moments(found if a_day_will_do else found.set(~found.str.contains(":"), None)),
            pl.coalesce(_IDS[0], pl.lit(owner.group(1) if owner else None, pl.String)).alias("owner"),
        )
    )


def log_id(column: str, prefix: str, start: str) -> pl.Expr:
    """The vendor's id, or one made of the start where a spreadsheet cut it (``1.46223E+12``)."""
    whole = pl.col(column).str.contains(r"^\d+$")
    made = pl.format(f"{prefix} {{}}", pl.col(start).dt.strftime("%Y-%m-%dT%H:%M:%S"))
    return pl.when(whole).then(pl.col(column)).otherwise(made)

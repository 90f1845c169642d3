"""Families of ``Physical Activity``: how their files are named and cut, and who recorded a row."""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from synthetic.exports.takeout.csv_text import UTC_MINUTE, by_day, by_month, csv_file
from synthetic.exports.takeout.export import Export, Files
from synthetic.local_days import Ints

Shard = Literal["day", "month", "life"]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a family: its columns as they are named, and the recorder of each or of all."""

    frame: pl.DataFrame
    source: str | pl.Series


def family(export: Export, name: str, rows: Rows, shard: Shard = "month", times: str = UTC_MINUTE) -> Files:
    """The family's files, cut by the clock of its first column.

    Without rows there is a header alone. Where families have folders of their own, all are cut by month.
    """
    generation = export.generation
    frame = rows.frame
    if generation.data_source:
        source = rows.source if isinstance(rows.source, pl.Series) else pl.lit(rows.source)
        frame = frame.with_columns(source.alias("data source"))
    folder = f"{name.replace('_', ' ').title()}/" if generation.monthly_families else ""
    stem = f"{folder}{name}_"
    if frame.is_empty():
        yield csv_file(f"{stem}{export.created}.csv" if folder else f"{name}.csv", frame, times)
    elif folder or shard == "month":
        yield from by_month(stem, frame, export.created, times)
    elif shard == "day":
        yield from by_day(stem, frame, times)
    else:
        yield from _whole_life(export, name, frame, times)


def _whole_life(export: Export, name: str, frame: pl.DataFrame, times: str) -> Files:
    """One file; later layouts keep the rows of the newest month in a shard of its own beside it."""
    if not export.generation.shards:
        yield csv_file(f"{name}.csv", frame, times)
        return
    month = pl.col(frame.columns[0]).cast(pl.Date).dt.month_start()
    newest = frame.select(month.max()).item()
    yield csv_file(f"{name}.csv", frame.filter(month < newest), times)
    yield csv_file(f"{name}_{newest}.csv", frame.filter(month == newest), times)


def at_minutes(minutes: Ints, name: str = "timestamp") -> pl.Series:
    """Minutes since 1970 as times, in the clock they are in."""
    return at_seconds(minutes * 60, name)


def at_seconds(seconds: Ints, name: str = "timestamp") -> pl.Series:
    """Seconds since 1970 as times, in the clock they are in."""
    return pl.Series(name, seconds * 1000, dtype=pl.Int64).cast(pl.Datetime("ms"))

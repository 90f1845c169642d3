"""What files show of the offset: bounds on it between two instants, each with its source.

A sighting says: from ``since`` to ``until`` (UTC digits) the offset was at least ``low`` and at most ``high``
minutes. All sources are brought to this one form, and a zone or fixed offset is tested against it.
"""

from enum import StrEnum
from typing import Final

import polars as pl

# Less than the quarter of an hour in which offsets differ, so that it can hide no wrong offset.
TOLERANCE_MINUTES = 5
QUARTER = 15
LOWEST, HIGHEST = -12 * 60, 14 * 60
_DAY_MINUTES = 1440

SCHEMA: Final = {
    "source": pl.String(),
    "since": pl.Datetime("us"),
    "until": pl.Datetime("us"),
    "low": pl.Int64(),
    "high": pl.Int64(),
    "rows": pl.Int64(),
    "day": pl.Date(),
}


class Source(StrEnum):
    """Where sightings come from, the most trusted first (the order of formats of one export)."""

    ACTIVE_ZONE_MINUTES = "active_zone_minutes"
    CALORIES = "calories"
    HEART_RATE_FILES = "heart_rate_files"
    SLEEP_OFFSETS = "sleep_offsets"


def no_sightings() -> pl.DataFrame:
    """An empty frame of sightings."""
    return pl.DataFrame(schema=SCHEMA)


def day_runs(rows: pl.DataFrame) -> pl.DataFrame:
    """Unbroken runs of rows of one day file: ``day``, ``first``, ``last`` (UTC digits), ``rows``.

    rows: ``utc`` and ``file_day`` (the local day in the name of the file, which holds that day and no other).
    """
    return (
        rows.lazy()
        .filter(pl.col("file_day").is_not_null() & pl.col("utc").is_not_null())
        .select("utc", day="file_day")
        .sort("utc", "day")
        .group_by(pl.col("day").rle_id().alias("run"))
        .agg(
            pl.col("day").first(),
            pl.col("utc").min().alias("first"),
            pl.col("utc").max().alias("last"),
            pl.len().cast(pl.Int64).alias("rows"),
        )
        .sort("run")
        .drop("run")
        .collect()
    )


def of_day_files(runs: pl.DataFrame) -> pl.DataFrame:
    """Sightings by the midnights of day files (``day_runs``): both ends of a run lie on the file's day.

    Where a run follows that of the day before within a quarter of an hour, midnight itself is seen; where it
    is as long as a day, both midnights are. Either leaves one offset.
    """
    midnight = pl.col("day").cast(pl.Datetime("us"))
    next_midnight = midnight.dt.offset_by("1d")
    at_start = runs.select(*_bounds("first", "first", midnight, next_midnight))
    at_end = runs.select(*_bounds("last", "last", midnight, next_midnight))
    seen = (
        runs.with_columns(last_before=pl.col("last").shift(1), day_before=pl.col("day").shift(1))
        .filter(pl.col("day_before").dt.offset_by("1d") == pl.col("day"))
        .filter(pl.col("first") - pl.col("last_before") <= pl.duration(minutes=QUARTER))
        .select(*_bounds("last_before", "first", midnight, midnight))
    )
    length = (pl.col("last") - pl.col("first")).dt.total_minutes()
    whole = runs.filter(length.is_between(_DAY_MINUTES - QUARTER, _DAY_MINUTES)).select(
        pl.col("first").alias("since"),
        pl.col("last").alias("until"),
        _low("first", midnight),
        _high("last", next_midnight),
        "rows",
        "day",
    )
    return _of_source(pl.concat([at_start, at_end, seen, whole]), Source.HEART_RATE_FILES)


def of_stated_offsets(rows: pl.DataFrame, source: Source) -> pl.DataFrame:
    """Sightings by rows that state their offset: ``utc``, ``offset_minutes``; one row, one sighting."""
    moment, offset = pl.col("utc"), pl.col("offset_minutes").cast(pl.Int64)
    return _of_source(
        rows.drop_nulls(["utc", "offset_minutes"]).select(
            since=moment,
            until=moment,
            low=offset,
            high=offset,
            rows=pl.lit(1, pl.Int64),
            day=(moment + pl.duration(minutes=offset)).dt.date(),
        ),
        source,
    )


def _bounds(since: str, until: str, no_sooner: pl.Expr, before: pl.Expr) -> list[pl.Expr]:
    """A wall clock that showed ``no_sooner`` or later at ``until``, and ``before`` or sooner at ``since``."""
    return [
        pl.col(since).alias("since"),
        pl.col(until).alias("until"),
        _low(until, no_sooner),
        _high(since, before),
        pl.col("rows"),
        pl.col("day"),
    ]


def _low(moment: str, no_sooner: pl.Expr) -> pl.Expr:
    """The least offset at which the wall clock shows ``no_sooner`` or later at a moment."""
    return ((no_sooner - pl.col(moment)).dt.total_minutes() - TOLERANCE_MINUTES).alias("low")


def _high(moment: str, before: pl.Expr) -> pl.Expr:
    """The greatest offset at which the wall clock has not passed ``before`` at a moment."""
    return ((before - pl.col(moment)).dt.total_minutes() + TOLERANCE_MINUTES).alias("high")


def _of_source(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    return frame.select(pl.lit(source.value).alias("source"), *(name for name in SCHEMA if name != "source"))

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
    STATED_OFFSETS = "stated_offsets"
    HEART_RATE_FILES = "heart_rate_files"
    SLEEP_OFFSETS = "sleep_offsets"
    EXERCISE_OFFSETS = "exercise_offsets"
    ZONE_SETTINGS = "zone_settings"


# They say what somebody wrote beside a row, which may be of another time than the row.
WEAK: Final = (Source.SLEEP_OFFSETS, Source.EXERCISE_OFFSETS, Source.ZONE_SETTINGS)


def no_sightings() -> pl.DataFrame:
    """An empty frame of sightings."""
    return pl.DataFrame(schema=SCHEMA)


def day_runs(rows: pl.DataFrame) -> pl.DataFrame:
    """Unbroken runs of rows of one day file: ``day``, ``first``, ``last`` (UTC digits), ``rows``.

    rows: ``utc`` and ``file_day`` (the local day in the name of the file, which holds that day and no other).
    A quarter of an hour without a row ends a run: nothing states the day of what lies in such a gap.
    """
    new_day = pl.col("day") != pl.col("day").shift(1)
    gap = pl.col("utc") - pl.col("utc").shift(1) > pl.duration(minutes=QUARTER)
    return (
        rows.lazy()
        .filter(pl.col("file_day").is_not_null() & pl.col("utc").is_not_null())
        .select("utc", day="file_day")
        .sort("utc", "day")
        .group_by((new_day | gap).fill_null(True).cum_sum().alias("run"))
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
    """Sightings by day files (``day_runs``): the first and the last row of each file lie on its day.

    Of a day of more than 24 hours any moment in its runs does, a quarter of an hour apart: its ends alone
    would leave a move anywhere between them.
    """
    days = runs.group_by("day").agg(pl.col("first").min(), pl.col("last").max(), pl.col("rows").sum())
    is_long = pl.col("last") - pl.col("first") > pl.duration(minutes=_DAY_MINUTES)
    long_days = days.filter(is_long).select("day")
    ends = pl.concat([days.select("day", "rows", at=end) for end in ("first", "last")])
    within = (
        runs.join(long_days, on="day", how="semi")
        .select("day", "rows", at=pl.datetime_ranges("first", "last", f"{QUARTER}m"))
        .explode("at")
    )
    last = runs.join(long_days, on="day", how="semi").select("day", "rows", at="last")
    return _on_their_day(pl.concat([ends, within, last]).unique().sort("at", "day"))


def _on_their_day(moments: pl.DataFrame) -> pl.DataFrame:
    """Sightings of moments (``at``) that lie on the local day ``day``."""
    midnight = pl.col("day").cast(pl.Datetime("us"))
    seen = moments.select(
        since="at",
        until="at",
        low=_least(midnight, "at"),
        high=_greatest(midnight.dt.offset_by("1d"), "at"),
        rows="rows",
        day="day",
    )
    return _of_source(seen, Source.HEART_RATE_FILES)


def midnight_offsets(runs: pl.DataFrame) -> pl.Series:
    """Offsets that day files show by themselves, one for each time they do.

    A run within a quarter of an hour after that of the day before shows one midnight, a file as long as a day
    both of its own; where that leaves one quarter of an hour only, it is the offset.
    """
    midnight = pl.col("day").cast(pl.Datetime("us"))
    follows = pl.col("day").shift(1).dt.offset_by("1d") == pl.col("day")
    tight = pl.col("first") - pl.col("last").shift(1) <= pl.duration(minutes=QUARTER)
    between = runs.select(
        _least(midnight, "first").alias("low"),
        _greatest(midnight, "last").shift(1).alias("high") + _DAY_MINUTES,
        (follows & tight).alias("is_seen"),
    )
    length = (pl.col("last") - pl.col("first")).dt.total_minutes()
    days = runs.group_by("day").agg(pl.col("first").min(), pl.col("last").max())
    whole = days.select(
        _least(midnight, "first").alias("low"),
        _greatest(midnight.dt.offset_by("1d"), "last").alias("high"),
        length.is_between(_DAY_MINUTES - QUARTER, _DAY_MINUTES).alias("is_seen"),
    )
    return only_quarters(pl.concat([between, whole]).filter("is_seen"))


def only_quarters(bounds: pl.DataFrame) -> pl.Series:
    """``offset`` of all bounds (``low``, ``high``) that leave one multiple of a quarter of an hour."""
    lowest = -(-pl.col("low") // QUARTER) * QUARTER
    highest = pl.col("high") // QUARTER * QUARTER
    one = (lowest == highest) & lowest.is_between(LOWEST, HIGHEST)
    return bounds.filter(one).select(lowest.alias("offset"))["offset"]


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


def _least(no_sooner: pl.Expr, moment: str) -> pl.Expr:
    """The least offset at which the wall clock shows ``no_sooner`` or later at a moment."""
    return (no_sooner - pl.col(moment)).dt.total_minutes() - TOLERANCE_MINUTES


def _greatest(before: pl.Expr, moment: str) -> pl.Expr:
    """The greatest offset at which the wall clock has not passed ``before`` at a moment."""
    return (before - pl.col(moment)).dt.total_minutes() + TOLERANCE_MINUTES


def _of_source(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    return frame.select(pl.lit(source.value).alias("source"), *(name for name in SCHEMA if name != "source"))

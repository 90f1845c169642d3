"""Fitabase files by the minute or finer: steps (a row a minute, or sixty columns an hour) and heart rate.

And the sums of an hour, for exports that lack the minutes.
"""

from dataclasses import replace

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_form import Value
from ingest.fitbit.fitabase.table import timed_rows
from ingest.fitbit.minutes_of_samples import minutes_of_samples
from ingest.fitbit.reading import Reading, missing, outside_limits, sift
from schemas.daily_summary import DailySummary
from schemas.heart_rate_minutes import HeartRateMinutes
from schemas.steps_minutes import StepsMinutes

_STEPS = Value("steps", "Steps", (StepsMinutes, "steps"), whole=True)
_BPM = Value("heart_rate", "Value", (HeartRateMinutes, "heart_rate"))
_HOUR_STEPS = Value("steps", "StepTotal", (DailySummary, "steps"), whole=True)
_HOUR_CALORIES = Value("calories_kcal", "Calories", (DailySummary, "calories_kcal"))
_WIDE = [f"Steps{minute:02d}" for minute in range(60)]


def read_steps(content: Content, name: str) -> Reading:
    """``local`` (minute), ``steps``, ``owner``; zeros stand there also where the device was off."""
    rows = timed_rows(content, name, ("ActivityMinute", "ActivityDate"), ["Steps"])
    frame = rows.frame.select("row", "owner", pl.col("local").dt.truncate("1m"), _STEPS.read())
    return _counted(sift(rows.like(frame), (missing("local"), *_STEPS.rules())))


def read_wide_steps(content: Content, name: str) -> Reading:
    """The same of a row an hour; ``rows`` is 1 in its first minute alone: an hour is one row read."""
    rows = timed_rows(content, name, ("ActivityHour", "ActivityDate"), _WIDE)
    hours = rows.frame.select(
        "row", "owner", pl.col("local").dt.truncate("1h"), *(Value(c, c, whole=True).read() for c in _WIDE)
    )
    limits = [outside_limits(StepsMinutes, "steps", pl.col(column)) for column in _WIDE]
    reading = sift(rows.like(hours), (missing("local"), *map(missing, _WIDE), *limits))
    minute = pl.int_range(60, dtype=pl.Int64)
    frame = (
        reading.frame.select("owner", "local", pl.concat_list(_WIDE).alias("steps"))
        .with_columns(pl.lit(list(range(60)), pl.List(pl.Int64)).alias("minute"))
        .explode("steps", "minute")
        if reading.frame.height
        else reading.frame.select("owner", "local", steps=pl.lit(None, pl.Int64), minute=minute.head(0))
    )
    return replace(
        reading,
        frame=frame.select(
            "owner",
            pl.col("local") + pl.duration(minutes=pl.col("minute")),
            "steps",
            (pl.col("minute") == 0).cast(pl.Int64).alias("rows"),
        ),
    )


def read_hourly_steps(content: Content, name: str) -> Reading:
    """``local`` (hour), ``steps``, ``owner``: sums of minutes, for exports that lack the minutes."""
    return _hours(content, name, _HOUR_STEPS)


def read_hourly_calories(content: Content, name: str) -> Reading:
    """``local`` (hour), ``calories_kcal`` (basal ones too), ``owner``."""
    return _hours(content, name, _HOUR_CALORIES)


def _hours(content: Content, name: str, value: Value) -> Reading:
    rows = timed_rows(content, name, ("ActivityHour", "ActivityDate"), [value.header])
    frame = rows.frame.select("row", "owner", pl.col("local").dt.truncate("1h"), value.read())
    return sift(rows.like(frame), (missing("local"), *value.rules()))


def read_heart_rate(content: Content, name: str) -> Reading:
    """``local`` (minute), ``heart_rate`` (mean of its rows), ``samples``, ``rows``, ``owner``.

    Samples without contact are not told: ``samples_no_contact`` is 0. In a file by the minute a row is a mean
    that the service rounded down.
    """
    rows = timed_rows(content, name, "Time", ["Value"])
    frame = rows.frame.select("row", "owner", "local", _BPM.read())
    return minutes_of_samples(sift(rows.like(frame), (missing("local"), *_BPM.rules())))


def _counted(reading: Reading) -> Reading:
    return replace(reading, frame=reading.frame.with_columns(pl.lit(1, pl.Int64).alias("rows")))

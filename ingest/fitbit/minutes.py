"""Minute files of the JSON export: steps and distance (UTC digits), calories and altitude (local digits)."""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.json_rows import timed_text
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift, whole
from schemas.daily_summary import DailySummary
from schemas.steps_minutes import StepsMinutes

CM_PER_M = 100
FEET_PER_FLOOR = 10


def read_steps(content: Content, _name: str) -> Reading:
    """``utc`` (minute), ``steps``. Zeros are kept: the tracker writes them where it was worn."""
    return _read(content, "utc", whole("value"), "steps", outside_limits(StepsMinutes, "steps"))


def read_distance(content: Content, _name: str) -> Reading:
    """``utc`` (minute), ``distance_m``. Written in centimetres, whatever the account's units."""
    value = pl.col("value") / CM_PER_M
    return _read(content, "utc", value, "distance_m", outside_limits(DailySummary, "distance_m"))


def read_calories(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``calories_kcal``, resting energy included; written also where nothing was worn."""
    limits = outside_limits(DailySummary, "calories_kcal")
    return _read(content, "local", pl.col("value"), "calories_kcal", limits)


def read_altitude(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``floors`` climbed: it is written in feet, of which ten are a floor."""
    limits = outside_limits(DailySummary, "floors")
    return _read(content, "local", pl.col("value") / FEET_PER_FLOOR, "floors", limits)


def _read(content: Content, clock: str, value: pl.Expr, column: str, limits: Rule) -> Reading:
    rows = timed_text(content)
    frame = rows.frame.select("row", pl.col("time").dt.truncate("1m").alias(clock), value.alias(column))
    reject = (missing(clock), missing(column), limits)
    return sift(rows.like(frame), reject)

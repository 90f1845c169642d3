"""Fitabase weigh-ins, and synchronisations: the one place that shows the wall clock and UTC side by side."""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import number
from ingest.fitbit.fitabase.table import log_id, timed_rows
from ingest.fitbit.reading import Reading, missing, outside_limits, sift
from ingest.fitbit.wall_text import moments
from schemas.daily_summary import DailySummary


def read_weight(content: Content, name: str) -> Reading:
    """``local``, ``weight_id``, ``weight_kg``, ``bmi``, ``owner``."""
    rows = timed_rows(content, name, "Date", ["WeightKg"], ["BMI", "LogId"], a_day_will_do=True)
    frame = rows.frame.select(
        "row",
        "owner",
        "local",
        log_id("LogId", "weight", "local").alias("weight_id"),
        number("WeightKg").alias("weight_kg"),
        number("BMI").alias("bmi"),
    )
    reject = (missing("local"), missing("weight_kg"), outside_limits(DailySummary, "weight_kg"))
    return sift(rows.like(frame), reject)


def read_sync_events(content: Content, name: str) -> Reading:
    """``local``, ``utc``, ``offset`` (minutes, to the quarter of an hour), ``recorder`` (the device)."""
    rows = timed_rows(content, name, "DateTime", ["SyncDateUTC", "DeviceName"])
    utc = moments(rows.frame["SyncDateUTC"]).alias("utc")
    offset = ((pl.col("local") - pl.col("utc")).dt.total_minutes() / 15).round(0).cast(pl.Int64) * 15
    frame = rows.frame.with_columns(utc).select(
        "row",
        "owner",
        "local",
        "utc",
        offset.alias("offset"),
        pl.col("DeviceName").fill_null("").alias("recorder"),
    )
    return sift(rows.like(frame), (missing("local"), missing("utc")))

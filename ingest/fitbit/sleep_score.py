"""Sleep scores: one file for the whole life of an account; each names its sleep log."""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import digits, number, read_csv
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary


def read_sleep_score(content: Content, _name: str) -> Reading:
    """``sleep_id``, ``local`` (end of the sleep: the Z is false, the digits are local), ``sleep_score``,
    ``resting_heart_rate`` (of the night: another definition than the vendor's daily one).
    """
    rows = read_csv(content, ["sleep_log_entry_id", "timestamp", "overall_score"], ["resting_heart_rate"])
    resting = number("resting_heart_rate")
    frame = rows.frame.with_columns(digits(rows.frame["timestamp"]).alias("local")).select(
        "row",
        pl.col("sleep_log_entry_id").alias("sleep_id"),
        "local",
        number("overall_score").round(0).cast(pl.Int64, strict=False).alias("sleep_score"),
        pl.when(resting > 0).then(resting).alias("resting_heart_rate"),
    )
    reject = (
        missing("sleep_id"),
        missing("local"),
        outside_limits(DailySummary, "sleep_score"),
        outside_limits(DailySummary, "resting_heart_rate"),
    )
    no_score = Rule("no_score", pl.col("sleep_score").fill_null(0) <= 0, "sleep_score")
    return sift(rows.like(frame), reject, (no_score,))

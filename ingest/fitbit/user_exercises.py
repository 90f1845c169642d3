"""``UserExercises``: exercises by the ids of a later system, in metric units; 0 means not measured."""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.activity_types import ENGLISH_NAMES
from ingest.fitbit.csv_rows import digits, number, offset_minutes, read_csv
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift
from schemas.activities import Activities

MM_PER_M = 1000
_MEASURED = {
    "calories_kcal": ("tracker_total_calories", 1),
    "steps": ("tracker_total_steps", 1),
    "distance_m": ("tracker_total_distance_mm", MM_PER_M),
    "elevation_gain_m": ("tracker_total_altitude_mm", MM_PER_M),
    "average_heart_rate": ("tracker_avg_heart_rate", 1),
}
_WHOLE = ("steps", "average_heart_rate")


def read_user_exercises(content: Content, _name: str) -> Reading:
    """A row an exercise in the columns of ``activities``, with ``utc`` and ``utc_end``; no deleted ones.

    ``offset``: the minutes stated beside it. Of rows moved from the older system and of exercises that a
    device found itself it is often that of another time: evidence for the clock, never used by itself.
    """
    rows = read_csv(
        content,
        ["exercise_id", "exercise_start", "exercise_end", "activity_name", "log_type"],
        [*(source for source, _ in _MEASURED.values()), "deletion_reason", "utc_offset"],
    )
    timed = rows.frame.with_columns(
        digits(rows.frame["exercise_start"]).alias("utc"), digits(rows.frame["exercise_end"]).alias("utc_end")
    )
    span = (pl.col("utc_end") - pl.col("utc")).dt.total_milliseconds() / 60_000
    name = pl.col("activity_name")
    frame = timed.select(
        "row",
        pl.col("exercise_id").alias("activity_id"),
        pl.when(name.is_in(ENGLISH_NAMES)).then(name).alias("activity_name"),
        "utc",
        "utc_end",
        span.alias("duration_minutes"),
        *(_measured(column, *source) for column, source in _MEASURED.items()),
        pl.col("log_type").str.to_lowercase(),
        offset_minutes("utc_offset"),
        "deletion_reason",
    )
    deleted = Rule("deleted_by_owner", pl.col("deletion_reason").is_not_null())
    reading = sift(rows.like(frame), _REJECT, (deleted,))
    return Reading(
        reading.frame.drop("deletion_reason"),
        reading.rows,
        reading.rejected,
        reading.ignored,
        damaged_from=reading.damaged_from,
    )


def _measured(column: str, source: str, divisor: int) -> pl.Expr:
    value = number(source) / divisor
    kept = pl.when(value != 0).then(value)
    return (kept.round(0).cast(pl.Int64, strict=False) if column in _WHOLE else kept).alias(column)


_REJECT = (
    missing("activity_id"),
    missing("utc"),
    missing("utc_end"),
    Rule("ends_before_it_starts", pl.col("utc_end") < pl.col("utc"), "duration_minutes"),
    Rule("longer_than_two_days", pl.col("utc_end") - pl.col("utc") > pl.duration(days=2), "duration_minutes"),
    *(outside_limits(Activities, column) for column in ("duration_minutes", *_MEASURED)),
)

"""``UserSleeps``, ``UserSleepStages`` and ``UserSleepScores``: sleeps by the ids of a later system.

Their ids are not those of the JSON logs. Times are digits with a false or a true ``+0000``: column ``stamp``.
Stages follow their sleep's clock whatever offset stands beside them, so they are kept relative to its start.
"""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import digits, number, offset_minutes, read_csv
from ingest.fitbit.reading import Reading, Rows, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary
from schemas.sleep_sessions import SleepSessions

_STAGE_OF = {
    "AWAKE": "wake",
    "LIGHT": "light",
    "DEEP": "deep",
    "REM": "rem",
    "ASLEEP": "asleep",
    "RESTLESS": "restless",
}
_MINUTES = {
    "minutes_asleep": "minutes_asleep",
    "minutes_awake": "minutes_awake",
    "minutes_to_fall_asleep": "minutes_to_fall_asleep",
    "time_in_bed_minutes": "minutes_in_sleep_period",
}


def read_user_sleeps(content: Content, _name: str) -> Reading:
    """``sleep_id``, ``stamp``, ``stamp_end``, ``offset`` (minutes, as stated at the start), ``kind``,
    minutes, ``version`` (of the algorithm; empty before 2026).
    """
    rows = read_csv(
        content,
        ["sleep_id", "sleep_type", "sleep_start", "sleep_end", "start_utc_offset", *_MINUTES.values()],
        ["algorithm_version"],
    )
    frame = _stamped(rows, "sleep_start", "sleep_end").select(
        "row",
        "sleep_id",
        "stamp",
        "stamp_end",
        offset_minutes("start_utc_offset"),
        pl.col("sleep_type").str.to_lowercase().alias("kind"),
        *(_whole(source).alias(column) for column, source in _MINUTES.items()),
        # No file flags the main sleep: it is the longest.
        pl.lit(False).alias("flagged_main"),
        pl.col("algorithm_version").fill_null("").alias("version"),
    )
    return sift(rows.like(frame), _REJECT_SLEEP)


def read_user_sleep_stages(content: Content, _name: str) -> Reading:
    """``sleep_id``, ``stage_id``, ``stamp`` of the start, ``seconds``, ``stage``."""
    rows = read_csv(
        content, ["sleep_id", "sleep_stage_id", "sleep_stage_type", "sleep_stage_start", "sleep_stage_end"]
    )
    stage = pl.col("sleep_stage_type").str.to_uppercase()
    frame = _stamped(rows, "sleep_stage_start", "sleep_stage_end").select(
        "row",
        "sleep_id",
        pl.col("sleep_stage_id").alias("stage_id"),
        "stamp",
        (pl.col("stamp_end") - pl.col("stamp")).dt.total_seconds().alias("seconds"),
        stage.replace_strict(_STAGE_OF, default=None, return_dtype=pl.String).alias("stage"),
    )
    return sift(rows.like(frame), _REJECT_STAGE)


def read_user_sleep_scores(content: Content, _name: str) -> Reading:
    """``sleep_id``, ``sleep_score``."""
    rows = read_csv(content, ["sleep_id", "overall_score"])
    frame = rows.frame.select("row", "sleep_id", _whole("overall_score").alias("sleep_score"))
    no_score = Rule("no_score", pl.col("sleep_score").fill_null(0) <= 0, "sleep_score")
    return sift(
        rows.like(frame), (missing("sleep_id"), outside_limits(DailySummary, "sleep_score")), (no_score,)
    )


def _stamped(rows: Rows, start: str, end: str) -> pl.DataFrame:
    return rows.frame.with_columns(
        digits(rows.frame[start]).alias("stamp"), digits(rows.frame[end]).alias("stamp_end")
    )


def _whole(column: str) -> pl.Expr:
    return number(column).round(0).cast(pl.Int64, strict=False)


_SPAN = pl.col("stamp_end") - pl.col("stamp")
_REJECT_SLEEP = (
    missing("sleep_id"),
    missing("stamp"),
    missing("stamp_end"),
    Rule("ends_before_it_starts", pl.duration() >= _SPAN, "end_time"),
    Rule("longer_than_two_days", pl.duration(days=2) < _SPAN, "end_time"),
    Rule("kind_unknown", ~pl.col("kind").is_in(["stages", "classic"]), "kind"),
    missing("minutes_asleep"),
    missing("time_in_bed_minutes"),
    *(outside_limits(SleepSessions, column) for column in _MINUTES),
)
_REJECT_STAGE = (
    missing("sleep_id"),
    missing("stage_id"),
    missing("stamp"),
    Rule("kind_unknown", pl.col("stage").is_null(), "stage"),
    Rule("ends_before_it_starts", pl.col("seconds").fill_null(0) <= 0, "seconds"),
    Rule("longer_than_two_days", pl.col("seconds") > 2 * 24 * 3600, "seconds"),
)

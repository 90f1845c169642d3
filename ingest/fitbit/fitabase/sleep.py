"""Fitabase sleep logs and their epochs: minutes of the old three levels, half minutes of the four stages."""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import number
from ingest.fitbit.fitabase.table import log_id, timed_rows
from ingest.fitbit.reading import Reading, Rows, Rule, missing, sift
from ingest.fitbit.sleep import REJECT_LOG, STAGES

_LEVEL_OF_VALUE = {"1": "asleep", "2": "restless", "3": "awake"}
_AFTER_WAKEUP = ("MinutesAfterWakeUp", "MinutesAfterWakeup")
_NEEDED = ("LogId", "Duration", "Efficiency", "IsMainSleep", "MinutesAsleep", "TimeInBed")
_STAGE_COLUMNS = {
    "deep_minutes": "StagesDeepDuration",
    "rem_minutes": "StagesREMDuration",
    "light_minutes": "StagesLightDuration",
}


def read_logs(content: Content, name: str) -> Reading:
    """Logs in the columns of the JSON ones, without epochs. Only ``sleepStageLogInfo`` knows stages; a log of
    ``sleepLogInfo`` alone is classic. Awake is what is left of the time in bed.
    """
    rows = timed_rows(
        content,
        name,
        "StartTime",
        _NEEDED,
        ["MinutesToFallAsleep", _AFTER_WAKEUP, "SleepDataType", *_STAGE_COLUMNS.values()],
    )
    whole = {
        "duration_ms": "Duration",
        "minutes_asleep": "MinutesAsleep",
        "minutes_to_fall_asleep": "MinutesToFallAsleep",
        "time_in_bed_minutes": "TimeInBed",
        "efficiency": "Efficiency",
        "_after": _AFTER_WAKEUP[0],
        **_STAGE_COLUMNS,
    }
    staged = pl.col("SleepDataType").str.to_lowercase() == "stages"
    frame = rows.frame.with_columns(
        *(number(source).round(0).cast(pl.Int64, strict=False).alias(c) for c, source in whole.items()),
        pl.when(staged).then(pl.lit("stages")).otherwise(pl.lit("classic")).alias("kind"),
        log_id("LogId", "sleep", "local").alias("sleep_id"),
    ).with_columns((pl.col("local") + pl.duration(milliseconds=pl.col("duration_ms"))).alias("local_end"))
    idle = pl.sum_horizontal(pl.col("minutes_asleep", "minutes_to_fall_asleep", "_after").fill_null(0))
    logs = frame.select(
        "row",
        "owner",
        "sleep_id",
        pl.col("local_end").dt.date().alias("date"),
        "local",
        "local_end",
        "kind",
        (pl.col("IsMainSleep").str.to_lowercase() == "true").fill_null(False).alias("flagged_main"),
        "duration_ms",
        "minutes_asleep",
        (pl.col("time_in_bed_minutes") - idle).clip(0).alias("minutes_awake"),
        "minutes_to_fall_asleep",
        "time_in_bed_minutes",
        *(pl.when(staged).then(pl.col(column)).alias(column) for column in _STAGE_COLUMNS),
        "efficiency",
        pl.lit(None, pl.String).alias("log_type"),
        pl.col("SleepDataType").is_not_null().alias("has_stages_file"),
    )
    needed = (missing("minutes_asleep"), missing("time_in_bed_minutes"))
    return sift(rows.like(logs), (*REJECT_LOG, *needed))


def read_minutes(content: Content, name: str) -> Reading:
    """``sleep_id``, ``local``, ``seconds`` (60), ``stage`` of ``minuteSleep``: asleep, restless or awake."""
    rows = timed_rows(content, name, "date", ["value", ("logId", "LogId")])
    level = pl.col("value").replace_strict(_LEVEL_OF_VALUE, default=None, return_dtype=pl.String)
    return _epochs(rows, "logId", level, 60)


def read_half_minutes(content: Content, name: str) -> Reading:
    """The same of ``30secondSleepStages``: the stage that results where a short wake lies over another."""
    rows = timed_rows(content, name, "Time", ["LogId", "SleepStage"])
    stage = pl.col("SleepStage").str.to_lowercase()
    return _epochs(rows, "LogId", pl.when(stage.is_in(STAGES)).then(stage), 30)


def _epochs(rows: Rows, log: str, stage: pl.Expr, seconds: int) -> Reading:
    frame = rows.frame.select(
        "row",
        "owner",
        pl.col(log).alias("sleep_id"),
        "local",
        pl.lit(seconds, pl.Int64).alias("seconds"),
        stage.alias("stage"),
    )
    unknown = Rule("kind_unknown", pl.col("stage").is_null(), "stage")
    return sift(rows.like(frame), (missing("sleep_id"), missing("local"), unknown))

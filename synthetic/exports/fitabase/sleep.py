"""Fitabase files of sleep: sums by wake date, logs, minutes and half minutes."""

from collections.abc import Iterable
from datetime import timedelta

import numpy as np
import polars as pl

from synthetic.exports.logs import efficiency, level_runs, month_averages
from synthetic.life.recording import Recording
from synthetic.life.sleep import ASLEEP, AWAKE, RESTLESS, STAGES, WAKE, Levels, SleepLog

NO_ROWS = pl.DataFrame(schema={"day": pl.Int64})
CLASSIC_TO_VALUE = np.array([3, 2, 1], dtype=np.int8)
STAGE_COLUMNS = ("wake", "Wake"), ("light", "Light"), ("deep", "Deep"), ("rem", "REM")
CLASSIC_COLUMNS = (ASLEEP, "Asleep"), (AWAKE, "Awake"), (RESTLESS, "Restless")


def days(recording: Recording) -> pl.DataFrame:
    """Sums over the logs of each wake date that has any; the day is written as its midnight."""
    return (
        _sums(recording)
        .filter(pl.col("TotalSleepRecords") > 0)
        .select("day", "SleepDay", "TotalSleepRecords", "TotalMinutesAsleep", "TotalTimeInBed")
    )


def days_with_a_repeat(recording: Recording) -> pl.DataFrame:
    """``days`` with the row in the middle twice: the public data of 2016 repeat a few rows exactly."""
    rows = days(recording)
    middle = rows.height // 2
    return pl.concat([rows[: middle + 1], rows[middle:]])


def stages_days(recording: Recording) -> pl.DataFrame:
    """Sums of every date of the study: 0 without sleep, and 0 minutes of a stage where no log has stages."""
    return _sums(recording)


def _sums(recording: Recording) -> pl.DataFrame:
    logs = pl.DataFrame([_counts(sleep) for sleep in recording.sleeps], schema=COUNTED, orient="row")
    dates = pl.DataFrame({"SleepDay": recording.days.dates}).with_row_index("day")
    return (
        dates.join(logs.group_by("SleepDay").sum(), on="SleepDay", how="left", maintain_order="left")
        .fill_null(0)
        .with_columns(pl.col("day").cast(pl.Int64), pl.col("SleepDay").cast(pl.Datetime("ms")))
    )


COUNTED = {"SleepDay": pl.Date} | dict.fromkeys(
    ("TotalSleepRecords", "TotalMinutesAsleep", "TotalTimeInBed", "TotalTimeAwake", "TotalMinutesLight",
     "TotalMinutesDeep", "TotalMinutesREM"), pl.Int64,
)  # fmt: skip


def _counts(sleep: SleepLog) -> tuple[object, ...]:
    minutes = sleep.minutes_by_level() if sleep.kind == "stages" else {}
    stages = (minutes.get(name, 0) for name in ("wake", "light", "deep", "rem"))
    return (sleep.wake_date, 1, sleep.minutes_asleep, sleep.minutes_in_bed, *stages)


def classic_levels(sleep: SleepLog) -> Levels:
    """Half minutes in the old three levels; of a staged log a short wake is restless, a long one awake."""
    if sleep.kind == "classic":
        return sleep.levels
    short = (sleep.levels == WAKE) & (sleep.segments != WAKE)
    return np.select([short, sleep.segments == WAKE], [RESTLESS, AWAKE], ASLEEP).astype(np.int8)


def minutes(recording: Recording) -> pl.DataFrame:
    """A row a minute of every log: 1 asleep, 2 restless, 3 awake; from its start, often at 30 seconds."""
    parts = [
        _samples(recording, sleep, timedelta(minutes=1)).select(
            "day",
            date="time",
            value=pl.Series(CLASSIC_TO_VALUE[classic_levels(sleep)[::2]]),
            logId=pl.lit(log_id),
        )
        for log_id, sleep in _logs(recording)
    ]
    return _together(parts)


def half_minutes(recording: Recording) -> pl.DataFrame:
    """A row each 30 seconds of the logs with stages: the stage, the short wake over it, and what results."""
    names = pl.Series(STAGES)
    parts = [
        _samples(recording, sleep, timedelta(seconds=30)).select(
            "day",
            LogId=pl.lit(log_id),
            Time="time",
            Level=names[sleep.segments],
            ShortWakes=pl.Series(np.where(sleep.levels != sleep.segments, "wake", "")),
            SleepStage=names[sleep.levels],
        )
        for log_id, sleep in _logs(recording)
        if sleep.kind == "stages"
    ]
    return _together(parts)


def _together(parts: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(parts) if parts else NO_ROWS


def _samples(recording: Recording, sleep: SleepLog, step: timedelta) -> pl.DataFrame:
    """``day`` and ``time`` of the steps of a log, on the clock of its start."""
    times = pl.datetime_range(sleep.start, sleep.end, step, closed="left", eager=True, time_unit="ms")
    return pl.DataFrame({"time": times}).with_columns(
        day=pl.lit((sleep.wake_date - recording.days.dates[0]).days, pl.Int64)
    )


def logs(recording: Recording) -> pl.DataFrame:
    """Every log in the old three levels; lengths in minutes, ``Duration`` in milliseconds."""
    rows = [
        {
            **_head(recording, log_id, sleep),
            "MinutesAfterWakeup": 0,
            "MinutesAsleep": sleep.minutes_asleep,
            "MinutesToFallAsleep": 0,
            "TimeInBed": sleep.minutes_in_bed,
            **_classic_parts(sleep, ((AWAKE, "Awake"), (RESTLESS, "Restless"))),
        }
        for log_id, sleep in _logs(recording)
    ]
    return pl.DataFrame(rows) if rows else NO_ROWS


def stage_logs(recording: Recording) -> pl.DataFrame:
    """Every log with the levels of its own kind; cells of the other kind are empty."""
    averages = month_averages(recording.sleeps)
    rows: list[dict[str, object]] = []
    for log_id, sleep in _logs(recording):
        staged = sleep.kind == "stages"
        head = _head(recording, log_id, sleep) | {
            "SleepDataType": sleep.kind,
            "MinutesAfterWakeUp": 0,
            "MinutesAsleep": sleep.minutes_asleep,
            "MinutesToFallAsleep": 0,
            "TimeInBed": sleep.minutes_in_bed,
        }
        classic = {f"Classic{key}": value for key, value in _classic_parts(sleep, CLASSIC_COLUMNS).items()}
        stages = _stage_parts(sleep, averages[sleep.wake_date])
        rows.append(head | _unless(staged, classic) | _unless(not staged, stages))
    return pl.DataFrame(rows, infer_schema_length=None) if rows else NO_ROWS


def _unless(empty: bool, values: dict[str, int]) -> dict[str, int | None]:
    return {name: None if empty else value for name, value in values.items()}


def _logs(recording: Recording) -> Iterable[tuple[int, SleepLog]]:
    return zip(recording.sleep_ids, recording.sleeps, strict=True)


def _head(recording: Recording, log_id: int, sleep: SleepLog) -> dict[str, object]:
    return {
        "day": (sleep.wake_date - recording.days.dates[0]).days,
        "LogId": log_id,
        "StartTime": sleep.start,
        "Duration": sleep.minutes_in_bed * 60_000,
        "Efficiency": efficiency(sleep),
        "IsMainSleep": sleep.is_main,
    }


def _classic_parts(sleep: SleepLog, columns: Iterable[tuple[int, str]]) -> dict[str, int]:
    levels = classic_levels(sleep)
    runs = level_runs(levels)
    found: dict[str, int] = {}
    for level, name in columns:
        found[f"{name}Count"] = sum(run[0] == level for run in runs)
        found[f"{name}Duration"] = int((levels == level).sum()) // 2
    return found


def _stage_parts(sleep: SleepLog, averages: dict[str, int]) -> dict[str, int]:
    minutes_of = sleep.minutes_by_level()
    runs = level_runs(sleep.levels)
    found: dict[str, int] = {}
    for name, title in STAGE_COLUMNS:
        code = STAGES.index(name)
        found[f"Stages{title}Count"] = sum(run[0] == code for run in runs)
        found[f"Stages{title}Duration"] = minutes_of.get(name, 0)
        found[f"Stages{title}ThirtyDayAvg"] = averages.get(name, 0)
    return found

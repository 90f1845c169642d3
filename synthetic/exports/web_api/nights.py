"""Web API answers on nights: sleep logs, and what the device worked out of a night."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from synthetic.exports.logs import Run, efficiency, level_names, level_runs, month_averages
from synthetic.exports.web_api.units import Units
from synthetic.life.recording import Recording
from synthetic.life.sleep import STAGES, WAKE, SleepLog

Entries = Mapping[date, object]
RANGE_EITHER_SIDE = 2


def sleep_days(recording: Recording) -> Iterator[tuple[str, dict[str, object]]]:
    """Logs of every wake date, newest first, with their sums; a date without sleep has an empty list."""
    averages = month_averages(recording.sleeps)
    logs = list(zip(recording.sleep_ids, recording.sleeps, strict=True))[::-1]
    for day in recording.days.dates:
        here = [(log_id, sleep) for log_id, sleep in logs if sleep.wake_date == day]
        entries = [_log(log_id, sleep, averages[day]) for log_id, sleep in here]
        yield f"sleep_{day}", {"sleep": entries, "summary": _summary([sleep for _, sleep in here])}


def _summary(sleeps: list[SleepLog]) -> dict[str, object]:
    staged = [sleep.minutes_by_level() for sleep in sleeps if sleep.kind == "stages"]
    stages = {name: sum(minutes[name] for minutes in staged) for name in ("deep", "light", "rem", "wake")}
    return {
        **({"stages": stages} if staged else {}),
        "totalMinutesAsleep": sum(sleep.minutes_asleep for sleep in sleeps),
        "totalSleepRecords": len(sleeps),
        "totalTimeInBed": sum(sleep.minutes_in_bed for sleep in sleeps),
    }


def _log(log_id: int, sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, object]:
    return {
        "dateOfSleep": sleep.wake_date.isoformat(),
        "duration": sleep.minutes_in_bed * 60_000,
        "efficiency": efficiency(sleep),
        "endTime": _local(sleep.end),
        "infoCode": sleep.info_code,
        "isMainSleep": sleep.is_main,
        "levels": _levels(sleep, averages),
        "logId": log_id,
        "logType": "auto_detected",
        "minutesAfterWakeup": 0,
        "minutesAsleep": sleep.minutes_asleep,
        "minutesAwake": sleep.minutes_awake,
        "minutesToFallAsleep": 0,
        "startTime": _local(sleep.start),
        "timeInBed": sleep.minutes_in_bed,
        "type": sleep.kind,
    }


def _levels(sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, object]:
    data = _epochs(sleep, level_runs(sleep.segments))
    if sleep.kind == "classic":
        return {"data": data, "summary": _level_summary(sleep, averages)}
    short = np.where(sleep.levels != sleep.segments, sleep.levels, -1).astype(np.int8)
    wakes = [run for run in level_runs(short) if run[0] == WAKE]
    return {"data": data, "shortData": _epochs(sleep, wakes), "summary": _level_summary(sleep, averages)}


def _level_summary(sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, dict[str, int]]:
    minutes, runs = sleep.minutes_by_level(), level_runs(sleep.levels)
    return {
        name: {"count": sum(level == code for level, _, _ in runs), "minutes": minutes[name]}
        | ({"thirtyDayAvgMinutes": averages.get(name, 0)} if name in STAGES else {})
        for code, name in enumerate(level_names(sleep))
    }


def _epochs(sleep: SleepLog, runs: list[Run]) -> list[dict[str, object]]:
    names = level_names(sleep)
    return [
        {
            "dateTime": _local(sleep.start + timedelta(seconds=30 * first)),
            "level": names[level],
            "seconds": 30 * length,
        }
        for level, first, length in runs
    ]


def heart_rate_variability(recording: Recording, _units: Units) -> Entries:
    """RMSSD of the night and of its deep sleep, in milliseconds."""
    return {
        day: {"value": {"dailyRmssd": rmssd, "deepRmssd": deep}, "dateTime": day.isoformat()}
        for day, rmssd, deep in _known(recording, "heart_rate_variability", "deep_rmssd")
    }


def breathing_rate(recording: Recording, _units: Units) -> Entries:
    """Breaths a minute of the night."""
    return {
        day: {"value": {"breathingRate": rate}, "dateTime": day.isoformat()}
        for day, rate in _known(recording, "respiratory_rate")
    }


def oxygen_saturation(recording: Recording, _units: Units) -> Entries:
    """Oxygen saturation of the night in percent."""
    return {
        day: {"dateTime": day.isoformat(), "value": {"avg": mean, "min": low, "max": high}}
        for day, mean, low, high in _known(recording, "spo2_avg", "spo2_min", "spo2_max")
    }


def skin_temperature(recording: Recording, _units: Units) -> Entries:
    """Difference of the night's skin temperature from the personal baseline, in degC to 0.1."""
    return {
        day: {
            "dateTime": day.isoformat(),
            "value": {"nightlyRelative": round(difference, 1)},
            "logType": "dedicated_temp_sensor",
        }
        for day, difference in _known(recording, "skin_temperature_variation")
    }


def cardio_fitness(recording: Recording, _units: Units) -> Entries:
    """Cardio fitness in ml/kg/min as text: a range, and one number only on days with a run."""
    runs = {log.exercise.start.date() for log in recording.exercises if log.exercise.sport.name == "Run"}
    return {
        day: {"dateTime": day.isoformat(), "value": {"vo2Max": _fitness(value, day in runs)}}
        for day, value in _known(recording, "vo2max")
    }


def _fitness(value: float, sure: bool) -> str:
    middle = round(value)
    return str(middle) if sure else f"{middle - RANGE_EITHER_SIDE}-{middle + RANGE_EITHER_SIDE}"


def _known(recording: Recording, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Days with all of the columns."""
    return recording.nightly.select("date", *columns).drop_nulls().iter_rows()


def _local(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")

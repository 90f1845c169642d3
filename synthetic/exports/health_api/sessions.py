"""Google Health API sessions: sleep and exercise, newest first, with offsets of start and end."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from synthetic.exports.account import wearable_on
from synthetic.exports.health_api.text import (
    civil_time,
    instant,
    offset_at,
    offset_text,
    point,
    point_name,
    watch,
)
from synthetic.exports.logs import distance_m, elevation_gain_m, level_names, level_runs
from synthetic.exports.takeout.export import long_id
from synthetic.life.recording import ExerciseLog, Recording
from synthetic.life.sleep import SleepLog

TYPES = {"Walk": "WALKING", "Run": "RUNNING", "Bike": "BIKING", "Weights": "WEIGHTLIFTING"}
STAGES = {"wake": "AWAKE"}
STATES = {0: "SUCCEEDED", 1: "REJECTED_COVERAGE", 2: "REJECTED_NAP"}
ZONE_TIMES = ("lightTime", "moderateTime", "vigorousTime", "peakTime")


def sleeps(recording: Recording) -> Iterator[str]:
    """Sleep logs, without civil times. Restless minutes of a classic log do not count as awake here."""
    for log_id, sleep in zip(reversed(recording.sleep_ids), reversed(recording.sleeps), strict=True):
        start = recording.days.utc_of(sleep.start)
        made = instant(start + timedelta(minutes=sleep.minutes_in_bed + 7))
        nap = {} if sleep.is_main else {"nap": True}
        value = {
            "interval": _interval(recording, start, timedelta(minutes=sleep.minutes_in_bed)),
            "type": sleep.kind.upper(),
            "stages": _stages(recording, sleep, start),
            "metadata": {"stagesStatus": STATES[sleep.info_code], "processed": True, **nap},
            "summary": _summary(sleep),
            "createTime": made,
            "updateTime": made,
        }
        name = point_name("sleep", long_id(log_id, "sleep v1"))
        yield point("sleep", value, watch(wearable_on(recording, sleep.wake_date).name), name)


def _stages(recording: Recording, sleep: SleepLog, start: datetime) -> list[dict[str, str]]:
    """Every stretch of one level, short wakes included: they follow each other without a gap."""
    return [
        {
            **_interval(recording, start + timedelta(seconds=30 * first), timedelta(seconds=30 * length)),
            "type": _level(level_names(sleep)[level]),
        }
        for level, first, length in level_runs(sleep.levels)
    ]


def _summary(sleep: SleepLog) -> dict[str, object]:
    minutes, runs = sleep.minutes_by_level(), level_runs(sleep.levels)
    stages = [
        {
            "type": _level(name),
            "minutes": str(minutes[name]),
            "count": str(sum(run[0] == code for run in runs)),
        }
        for code, name in enumerate(level_names(sleep))
    ]
    return {
        "minutesInSleepPeriod": str(sleep.minutes_in_bed),
        "minutesAfterWakeUp": "0",
        "minutesToFallAsleep": "0",
        "minutesAsleep": str(sleep.minutes_asleep),
        "minutesAwake": str(minutes["wake" if sleep.kind == "stages" else "awake"]),
        "stagesSummary": stages,
    }


def _level(name: str) -> str:
    return STAGES.get(name, name.upper())


def exercises(recording: Recording) -> Iterator[str]:
    """Recorded exercises; distances in millimetres."""
    for log in reversed(recording.exercises):
        local, length = log.exercise.start, timedelta(seconds=log.exercise.seconds)
        start = recording.days.utc_of(local)
        civil = {"civilStartTime": civil_time(local), "civilEndTime": civil_time(local + length)}
        saved = instant(start + length + timedelta(minutes=7))
        value = {
            "interval": _interval(recording, start, length) | civil,
            "exerciseType": TYPES[log.exercise.sport.name],
            "metricsSummary": _metrics(recording, log),
            "exerciseMetadata": {},
            "displayName": log.exercise.sport.name,
            "activeDuration": f"{log.exercise.seconds}s",
            "createTime": saved,
            "updateTime": saved,
        }
        name = point_name("exercise", long_id(log.log_id, "exercise"))
        yield point("exercise", value, watch(wearable_on(recording, local.date()).name), name)


def _metrics(recording: Recording, log: ExerciseLog) -> dict[str, object]:
    """What was measured; 0 is left out."""
    metres = distance_m(recording.person, log)
    zones = zip(ZONE_TIMES, log.zones, strict=True)
    found: dict[str, object] = {
        "caloriesKcal": float(log.calories),
        "distanceMillimeters": None if metres is None else round(metres * 1000, 1),
        "steps": str(log.steps) if log.steps else None,
        "averageHeartRateBeatsPerMinute": str(log.average_heart_rate),
        "elevationGainMillimeters": elevation_gain_m(log) * 1000 or None,
        "activeZoneMinutes": str(log.active_zone_minutes) if log.active_zone_minutes else None,
        "heartRateZoneDurations": {name: f"{minutes * 60}s" for name, minutes in zones if minutes},
    }
    return {name: value for name, value in found.items() if value is not None}


def _interval(recording: Recording, start: datetime, length: timedelta) -> dict[str, str]:
    end = start + length
    return {
        "startTime": instant(start),
        "startUtcOffset": offset_text(offset_at(recording.days, start)),
        "endTime": instant(end),
        "endUtcOffset": offset_text(offset_at(recording.days, end)),
    }

"""Sleep and exercise logs of ``Global Export Data``, in the vendor's form."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from synthetic.exports.json_files import CHUNK_DAYS, Members, chunk_starts, pretty, records
from synthetic.exports.logs import (
    ZONES,
    activity_level,
    efficiency,
    elevation_gain_m,
    heart_rate_zones,
    level_runs,
    month_averages,
)
from synthetic.life.activity import ZONE_MULTIPLIER
from synthetic.life.recording import ExerciseLog, Recording
from synthetic.life.sleep import CLASSIC_LEVELS, STAGES, WAKE, SleepLog
from synthetic.local_days import EPOCH
from synthetic.people.persona import Person

LOGS_A_FILE = 100


def sleep_files(recording: Recording, created: date) -> Members:
    """30-day files, newest log first.

    The first log of a chunk stands also in the chunk before, there with ``thirtyDayAvgMinutes`` 0: the copy
    to be dropped.
    """
    logs = list(zip(recording.sleep_ids, recording.sleeps, strict=True))
    averages = month_averages(recording.sleeps)
    starts = chunk_starts(created, recording.days.dates[-1], CHUNK_DAYS)
    for first in starts:
        after = first + timedelta(days=CHUNK_DAYS)
        here = [(log_id, sleep) for log_id, sleep in logs if first <= sleep.wake_date < after]
        border = [(log_id, sleep) for log_id, sleep in logs if sleep.wake_date == after and sleep.is_main]
        texts = [pretty(_sleep_record(log_id, sleep, {})) for log_id, sleep in border]
        texts += [
            pretty(_sleep_record(log_id, sleep, averages[sleep.wake_date]))
            for log_id, sleep in reversed(here)
        ]
        if texts:
            yield f"sleep-{first}.json", records(texts)


def _sleep_record(log_id: int, sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    return {
        "logId": log_id,
        "dateOfSleep": sleep.wake_date.isoformat(),
        "startTime": _local(sleep.start),
        "endTime": _local(sleep.end),
        "duration": sleep.minutes_in_bed * 60_000,
        "minutesToFallAsleep": 0,
        "minutesAsleep": sleep.minutes_asleep,
        "minutesAwake": sleep.minutes_awake,
        "minutesAfterWakeup": 0,
        "timeInBed": sleep.minutes_in_bed,
        "efficiency": efficiency(sleep),
        "type": sleep.kind,
        "infoCode": sleep.info_code,
        "logType": "auto_detected",
        "levels": _levels(sleep, averages),
        "mainSleep": sleep.is_main,
    }


def _levels(sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    names = STAGES if sleep.kind == "stages" else CLASSIC_LEVELS
    minutes = sleep.minutes_by_level()
    runs = level_runs(sleep.levels)
    summary: dict[str, dict[str, int]] = {}
    for code, name in enumerate(names):
        summary[name] = {"count": sum(level == code for level, _, _ in runs), "minutes": minutes[name]}
        if sleep.kind == "stages":
            summary[name]["thirtyDayAvgMinutes"] = averages.get(name, 0)
    data = _epochs(sleep.start, level_runs(sleep.segments), names)
    levels: dict[str, Any] = {"summary": summary, "data": data}
    if sleep.kind == "stages":
        short = np.where(sleep.levels != sleep.segments, sleep.levels, -1).astype(np.int8)
        wakes = [run for run in level_runs(short) if run[0] == WAKE]
        levels["shortData"] = _epochs(sleep.start, wakes, names)
    return levels


def _epochs(
    start: datetime, runs: list[tuple[int, int, int]], names: tuple[str, ...]
) -> list[dict[str, Any]]:
    return [
        {
            "dateTime": _local(start + timedelta(seconds=30 * first)),
            "level": names[level],
            "seconds": 30 * length,
        }
        for level, first, length in runs
    ]


def _local(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def exercise_files(recording: Recording) -> Members:
    """A hundred logs a file, oldest first."""
    logs = recording.exercises
    for first in range(0, max(len(logs), 1), LOGS_A_FILE):
        texts = [pretty(_exercise_record(recording, log)) for log in logs[first : first + LOGS_A_FILE]]
        yield f"exercise-{first}.json", records(texts)


def _exercise_record(recording: Recording, log: ExerciseLog) -> dict[str, Any]:
    person, exercise = recording.person, log.exercise
    start = exercise.start.replace(tzinfo=recording.days.zone).astimezone(EPOCH.tzinfo)
    stamp = start.strftime("%m/%d/%y %H:%M:%S")
    modified = (start + timedelta(seconds=exercise.seconds + 420)).strftime("%m/%d/%y %H:%M:%S")
    milliseconds = exercise.seconds * 1000
    record: dict[str, Any] = {
        "logId": log.log_id,
        "activityName": exercise.sport.name,
        "activityTypeId": exercise.sport.type_id,
        "activityLevel": activity_level(log),
        "averageHeartRate": log.average_heart_rate,
        "calories": log.calories,
    }
    if log.distance is not None:
        record |= {"distance": log.distance, "distanceUnit": "Mile" if person.miles else "Kilometer"}
    record |= {"duration": milliseconds, "activeDuration": milliseconds}
    if log.steps:
        record["steps"] = log.steps
    return record | {
        "source": {
            "type": "tracker",
            "name": person.device,
            "id": tracker_id(person),
            "url": "https://www.fitbit.com/",
            "trackerFeatures": ["VO2_MAX", "DISTANCE", "CALORIES"],
        },
        "logType": exercise.sport.log_type,
        "manualValuesSpecified": {"calories": False, "distance": False, "steps": False},
        "heartRateZones": heart_rate_zones(person, log),
        "activeZoneMinutes": {
            "totalMinutes": log.active_zone_minutes,
            "minutesInHeartRateZones": [
                {
                    "minutes": log.zones[order],
                    "zoneName": name,
                    "order": order,
                    "type": kind,
                    "minuteMultiplier": int(ZONE_MULTIPLIER[order]),
                }
                for order, name, kind in ZONES
            ],
        },
        "lastModified": modified,
        "startTime": stamp,
        "originalStartTime": stamp,
        "originalDuration": milliseconds,
        "elevationGain": elevation_gain_m(log),
        "hasGps": False,
        "shouldFetchDetails": False,
        "hasActiveZoneMinutes": True,
    }


def tracker_id(person: Person) -> str:
    """Id of the person's device, as in Trackers.csv."""
    return str(7_300_000_000 + person.number * 4_211)

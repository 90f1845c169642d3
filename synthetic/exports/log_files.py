"""Sleep and exercise logs of ``Global Export Data``, in the vendor's form."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from synthetic.exports.json_files import CHUNK_DAYS, Members, chunk_starts, pretty, records
from synthetic.life.activity import CARDIO, FAT_BURN, OUT_OF_ZONE, PEAK, ZONE_MULTIPLIER, zone_limits
from synthetic.life.recording import ExerciseLog, Recording
from synthetic.life.sleep import CLASSIC_LEVELS, STAGES, WAKE, Levels, SleepLog
from synthetic.local_days import EPOCH
from synthetic.people.persona import Person

LOGS_A_FILE = 100
ZONES = (
    (OUT_OF_ZONE, "Out of Range", "OUT_OF_ZONE"),
    (FAT_BURN, "Fat Burn", "FAT_BURN"),
    (CARDIO, "Cardio", "CARDIO"),
    (PEAK, "Peak", "PEAK"),
)


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
        texts = [pretty(sleep_record(log_id, sleep, {})) for log_id, sleep in border]
        texts += [
            pretty(sleep_record(log_id, sleep, averages[sleep.wake_date])) for log_id, sleep in reversed(here)
        ]
        if texts:
            yield f"sleep-{first}.json", records(texts)


def sleep_record(log_id: int, sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    """One log with the keys of the export; ``averages`` are thirty-day means by stage, 0 where absent."""
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


def efficiency(sleep: SleepLog) -> int:
    """Share of the time in bed that was slept, in whole percent."""
    return round(100 * sleep.minutes_asleep / sleep.minutes_in_bed)


def _levels(sleep: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    names = STAGES if sleep.kind == "stages" else CLASSIC_LEVELS
    minutes = sleep.minutes_by_level()
    runs = level_runs(sleep.levels)
    summary: dict[str, dict[str, int]] = {}
    for code, name in enumerate(names):
        summary[name] = {"count": sum(level == code for level, _, _ in runs), "minutes": minutes[name]}
        if sleep.kind == "stages":
            summary[name]["thirtyDayAvgMinutes"] = averages.get(name, 0)
    levels: dict[str, Any] = {
        "summary": summary,
        "data": _epochs(sleep.start, level_runs(sleep.segments), names),
    }
    if sleep.kind == "stages":
        short = np.where(sleep.levels != sleep.segments, sleep.levels, -1).astype(np.int8)
        levels["shortData"] = _epochs(
            sleep.start, [run for run in level_runs(short) if run[0] == WAKE], names
        )
    return levels


def month_averages(sleeps: Sequence[SleepLog]) -> dict[date, dict[str, int]]:
    """By wake date: mean minutes of each stage over the nights of the thirty days to it; never 0."""
    staged = [(sleep.wake_date, sleep.minutes_by_level()) for sleep in sleeps if sleep.kind == "stages"]
    averages: dict[date, dict[str, int]] = {}
    for day in {sleep.wake_date for sleep in sleeps}:
        month = [minutes for night, minutes in staged if 0 <= (day - night).days < 30]
        averages[day] = {
            name: max(1, round(sum(minutes[name] for minutes in month) / len(month)))
            for name in STAGES
            if month
        }
    return averages


def level_runs(levels: Levels) -> list[tuple[int, int, int]]:
    """Stretches of one level as (level, first half minute, half minutes)."""
    edges = np.flatnonzero(np.diff(levels)) + 1
    starts = np.concatenate([[0], edges])
    lengths = np.diff(np.concatenate([starts, [len(levels)]]))
    return [
        (int(levels[start]), int(start), int(length)) for start, length in zip(starts, lengths, strict=True)
    ]


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
        "activityLevel": activity_level(exercise.seconds // 60, exercise.effort),
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


def elevation_gain_m(log: ExerciseLog) -> float:
    """Ten feet a floor, in metres."""
    return round(log.floors * 3.048, 3)


def tracker_id(person: Person) -> str:
    """Id of the person's device, as in Trackers.csv."""
    return str(7_300_000_000 + person.number * 4_211)


def activity_level(minutes: int, effort: float) -> list[dict[str, Any]]:
    """An exercise's minutes by level: all in the one that its effort reaches."""
    level = "very" if effort >= 0.46 else "fairly"
    return [
        {"minutes": minutes if name == level else 0, "name": name}
        for name in ("sedentary", "lightly", "fairly", "very")
    ]


def heart_rate_zones(person: Person, log: ExerciseLog) -> list[dict[str, Any]]:
    """The four zones with their limits in bpm, the exercise's minutes and kilocalories in each."""
    limits = (30, *zone_limits(person), 220)
    total = max(sum(log.zones), 1)
    return [
        {
            "name": name,
            "min": limits[order],
            "max": limits[order + 1],
            "minutes": log.zones[order],
            "caloriesOut": round(log.calories * log.zones[order] / total, 5),
        }
        for order, name, _ in ZONES
    ]

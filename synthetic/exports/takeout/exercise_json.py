"""Exercise logs of ``Global Export Data``: UTC times, names in the account's language."""

from datetime import timedelta
from typing import Any

from synthetic.exports.logs import ZONES, activity_level, elevation_gain_m, heart_rate_zones
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.json_text import json_file, pretty
from synthetic.exports.takeout.languages import said_in
from synthetic.life.activity import ZONE_MULTIPLIER
from synthetic.life.recording import ExerciseLog
from synthetic.people.devices import Device

LOGS_A_FILE = 100
SYNCED_AFTER = timedelta(minutes=7)


def exercise(export: Export) -> Files:
    """A hundred logs a file, oldest first."""
    logs = export.recording.exercises
    for first in range(0, max(len(logs), 1), LOGS_A_FILE):
        texts = [pretty(_record(export, log)) for log in logs[first : first + LOGS_A_FILE]]
        yield json_file(f"exercise-{first}.json", texts)


def _record(export: Export, log: ExerciseLog) -> dict[str, Any]:
    sport, milliseconds = log.exercise.sport, log.exercise.seconds * 1000
    unit = "Mile" if export.person.miles else "Kilometer"
    return {
        "logId": log.log_id,
        "activityName": said_in(export.request.language, sport.name),
        "activityTypeId": sport.type_id,
        "activityLevel": activity_level(log),
        "averageHeartRate": log.average_heart_rate,
        "calories": log.calories,
        **({} if log.distance is None else {"distance": log.distance, "distanceUnit": unit}),
        "duration": milliseconds,
        "activeDuration": milliseconds,
        **({"steps": log.steps} if log.steps else {}),
        "source": _source(export.watch_on(log.exercise.start.date())),
        "logType": sport.log_type,
        "manualValuesSpecified": {"calories": False, "distance": False, "steps": False},
        "heartRateZones": _heart_rate_zones(export, log),
        "activeZoneMinutes": _active_zone_minutes(export, log),
        **_pace(log),
        **_times(export, log),
        "originalDuration": milliseconds,
        "elevationGain": elevation_gain_m(log),
        "hasGps": False,
        "shouldFetchDetails": False,
        "hasActiveZoneMinutes": True,
    }


def _source(watch: Device) -> dict[str, Any]:
    return {
        "type": "tracker",
        "name": watch.name,
        "id": watch.tracker_id,
        "url": "https://www.fitbit.com/",
        "trackerFeatures": ["VO2_MAX", "DISTANCE", "CALORIES"],
    }


def _heart_rate_zones(export: Export, log: ExerciseLog) -> list[dict[str, Any]]:
    zones = heart_rate_zones(export.person, log)
    return [zone | {"name": said_in(export.request.language, zone["name"])} for zone in zones]


def _active_zone_minutes(export: Export, log: ExerciseLog) -> dict[str, Any]:
    """Raw minutes of each zone; only the total is weighted."""
    return {
        "totalMinutes": log.active_zone_minutes,
        "minutesInHeartRateZones": [
            {
                "minutes": log.zones[order],
                "zoneName": said_in(export.request.language, name),
                "order": order,
                "type": kind,
                "minuteMultiplier": int(ZONE_MULTIPLIER[order]),
            }
            for order, name, kind in ZONES
        ],
    }


def _pace(log: ExerciseLog) -> dict[str, float]:
    """An hour's distance in the account's unit, and seconds a unit."""
    if not log.distance:
        return {}
    seconds = log.exercise.seconds
    return {"speed": round(log.distance / seconds * 3600, 6), "pace": round(seconds / log.distance, 6)}


def _times(export: Export, log: ExerciseLog) -> dict[str, str]:
    start = export.utc_of(log.exercise.start)
    modified = start + timedelta(seconds=log.exercise.seconds) + SYNCED_AFTER
    return {
        "lastModified": f"{modified:%m/%d/%y %H:%M:%S}",
        "startTime": f"{start:%m/%d/%y %H:%M:%S}",
        "originalStartTime": f"{start:%m/%d/%y %H:%M:%S}",
    }

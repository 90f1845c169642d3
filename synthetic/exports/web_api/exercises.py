"""Web API answers on recorded exercises."""

from collections.abc import Iterator
from datetime import timedelta

from synthetic.exports.account import wearable_on
from synthetic.exports.logs import ZONES, activity_level, distance_m, elevation_gain_m, heart_rate_zones
from synthetic.exports.web_api.units import METRES_A_FLOOR, Units
from synthetic.life.activity import ZONE_MULTIPLIER
from synthetic.life.recording import ExerciseLog, Recording

PAGE = 100
LIST_URL = "https://api.fitbit.com/1/user/-/activities/list.json"


def pages(recording: Recording, units: Units) -> Iterator[tuple[str, dict[str, object]]]:
    """Recorded exercises, oldest first, a hundred a page."""
    logs, after = recording.exercises, recording.days.dates[0].isoformat()
    for first in range(0, max(len(logs), 1), PAGE):
        query = f"{LIST_URL}?afterDate={after}&sort=asc&limit={PAGE}&offset="
        pagination = {
            "afterDate": after,
            "limit": PAGE,
            "next": f"{query}{first + PAGE}" if first + PAGE < len(logs) else "",
            "offset": first,
            "previous": f"{query}{first - PAGE}" if first else "",
            "sort": "asc",
        }
        entries = [_exercise(recording, log, units) for log in logs[first : first + PAGE]]
        yield f"activities_list_{after}_{first}", {"activities": entries, "pagination": pagination}


def _exercise(recording: Recording, log: ExerciseLog, units: Units) -> dict[str, object]:
    exercise, milliseconds = log.exercise, log.exercise.seconds * 1000
    return {
        "activeDuration": milliseconds,
        "activeZoneMinutes": _minutes_in_zones(log),
        "activityLevel": activity_level(log),
        "activityName": exercise.sport.name,
        "activityTypeId": exercise.sport.type_id,
        "averageHeartRate": log.average_heart_rate,
        "calories": log.calories,
        **_distance(recording, log, units),
        "duration": milliseconds,
        "elevationGain": round(elevation_gain_m(log) * units.floor / METRES_A_FLOOR, 3),
        "hasActiveZoneMinutes": True,
        "heartRateZones": heart_rate_zones(recording.person, log),
        **_times(recording, log),
        "logId": log.log_id,
        "logType": exercise.sport.log_type,
        "manualValuesSpecified": {"calories": False, "distance": False, "steps": False},
        "originalDuration": milliseconds,
        **({"steps": log.steps} if log.steps else {}),
        "source": _source(recording, log),
    }


def _source(recording: Recording, log: ExerciseLog) -> dict[str, str]:
    device = wearable_on(recording, log.exercise.start.date())
    return {
        "id": device.tracker_id,
        "name": device.name,
        "type": "tracker",
        "url": "https://www.fitbit.com/",
    }


def _minutes_in_zones(log: ExerciseLog) -> dict[str, object]:
    zones = [
        {
            "minuteMultiplier": int(ZONE_MULTIPLIER[order]),
            "minutes": log.zones[order],
            "order": order,
            "type": kind,
            "zoneName": name,
        }
        for order, name, kind in ZONES
    ]
    return {"minutesInHeartRateZones": zones, "totalMinutes": log.active_zone_minutes}


def _distance(recording: Recording, log: ExerciseLog, units: Units) -> dict[str, object]:
    metres = distance_m(recording.person, log)
    if metres is None:
        return {}
    return {"distance": round(metres / units.metres, 6), "distanceUnit": units.distance}


def _times(recording: Recording, log: ExerciseLog) -> dict[str, str]:
    """Here, unlike in the export, the start has an offset."""
    days, start = recording.days, log.exercise.start
    minutes = days.offset_at(start)
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    stamp = f"{start.isoformat(timespec='milliseconds')}{sign}{hours:02d}:{rest:02d}"
    saved = start - timedelta(minutes=minutes) + timedelta(seconds=log.exercise.seconds + 420)
    return {
        "lastModified": f"{saved.isoformat(timespec='milliseconds')}Z",
        "originalStartTime": stamp,
        "startTime": stamp,
    }

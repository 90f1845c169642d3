"""Recorded exercises: UTC digits, distance in the account's unit, names in the account's language."""

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.activity_types import NAMES
from ingest.fitbit.json_rows import Whole, decode, parsed_time
from ingest.fitbit.reading import Reading, missing, outside_limits, sift
from schemas.activities import Activities

METRES_A_STEP = 1.524
STEP_TOLERANCE = 0.01
METRES = {"Kilometer": 1000.0, "Mile": 1609.344}


class ZoneMinutes(msgspec.Struct):
    """Active zone minutes of an exercise, already weighted."""

    totalMinutes: Whole | None = None  # noqa: N815


class Exercise(msgspec.Struct):
    """A record of exercise-N.json; the fields a study can use."""

    logId: Whole  # noqa: N815
    startTime: str  # noqa: N815
    duration: Whole
    activityTypeId: Whole | None = None  # noqa: N815
    activeDuration: Whole | None = None  # noqa: N815
    distance: float | None = None
    distanceUnit: str | None = None  # noqa: N815
    steps: Whole | None = None
    calories: float | None = None
    averageHeartRate: Whole | None = None  # noqa: N815
    activeZoneMinutes: ZoneMinutes | None = None  # noqa: N815
    elevationGain: float | None = None  # noqa: N815
    logType: str | None = None  # noqa: N815


def read_exercise(content: Content, _name: str) -> Reading:
    """A row an exercise in the columns of ``activities``, with ``utc`` for its start."""
    records = decode(content, Exercise)
    frame = pl.DataFrame([row_of_exercise(exercise) for exercise in records.good], schema=EXERCISE_SCHEMA)
    return sift(records.rows_of(frame.with_columns(parsed_time("utc"))), REJECT_EXERCISE)


def row_of_exercise(exercise: Exercise) -> dict[str, object]:
    """A row in the form of EXERCISE_SCHEMA; ``utc`` is the start as written."""
    type_id = exercise.activityTypeId
    zones = exercise.activeZoneMinutes
    return {
        "activity_id": str(exercise.logId),
        "activity_name": NAMES.get(type_id) if type_id is not None else None,
        "activity_type_id": type_id,
        "utc": exercise.startTime,
        "duration_minutes": exercise.duration / 60_000,
        "active_duration_minutes": _minutes(exercise.activeDuration),
        "distance_m": _metres(exercise.distance, exercise.distanceUnit),
        "steps": exercise.steps,
        "calories_kcal": exercise.calories,
        # 0 means that no heart rate was measured.
        "average_heart_rate": exercise.averageHeartRate or None,
        "active_zone_minutes": zones.totalMinutes if zones else None,
        "elevation_gain_m": _elevation_m(exercise.elevationGain),
        "log_type": exercise.logType,
    }


def _minutes(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 60_000


def _metres(distance: float | None, unit: str | None) -> float | None:
    """Distance in metres; null where the file names no unit we know."""
    if distance is None or unit not in METRES:
        return None
    return distance * METRES[unit]


def _elevation_m(gain: float | None) -> float | None:
    """Elevation gain in metres; null where the unit is not proven.

    Barometers count steps of five feet: a multiple of 1.524 was written in metres, other values may be feet.
    """
    if gain is None:
        return None
    steps = gain / METRES_A_STEP
    return gain if abs(steps - round(steps)) < STEP_TOLERANCE else None


_FLOATS = ("duration_minutes", "active_duration_minutes", "distance_m", "calories_kcal", "elevation_gain_m")
_WHOLE = ("activity_type_id", "steps", "average_heart_rate", "active_zone_minutes")
EXERCISE_SCHEMA: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("activity_id", "activity_name", "utc", "log_type"), pl.String),
    **dict.fromkeys(_FLOATS, pl.Float64),
    **dict.fromkeys(_WHOLE, pl.Int64),
}
REJECT_EXERCISE = (missing("utc"), *(outside_limits(Activities, column) for column in (*_FLOATS, *_WHOLE)))

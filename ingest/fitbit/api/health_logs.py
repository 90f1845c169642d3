"""Google Health API sessions and weigh-ins: sleep, exercise, weight."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import at, real, text, whole
from ingest.fitbit.api.health_points import (
    CLOCK,
    INTERVAL,
    SAMPLE,
    TIMED,
    instants,
    point_id,
    points_of,
    recorder_of,
    seconds,
    timed,
    whole_offset,
)
from ingest.fitbit.reading import Reading, Rows, Rule, missing, outside_limits, sift
from ingest.fitbit.sleep import EPOCH
from schemas.activities import Activities
from schemas.daily_summary import DailySummary
from schemas.sleep_sessions import SleepSessions

G_PER_KG, MM_PER_M, S_PER_MINUTE = 1000, 1000, 60
_LONGEST = timedelta(days=2)
# Of a classic log AWAKE is one of three old levels, of a staged one a stage.
_STAGES = {"AWAKE": "wake", "LIGHT": "light", "DEEP": "deep", "REM": "rem"}
_LEVELS = {"AWAKE": "awake", "ASLEEP": "asleep", "RESTLESS": "restless"}
_MINUTES = ("minutes_asleep", "minutes_awake", "minutes_to_fall_asleep", "time_in_bed_minutes")
_SLEEP = {
    **TIMED,
    "utc_end": pl.String,
    "sleep_id": pl.String,
    "kind": pl.String,
    "flagged_main": pl.Boolean,
    **dict.fromkeys((*_MINUTES, "deep_minutes", "rem_minutes", "light_minutes"), pl.Int64),
    "epochs": pl.List(EPOCH),
}
_EXERCISE = {
    "activity_id": pl.String,
    "activity_name": pl.String,
    "duration_minutes": pl.Float64,
    "active_duration_minutes": pl.Float64,
    "distance_m": pl.Float64,
    "steps": pl.Int64,
    "calories_kcal": pl.Float64,
    "average_heart_rate": pl.Int64,
    "active_zone_minutes": pl.Int64,
    "elevation_gain_m": pl.Float64,
    "end": pl.String,
}
_UNNAMED = ("", "OTHER", "EXERCISE_TYPE_UNSPECIFIED")


def read_health_sleep(content: Content, _name: str) -> Reading:
    """Logs in the columns of the JSON ones, with ``utc``, ``utc_end`` and ``offset``.

    The service leaves restless minutes of classic logs out of those awake; here awake is the sleep period
    less the minutes asleep, as in every other form.
    """
    document, points = points_of(content, "sleep", reconciled=None)
    rows = document.rows([_sleep(point, at(point, "sleep")) for point in points], _SLEEP)
    frame = rows.frame.with_columns(instants("utc"), instants("utc_end"), whole_offset("offset"))
    span = pl.col("utc_end") - pl.col("utc")
    frame = frame.with_columns(span.dt.total_milliseconds().alias("duration_ms")).drop("recorder")
    reject = (
        missing("sleep_id"),
        *CLOCK,
        missing("utc_end"),
        Rule("ends_before_it_starts", span <= pl.duration(), "end_time"),
        Rule("longer_than_two_days", span > _LONGEST, "end_time"),
        Rule("kind_unknown", ~pl.col("kind").is_in(["stages", "classic"]).fill_null(False), "kind"),
        missing("minutes_asleep"),
        missing("time_in_bed_minutes"),
        *(outside_limits(SleepSessions, column) for column in _MINUTES),
    )
    return sift(rows.like(frame), reject)


def read_health_exercise(content: Content, _name: str) -> Reading:
    """Exercises in the columns of ``activities``, with ``utc`` and ``offset``; named by their type alone."""
    document, points = points_of(content, "exercise", reconciled=None)
    records = [{"point": point, **at(point, "exercise")} for point in points if _is_record(point, "exercise")]
    rows = timed(
        document, [{"exercise": record} for record in records], "exercise", INTERVAL, _exercise, _EXERCISE
    )
    ended = rows.frame.with_columns(instants("end"))
    length = (pl.col("end") - pl.col("utc")).dt.total_milliseconds() / (1000 * S_PER_MINUTE)
    frame = ended.with_columns(length.alias("duration_minutes")).drop("end", "recorder")
    limits = [outside_limits(Activities, name) for name in _EXERCISE if name in Activities.columns()]
    return sift(rows.like(frame), (missing("activity_id"), *CLOCK, missing("duration_minutes"), *limits))


def read_health_weight(content: Content, _name: str) -> Reading:
    """``utc``, ``offset``, ``weight_kg``, ``recorder``."""
    document, points = points_of(content, "weight", reconciled=None)
    rows: Rows = timed(document, points, "weight", SAMPLE, _weight, {"weight_kg": pl.Float64})
    return sift(rows, (*CLOCK, missing("weight_kg"), outside_limits(DailySummary, "weight_kg")))


def _is_record(point: object, key: str) -> bool:
    return isinstance(at(point, key), dict)


def _sleep(point: object, value: object) -> Mapping[str, Any] | None:
    if not isinstance(value, dict):
        return None
    kind = str(value.get("type", "")).lower()
    names = _STAGES if kind == "stages" else _LEVELS
    summary = at(value, "summary")
    told = {name: whole(at(summary, name)) for name in (
        "minutesInSleepPeriod", "minutesAsleep", "minutesToFallAsleep", "minutesAfterWakeUp"
    )}  # fmt: skip
    period, asleep = told["minutesInSleepPeriod"], told["minutesAsleep"]
    idle = (asleep or 0) + (told["minutesToFallAsleep"] or 0) + (told["minutesAfterWakeUp"] or 0)
    return {
        "utc": text(at(value, *INTERVAL[0])),
        "offset": seconds(at(value, *INTERVAL[1])) if at(value, *INTERVAL[1]) is not None else 0.0,
        "recorder": recorder_of(point),
        "utc_end": text(at(value, "interval", "endTime")),
        "sleep_id": point_id(point),
        "kind": kind,
        "flagged_main": at(value, "metadata", "nap") is not True,
        "minutes_asleep": asleep,
        "minutes_awake": None if period is None else max(period - idle, 0),
        "minutes_to_fall_asleep": told["minutesToFallAsleep"],
        "time_in_bed_minutes": period,
        **(_stage_minutes(summary) if kind == "stages" else {}),
        "epochs": _epochs(value, names),
    }


def _stage_minutes(summary: object) -> dict[str, int | None]:
    minutes = {str(at(s, "type")): whole(at(s, "minutes")) for s in _list(at(summary, "stagesSummary"))}
    return {f"{stage.lower()}_minutes": minutes.get(stage) for stage in ("DEEP", "REM", "LIGHT")}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _epochs(value: Mapping[str, Any], names: Mapping[str, str]) -> list[dict[str, object]]:
    """Stretches as seconds after the log's start; those without times or of unknown level are left out."""
    begun = _moment(at(value, *INTERVAL[0]))
    found: list[dict[str, object]] = []
    for part in _list(value.get("stages")):
        start, end = _moment(at(part, "startTime")), _moment(at(part, "endTime"))
        stage = names.get(str(at(part, "type")))
        if begun and start and end and stage and begun <= start < end <= start + _LONGEST:
            after, length = start - begun, end - start
            found.append(
                {"after": int(after.total_seconds()), "seconds": int(length.total_seconds()), "stage": stage}
            )
    return sorted(found, key=lambda epoch: str(epoch["after"]).zfill(9))


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None) if isinstance(value, str) else None
    except ValueError:
        return None


def _exercise(value: Any) -> Mapping[str, object]:
    metrics = at(value, "metricsSummary")
    told = {name: real(at(metrics, key)) for name, key in (
        ("distance", "distanceMillimeters"), ("elevation", "elevationGainMillimeters"),
    )}  # fmt: skip
    active = seconds(at(value, "activeDuration"))
    name = str(at(value, "exerciseType") or "")
    return {
        "activity_id": point_id(at(value, "point")),
        "activity_name": None if name in _UNNAMED else name.replace("_", " ").capitalize(),
        "active_duration_minutes": None if active is None else active / S_PER_MINUTE,
        "distance_m": None if told["distance"] is None else told["distance"] / MM_PER_M,
        "steps": whole(at(metrics, "steps")),
        "calories_kcal": real(at(metrics, "caloriesKcal")),
        "average_heart_rate": whole(at(metrics, "averageHeartRateBeatsPerMinute")) or None,
        "active_zone_minutes": whole(at(metrics, "activeZoneMinutes")),
        "elevation_gain_m": None if told["elevation"] is None else told["elevation"] / MM_PER_M,
        "end": text(at(value, "interval", "endTime")),
    }


def _weight(value: object) -> Mapping[str, object]:
    grams = real(at(value, "weightGrams"))
    return {"weight_kg": None if grams is None else grams / G_PER_KG}

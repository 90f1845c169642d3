"""Google Health API types with a value a day, and daily roll-ups."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import Document, at, read_document, real
from ingest.fitbit.api.health_points import POINTS, ROLL_UPS
from ingest.fitbit.csv_rows import label_date
from ingest.fitbit.reading import OtherForm, Reading
from ingest.fitbit.stated_days import STATED, stated_days

_INVALID_SPO2 = 50.0
_PAGED = re.compile(r"[_-](?:list|reconcile|dailyRollUp)(?:[_.-]|$)", re.IGNORECASE)
_PAGE = frozenset({POINTS, ROLL_UPS, "nextPageToken"})
Values = dict[str, float | None]


def _number(column: str, key: str) -> Callable[[Any], Values]:
    """A measured value; 0 stands for none."""
    return lambda value: {column: real(at(value, key)) or None}


def _oxygen(value: object) -> Values:
    keys = {"spo2_avg": "average", "spo2_min": "lowerBound", "spo2_max": "upperBound"}
    told = {name: real(at(value, f"{key}Percentage")) for name, key in keys.items()}
    return {name: v if v is not None and v > _INVALID_SPO2 else None for name, v in told.items()}


def _temperature(value: object) -> Values:
    """The night's temperature less the baseline, which is ``NaN`` until there is one."""
    nightly, baseline = (real(at(value, f"{n}TemperatureCelsius")) for n in ("nightly", "baseline"))
    if nightly is None or baseline is None:
        return {"skin_temperature_variation": None}
    return {"skin_temperature_variation": nightly - baseline}


_DAILY: Mapping[str, Callable[[Any], Values]] = {
    "dailyRestingHeartRate": _number("resting_heart_rate", "beatsPerMinute"),
    "dailyHeartRateVariability": _number("heart_rate_variability", "averageHeartRateVariabilityMilliseconds"),
    "dailyRespiratoryRate": _number("respiratory_rate", "breathsPerMinute"),
    "dailyOxygenSaturation": _oxygen,
    "dailySleepTemperatureDerivations": _temperature,
    "dailyVo2Max": _number("vo2max", "vo2Max"),
}
_SUMS: Mapping[str, Callable[[Any], Values]] = {
    "totalCalories": _number("calories_kcal", "kcalSum"),
    "steps": lambda value: {"steps": real(at(value, "countSum"))},
}
_SCHEMA = {"date": pl.String, "part": pl.String, **dict.fromkeys(STATED, pl.Float64)}


def read_health_days(content: Content, name: str) -> Reading:
    """Rows of ``stated_days``. An answer without points has no field: its name tells it."""
    document = read_document(content)
    if document is None or (_PAGED.search(name) and _is_empty(document)):
        return _stated(document or Document({}), [])
    records = [_row(point, types) for point, types in _points(document) if _type_of(point, types)]
    if not records:
        raise OtherForm
    return _stated(document, records)


def _stated(document: Document, records: list[Mapping[str, object]]) -> Reading:
    rows = document.rows(records, _SCHEMA)
    return stated_days(rows.like(rows.frame.with_columns(label_date("date"))), pl.col("part"))


def _is_empty(document: Document) -> bool:
    return set(document.fields) <= _PAGE and not _points(document)


Types = Mapping[str, Callable[[Any], Values]]


def _points(document: Document) -> list[tuple[Any, Types]]:
    lists: tuple[tuple[str, Types], ...] = ((POINTS, _DAILY), (ROLL_UPS, _SUMS))
    return [
        (point, types)
        for key, types in lists
        if isinstance(found := document.fields.get(key), list)
        for point in found
    ]


def _type_of(point: object, types: Types) -> str | None:
    return next((key for key in types if at(point, key) is not None), None)


def _row(point: object, types: Types) -> Mapping[str, object]:
    key = _type_of(point, types) or ""
    value = at(point, key)
    day = at(value, "date") if types is _DAILY else at(point, "civilStartTime", "date")
    return {"date": civil_date(day), "part": key, **types[key](value)}


def civil_date(value: object) -> str | None:
    """``{"year": 2026, "month": 4, "day": 12}`` as an ISO date, or None."""
    parts = [at(value, name) for name in ("year", "month", "day")]
    if not all(isinstance(part, int) and 0 < part < 10_000 for part in parts):
        return None
    return f"{parts[0]:04d}-{parts[1]:02d}-{parts[2]:02d}"

"""Web API answers with an entry a day. Which entries they are, the key they stand under says."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import Document, at, read_document, real, text
from ingest.fitbit.csv_rows import label_date
from ingest.fitbit.reading import OtherForm, Reading, Rule
from ingest.fitbit.stated_days import LENGTH, STATED, stated_days

Values = dict[str, float | None]
_RANGE = re.compile(r"(\d+(?:\.\d+)?)(?:\s*-\s*(\d+(?:\.\d+)?))?")
# SpO2 of 50 stands for an invalid reading.
_INVALID_SPO2 = 50.0
_BARE = "spo2"


def _number(column: str) -> Callable[[Any], Values]:
    return lambda value: {column: real(value)}


def _zone_minutes(value: object) -> Values:
    """A zone without minutes is left out."""
    zones = {
        "fatburn_active_zone_minutes": "fatBurnActiveZoneMinutes",
        "cardio_active_zone_minutes": "cardioActiveZoneMinutes",
        "peak_active_zone_minutes": "peakActiveZoneMinutes",
    }
    total = real(at(value, "activeZoneMinutes"))
    if total is None:
        return {}
    return {"active_zone_minutes": total, **{c: real(at(value, key)) or 0 for c, key in zones.items()}}


def _breathing(value: object) -> Values:
    rates = [real(at(value, *path)) for path in (("breathingRate",), ("fullSleepSummary", "breathingRate"))]
    return {"respiratory_rate": next((rate for rate in rates if rate is not None and rate > 0), None)}


def _oxygen(value: object) -> Values:
    told = {f"spo2_{name}": real(at(value, name)) for name in ("avg", "min", "max")}
    return {name: v if v is not None and v > _INVALID_SPO2 else None for name, v in told.items()}


def _fitness(value: object) -> Values:
    """A range (``44-48``) stands for its middle."""
    told = at(value, "vo2Max")
    found = _RANGE.fullmatch(told.strip()) if isinstance(told, str) else None
    if found is None:
        return {"vo2max": real(told)}
    low, high = found.groups()
    return {"vo2max": (float(low) + float(high or low)) / 2}


_RESOURCES: Mapping[str, Callable[[Any], Values]] = {
    "activities-steps": _number("steps"),
    "activities-distance": _number(LENGTH),
    "activities-calories": _number("calories_kcal"),
    "activities-floors": _number("floors"),
    "activities-minutesSedentary": _number("sedentary_minutes"),
    "activities-minutesLightlyActive": _number("lightly_active_minutes"),
    "activities-minutesFairlyActive": _number("fairly_active_minutes"),
    "activities-minutesVeryActive": _number("very_active_minutes"),
    "activities-active-zone-minutes": _zone_minutes,
    "activities-heart": lambda value: {"resting_heart_rate": real(at(value, "restingHeartRate"))},
    "hrv": lambda value: {"heart_rate_variability": real(at(value, "dailyRmssd")) or None},
    "br": _breathing,
    _BARE: _oxygen,
    "tempSkin": lambda value: {"skin_temperature_variation": real(at(value, "nightlyRelative"))},
    "cardioScore": _fitness,
}
# Without a value their entries are faults, never zeros: no day is left out of them.
_ALWAYS = tuple(key for key in _RESOURCES if key.startswith("activities-") and key != "activities-heart")
_SCHEMA = {"date": pl.String, "part": pl.String, **dict.fromkeys((*STATED, LENGTH), pl.Float64)}


def read_web_days(content: Content, name: str) -> Reading:
    """Rows of ``stated_days``; the distance's unit is that of the call, which no answer names."""
    document = _answer(content, name)
    keys = [key for key in _RESOURCES if _is_of_days(document.fields.get(key))]
    if not keys and content.data.strip():
        raise OtherForm
    entries = [_entry(key, entry) for key in keys for entry in document.list_of(key)]
    rows = document.rows(entries, _SCHEMA)
    frame = rows.frame.with_columns(label_date("date"))
    none = pl.all_horizontal(pl.col(*STATED, LENGTH).is_null())
    return stated_days(
        rows.like(frame), pl.col("part"), [Rule("value_missing", none & pl.col("part").is_in(_ALWAYS))]
    )


def _answer(content: Content, name: str) -> Document:
    """The answer; that on oxygen saturation is a bare list, or one entry alone."""
    is_bare = _BARE in name.lower() and content.data.lstrip().startswith(b"[")
    if is_bare:
        content = Content(b'{"' + _BARE.encode() + b'":' + content.data + b"}", content.damaged)
    document = read_document(content)
    if document is None:
        return Document({})
    if at(document.fields, "value", "avg") is not None:
        return Document({_BARE: [document.fields]})
    return document


def _is_of_days(entries: object) -> bool:
    """Whether it is a list of days: one of a night's minutes (``night_minutes``) is none."""
    return isinstance(entries, list) and not any(at(entry, "minutes") is not None for entry in entries)


def _entry(key: str, entry: object) -> Mapping[str, Any] | None:
    if not isinstance(entry, dict):
        return None
    return {"date": text(at(entry, "dateTime")), "part": key, **_RESOURCES[key](at(entry, "value"))}

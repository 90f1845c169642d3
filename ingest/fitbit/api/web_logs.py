"""Web API answers on nights, exercises and weigh-ins."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import Document, at, read_document, real, text
from ingest.fitbit.exercise import EXERCISE_SCHEMA, REJECT_EXERCISE, Exercise, row_of_exercise
from ingest.fitbit.reading import Reading, Rule, missing, sift
from ingest.fitbit.sleep import LOG_SCHEMA, REJECT_LOG, SleepLog, row_of_log

_ISO_MS = "%Y-%m-%dT%H:%M:%S%.f"
# Answers of version 1 give a log's minutes one by one, and no levels.
_LEVEL_OF_MINUTE = {"1": "asleep", "2": "restless", "3": "awake"}
_WEIGHT = {
    "date": pl.String,
    "time": pl.String,
    "weight_id": pl.String,
    "weight": pl.Float64,
    "bmi": pl.Float64,
}


def read_web_sleep(content: Content, _name: str) -> Reading:
    """The columns of the JSON logs of an export, which have other names for two fields only."""
    document = read_document(content) or Document({"sleep": []})
    rows = document.rows([_log(log) for log in document.list_of("sleep")], LOG_SCHEMA)
    frame = rows.frame.with_columns(
        pl.col("date").str.to_date("%Y-%m-%d", strict=False),
        *(pl.col(c).str.to_datetime(_ISO_MS, strict=False, time_unit="us") for c in ("local", "local_end")),
    )
    return sift(rows.like(frame), REJECT_LOG)


def read_web_exercise(content: Content, _name: str) -> Reading:
    """Exercises in the columns of ``activities``: ``utc`` and ``offset``, as their start has one here."""
    document = read_document(content) or Document({"activities": []})
    schema = {**EXERCISE_SCHEMA, "offset": pl.Int64}
    rows = document.rows([_exercise(log) for log in document.list_of("activities")], schema)
    frame = rows.frame.with_columns(
        pl.col("utc").str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False, time_unit="us")
    )
    return sift(rows.like(frame), REJECT_EXERCISE)


def read_web_weight(content: Content, _name: str) -> Reading:
    """``local``, ``weight_id``, ``weight`` in the unit of the call, which no answer names, and ``bmi``."""
    document = read_document(content) or Document({"weight": []})
    rows = document.rows([_weight(log) for log in document.list_of("weight")], _WEIGHT)
    stamp = pl.concat_str("date", pl.col("time").fill_null("23:59:59"), separator=" ")
    frame = rows.frame.select(
        "row",
        stamp.str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False, time_unit="us").alias("local"),
        "weight_id",
        "weight",
        "bmi",
    )
    negative = Rule("outside_limits", pl.col("weight") <= 0, "weight_kg")
    return sift(rows.like(frame), (missing("local"), missing("weight"), negative))


def _log(record: object) -> Mapping[str, Any] | None:
    if not isinstance(record, dict):
        return None
    known = {**record, "mainSleep": record.get("isMainSleep", record.get("mainSleep", False))}
    if "type" not in record:
        known |= _of_version_1(record)
    try:
        return row_of_log(msgspec.convert(known, SleepLog))
    except msgspec.ValidationError:
        return None


def _of_version_1(record: Mapping[str, Any]) -> dict[str, object]:
    """What version 1 leaves out: the kind, the end, and the levels by minute from the start."""
    start, length = _moment(record.get("startTime")), real(record.get("duration"))
    if start is None or length is None or not 0 <= length < 1e9:
        return {}
    minutes = record.get("minuteData")
    data = [
        {"dateTime": (start + timedelta(minutes=n)).isoformat(), "level": level, "seconds": 60}
        for n, minute in enumerate(minutes if isinstance(minutes, list) else [])
        if (level := _LEVEL_OF_MINUTE.get(str(at(minute, "value")))) is not None
    ]
    end = (start + timedelta(milliseconds=length)).isoformat()
    return {"type": "classic", "endTime": record.get("endTime", end), "levels": {"data": data}}


def _exercise(record: object) -> Mapping[str, Any] | None:
    """A start without an offset is no instant."""
    try:
        log = msgspec.convert(record, Exercise)
    except msgspec.ValidationError:
        return None
    start = _moment(log.startTime)
    offset = start.utcoffset() if start else None
    if start is None or offset is None:
        return {**row_of_exercise(log), "utc": None, "offset": None}
    utc = start.replace(tzinfo=None) - offset
    return {
        **row_of_exercise(log),
        "utc": utc.isoformat(timespec="seconds"),
        "offset": round(offset.total_seconds() / 60),
    }


def _weight(record: object) -> Mapping[str, Any] | None:
    if not isinstance(record, dict):
        return None
    return {
        "date": text(record.get("date")),
        "time": text(record.get("time")),
        "weight_id": str(record.get("logId")),
        "weight": real(record.get("weight")),
        "bmi": real(record.get("bmi")),
    }


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None

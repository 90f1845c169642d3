"""Answers of both services within a night: variability by five minutes, oxygen saturation by the minute."""

from typing import Any

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import Document, at, read_document, real, text
from ingest.fitbit.api.health_points import CLOCK, SAMPLE, points_of, timed
from ingest.fitbit.product_kinds import INVALID_SPO2
from ingest.fitbit.reading import OtherForm, Reading, Rows, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary

_ISO = "%Y-%m-%dT%H:%M:%S%.f"


def read_web_variability(content: Content, _name: str) -> Reading:
    """``local``, ``heart_rate_variability`` (RMSSD, ms) of each five minutes of the nights asked for."""
    document = read_document(content) or Document({"hrv": [{"minutes": []}]})
    return _of_wall(document, document.list_of("hrv"), ("value", "rmssd"), "heart_rate_variability", 0.0)


def read_web_oxygen(content: Content, name: str) -> Reading:
    """``local``, ``spo2_avg`` (%) of each minute; an answer of several nights is a bare list."""
    if "spo2" in name.lower() and content.data.lstrip().startswith(b"["):
        content = Content(b'{"nights":' + content.data + b"}", content.damaged)
    document = read_document(content) or Document({"minutes": []})
    nights = document.fields.get("nights", [document.fields])
    if not isinstance(nights, list) or "hrv" in document.fields:
        raise OtherForm
    return _of_wall(document, nights, ("value",), "spo2_avg", INVALID_SPO2)


def read_health_variability(content: Content, _name: str) -> Reading:
    """``utc``, ``offset``, ``recorder``, ``heart_rate_variability`` (RMSSD, ms)."""
    key = "rootMeanSquareOfSuccessiveDifferencesMilliseconds"
    return _of_points(content, "heartRateVariability", key, "heart_rate_variability", 0.0)


def read_health_oxygen(content: Content, _name: str) -> Reading:
    """``utc``, ``offset``, ``recorder``, ``spo2_avg`` (%)."""
    return _of_points(content, "oxygenSaturation", "percentage", "spo2_avg", INVALID_SPO2)


def _of_points(content: Content, key: str, value: str, column: str, none_up_to: float) -> Reading:
    document, points = points_of(content, key, reconciled=None)
    rows = timed(
        document, points, key, SAMPLE, lambda told: {column: real(at(told, value))}, {column: pl.Float64}
    )
    return _sifted(rows, column, none_up_to, CLOCK)


def _of_wall(
    document: Document, nights: list[Any], path: tuple[str, ...], column: str, none_up_to: float
) -> Reading:
    """Minutes of nights. Raises OtherForm where no night has a list of minutes."""
    lists = [at(night, "minutes") for night in nights]
    if not any(isinstance(minutes, list) for minutes in lists):
        raise OtherForm
    minutes = [minute for found in lists if isinstance(found, list) for minute in found]
    records = [{"local": text(at(minute, "minute")), column: real(at(minute, *path))} for minute in minutes]
    rows = document.rows(records, {"local": pl.String, column: pl.Float64})
    timed_rows = rows.frame.with_columns(pl.col("local").str.to_datetime(_ISO, strict=False, time_unit="us"))
    return _sifted(rows.like(timed_rows), column, none_up_to, (missing("local"),))


def _sifted(rows: Rows, column: str, none_up_to: float, clock: tuple[Rule, ...]) -> Reading:
    none = Rule("no_value", pl.col(column) <= none_up_to, column)
    return sift(rows, (*clock, missing(column), outside_limits(DailySummary, column)), (none,))

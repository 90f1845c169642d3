"""Points of the Google Health API (version 4): where they came from, and when, with the offset they state."""

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import Document, at, read_document, real, text
from ingest.fitbit.profile import PHONE
from ingest.fitbit.reading import OtherForm, Rows, missing

POINTS, ROLL_UPS = "dataPoints", "rollupDataPoints"
INTERVAL = ("interval", "startTime"), ("interval", "startUtcOffset")
SAMPLE = ("sampleTime", "physicalTime"), ("sampleTime", "utcOffset")
Times = tuple[tuple[str, str], tuple[str, str]]
TIMED = {"utc": pl.String, "offset": pl.Float64, "recorder": pl.String}
CLOCK = (missing("utc"), missing("offset"))
_MOST_OFFSET = 14 * 60


def points_of(content: Content, key: str, *, reconciled: bool | None = False) -> tuple[Document, list[Any]]:
    """The answer and its points that hold a type. Raises OtherForm where it has none of it.

    reconciled: points of the one view of the app, which name no source; None for both.
    """
    document = read_document(content)
    if document is None:
        return Document({}), []
    points = [point for point in document.list_of(POINTS) if at(point, key) is not None]
    if reconciled is not None:
        points = [point for point in points if (at(point, "dataSource") is None) == reconciled]
    if not points:
        raise OtherForm
    return document, points


def timed(
    document: Document,
    points: list[Any],
    key: str,
    times: Times,
    values: Callable[[Any], Mapping[str, object]],
    schema: Mapping[str, Any],
) -> Rows:
    """``utc``, ``offset`` (minutes), ``recorder`` and the values of each point; see CLOCK for its rules."""
    records = [_timed(point, at(point, key), times) | dict(values(at(point, key))) for point in points]
    rows = document.rows(records, {**TIMED, **schema})
    return rows.like(rows.frame.with_columns(instants("utc"), whole_offset("offset")))


def instants(column: str) -> pl.Expr:
    """UTC digits of a column of ``2026-04-12T05:45:30Z``, fractions cut; null where it is none."""
    stamp = pl.col(column).str.extract(r"^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$")
    return stamp.str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False, time_unit="us").alias(column)


def whole_offset(column: str) -> pl.Expr:
    """Minutes of a column of seconds; null where no place on earth has it."""
    minutes = (pl.col(column) / 60).round(0)
    real_offset = minutes.is_between(-_MOST_OFFSET, _MOST_OFFSET)
    return pl.when(real_offset).then(minutes).cast(pl.Int64).alias(column)


def seconds(value: object) -> float | None:
    """``-14400s`` as a number; an offset that is 0 may be left out."""
    told = text(value)
    return None if told is None or not told.endswith("s") else real(told[:-1])


def point_id(point: object) -> str | None:
    """The id of an identified point: the end of its name."""
    name = text(at(point, "name"))
    return name.rsplit("/", 1)[-1] if name else None


def recorder_of(point: object) -> str:
    """The device's name, empty where the point has none; of a phone the phone's, whatever its model."""
    device = at(point, "dataSource", "device")
    return PHONE if at(device, "formFactor") == "PHONE" else text(at(device, "displayName")) or ""


def _timed(point: object, value: object, times: Times) -> dict[str, object]:
    moment, offset = (at(value, *path) for path in times)
    return {
        "utc": text(moment),
        "offset": 0.0 if offset is None and moment is not None else seconds(offset),
        "recorder": recorder_of(point),
    }

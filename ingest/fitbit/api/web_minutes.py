"""Web API answers by the minute or finer: wall-clock times of one day, which stands beside them."""

from dataclasses import replace

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import Document, at, read_document, real, text
from ingest.fitbit.reading import OtherForm, Reading, Rows, Rule, missing, outside_limits, sift
from schemas.heart_rate_minutes import HeartRateMinutes
from schemas.steps_minutes import StepsMinutes

_SCHEMA = {"date": pl.String, "time": pl.String, "value": pl.Float64}


def read_web_steps(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``steps``: all minutes of the day, also those without the device."""
    value = pl.when(pl.col("value") == pl.col("value").round()).then(pl.col("value").cast(pl.Int64))
    rows = _rows(read_document(content), "activities-steps", "steps", value, minutes_only=True)
    return sift(rows, (*_CLOCK, missing("steps"), outside_limits(StepsMinutes, "steps")))


def read_web_heart_rate(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``heart_rate``, ``samples``, ``samples_no_contact`` (not told: 0), ``rows``."""
    rows = _rows(read_document(content), "activities-heart", "heart_rate", pl.col("value"))
    limits = outside_limits(HeartRateMinutes, "heart_rate")
    reading = sift(rows, (*_CLOCK, missing("heart_rate"), limits))
    minutes = (
        reading.frame.group_by(pl.col("local").dt.truncate("1m"))
        .agg(
            pl.col("heart_rate").mean(),
            pl.len().cast(pl.Int64).alias("samples"),
            pl.lit(0, pl.Int64).alias("samples_no_contact"),
            pl.len().cast(pl.Int64).alias("rows"),
        )
        .sort("local")
    )
    return replace(reading, frame=minutes)


_CLOCK = (Rule("clock_unclear", pl.col("_backwards")), missing("local"))


def _by_minute(intraday: object) -> bool:
    return at(intraday, "datasetType") in (None, "minute") and at(intraday, "datasetInterval") in (None, 1)


def _rows(
    document: Document | None, key: str, column: str, value: pl.Expr, *, minutes_only: bool = False
) -> Rows:
    """``local``, ``_backwards``, the value. Raises OtherForm where the answer has no such minutes.

    Times that don't go forward are of a call in another zone than the person's: none of them is used.
    """
    if document is None:
        document, dataset, day = Document({}), [], None
    else:
        intraday = document.fields.get(f"{key}-intraday")
        if not isinstance(intraday, dict) or (minutes_only and not _by_minute(intraday)):
            raise OtherForm
        dataset = at(intraday, "dataset")
        if not isinstance(dataset, list):
            raise OtherForm
        days = document.list_of(key)
        day = text(at(days[0], "dateTime")) if len(days) == 1 else None
    entries = [
        {"date": day, "time": text(at(row, "time")), "value": real(at(row, "value"))} for row in dataset
    ]
    rows = document.rows(entries, _SCHEMA)
    stamp = pl.concat_str("date", "time", separator=" ")
    frame = rows.frame.with_columns(
        stamp.str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False, time_unit="us").alias("local")
    )
    backwards = (pl.col("local").diff() <= pl.duration()).any()
    return rows.like(frame.select("row", "local", backwards.alias("_backwards"), value.alias(column)))

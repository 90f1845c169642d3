"""Weights: pounds for every account, also metric ones, cut to 0.1 lb; local date and time."""

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.json_rows import Whole, decode, parsed_time
from ingest.fitbit.reading import Reading, missing, outside_limits, sift
from schemas.daily_summary import DailySummary

KG_PER_POUND = 0.45359237


class Weight(msgspec.Struct):
    """A record of weight-*.json; ``time`` 23:59:59 means that none was given."""

    logId: Whole  # noqa: N815
    weight: float
    date: str
    time: str
    bmi: float | None = None


def read_weight(content: Content, _name: str) -> Reading:
    """``local``, ``weight_id``, ``weight_kg``, ``bmi`` as the file states it."""
    records = decode(content, Weight)
    good = records.good
    frame = pl.DataFrame(
        {
            "weight_id": pl.Series([entry.logId for entry in good], dtype=pl.Int64),
            "local": pl.Series([f"{entry.date} {entry.time}" for entry in good], dtype=pl.String),
            "weight_kg": pl.Series([float(entry.weight) for entry in good], dtype=pl.Float64) * KG_PER_POUND,
            "bmi": pl.Series([entry.bmi for entry in good], dtype=pl.Float64, strict=False),
        }
    ).with_columns(parsed_time("local"))
    return sift(records.rows_of(frame), (missing("local"), outside_limits(DailySummary, "weight_kg")))

"""Exercises of two systems as one: the JSON logs, and those of ``UserExercises`` that they do not tell."""

import polars as pl

from ingest.fitbit.ledger import Ledger
from ingest.fitbit.sleep_logs import overlapping

TWIN_SHARE = 0.8
MS_PER_MINUTE = 60_000


def without_twins(later: pl.DataFrame, logs: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """``UserExercises`` without those that a JSON log covers to four fifths; they are ignored by name."""
    if later.is_empty() or logs.is_empty():
        return later
    length = (pl.col("duration_minutes") * MS_PER_MINUTE).round(0).cast(pl.Int64)
    ends = pl.col("utc") + pl.duration(milliseconds=length)
    spans = logs.with_columns(ends.alias("utc_end")).with_row_index("id")
    numbered = later.with_row_index("id")
    twins = overlapping(numbered, spans, TWIN_SHARE)["id"].unique().to_list()
    return ledger.drop(numbered, pl.col("id").is_in(twins), "ignored", "other_source").drop("id")

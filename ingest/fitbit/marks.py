"""By what exports of different participants are compared: keyed digests of what no two people share."""

from collections.abc import Iterator, Sequence

import polars as pl

from ingest.fitbit.exports import Export
from ingest.fitbit.kinds import HEART_RATE_KINDS
from outputs.digests import keyed_digest
from schemas.identity_marks import IdentityMarks
from schemas.table import polars_schema

RUN_MINUTES = 15
RUNS_A_DAY = 24 * 60 // RUN_MINUTES
# Every sixteenth run is kept, another time of the day on each day: about 1,500 a year of wear.
ONE_OF_RUNS = 16
# Fewer or even minutes (a sensor at rest) are equal among strangers.
LEAST_MINUTES = 8
LEAST_VALUES = 3
_TENTHS = 10


def identity_marks(exports: Sequence[Export], participant_id: str, secret: bytes) -> pl.DataFrame:
    """Rows of identity_marks: of every export that is used."""
    rows = [
        (participant_id, min(file.id for file in export.files), kind, mark)
        for export in exports
        if export.verdict.outcome != "identity_mismatch"
        for kind, mark in _marks(export, secret)
    ]
    return pl.DataFrame(rows, schema=polars_schema(IdentityMarks), orient="row").unique(maintain_order=True)


def _marks(export: Export, secret: bytes) -> Iterator[tuple[str, str]]:
    for file in export.files:
        yield "file", file.file.content_digest(secret)
    for profile in export.profiles:
        if profile.account:
            yield "account", keyed_digest(secret, "account", profile.account)
    for log in sorted(export.logs):
        yield "log", keyed_digest(secret, "log", log)
    for run in heart_rate_runs(export):
        yield "run", keyed_digest(secret, "run", run)


def heart_rate_runs(export: Export) -> list[str]:
    """Quarters of an hour as text: their instant, and bpm to a tenth of each minute in them."""
    frames = [
        reading.reading.frame[["utc", "heart_rate"]]
        for _, reading in export.readings
        if reading.kind.name in HEART_RATE_KINDS and "utc" in reading.reading.frame.columns
    ]
    if not frames:
        return []
    minute = pl.col("utc").dt.epoch("s") // 60
    value = (pl.col("heart_rate") * _TENTHS).round().cast(pl.Int64)
    runs = (
        pl.concat(frames)
        .lazy()
        .drop_nulls("heart_rate")
        .select(minute.alias("minute"), value.alias("value"))
        .with_columns((pl.col("minute") // RUN_MINUTES).alias("run"))
        .filter((pl.col("run") + pl.col("run") // RUNS_A_DAY) % ONE_OF_RUNS == 0)
        .unique(["minute"], keep="first", maintain_order=True)
        .sort("minute")
        .group_by("run", maintain_order=True)
        .agg(
            pl.len().alias("minutes"),
            pl.col("value").n_unique().alias("values"),
            pl.format("{}:{}", "minute", "value").str.join(",").alias("text"),
        )
        .filter(pl.col("minutes") >= LEAST_MINUTES, pl.col("values") >= LEAST_VALUES)
        .collect(engine="in-memory")
    )
    return runs["text"].to_list()

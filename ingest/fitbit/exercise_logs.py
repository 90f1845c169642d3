"""Exercises of several systems as one: the JSON logs, then what of other forms they do not tell."""

from collections.abc import Mapping

import polars as pl

from ingest.fitbit.ledger import Ledger
from ingest.fitbit.sleep_logs import overlapping

TWIN_SHARE = 0.8
MS_PER_MINUTE = 60_000


def each_once(kinds: Mapping[str, pl.DataFrame], ledger: Ledger) -> dict[str, pl.DataFrame]:
    """Exercises of kinds in the order of trust: none that a better kind tells, ignored by name."""
    kept: dict[str, pl.DataFrame] = {}
    for name, frame in kinds.items():
        logs = [frame.select("activity_id", "utc", "duration_minutes") for frame in kept.values()]
        kept[name] = _without_twins(frame, pl.concat(logs), ledger) if logs else frame
    return kept


def _without_twins(later: pl.DataFrame, logs: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Those whose id is not told yet, and that no log covers to four fifths."""
    if later.is_empty() or logs.is_empty():
        return later
    length = (pl.col("duration_minutes") * MS_PER_MINUTE).round(0).cast(pl.Int64)
    ends = pl.col("utc") + pl.duration(milliseconds=length)
    spans = logs.with_columns(ends.alias("utc_end")).with_row_index("id")
    numbered = later.with_columns(ends.alias("utc_end")).with_row_index("id")
    twins = overlapping(numbered, spans, TWIN_SHARE)["id"].unique().to_list()
    told = pl.col("activity_id").is_in(logs["activity_id"].implode())
    return ledger.drop(numbered, told | pl.col("id").is_in(twins), "ignored", "other_source").drop("id")

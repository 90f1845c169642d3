"""Rows whose ``Z`` is true in some exports and false in others, brought to local time and UTC."""

import polars as pl

from ingest.clocks.zone_history import ZoneHistory
from ingest.fitbit.kind import Kind
from ingest.fitbit.ledger import Ledger


def settled(kind: Kind, frame: pl.DataFrame, zone: ZoneHistory, ledger: Ledger) -> pl.DataFrame:
    """Rows of a disputed kind at their true instants; those whose clock stays unknown are ignored."""
    if kind.name == "user_sleeps":
        return _sleeps(frame, zone, ledger)
    return ledger.drop(frame, pl.lit(True), "ignored", "clock_unclear").with_columns(
        pl.col("stamp").alias("utc"), pl.col("stamp").dt.date().alias("date")
    )


def _sleeps(frame: pl.DataFrame, zone: ZoneHistory, ledger: Ledger) -> pl.DataFrame:
    """``local``, ``local_end``, ``utc``, ``utc_end``, ``date`` (of waking), ``utc_offset_minutes``.

    An offset of +00:00 where the person did not live at UTC says that the digits are local (exports up to
    2025); they are placed like the JSON logs. Otherwise they are UTC, local by the stated offset.
    """
    stated = frame.with_columns(zone.offset("stamp").alias("_lived"))
    is_local = (pl.col("offset").fill_null(0) == 0) & (pl.col("_lived") != 0)
    timed = stated.with_columns(
        pl.when(is_local).then(zone.utc_of_local("stamp")).otherwise(pl.col("stamp")).alias("utc"),
        is_local.alias("_is_local"),
    )
    timed = ledger.drop(
        timed, pl.col("utc").is_null() | pl.col("_lived").is_null(), "ignored", "clock_unclear"
    )
    length = pl.col("stamp_end") - pl.col("stamp")
    offset = pl.when("_is_local").then(zone.offset("utc")).otherwise(pl.col("offset"))
    placed = timed.with_columns(offset.alias("utc_offset_minutes")).with_columns(
        (pl.col("utc") + pl.duration(minutes=pl.col("utc_offset_minutes"))).alias("local"),
        (pl.col("utc") + length).alias("utc_end"),
    )
    return (
        placed.with_columns((pl.col("local") + length).alias("local_end"))
        .with_columns(pl.col("local_end").dt.date().alias("date"))
        .drop("_lived", "_is_local", "offset")
    )

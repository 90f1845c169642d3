"""The event tables of a participant: minutes, sleep and exercises."""

import polars as pl

from ingest.clock import Zone, local_time
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.placing import main_sleeps


def heart_rate_minutes(frame: pl.DataFrame) -> pl.DataFrame:
    """Columns of heart_rate_minutes but participant_id."""
    return frame.rename({"utc": "minute_utc"}).with_columns(_utc("minute_utc"))


def steps_minutes(frame: pl.DataFrame) -> pl.DataFrame:
    """Columns of steps_minutes but participant_id."""
    return frame.rename({"utc": "minute_utc"}).with_columns(_utc("minute_utc"))


def activities(frame: pl.DataFrame, zone: Zone, ledger: Ledger) -> pl.DataFrame:
    """Columns of activities but participant_id."""
    return frame.with_columns(
        local_time("utc", zone.name).alias("start_time"), _utc("utc").alias("start_utc"), _file_id(ledger)
    )


def sleep_sessions(frame: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Columns of sleep_sessions but participant_id; start and end on the clock of the start, as written."""
    main = main_sleeps(frame).select("sleep_id", pl.lit(True).alias("is_main"))
    return frame.join(main, on="sleep_id", how="left").with_columns(
        pl.col("is_main").fill_null(False),
        pl.col("local").alias("start_time"),
        pl.col("local_end").alias("end_time"),
        _utc("utc").alias("start_utc"),
        _utc("utc_end").alias("end_utc"),
        _file_id(ledger),
    )


def sleep_stages(frame: pl.DataFrame) -> pl.DataFrame:
    """Columns of sleep_stages but participant_id."""
    epochs = frame.select("sleep_id", "utc", "epochs").explode("epochs", empty_as_null=False).unnest("epochs")
    start = pl.col("utc") + pl.duration(seconds=pl.col("after"))
    return epochs.select("sleep_id", start.dt.replace_time_zone("UTC").alias("start_utc"), "seconds", "stage")


def _utc(column: str) -> pl.Expr:
    return pl.col(column).dt.replace_time_zone("UTC")


def _file_id(ledger: Ledger) -> pl.Expr:
    ids = {number: file.id for number, (file, _) in enumerate(ledger.members)}
    return pl.col("member").replace_strict(ids, default=None, return_dtype=pl.String).alias("file_id")

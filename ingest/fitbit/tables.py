"""The event tables of a participant: minutes, sleep and exercises, from the kinds that won their days."""

from collections.abc import Mapping

import polars as pl

from ingest.clocks.zone_history import ZoneHistory
from ingest.fitbit.day_values import main_sleeps
from ingest.fitbit.ledger import Ledger

Kept = Mapping[str, pl.DataFrame]


def heart_rate_minutes(kept: Kept) -> pl.DataFrame:
    """Columns of heart_rate_minutes but participant_id."""
    return _minutes(kept, "heart_rate", "heart_rate_csv")


def steps_minutes(kept: Kept) -> pl.DataFrame:
    """Columns of steps_minutes but participant_id."""
    return _minutes(kept, "steps", "steps_csv")


def activities(kept: Kept, zone: ZoneHistory, ledger: Ledger) -> pl.DataFrame:
    """Columns of activities but participant_id."""
    both = pl.concat([kept["exercise"], kept["user_exercises"]], how="diagonal")
    return both.with_columns(
        zone.local_time("utc").alias("start_time"), _utc("utc").alias("start_utc"), _file_id(ledger)
    )


def sleep_logs(kept: Kept) -> pl.DataFrame:
    """Logs of both systems in one form; those without instants, as their offset is unknown, are left out."""
    return pl.concat([kept["sleep"], kept["user_sleeps"]], how="diagonal").drop_nulls("utc")


def sleep_sessions(logs: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Columns of sleep_sessions but participant_id; start and end on the clock of the start, as written."""
    main = main_sleeps(logs).select("sleep_id", pl.lit(True).alias("is_main"))
    return logs.join(main, on="sleep_id", how="left").with_columns(
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


def _minutes(kept: Kept, best: str, twin: str) -> pl.DataFrame:
    both = pl.concat([kept[best], kept[twin]], how="diagonal")
    return both.rename({"utc": "minute_utc"}).with_columns(_utc("minute_utc"))


def _utc(column: str) -> pl.Expr:
    return pl.col(column).dt.replace_time_zone("UTC")


def _file_id(ledger: Ledger) -> pl.Expr:
    ids = {number: file.id for number, (file, _) in enumerate(ledger.members)}
    return pl.col("member").replace_strict(ids, default=None, return_dtype=pl.String).alias("file_id")

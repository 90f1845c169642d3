"""The event tables of a participant: minutes, sleep and exercises, from the kinds that won their days."""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.fitbit.day_values import main_sleeps
from ingest.fitbit.kinds import EXERCISE_KINDS, HEART_RATE_KINDS, SLEEP_KINDS, STEPS_KINDS
from ingest.fitbit.ledger import Ledger

Kept = Mapping[str, pl.DataFrame]


def heart_rate_minutes(kept: Kept) -> pl.DataFrame:
    """Columns of heart_rate_minutes but participant_id."""
    return _minutes(kept, HEART_RATE_KINDS)


def steps_minutes(kept: Kept) -> pl.DataFrame:
    """Columns of steps_minutes but participant_id."""
    return _minutes(kept, STEPS_KINDS)


def activities(kept: Kept, ledger: Ledger) -> pl.DataFrame:
    """Columns of activities but participant_id; the local start is null where the offset is unknown."""
    both = pl.concat([kept[name] for name in EXERCISE_KINDS], how="diagonal")
    local = pl.col("utc") + pl.duration(minutes=pl.col("utc_offset_minutes"))
    return both.with_columns(
        local.alias("start_time"),
        _utc("utc").alias("start_utc"),
        _file_id(ledger),
    )


def sleep_logs(kept: Kept) -> pl.DataFrame:
    """Logs of all kinds in one form, each id once; ``utc`` is null where the offset is unknown."""
    logs = pl.concat([kept[name] for name in SLEEP_KINDS], how="diagonal")
    return logs.unique("sleep_id", keep="first", maintain_order=True)


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
    """Columns of sleep_stages but participant_id; of logs whose instants are known."""
    epochs = (
        frame.drop_nulls("utc")
        .select("sleep_id", "utc", "epochs")
        .explode("epochs", empty_as_null=False)
        .unnest("epochs")
    )
    start = pl.col("utc") + pl.duration(seconds=pl.col("after"))
    return epochs.select("sleep_id", start.dt.replace_time_zone("UTC").alias("start_utc"), "seconds", "stage")


def _minutes(kept: Kept, kinds: Sequence[str]) -> pl.DataFrame:
    """Minutes whose instants are known."""
    every = pl.concat([kept[name] for name in kinds], how="diagonal").drop_nulls("utc")
    return every.rename({"utc": "minute_utc"}).with_columns(_utc("minute_utc"))


def _utc(column: str) -> pl.Expr:
    return pl.col(column).dt.replace_time_zone("UTC")


def _file_id(ledger: Ledger) -> pl.Expr:
    ids = {number: file.id for number, (file, _) in enumerate(ledger.members)}
    return pl.col("member").replace_strict(ids, default=None, return_dtype=pl.String).alias("file_id")

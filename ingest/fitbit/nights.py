"""What counts for a night: minute rows measured in it, and the scores of its log."""

from collections.abc import Sequence

import polars as pl

from ingest.fitbit.day_values import main_sleeps
from ingest.fitbit.ledger import Ledger


def main_nights(systems: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The main sleep of each wake date, by the first system of logs that tells of it."""
    logs = systems[0]
    for later in systems[1:]:
        told = later.join(logs.select("date").unique(), on="date", how="anti")
        logs = pl.concat([logs, told], how="diagonal")
    return main_sleeps(logs)


def on_nights(frame: pl.DataFrame, nights: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Rows on the wake date of the main sleep they lie in; rows outside of one are ignored by name.

    frame: ``local`` or ``utc``. nights: main sleeps with ``local``, ``local_end``, ``utc``, ``utc_end``.
    """
    clock = "local" if "local" in frame.columns else "utc"
    spans = (
        nights.drop_nulls(clock)
        .select(
            pl.col(clock).alias("_start"),
            pl.col(f"{clock}_end").alias("_end"),
            pl.col("date").alias("_night"),
        )
        .sort("_start")
    )
    placed = frame.sort(clock).join_asof(spans, left_on=clock, right_on="_start", strategy="backward")
    outside = pl.col("_night").is_null() | (pl.col(clock) > pl.col("_end"))
    kept = ledger.drop(placed, outside, "ignored", "outside_main_sleep")
    return kept.with_columns(pl.col("_night").alias("date")).drop("_start", "_end", "_night")


def dated_scores(
    scores: pl.DataFrame, later: pl.DataFrame, logs: pl.DataFrame, sleeps: pl.DataFrame, ledger: Ledger
) -> dict[str, pl.DataFrame]:
    """Scores of both systems (``sleep_score``, ``user_sleep_scores``) on the wake dates of their logs."""
    return {
        "sleep_score": _on_wake_dates(scores, logs, ledger),
        "user_sleep_scores": _on_wake_dates(later, sleeps, ledger),
    }


def _on_wake_dates(scores: pl.DataFrame, logs: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Scores on the wake date of their log; scores of other logs than the day's main sleep are ignored.

    A score whose log is not there stands on its own date, where it has one and no other score is there.
    """
    mains = main_sleeps(logs).select("sleep_id", pl.lit(True).alias("is_main"))
    dates = logs.select("sleep_id", pl.col("date").alias("wake_date"))
    joined = scores.join(dates, on="sleep_id", how="left").join(mains, on="sleep_id", how="left")
    of_nap = pl.col("wake_date").is_not_null() & pl.col("is_main").is_null()
    kept = ledger.drop(joined, of_nap, "ignored", "score_of_nap")
    own = "date" if "date" in kept.columns else pl.lit(None, pl.Date)
    dated = kept.with_columns(pl.coalesce("wake_date", own).alias("date")).sort(
        "date", pl.col("wake_date").is_null(), "sleep_id"
    )
    second = pl.col("date").is_null() | (pl.col("date").is_duplicated() & ~pl.col("date").is_first_distinct())
    return ledger.drop(dated, second, "ignored", "score_without_log").drop("wake_date", "is_main")

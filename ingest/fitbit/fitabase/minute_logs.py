"""Sleep logs of exports that have only their minutes: ``minuteSleep`` without a file of logs."""

from collections.abc import Mapping

import polars as pl

_LONGEST = pl.duration(days=2)


def with_minute_logs(accepted: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """``fitabase_sleep`` with a classic log for each id that only minutes tell.

    A log lasts from its first minute to the end of its last; asleep are its minutes of that level, awake the
    others, in bed all that are there; it counts for the day it ends on. Its rows are 0, as its minutes count
    where they stand. An id that a spreadsheet cut may be that of several nights: it makes none.
    """
    logs, minutes = accepted["fitabase_sleep"], accepted["fitabase_sleep_minutes"]
    alone = minutes.filter(pl.col("sleep_id").str.contains(r"^\d+$")).join(logs, on="sleep_id", how="anti")
    made = (
        alone.sort("local", "member")
        .group_by("sleep_id", maintain_order=True)
        .agg(
            pl.col("local").first(),
            (pl.col("local").last() + pl.duration(minutes=1)).alias("local_end"),
            (pl.col("stage") == "asleep").sum().cast(pl.Int64).alias("minutes_asleep"),
            (pl.col("stage") != "asleep").sum().cast(pl.Int64).alias("minutes_awake"),
            pl.len().cast(pl.Int64).alias("time_in_bed_minutes"),
            pl.col("member", "newer").first(),
        )
        .filter(pl.col("local_end") - pl.col("local") <= _LONGEST)
        .with_columns(
            pl.col("local_end").dt.date().alias("date"),
            (pl.col("local_end") - pl.col("local")).dt.total_milliseconds().alias("duration_ms"),
            pl.lit("classic").alias("kind"),
            pl.lit(False).alias("flagged_main"),
            pl.lit(False).alias("has_stages_file"),
            pl.lit(0, pl.Int64).alias("rows"),
        )
    )
    return {"fitabase_sleep": pl.concat([logs, made], how="diagonal").select(logs.columns)}

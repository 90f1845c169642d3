"""Samples of heart rate on the wall clock by the minute, of forms that tell no contact."""

from dataclasses import replace

import polars as pl

from ingest.fitbit.reading import Reading


def minutes_of_samples(reading: Reading) -> Reading:
    """``owner``, ``local`` (minute), ``heart_rate`` (mean), ``samples``, ``rows``; ``samples_no_contact`` 0.

    reading: samples with ``owner``, ``local`` and ``heart_rate``; a moment told twice is merged.
    """
    once = reading.frame.unique(["owner", "local"], keep="first", maintain_order=True)
    minutes = (
        once.group_by("owner", pl.col("local").dt.truncate("1m"))
        .agg(
            pl.col("heart_rate").mean(),
            pl.len().cast(pl.Int64).alias("samples"),
            pl.lit(0, pl.Int64).alias("samples_no_contact"),
            pl.len().cast(pl.Int64).alias("rows"),
        )
        .sort("owner", "local")
    )
    return replace(reading, frame=minutes, merged=reading.frame.height - once.height)

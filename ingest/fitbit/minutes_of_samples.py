"""Samples of heart rate by the minute, of forms that tell no contact."""

from dataclasses import replace

import polars as pl

from ingest.fitbit.reading import Reading


def minutes_of_samples(reading: Reading) -> Reading:
    """``owner``, ``local`` (minute), ``heart_rate`` (mean), ``samples``, ``rows``; ``samples_no_contact`` 0.

    reading: samples with ``owner``, ``local`` and ``heart_rate``; a moment told twice is merged.
    """
    return _by_minute(reading, "local", ("owner", "local"))


def by_minute_and_recorder(reading: Reading, *first: str) -> Reading:
    """Samples that tell no contact, as rows a minute and recorder; of ``first`` the minute's first value.

    Of samples of one recorder at one moment the first counts, the others are merged.
    """
    return _by_minute(reading, "utc", ("utc", "recorder"), *first)


def _by_minute(reading: Reading, moment: str, key: tuple[str, str], *first: str) -> Reading:
    """A row a minute of ``moment`` and the other column of ``key``, in the order of the key."""
    once = reading.frame.unique(key, keep="first", maintain_order=True)
    minute = [pl.col(column).dt.truncate("1m") if column == moment else pl.col(column) for column in key]
    minutes = (
        once.group_by(minute, maintain_order=True)
        .agg(
            pl.col(first).first(),
            pl.col("heart_rate").mean(),
            pl.len().cast(pl.Int64).alias("samples"),
            pl.lit(0, pl.Int64).alias("samples_no_contact"),
            pl.len().cast(pl.Int64).alias("rows"),
        )
        .sort(key)
    )
    return replace(reading, frame=minutes, merged=reading.frame.height - once.height)

"""Which device a day was recorded with, and on which days the series breaks."""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.fitbit.profile import PHONE
from ingest.fitbit.recorders import wearables


def known_devices(kept: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """``tracker_id``, ``date``, ``device``: devices by days they were added, synced or worn on."""
    synced = kept["fitabase_syncs"].select("date", "recorder")
    worn = wearables([kept[name] for name in ("health_heart_rate", "health_steps")])
    seen = pl.concat([synced, worn.select(synced.columns)]).select(
        tracker_id=pl.lit("seen"), date="date", device="recorder"
    )
    return pl.concat([kept["trackers"].select(seen.columns), seen.filter(pl.col("device") != "")])


def with_device(days: pl.LazyFrame, trackers: pl.DataFrame) -> pl.LazyFrame:
    """Add ``device`` by ``date``: the type of the tracker added last by that day, phones left out."""
    added = (
        trackers.lazy()
        .filter(pl.col("device") != PHONE)
        .sort("date", "tracker_id")
        .unique("date", keep="last", maintain_order=True)
        .select("date", "device")
        .sort("date")
    )
    return days.sort("date").join_asof(added, on="date", strategy="backward")


def with_unlisted_devices(
    days: pl.LazyFrame, trackers: pl.DataFrame, wearables: pl.DataFrame
) -> pl.LazyFrame:
    """The wearable that minutes of a day name where the list of trackers lacks it, as it may a removed one.

    wearables: ``date`` and ``recorder``.
    """
    listed = trackers["device"].unique().to_list()
    unlisted = wearables.filter(~pl.col("recorder").is_in(listed)).lazy()
    return (
        days.join(unlisted, on="date", how="left")
        .with_columns(pl.coalesce("recorder", "device").alias("device"))
        .drop("recorder")
    )


def with_breaks(days: pl.LazyFrame, methods: Sequence[str]) -> pl.LazyFrame:
    """A break on the first day with data of another type of device, or of another method of a value.

    methods: columns that say how a value was made. Rows are in the order of days.
    """
    changed = [_changed("device"), *(_changed(column) for column in methods)]
    return days.sort("date").with_columns(pl.any_horizontal(changed).alias("break_before"))


def _changed(column: str) -> pl.Expr:
    """True where the value differs from the one known before it; false where either is unknown."""
    return (pl.col(column) != pl.col(column).forward_fill().shift(1)).fill_null(False)

"""Daily families: labels of days that look like UTC midnights."""

import polars as pl

from synthetic.exports.logs import zone_bounds
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_family import Rows, family

RECOMPUTED_DAYS = 2
RECOMPUTED_BY_BPM = 0.21
NEW_ALGORITHM_FACTOR, NEW_ALGORITHM_MS = 1.08, 1.5


def resting_heart_rate(export: Export) -> Files:
    """As in the JSON, but for the newest days, which were computed again."""
    frame = _known(export, pl.col("resting_heart_rate").round(3).alias("beats per minute"))
    newest = pl.int_range(pl.len()) >= pl.len() - RECOMPUTED_DAYS
    again = pl.col("beats per minute") + pl.when(newest).then(RECOMPUTED_BY_BPM).otherwise(0.0)
    yield from _daily(export, "daily_resting_heart_rate", frame.with_columns(again.round(3)))


def respiratory_rate(export: Export) -> Files:
    """Breaths a minute."""
    rate = pl.col("respiratory_rate").alias("breaths per minute")
    yield from _daily(export, "daily_respiratory_rate", _known(export, rate))


def oxygen_saturation(export: Export) -> Files:
    """Percent of the night; without a baseline it and its deviation are 0.0."""
    frame = _known(
        export,
        pl.col("spo2_avg").alias("average percentage"),
        pl.col("spo2_min").alias("lower bound percentage"),
        pl.col("spo2_max").alias("upper bound percentage"),
        pl.lit(0.0).alias("baseline percentage"),
        pl.lit(0.0).alias("standard deviation percentage"),
    )
    yield from _daily(export, "daily_oxygen_saturation", frame, export.person.device)


def cardio_fitness(export: Export) -> Files:
    """Near the filtered value of the JSON."""
    value = (pl.col("vo2max") * 0.99985).round(5).alias("demographic vo2max")
    yield from _daily(export, "demographic_vo2max", _known(export, value))


def heart_rate_zones(export: Export) -> Files:
    """Limits of the zones, in a cell that only looks like JSON."""
    names = ("LIGHT", "MODERATE", "VIGOROUS", "PEAK")
    cell = ",".join(
        f'{{"heart_rate_zone_type": {name}, "min_heart_rate_bpm": {low}, "max_heart_rate_bpm": {high - 1}}}'
        for name, (low, high) in zip(names, zone_bounds(export.person), strict=True)
    )
    frame = _known(export, pl.lit(cell).alias("heart_rate_zone"))
    yield from _daily(export, "daily_heart_rate_zones", frame)


def observed_load(export: Export) -> Files:
    """The interval of the load so far, by plain dates."""
    frame = export.recording.nightly.select(
        pl.col("date").alias("timestamp"),
        pl.lit(0.0).alias("min observed load"),
        pl.lit(50.0).alias("max observed load"),
    )
    yield from family(export, "cardio_load_observed_interval", Rows(frame, export.generation.app), "life")


def load_ratio(export: Export) -> Files:
    """Load of a week against that of a month: too little history for a label."""
    frame = _known(export, pl.lit(1.0).alias("ratio"), pl.lit("OPTIMAL").alias("label"))
    yield from _daily(export, "cardio_acute_chronic_workload_ratio", frame)


def _known(export: Export, value: pl.Expr, *others: pl.Expr) -> pl.DataFrame:
    """A row for each date that has the first value."""
    stamp = pl.col("date").cast(pl.Datetime("ms")).alias("timestamp")
    frame = export.recording.nightly.select(stamp, value, *others)
    return frame.drop_nulls(frame.columns[1])


def _daily(export: Export, name: str, frame: pl.DataFrame, source: str | None = None) -> Files:
    yield from family(export, name, Rows(frame, source or export.generation.app), "life")

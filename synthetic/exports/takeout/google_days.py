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


def variability(export: Export) -> Files:
    """RMSSD of the night; with the later columns came another algorithm, whose values differ every night."""
    later = export.generation.later_columns
    factor, more = (NEW_ALGORITHM_FACTOR, NEW_ALGORITHM_MS) if later else (1.0, 0.0)
    average = (pl.col("heart_rate_variability") * factor + more).round(3)
    frame = _known(
        export,
        average.alias("average heart rate variability milliseconds"),
        pl.col("nremhr").alias("non rem heart rate beats per minute"),
        pl.col("entropy"),
        pl.col("deep_rmssd").alias("deep sleep root mean square of successive differences milliseconds"),
    )
    yield from _daily(export, "daily_heart_rate_variability", frame)


def skin_temperature(export: Export) -> Files:
    """The night's and the baseline's temperature in degC; NaN without a baseline."""
    frame = _known(
        export,
        pl.col("nightly_temperature").alias("nightly temperature celsius"),
        pl.col("baseline_temperature").fill_null(float("nan")).alias("baseline temperature celsius"),
        pl.lit(float("nan")).alias("relative nightly stddev 30d celsius"),
    )
    yield from _daily(export, "daily_sleep_temperature_derivations", frame)


def readiness(export: Export) -> Files:
    """Scores by plain dates."""
    score = pl.col("readiness_score")
    level = pl.when(score < 30).then(pl.lit("LOW")).when(score < 65).then(pl.lit("MEDIUM"))
    frame = export.recording.nightly.drop_nulls("readiness_score").select(
        pl.col("date").alias("timestamp"),
        score.alias("score"),
        level.otherwise(pl.lit("HIGH")).alias("type"),
        *([pl.lit("TYPE_UNSPECIFIED").alias("readiness level")] if export.generation.later_columns else []),
        pl.lit("HIGH").alias("sleep readiness"),
        pl.lit("MEDIUM").alias("heart rate variability readiness"),
        pl.lit("IGNORED").alias("resting heart rate readiness"),
    )
    yield from _daily(export, "daily_readiness", frame)


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
    yield from _daily(export, "daily_oxygen_saturation", frame, by_watch=True)


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


def _daily(export: Export, name: str, frame: pl.DataFrame, by_watch: bool = False) -> Files:
    """Whole-life files of what the app works out, or of what the watch of the day did."""
    watches = [export.watch_on(day).name for day in frame[frame.columns[0]].cast(pl.Date)]
    source = pl.Series(watches, dtype=pl.String) if by_watch else export.generation.app
    yield from family(export, name, Rows(frame, source), "life")

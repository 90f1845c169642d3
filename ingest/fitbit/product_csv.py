"""CSV files of the products whose rows are more than a time and a few values."""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_form import RECORDER
from ingest.fitbit.csv_rows import digits, label_date, number, read_csv
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary

ZONES = ("fatburn", "cardio", "peak")
ZONE_OF = {"FAT_BURN": "fatburn", "FAT BURN": "fatburn", "CARDIO": "cardio", "PEAK": "peak"}
_MOST_A_MINUTE = 2


def read_stress(content: Content, _name: str) -> Reading:
    """``date``, ``stress_management_score``; a failed calculation is written as 0."""
    rows = read_csv(content, ["DATE", "STRESS_SCORE"], ["CALCULATION_FAILED"])
    failed = pl.col("CALCULATION_FAILED").str.to_lowercase().fill_null("false") == "true"
    score = number("STRESS_SCORE").round(0).cast(pl.Int64, strict=False)
    frame = rows.frame.select(
        "row",
        label_date("DATE").alias("date"),
        pl.when(~failed & (score > 0)).then(score).alias("stress_management_score"),
    )
    value = "stress_management_score"
    none = Rule("no_value", pl.col(value).is_null(), value)
    return sift(rows.like(frame), (missing("date"), outside_limits(DailySummary, value)), (none,))


def read_temperature(content: Content, _name: str) -> Reading:
    """``date`` (of waking), ``skin_temperature_variation`` (degC against the baseline), ``samples``.

    NaN until the device has a baseline. The variation is the sum of differences over the samples.
    """
    summed, count = "baseline_relative_sample_sum", "temperature_samples"
    rows = read_csv(content, ["sleep_end", count, summed])
    frame = rows.frame.select(
        "row",
        label_date("sleep_end").alias("date"),
        number(count).alias("samples"),
        pl.when(number(count) > 0).then(number(summed) / number(count)).alias("skin_temperature_variation"),
    )
    return sift(rows.like(frame), _BASED, (_NO_BASELINE,))


def read_temperature_csv(content: Content, _name: str) -> Reading:
    """``date``, ``skin_temperature_variation``: the night's temperature less the baseline, ``recorder``."""
    nightly, baseline = "nightly temperature celsius", "baseline temperature celsius"
    rows = read_csv(content, ["timestamp", nightly, baseline], [RECORDER])
    frame = rows.frame.select(
        "row",
        label_date("timestamp").alias("date"),
        pl.col(RECORDER).fill_null("").alias("recorder"),
        (number(nightly) - number(baseline)).alias("skin_temperature_variation"),
    )
    return sift(rows.like(frame), _BASED, (_NO_BASELINE,))


def read_active_zone_minutes(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``zone``, ``minutes`` earned (cardio and peak count two a minute)."""
    return _zone_minutes(content, "local", "date_time", "heart_zone_id", "total_minutes")


def read_active_zone_minutes_csv(content: Content, _name: str) -> Reading:
    """``utc`` (minute), ``zone``, ``minutes``, ``recorder``."""
    return _zone_minutes(content, "utc", "timestamp", "heart rate zone", "total minutes")


def _zone_minutes(content: Content, clock: str, time: str, zone: str, minutes: str) -> Reading:
    rows = read_csv(content, [time, zone, minutes], [RECORDER] if clock == "utc" else [])
    named = pl.col(zone).str.to_uppercase().replace_strict(ZONE_OF, default=None, return_dtype=pl.String)
    frame = rows.frame.with_columns(digits(rows.frame[time]).dt.truncate("1m").alias(clock)).select(
        "row",
        clock,
        *([pl.col(RECORDER).fill_null("").alias("recorder")] if clock == "utc" else []),
        named.alias("zone"),
        number(minutes).cast(pl.Int64, strict=False).alias("minutes"),
    )
    earned = Rule("outside_limits", ~pl.col("minutes").is_between(0, _MOST_A_MINUTE), "active_zone_minutes")
    return sift(rows.like(frame), (missing(clock), missing("zone"), missing("minutes"), earned))


_BASED = (missing("date"), outside_limits(DailySummary, "skin_temperature_variation"))
_NO_BASELINE = Rule(
    "no_baseline", pl.col("skin_temperature_variation").is_null(), "skin_temperature_variation"
)

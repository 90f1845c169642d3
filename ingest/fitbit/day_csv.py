"""Small CSV families with one value (or night) a day, and active zone minutes. Dates are labels."""

from collections.abc import Sequence

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import label_date, number, read_csv
from ingest.fitbit.reading import Reading, Rows, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary

ZONES = ("fatburn", "cardio", "peak")
_ZONE_OF = {"FAT_BURN": "fatburn", "FAT BURN": "fatburn", "CARDIO": "cardio", "PEAK": "peak"}


def read_heart_rate_variability(content: Content, _name: str) -> Reading:
    """``date`` (wake date), ``heart_rate_variability`` (RMSSD, ms). The number in a file's name is no day."""
    return _read(content, "timestamp", {"heart_rate_variability": "rmssd"})


def read_respiratory_rate(content: Content, _name: str) -> Reading:
    """``date`` (wake date), ``respiratory_rate`` (breaths/min); 0 and -1 mean none."""
    return _read(content, "timestamp", {"respiratory_rate": "daily_respiratory_rate"})


def read_spo2(content: Content, _name: str) -> Reading:
    """``date``, ``spo2_avg``, ``spo2_min``, ``spo2_max`` (%); 0 means none, 50.0 an invalid reading."""
    columns = {"spo2_avg": "average_value", "spo2_min": "lower_bound", "spo2_max": "upper_bound"}
    return _read(content, "timestamp", columns, none_up_to=50.0)


def read_readiness(content: Content, _name: str) -> Reading:
    """``date``, ``readiness_score``."""
    reading = _read(content, "date", {"readiness_score": "readiness_score_value"})
    return _with_whole(reading, "readiness_score")


def read_stress(content: Content, _name: str) -> Reading:
    """``date``, ``stress_management_score``; a failed calculation is written as 0."""
    rows = read_csv(content, ["DATE", "STRESS_SCORE"], ["CALCULATION_FAILED"])
    failed = pl.col("CALCULATION_FAILED").str.to_lowercase().fill_null("false") == "true"
    score = pl.when(~failed).then(number("STRESS_SCORE")).otherwise(0.0)
    frame = rows.frame.select("row", label_date("DATE").alias("date"), score.alias("stress_management_score"))
    reading = _sifted(rows, frame, ["stress_management_score"], 0.0)
    return _with_whole(reading, "stress_management_score")


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
        (number(summed) / number(count)).alias("skin_temperature_variation"),
    )
    value = "skin_temperature_variation"
    none = Rule("no_baseline", pl.col(value).is_null() | ~pl.col(value).is_finite(), value)
    reject = (missing("date"), outside_limits(DailySummary, value))
    return sift(_like(rows, frame), reject, (none,))


def read_active_zone_minutes(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``zone``, ``minutes`` earned (cardio and peak count two a minute)."""
    rows = read_csv(content, ["date_time", "heart_zone_id", "total_minutes"])
    frame = rows.frame.select(
        "row",
        pl.col("date_time")
        .str.slice(0, 16)
        .str.to_datetime("%Y-%m-%dT%H:%M", strict=False, time_unit="us")
        .alias("local"),
        pl.col("heart_zone_id")
        .str.to_uppercase()
        .replace_strict(_ZONE_OF, default=None, return_dtype=pl.String)
        .alias("zone"),
        number("total_minutes").cast(pl.Int64, strict=False).alias("minutes"),
    )
    earned = Rule("outside_limits", ~pl.col("minutes").is_between(0, 2), "active_zone_minutes")
    return sift(_like(rows, frame), (missing("local"), missing("zone"), missing("minutes"), earned))


def _read(content: Content, day: str, columns: dict[str, str], none_up_to: float = 0.0) -> Reading:
    rows = read_csv(content, [day, *columns.values()])
    values = [number(source).alias(column) for column, source in columns.items()]
    frame = rows.frame.select("row", label_date(day).alias("date"), *values)
    return _sifted(rows, frame, list(columns), none_up_to)


def _sifted(rows: Rows, frame: pl.DataFrame, columns: Sequence[str], none_up_to: float) -> Reading:
    """Sentinels become null; a row with no value left is ignored by name."""
    real = frame.with_columns(pl.when(pl.col(c) > none_up_to).then(pl.col(c)).alias(c) for c in columns)
    none = Rule("no_value", pl.all_horizontal(pl.col(c).is_null() for c in columns), columns[0])
    reject = (missing("date"), *(outside_limits(DailySummary, column) for column in columns))
    return sift(_like(rows, real), reject, (none,))


def _with_whole(reading: Reading, column: str) -> Reading:
    frame = reading.frame.with_columns(pl.col(column).round(0).cast(pl.Int64, strict=False))
    return Reading(
        frame, reading.rows, reading.rejected, reading.ignored, reading.merged, reading.damaged_from
    )


def _like(rows: Rows, frame: pl.DataFrame) -> Rows:
    return Rows(frame, rows.rows, rows.rejected, rows.damaged_from)

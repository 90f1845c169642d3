"""Kinds of the products' CSV files (``Sleep Score/``, ``Heart Rate Variability/`` ...): one line a kind."""

from ingest.fitbit import product_csv, profile, sleep_score
from ingest.fitbit.csv_form import CsvForm, Value
from ingest.fitbit.kind import Kind, named, product_name
from schemas.daily_summary import DailySummary

# SpO2 of 50 stands for an invalid reading.
INVALID_SPO2 = 50.0


def day_value(name: str, header: str, none_up_to: float = 0.0, *, whole: bool = False) -> Value:
    """A value of a day within the limits of its published column; up to ``none_up_to`` there is none."""
    return Value(name, header, (DailySummary, name), none_up_to, whole=whole)


PRODUCT_KINDS: tuple[Kind, ...] = (
    # The number in brackets in a file's name is no day: the row says it.
    Kind(
        "heart_rate_variability",
        named(
            r"Daily Heart Rate Variability Summary - \d{4}-\d{2}-(?:\(\d+\))?",
            "csv",
            "Daily Heart Rate Variability Summary - MONTH-(N).csv",
        ),
        "day",
        CsvForm("timestamp", "day", (day_value("heart_rate_variability", "rmssd"),)),
        ("date",),
    ),
    Kind(
        "hrv_details",
        product_name("Heart Rate Variability Details"),
        "local",
        CsvForm("timestamp", "local", (day_value("heart_rate_variability", "rmssd"),)),
        ("local",),
    ),
    Kind(
        "respiratory_rate",
        product_name("Daily Respiratory Rate Summary"),
        "day",
        CsvForm("timestamp", "day", (day_value("respiratory_rate", "daily_respiratory_rate"),)),
        ("date",),
    ),
    Kind(
        "spo2",
        product_name("Daily SpO2"),
        "day",
        CsvForm(
            "timestamp",
            "day",
            (
                day_value("spo2_avg", "average_value", INVALID_SPO2),
                day_value("spo2_min", "lower_bound", INVALID_SPO2),
                day_value("spo2_max", "upper_bound", INVALID_SPO2),
            ),
        ),
        ("date",),
    ),
    Kind(
        "spo2_minutes",
        product_name("Minute SpO2"),
        "utc",
        CsvForm("timestamp", "utc", (day_value("spo2_avg", "value", INVALID_SPO2),)),
        ("utc",),
    ),
    Kind(
        "active_zone_minutes",
        product_name("Active Zone Minutes"),
        "local",
        product_csv.read_active_zone_minutes,
        ("local", "zone"),
        ("newer", "minutes"),
    ),
    Kind("sleep_score", named("sleep_score", "csv"), "local", sleep_score.read_sleep_score, ("sleep_id",)),
    Kind("stress", named("Stress Score", "csv"), "day", product_csv.read_stress, ("date",)),
    Kind(
        "readiness",
        product_name("Daily Readiness Score"),
        "day",
        CsvForm("date", "day", (day_value("readiness_score", "readiness_score_value", whole=True),)),
        ("date",),
    ),
    Kind(
        "temperature",
        product_name("Computed Temperature"),
        "day",
        product_csv.read_temperature,
        ("date",),
        ("newer", "samples"),
    ),
    Kind("trackers", named("Trackers", "csv"), "day", profile.read_trackers, ("tracker_id",)),
)

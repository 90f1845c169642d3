"""The daily table of the public set LifeSnaps (2021): a row a person and day, from archives of layout A1.

Distance is in metres, the length of sleep in milliseconds. A row's sleep is that of its wake date: with it
the four activity minutes of the same row make 1440. Not used: ``daily_temperature_variation``, of the
device's sensor over the whole day; ratios to 30-day means; questionnaires and self-reports.
"""

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_form import Value
from ingest.fitbit.csv_rows import label_date, number, read_csv
from ingest.fitbit.product_kinds import INVALID_SPO2
from ingest.fitbit.reading import Reading, Rule
from ingest.fitbit.stated_days import stated_days

PART = "daily"
_MS_PER_MINUTE = 60_000
_VALUES = (
    Value("steps", "steps", whole=True),
    Value("distance_m", "distance"),
    Value("calories_kcal", "calories"),
    Value("sedentary_minutes", "sedentary_minutes", whole=True),
    Value("lightly_active_minutes", "lightly_active_minutes", whole=True),
    Value("fairly_active_minutes", "moderately_active_minutes", whole=True),
    Value("very_active_minutes", "very_active_minutes", whole=True),
    Value("resting_heart_rate", "resting_hr", none_up_to=0),
    Value("heart_rate_variability", "rmssd", none_up_to=0),
    Value("respiratory_rate", "full_sleep_breathing_rate", none_up_to=0),
    Value("spo2_avg", "spo2", none_up_to=INVALID_SPO2),
    Value("vo2max", "filteredDemographicVO2Max", none_up_to=0),
    Value("stress_management_score", "stress_score", none_up_to=0, whole=True),
    Value("sleep_minutes", "minutesAsleep", whole=True),
    Value("awake_minutes", "minutesAwake", whole=True),
    Value("time_in_bed_minutes", "sleep_duration", times=1 / _MS_PER_MINUTE, whole=True),
)


def read_days(content: Content, _name: str) -> Reading:
    """Rows of ``stated_days`` with ``owner``; a cell that is there but no number rejects its row."""
    rows = read_csv(content, ["id", "date", "resting_hr"], [value.header for value in _VALUES])
    frame = rows.frame.with_columns(
        pl.col("id").alias("owner"), label_date("date"), *(value.read() for value in _VALUES)
    )
    texts = rows.frame.select(pl.col(value.source).alias(f"_{value.source}") for value in _VALUES)
    garbled = [Rule("value_missing", _garbled(f"_{value.source}"), value.name) for value in _VALUES]
    return stated_days(rows.like(pl.concat([frame, texts], how="horizontal")), PART, garbled)


def _garbled(column: str) -> pl.Expr:
    text = pl.col(column)
    return text.is_not_null() & (text.str.to_lowercase() != "nan") & number(column).is_null()

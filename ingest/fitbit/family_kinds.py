"""Kinds of the ``*_GoogleData`` folders (from late 2024, flat or in sub-folders): one line a family.

From 2026 on a column names the recorder of each row; several recorders stand interleaved in one file.
"""

from ingest.fitbit import heart_rate, product_csv, user_exercises, user_sleeps
from ingest.fitbit.csv_form import CsvForm, Value
from ingest.fitbit.kind import Clock, FileName, Kind, family_name
from ingest.fitbit.product_kinds import INVALID_SPO2, day_value
from ingest.fitbit.zone_settings import read_zone_settings
from schemas.daily_summary import DailySummary
from schemas.steps_minutes import StepsMinutes

KG_PER_GRAM = 0.001
FLOORS_PER_MM = 1 / 3048


def _family(
    name: str,
    file: FileName | str,
    clock: Clock,
    *values: Value,
    seconds: bool = False,
    table: str = "daily_summary",
) -> Kind:
    """A family of a time and values. Of a repeated row of one recorder the highest value is kept."""
    form = CsvForm("timestamp", clock, values, recorders=True, seconds=seconds)
    column = {"day": "date", "disputed": "stamp"}.get(clock, clock)
    return Kind(
        name,
        family_name(file) if isinstance(file, str) else file,
        clock,
        form,
        (column, "recorder"),
        ("newer", values[0].name),
        table=table,
    )


def _in_day(name: str, header: str, times: float = 1.0, *, whole: bool = False) -> Value:
    return Value(name, header, (DailySummary, name), times=times, whole=whole)


FAMILY_KINDS: tuple[Kind, ...] = (
    _family(
        "steps_csv",
        "steps",
        "utc",
        Value("steps", "steps", (StepsMinutes, "steps"), whole=True),
        table="steps_minutes",
    ),
    _family("distance_csv", "distance", "utc", _in_day("distance_m", "distance")),
    _family("calories_csv", "calories", "utc", _in_day("calories_kcal", "calories")),
    _family("floors_csv", "floors", "utc", _in_day("floors", "floors")),
    _family("altitude_csv", "altitude", "utc", _in_day("floors", "gain", FLOORS_PER_MM)),
    _family(
        "active_minutes_csv",
        "active_minutes",
        "utc",
        _in_day("lightly_active_minutes", "light", whole=True),
        _in_day("fairly_active_minutes", "moderate", whole=True),
        _in_day("very_active_minutes", "very", whole=True),
    ),
    Kind(
        "active_zone_minutes_csv",
        family_name("active_zone_minutes"),
        "utc",
        product_csv.read_active_zone_minutes_csv,
        ("utc", "zone", "recorder"),
        ("newer", "minutes"),
    ),
    Kind(
        "heart_rate_csv",
        family_name("heart_rate"),
        "utc",
        heart_rate.read_heart_rate_csv,
        ("utc", "recorder"),
        ("newer", "rows"),
        table="heart_rate_minutes",
    ),
    _family(
        "resting_heart_rate_csv",
        family_name("(?:daily_)?resting_heart_rate", "daily_resting_heart_rate"),
        "day",
        day_value("resting_heart_rate", "beats per minute"),
    ),
    _family(
        "heart_rate_variability_csv",
        "daily_heart_rate_variability",
        "day",
        day_value("heart_rate_variability", "average heart rate variability milliseconds"),
    ),
    _family(
        "hrv_minutes_csv",
        "heart_rate_variability",
        "disputed",
        day_value("heart_rate_variability", "root mean square of successive differences milliseconds"),
    ),
    _family(
        "respiratory_rate_csv",
        "daily_respiratory_rate",
        "day",
        day_value("respiratory_rate", "breaths per minute"),
    ),
    _family(
        "spo2_csv",
        "daily_oxygen_saturation",
        "day",
        day_value("spo2_avg", "average percentage", INVALID_SPO2),
        day_value("spo2_min", "lower bound percentage", INVALID_SPO2),
        day_value("spo2_max", "upper bound percentage", INVALID_SPO2),
    ),
    _family(
        "spo2_minutes_csv",
        "oxygen_saturation",
        "utc",
        day_value("spo2_avg", "oxygen saturation percentage", INVALID_SPO2),
    ),
    Kind(
        "temperature_csv",
        family_name("daily_sleep_temperature_derivations"),
        "day",
        product_csv.read_temperature_csv,
        ("date", "recorder"),
    ),
    _family("readiness_csv", "daily_readiness", "day", day_value("readiness_score", "score", whole=True)),
    _family(
        "vo2max_csv",
        family_name("(?:demographic_)?vo2_?max", "demographic_vo2max"),
        "day",
        Value("vo2max", ("demographic vo2max", "vo2max", "vo2 max"), (DailySummary, "vo2max"), 0.0),
    ),
    _family(
        "weight_csv",
        "weight",
        "utc",
        _in_day("weight_kg", "weight grams", KG_PER_GRAM),
        seconds=True,
    ),
    Kind(
        "user_sleeps",
        family_name("UserSleeps"),
        "disputed",
        user_sleeps.read_user_sleeps,
        ("sleep_id",),
        table="sleep_sessions",
    ),
    Kind(
        "user_sleep_stages",
        family_name("UserSleepStages"),
        "log",
        user_sleeps.read_user_sleep_stages,
        ("sleep_id", "stage_id"),
        table="sleep_stages",
    ),
    Kind(
        "user_sleep_scores",
        family_name("UserSleepScores"),
        "log",
        user_sleeps.read_user_sleep_scores,
        ("sleep_id",),
    ),
    Kind(
        "user_exercises",
        family_name("UserExercises"),
        "utc",
        user_exercises.read_user_exercises,
        ("activity_id",),
        table="activities",
    ),
    Kind(
        "zone_settings",
        family_name("UserDemographicData"),
        "log",
        read_zone_settings,
        ("since",),
        table="source_files",
    ),
)

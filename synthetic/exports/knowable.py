"""What each form can say of a day: the columns of daily_summary, and how far its own rounding may carry them.

A form that lacks a kind gives null: ``seen_through`` turns the whole truth into that of a form.
"""

from collections.abc import Mapping

import polars as pl

from schemas.daily_summary import DailySummary
from schemas.table import conform

STEPS_OF_A_WORN_DAY = 1_000

EXACT = 0.0
ACTIVITY = dict.fromkeys(
    ("steps", "floors", "lightly_active_minutes", "fairly_active_minutes", "very_active_minutes"), EXACT
)
SEDENTARY = {"sedentary_minutes": EXACT}
ZONES = dict.fromkeys(
    ("active_zone_minutes", "fatburn_active_zone_minutes", "cardio_active_zone_minutes",
     "peak_active_zone_minutes"), EXACT,
)  # fmt: skip
ASLEEP = dict.fromkeys(("sleep_minutes", "time_in_bed_minutes", "awake_minutes"), EXACT)
NIGHT = ASLEEP | dict.fromkeys(
    ("nap_minutes", "deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes", "bed_minute",
     "wake_up_minute"), EXACT,
)  # fmt: skip
CLOCK_TIMES = {"bed_time": EXACT, "wake_up_time": EXACT}
CUT_TO_MINUTES = {"bed_time": 59.0, "wake_up_time": 59.0}
VITALS = dict.fromkeys(
    ("heart_rate_variability", "respiratory_rate", "spo2_avg", "spo2_min", "spo2_max"), EXACT
)
WHOLE_BPM = {"resting_heart_rate": 0.5}
WHOLE_KCAL = {"calories_kcal": 0.5}
TENTHS_OF_A_UNIT = {"weight_kg": 0.051}
OFFSETS = {"utc_offset_minutes": EXACT, "tz_change": EXACT}
WEAR = {"wear_minutes": EXACT}
DEVICE = {"device": EXACT, "break_before": EXACT}

# An account's export by generation: the first site had no nightly products, the Google account has grams.
FIRST_SITE = (
    ACTIVITY | SEDENTARY | NIGHT | CLOCK_TIMES | WEAR | OFFSETS
    | dict.fromkeys(
        ("distance_m", "calories_kcal", "resting_heart_rate", "vo2max", "weight_kg", "sleep_score"), EXACT
    )
)  # fmt: skip
PRODUCTS = FIRST_SITE | ZONES | VITALS | DEVICE | dict.fromkeys(
    ("skin_temperature_variation", "stress_management_score", "readiness_score"), EXACT
)  # fmt: skip
GOOGLE = PRODUCTS | {"weight_kg": 0.001}

KNOWABLE: Mapping[str, Mapping[str, float]] = {
    "A0": FIRST_SITE,
    **dict.fromkeys(("A1", "B"), PRODUCTS),
    **dict.fromkeys(("A2", "C", "D", "E", "F"), GOOGLE),
    "fitabase": ACTIVITY | SEDENTARY | NIGHT | CLOCK_TIMES | WHOLE_BPM | WHOLE_KCAL | TENTHS_OF_A_UNIT
    | WEAR | DEVICE | OFFSETS | {"distance_m": 5.0},
    "fitabase_merged": {name: EXACT for name in ACTIVITY if name != "floors"} | SEDENTARY | ASLEEP
    | WHOLE_KCAL | TENTHS_OF_A_UNIT | WEAR | {"distance_m": 5.0},
    "monthly_csv": ACTIVITY | SEDENTARY | NIGHT | CUT_TO_MINUTES | WHOLE_KCAL | {"distance_m": 8.05},
    "web_api": ACTIVITY | SEDENTARY | ZONES | NIGHT | CLOCK_TIMES | VITALS | WHOLE_BPM | TENTHS_OF_A_UNIT
    | WEAR | {"distance_m": 0.02, "calories_kcal": 0.05, "skin_temperature_variation": 0.05, "vo2max": 0.5},
    "health_api": ACTIVITY | ZONES | NIGHT | CLOCK_TIMES | VITALS | WHOLE_BPM | WEAR | DEVICE | OFFSETS
    | {
        "distance_m": 0.05, "calories_kcal": 0.05, "skin_temperature_variation": 0.01, "vo2max": 0.05,
        "weight_kg": 0.005,
    },
}  # fmt: skip
"""By form and column: the largest distance from the truth in the column's unit, seconds for times.

Where two elapsed minutes share one on the wall (clocks go back, travel), forms without offsets tell fewer
worn minutes than there were.
"""

# Forms that hold the phone's rows, too. The app's view of health_api has the watch's alone.
WITH_PHONE = ("D", "E", "F")
KEPT = {"participant_id", "date", "is_partial"}
JUDGED = {"day_state", "valid_day", "wear_from_steps"}


def seen_through(daily: pl.DataFrame, form: str) -> pl.DataFrame:
    """The rows of daily_summary as a right reader of a form alone has them; null where it can't know.

    Without heart rate a day is judged by its steps (docs/dates.md). Flags that a form can't raise are False.
    """
    known = KNOWABLE[form]
    hidden = [name for name in daily.columns if name not in KEPT | JUDGED | set(known)]
    flags = [name for name in hidden if daily.schema[name] == pl.Boolean]
    by_phone = pl.col("day_state") == "not_worn"
    told = daily.with_columns(
        pl.when(~by_phone).then(name).alias(name) for name in _not_of_phone(daily, form)
    )
    seen = told.lazy().with_columns(
        pl.lit(None).alias(name) if name not in flags else pl.lit(value=False).alias(name) for name in hidden
    )
    judged = seen if "wear_minutes" in known else seen.pipe(_judged_by_steps)
    return judged.pipe(conform, DailySummary).collect()


def _not_of_phone(daily: pl.DataFrame, form: str) -> tuple[str, ...]:
    """Columns of which a form tells nothing of days that a phone alone counted.

    In health_api the phone's steps are those of the app where there is no watch, and its distance nowhere.
    """
    if form in WITH_PHONE:
        return ()
    only_phone = form == "health_api" and (daily["day_state"] == "not_worn").all()
    return ("distance_m",) if only_phone else ("steps", "distance_m")


def _judged_by_steps(daily: pl.LazyFrame) -> pl.LazyFrame:
    steps = pl.col("steps").fill_null(0)
    return daily.with_columns(
        day_state=pl.when(steps >= STEPS_OF_A_WORN_DAY)
        .then(pl.lit("worn"))
        .when(steps > 0)
        .then(pl.lit("partly_worn"))
        .otherwise(pl.lit("not_worn")),
        wear_from_steps=steps > 0,
    ).with_columns(valid_day=pl.col("day_state") == "worn")

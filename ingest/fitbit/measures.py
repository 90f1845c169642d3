"""The one table of daily measures: what fills each column of daily_summary, best source first.

One source fills a day, never a union of two that tell the same. Units stand in ``schemas.daily_summary``,
clocks in the table of kinds.
"""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from ingest.fitbit import day_values as day
from ingest.fitbit.json_kinds import ACTIVITY_MINUTES
from ingest.fitbit.kinds import DAY_KINDS, HEART_RATE_KINDS, SLEEP_KINDS, STEPS_KINDS
from ingest.fitbit.product_csv import ZONES
from ingest.fitbit.stated_days import STATED

VENDOR_DAILY = "vendor_daily"
VENDOR_RMSSD, VENDOR_AVERAGE = "vendor_daily_rmssd", "vendor_daily_average"


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of member that can tell a measure. day: its rows to ``date`` and the measure's columns.

    method: how the value was made, where sources differ in that. A source of another method than the better
    ones never fills gaps among their days (choosing.py).
    """

    kind: str
    day: Callable[[pl.DataFrame], pl.DataFrame]
    method: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """Columns of daily_summary that one source fills together on a day.

    tolerance: how far two sources of a day may differ in the first column and still agree; None where they
    are not compared. sparse: a minute
    is written only when something was earned in it, so that a covered worn day without a row means zero.
    """

    columns: tuple[str, ...]
    sources: tuple[Source, ...]
    tolerance: float | None = 0
    sparse: bool = False

    @property
    def name(self) -> str:
        """It is called by its first column."""
        return self.columns[0]

    @property
    def has_method(self) -> bool:
        """Whether daily_summary says how the value was made."""
        return any(source.method for source in self.sources)


def _days(*columns: str, method: str = "") -> tuple[Source, ...]:
    """What files outside the archive state of a day, after all that is in it."""
    kinds = DAY_KINDS if columns[0] in STATED else ()
    return tuple(Source(kind, day.best_stated(*columns), method) for kind in kinds)


def _stated(column: str, *kinds: str, tolerance: float = 0) -> Measure:
    told = tuple(Source(kind, day.stated(column)) for kind in kinds)
    return Measure((column,), (*told, *_days(column)), tolerance)


def _summed(column: str, *kinds: str, tolerance: float = 0) -> Measure:
    told = tuple(Source(kind, day.summed(column)) for kind in kinds)
    hours = tuple(Source(kind, day.summed(column)) for kind in _HOURLY.get(column, ()))
    return Measure((column,), (*told, *_days(column), *hours), tolerance)


# Sums of an hour, for exports that have neither the minutes nor the day.
_HOURLY = {"steps": ("fitabase_hourly_steps",), "calories_kcal": ("fitabase_hourly_calories",)}
_FLOORS = ("floors_csv", "altitude", "altitude_csv", "health_floors", "health_altitude")
_ZONES = ("active_zone_minutes", "active_zone_minutes_csv", "health_zone_minutes")
_ACTIVE = ("active_minutes_csv", "health_active_minutes")
_WEIGHTS = ("weight_csv", "weight", "health_weight", "web_weight", "fitabase_weight")
# By the minute of a night, for nights without the day's value.
_VARIABILITY = ("hrv_details", "hrv_minutes_csv", "health_hrv_minutes", "web_hrv_minutes")
_OXYGEN = ("spo2_minutes", "spo2_minutes_csv", "health_spo2_minutes", "web_spo2_minutes")
_ACTIVITY_CSV = ("lightly_active_minutes", "fairly_active_minutes", "very_active_minutes")

# Sleep comes first: other kinds are placed on the nights it makes.
SLEEP = Measure(
    ("sleep_minutes", "time_in_bed_minutes", "awake_minutes"),
    (
        *(Source(kind, day.told_nights) for kind in SLEEP_KINDS),
        *_days("sleep_minutes", "time_in_bed_minutes", "awake_minutes"),
        # Counted minutes of a night with stages lie some minutes from the sum the service states.
        Source("fitabase_sleep", day.nights),
    ),
    # The two algorithms of 2026 differ by minutes in the night's limits.
    tolerance=15,
)
# What no sum of a day tells; of the same logs as the sums, where logs are told.
NIGHT = Measure(
    (
        "bed_time",
        "wake_up_time",
        "bed_minute",
        "wake_up_minute",
        "nap_minutes",
        "deep_sleep_minutes",
        "rem_sleep_minutes",
        "light_sleep_minutes",
    ),
    tuple(Source(kind, day.nights) for kind in SLEEP_KINDS),
    tolerance=None,
)

MEASURES: tuple[Measure, ...] = (
    SLEEP,
    NIGHT,
    _summed("steps", *STEPS_KINDS),
    _summed("distance_m", "distance", "distance_csv", "health_distance", tolerance=1),
    _summed("calories_kcal", "calories", "calories_csv", tolerance=5),
    Measure(
        ("floors",),
        (
            *(Source(kind, day.floors) for kind in _FLOORS),
            *_days("floors"),
        ),
        sparse=True,
    ),
    *(
        Measure(
            (column,),
            (
                Source(kind, day.stated(column)),
                *(Source(kind, day.summed(column)) for kind in _ACTIVE if column in _ACTIVITY_CSV),
                *_days(column),
            ),
        )
        for kind, column in ACTIVITY_MINUTES.items()
    ),
    Measure(
        ("active_zone_minutes", *(f"{zone}_active_zone_minutes" for zone in ZONES)),
        (
            *(Source(kind, day.zone_minutes) for kind in _ZONES),
            *_days("active_zone_minutes", *(f"{zone}_active_zone_minutes" for zone in ZONES)),
        ),
        sparse=True,
    ),
    Measure(
        ("resting_heart_rate",),
        (
            Source("resting_heart_rate", day.stated("resting_heart_rate"), VENDOR_DAILY),
            Source("resting_heart_rate_csv", day.stated("resting_heart_rate"), VENDOR_DAILY),
            *_days("resting_heart_rate", method=VENDOR_DAILY),
            Source("sleep_score", day.stated("resting_heart_rate"), "vendor_sleep_score"),
        ),
        tolerance=1,
    ),
    Measure(
        ("heart_rate_variability",),
        (
            Source("heart_rate_variability", day.stated("heart_rate_variability"), VENDOR_RMSSD),
            Source("heart_rate_variability_csv", day.stated("heart_rate_variability"), VENDOR_AVERAGE),
            Source("health_days", day.best_stated("heart_rate_variability"), VENDOR_AVERAGE),
            Source("web_days", day.best_stated("heart_rate_variability"), VENDOR_RMSSD),
            Source("lifesnaps_days", day.best_stated("heart_rate_variability"), VENDOR_RMSSD),
            *(
                Source(kind, day.mean("heart_rate_variability"), "mean_of_five_minutes")
                for kind in _VARIABILITY
            ),
        ),
        tolerance=0.1,
    ),
    _stated("respiratory_rate", "respiratory_rate", "respiratory_rate_csv", tolerance=0.1),
    Measure(
        ("spo2_avg", "spo2_min", "spo2_max"),
        (
            Source("spo2", day.stated("spo2_avg", "spo2_min", "spo2_max")),
            Source("spo2_csv", day.stated("spo2_avg", "spo2_min", "spo2_max")),
            *_days("spo2_avg", "spo2_min", "spo2_max"),
            # The vendor's bounds are no extremes of the minutes: of those only the mean is taken.
            *(Source(kind, day.mean("spo2_avg")) for kind in _OXYGEN),
        ),
        tolerance=0.5,
    ),
    _stated("skin_temperature_variation", "temperature", "temperature_csv", tolerance=0.05),
    _stated("sleep_score", "sleep_score", "user_sleep_scores"),
    _stated("stress_management_score", "stress"),
    _stated("readiness_score", "readiness", "readiness_csv"),
    _stated("vo2max", "vo2max", "vo2max_csv", tolerance=0.1),
    Measure(
        ("weight_kg",),
        tuple(Source(kind, day.last_weight) for kind in _WEIGHTS),
        tolerance=0.06,
    ),
    # Not compared: the CSV is read only where the JSON may be silent (twin_files.py).
    Measure(
        ("wear_minutes",),
        (*(Source(kind, day.wear) for kind in HEART_RATE_KINDS), *_days("wear_minutes")),
        tolerance=None,
    ),
)

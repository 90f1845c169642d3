"""The body behind the numbers: what stays of a person over the study, drawn for one or for thousands.

The middle and spread of each marginal follow published figures for wearers of such devices
(docs/made_model.md). Profiles shift a person away from those of the same age, never the whole.
"""

from dataclasses import dataclass, fields
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthetic.people.profiles import PROFILES

Floats = NDArray[np.float64]

DECADES = np.array([25.0, 35, 45, 55, 65, 75, 85])
RESTING_MALE = np.array([62.2, 63.7, 64.6, 64.1, 62.5, 60.7, 59.7])
RESTING_FEMALE = np.array([66.6, 67.0, 67.4, 66.3, 65.3, 64.3, 63.0])
USUAL_STEPS = 8600
RMSSD_MEDIAN = np.array([50.0, 42, 34, 28, 23, 19, 16])


@dataclass(frozen=True, slots=True)
class Body:
    """One person's settled values; units as in daily_summary, shares of the time in bed."""

    height_cm: float
    weight_kg: float
    bmi: float
    steps: float
    resting_heart_rate: float
    heart_rate_variability: float
    respiratory_rate: float
    spo2_avg: float
    sleep_minutes: float
    bed_minute: float
    bed_time_sd: float
    wake_share: float
    deep_share: float
    rem_share: float
    exercises_per_week: float
    vo2max: float
    stress_management_score: float
    maximum_heart_rate: float


def draw_bodies(
    rng: np.random.Generator, female: Floats, age: Floats, profile: NDArray[np.int64]
) -> pl.DataFrame:
    """One row of ``Body`` fields for each person; female is 0 or 1, profile an index into PROFILES."""
    shift = partial(profile_column, profile)
    apart = partial(apart_from_peers, age, profile)
    n = len(age)
    height = rng.normal(176.0 - 13.3 * female, 6.5, n)
    bmi = np.clip(shift("bmi") + rng.normal(0, 2.2, n), 18.0, 46.0)
    resting = resting_by_age(female, age) + apart("resting_heart_rate") + rng.normal(0, 4.5, n)
    rmssd = np.interp(age, DECADES, RMSSD_MEDIAN) * apart("rmssd_factor") * np.exp(rng.normal(0, 0.34, n))
    older = 1 - 0.006 * np.clip(age - 50, 0, 40)
    steps = USUAL_STEPS * apart("steps_factor") * np.exp(rng.normal(0, 0.29, n)) * older
    vo2max = 48 - 7.5 * female - 0.3 * (age - 25) + shift("vo2max") + rng.normal(0, 3, n)
    asleep = _sleep_by_age(female, age) + apart("sleep_minutes") + rng.normal(0, 24, n)
    return pl.DataFrame(
        {
            "height_cm": height,
            "weight_kg": bmi * (height / 100) ** 2,
            "bmi": bmi,
            "steps": np.clip(steps, 1800, 22000),
            "resting_heart_rate": np.clip(resting, 44, 92),
            "heart_rate_variability": np.clip(rmssd * np.exp((66 - resting) * 0.012), 8, 130),
            "respiratory_rate": np.clip(rng.normal(14.8, 1.5, n) + 0.08 * (bmi - 26), 10, 22),
            "spo2_avg": np.clip(
                rng.normal(96.3, 0.7, n) + shift("spo2") - 0.05 * np.clip(bmi - 28, 0, 20), 90.5, 98.5
            ),
            "sleep_minutes": np.clip(asleep, 270, 540),
            "bed_minute": np.clip(rng.normal(-45, 48, n) - 0.8 * (age - 45), -170, 90),
            "bed_time_sd": np.clip(shift("bed_time_sd") * np.exp(rng.normal(0, 0.2, n)), 12, 110),
            "wake_share": np.clip(shift("wake_share") + rng.normal(0, 0.015, n), 0.05, 0.3),
            "deep_share": np.clip(0.17 - 0.0012 * (age - 40) + rng.normal(0, 0.02, n), 0.06, 0.26),
            "rem_share": np.clip(0.20 + rng.normal(0, 0.02, n), 0.1, 0.28),
            "exercises_per_week": np.clip(shift("exercises") * np.exp(rng.normal(0, 0.25, n)), 0.1, 8),
            "vo2max": np.clip(vo2max, 16, 62),
            "stress_management_score": np.clip(82 - 16 * shift("mood") + rng.normal(0, 5, n), 35, 96),
            "maximum_heart_rate": 208 - 0.7 * age + rng.normal(0, 5, n),
        }
    )


def body_of(frame: pl.DataFrame, row: int = 0) -> Body:
    """One row of ``draw_bodies`` as a Body."""
    values = frame.row(row, named=True)
    return Body(**{field.name: float(values[field.name]) for field in fields(Body)})


def resting_by_age(female: Floats, age: Floats) -> Floats:
    """Mean resting heart rate of wearers by sex and age, in bpm."""
    of_women = np.interp(age, DECADES, RESTING_FEMALE)
    return np.where(female > 0, of_women, np.interp(age, DECADES, RESTING_MALE))


def _sleep_by_age(female: Floats, age: Floats) -> Floats:
    return 392.0 + 24.0 * female - 0.45 * (age - 40)


def profile_column(profile: NDArray[np.int64], field: str) -> Floats:
    """A field of the profiles as a column over people."""
    return np.array([float(getattr(each, field)) for each in PROFILES])[profile]


def apart_from_peers(age: Floats, profile: NDArray[np.int64], field: str) -> Floats:
    """A field of the profiles, against its mean over the profiles that people of the same age can have.

    A difference for a shift, a ratio for a factor: then the marginal of all people is that of its source.
    """
    of_each = np.array([float(getattr(each, field)) for each in PROFILES])
    share = profile_shares(age)
    if field.endswith("_factor"):
        return of_each[profile] / np.exp(share @ np.log(of_each))
    return of_each[profile] - share @ of_each


def profile_shares(age: Floats) -> Floats:
    """People by profiles: how likely each profile is at an age, where profiles come in turn and ages evenly
    within a profile's range; all alike at an age that no profile has."""
    low, high = np.array([each.ages for each in PROFILES]).T
    density = ((age[:, None] >= low) & (age[:, None] <= high)) / (high - low + 1.0)
    density[density.sum(axis=1) == 0] = 1.0
    return density / density.sum(axis=1, keepdims=True)

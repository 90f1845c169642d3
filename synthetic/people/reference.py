"""A reference population of the same model: 2,000 people, each with the median of their valid days.

Nothing is simulated by the minute: settled values are drawn as for participants, and the medians of what
comes out of minutes follow from them by short rules fitted to the minute model.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from schemas.settings import StrataSection
from synthetic.labs.blood import draw_blood
from synthetic.life.nightly import sleep_score
from synthetic.people.body import Floats, draw_bodies
from synthetic.people.profiles import PROFILES
from synthetic.randomness import generator

PEOPLE = 2_000


def reference_population(seed: int) -> pl.DataFrame:
    """person_id, sex, age_group of the default strata, and a column for each metric and analyte key."""
    rng = generator(seed, "reference")
    profile = rng.integers(0, len(PROFILES), PEOPLE)
    female = (rng.random(PEOPLE) < 0.55).astype(np.float64)
    age = rng.integers(21, 80, PEOPLE).astype(np.float64)
    bodies = draw_bodies(rng, female, age, profile)
    strata = StrataSection()  # pyright: ignore[reportCallIssue]
    people = pl.DataFrame(
        {
            "person_id": [f"R{number:04d}" for number in range(1, PEOPLE + 1)],
            "sex": np.where(female > 0, "female", "male").tolist(),
            "age_group": [strata.group_of(int(years)) for years in age],
        }
    )
    blood = draw_blood(rng, bodies, female, age, profile)
    blood = blood.with_columns(homa_ir=(pl.col("glucose") * pl.col("insulin") / 405).round(2))
    return pl.concat([people, daily_medians(rng, bodies, female, age), blood], how="horizontal")


def daily_medians(
    rng: np.random.Generator, bodies: pl.DataFrame, female: Floats, age: NDArray[np.float64]
) -> pl.DataFrame:
    """Median of valid days of each daily metric, in the units and decimals of daily_summary."""
    column = {name: bodies[name].to_numpy() for name in bodies.columns}
    n = len(age)
    steps = column["steps"] * 0.93
    in_bed = column["sleep_minutes"] / (1 - column["wake_share"])
    awake = 1.15 * column["wake_share"] * in_bed
    deep, rem = 0.89 * column["deep_share"] * in_bed, 0.9 * column["rem_share"] * in_bed
    exercised = np.clip(column["exercises_per_week"] / 7, 0, 1)
    basal = 10 * column["weight_kg"] + 6.25 * column["height_cm"] - 5 * age + 5 - 166 * female
    lightly = np.clip(steps / 64, 20, 330)
    fairly = (9 + steps / 2500) * np.exp(rng.normal(0, 0.3, n))
    very = np.clip(3.5 + 8 * exercised + rng.normal(0, 2.5, n), 0, 60)
    zone = np.clip(9.5 + 12 * exercised + rng.normal(0, 5, n), 0, 120)
    sedentary = 1440 - in_bed - lightly - fairly - very
    bed_minute = column["bed_minute"] + 8
    score = sleep_score(in_bed - awake, (deep + rem) / in_bed, awake / in_bed)
    return pl.DataFrame(
        {
            "steps": np.rint(steps),
            "distance_m": np.round(steps * column["height_cm"] * 0.00414, 1),
            "calories_kcal": np.round(basal * (1.16 + 0.00001 * steps), 1),
            "floors": np.rint(steps / 1300),
            "sedentary_minutes": np.rint(sedentary),
            "lightly_active_minutes": np.rint(lightly),
            "fairly_active_minutes": np.rint(fairly),
            "very_active_minutes": np.rint(very),
            "active_zone_minutes": np.rint(zone),
            "resting_heart_rate": np.round(column["resting_heart_rate"], 2),
            "heart_rate_variability": np.round(column["heart_rate_variability"], 2),
            "respiratory_rate": np.round(column["respiratory_rate"], 2),
            "spo2_avg": np.round(column["spo2_avg"], 1),
            "sleep_minutes": np.rint(in_bed - awake),
            "time_in_bed_minutes": np.rint(in_bed),
            "deep_sleep_minutes": np.rint(deep),
            "rem_sleep_minutes": np.rint(rem),
            "light_sleep_minutes": np.rint(in_bed - awake - deep - rem),
            "awake_minutes": np.rint(awake),
            "bed_minute": np.rint(bed_minute),
            "wake_up_minute": np.rint(bed_minute + in_bed),
            "sleep_score": np.rint(np.clip(score, 20, 99)),
            "stress_management_score": np.rint(column["stress_management_score"]),
            "vo2max": np.round(column["vo2max"], 1),
            "weight_kg": np.round(column["weight_kg"], 2),
        }
    )

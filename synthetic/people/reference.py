"""A reference population of the same model: 2,000 people, each with the median of their valid days.

Nothing is simulated by the minute: settled values are drawn as for participants, and the medians of what
comes out of minutes follow from them by short rules fitted to the minute model (a test holds them together).
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from schemas.settings import StrataSection
from synthetic.labs.blood import draw_blood
from synthetic.life.nightly import sleep_score
from synthetic.people.body import Floats, draw_bodies, profile_shares
from synthetic.randomness import generator

PEOPLE = 2_000
AGES = (21, 80)


def reference_population(seed: int) -> pl.DataFrame:
    """person_id, sex, age_group of the default strata, and a column for each metric and analyte key.

    Ages lie evenly, so that every stratum is large; at each age profiles are as common as among participants.
    """
    rng = generator(seed, "reference")
    age = rng.integers(*AGES, PEOPLE).astype(np.float64)
    profile = _profiles(rng, age)
    female = (rng.random(PEOPLE) < 0.55).astype(np.float64)
    bodies = draw_bodies(rng, female, age, profile)
    blood = draw_blood(rng, bodies, female, age, profile)
    blood = blood.with_columns(homa_ir=(pl.col("glucose") * pl.col("insulin") / 405).round(2))
    return pl.concat([_people(female, age), daily_medians(rng, bodies, female, age), blood], how="horizontal")


def _profiles(rng: np.random.Generator, age: Floats) -> NDArray[np.int64]:
    """A profile each, by how common it is at that age."""
    shares = profile_shares(age).cumsum(axis=1)
    return (rng.random((len(age), 1)) * shares[:, -1:] >= shares).sum(axis=1)


def _people(female: Floats, age: Floats) -> pl.DataFrame:
    strata = StrataSection()  # pyright: ignore[reportCallIssue]
    return pl.DataFrame(
        {
            "person_id": [f"R{number:04d}" for number in range(1, len(age) + 1)],
            "sex": np.where(female > 0, "female", "male").tolist(),
            "age_group": [strata.group_of(int(years)) for years in age],
        }
    )


def daily_medians(
    rng: np.random.Generator, bodies: pl.DataFrame, female: Floats, age: Floats
) -> pl.DataFrame:
    """Median of valid days of each daily metric, in the units and decimals of daily_summary."""
    body = {name: bodies[name].to_numpy() for name in bodies.columns}
    sleep = _sleep(body)
    return pl.DataFrame(
        {**_activity(rng, body, sleep["time_in_bed_minutes"], female, age), **_body_values(body), **sleep}
    )


def _sleep(body: dict[str, Floats]) -> dict[str, Floats]:
    in_bed = body["sleep_minutes"] / (1 - body["wake_share"]) + 8
    awake = (0.06 + 0.61 * body["wake_share"]) * in_bed
    deep, rem = 0.91 * body["deep_share"] * in_bed, 0.93 * body["rem_share"] * in_bed
    score = sleep_score(in_bed - awake, (deep + rem) / in_bed, awake / in_bed)
    bed_minute = body["bed_minute"] + 8
    return {
        "sleep_minutes": np.rint(in_bed - awake),
        "time_in_bed_minutes": np.rint(in_bed),
        "deep_sleep_minutes": np.rint(deep),
        "rem_sleep_minutes": np.rint(rem),
        "light_sleep_minutes": np.rint(in_bed - awake - deep - rem),
        "awake_minutes": np.rint(awake),
        "bed_minute": np.rint(bed_minute),
        "wake_up_minute": np.rint(bed_minute + in_bed),
        "sleep_score": np.rint(np.clip(score, 20, 99)),
    }


def _activity(
    rng: np.random.Generator, body: dict[str, Floats], in_bed: Floats, female: Floats, age: Floats
) -> dict[str, Floats]:
    n, steps = len(age), body["steps"] * 0.93
    exercised = np.clip(body["exercises_per_week"] / 7, 0, 1) * np.exp(rng.normal(0, 0.3, n))
    basal = 10 * body["weight_kg"] + 6.25 * body["height_cm"] - 5 * age + 5 - 166 * female
    lightly = np.clip(2 + steps / 61, 20, 330)
    fairly = np.clip((steps / 600 + 14 * exercised - 1.5) * np.exp(rng.normal(0, 0.4, n)), 0, 120)
    very = np.clip(20 * exercised + rng.normal(0, 2.5, n), 0, 60)
    return {
        "steps": np.rint(steps),
        "distance_m": np.round(steps * body["height_cm"] * 0.00414, 1),
        "calories_kcal": np.round(basal * (1.17 + 0.00001 * steps), 1),
        "floors": np.rint(steps / 1200),
        "sedentary_minutes": np.rint(1440 - in_bed - lightly - fairly - very),
        "lightly_active_minutes": np.rint(lightly),
        "fairly_active_minutes": np.rint(fairly),
        "very_active_minutes": np.rint(very),
        "active_zone_minutes": np.rint(np.clip(3 + 35 * exercised + rng.normal(0, 4, n), 0, 120)),
    }


def _body_values(body: dict[str, Floats]) -> dict[str, Floats]:
    """Values that settle at the body's own; to the decimals of daily_summary."""
    return {
        "resting_heart_rate": np.round(body["resting_heart_rate"], 2),
        "heart_rate_variability": np.round(body["heart_rate_variability"], 2),
        "respiratory_rate": np.round(body["respiratory_rate"], 2),
        "spo2_avg": np.round(body["spo2_avg"], 1),
        "stress_management_score": np.rint(body["stress_management_score"]),
        "vo2max": np.round(body["vo2max"], 1),
        "weight_kg": np.round(body["weight_kg"], 2),
    }

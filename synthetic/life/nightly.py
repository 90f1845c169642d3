"""Daily values the device works out from a night or a day: as its files write them, before any reader."""

from datetime import date

import numpy as np
import polars as pl

from synthetic.life.sleep import SleepLog
from synthetic.life.wear import Mask
from synthetic.local_days import LocalDays
from synthetic.people.body import Floats
from synthetic.people.persona import Person

POUNDS_A_KG = 1 / 0.45359237
WEIGH_IN_EVERY = 6


def nightly_values(
    person: Person,
    days: LocalDays,
    sleeps: tuple[SleepLog, ...],
    worn_days: Mask,
    resting: Floats,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """One row a local day; null where the device gives none.

    Resting heart rate and stress need a worn day; variability, respiration, oxygen and the sleep score a
    night with stages; cardio fitness a worn day; weight a weigh-in.
    """
    nights = {sleep.wake_date: sleep for sleep in sleeps if sleep.is_main and sleep.kind == "stages"}
    count = len(days.dates)
    has_night = np.array([day in nights for day in days.dates])
    drift = resting - person.body.resting_heart_rate
    rmssd = person.body.heart_rate_variability * np.exp(rng.normal(0, 0.11, count) - 0.012 * drift)
    spo2 = np.clip(person.body.spo2_avg + rng.normal(0, 0.5, count), 88, 99.4)
    stress = person.body.stress_management_score - 0.9 * drift + rng.normal(0, 5, count)
    fitness = person.body.vo2max - 0.12 * drift + rng.normal(0, 0.12, count)
    return pl.DataFrame(
        {
            "date": days.dates,
            "resting_heart_rate": _where(worn_days, np.round(resting + rng.normal(0, 0.25, count), 9)),
            "resting_heart_rate_error": np.round(6 + rng.random(count) * 5, 9),
            "heart_rate_variability": _where(has_night, np.round(np.clip(rmssd, 6, 180), 3)),
            "nremhr": np.round(resting - 1.5 + rng.normal(0, 0.6, count), 3),
            "entropy": np.round(rng.normal(2.6, 0.2, count), 3),
            "respiratory_rate": _where(
                has_night, np.round(person.body.respiratory_rate + rng.normal(0, 0.4, count), 1)
            ),
            "spo2_avg": _where(has_night, np.round(spo2, 1)),
            "spo2_min": _where(has_night, np.round(spo2 - 1.2 - 2 * rng.random(count), 1)),
            "spo2_max": _where(
                has_night, np.round(np.clip(spo2 + 0.8 + 1.5 * rng.random(count), 80, 100), 1)
            ),
            "stress_management_score": _where(worn_days, _whole(np.clip(stress, 5, 99))),
            "vo2max": _where(worn_days, np.round(np.clip(fitness, 12, 70), 5)),
            "restlessness": np.round(0.05 + 0.06 * rng.random(count), 12),
            "sleep_score": [_sleep_score(nights.get(day), noise) for day, noise in _noise(days.dates, rng)],
            "weight_lb": _weights(person, days.dates, rng),
        },
        schema_overrides={"sleep_score": pl.Int64, "weight_lb": pl.Float64},
    )


def _where(known: Mask, values: Floats) -> list[float | None]:
    return [float(value) if here else None for here, value in zip(known, values, strict=True)]


def _whole(values: Floats) -> Floats:
    return np.floor(values + 0.5)


def _noise(dates: tuple[date, ...], rng: np.random.Generator) -> list[tuple[date, float]]:
    return list(zip(dates, rng.normal(0, 2.5, len(dates)).tolist(), strict=True))


def _sleep_score(night: SleepLog | None, noise: float) -> int | None:
    if night is None:
        return None
    minutes = night.minutes_by_level()
    restoring = (minutes["deep"] + minutes["rem"]) / night.minutes_in_bed
    score = sleep_score(night.minutes_asleep, restoring, minutes["wake"] / night.minutes_in_bed)
    return int(np.clip(np.rint(score + noise), 20, 99))


def sleep_score(asleep: Floats | float, restoring: Floats | float, awake: Floats | float) -> Floats:
    """More minutes asleep, a larger share of deep and REM sleep, a smaller one awake: a higher score."""
    return np.asarray(30 + 0.085 * np.minimum(asleep, 500) + 45 * restoring - 60 * (awake - 0.1))


def _weights(person: Person, dates: tuple[date, ...], rng: np.random.Generator) -> list[float | None]:
    """Weigh-ins in pounds, cut (not rounded) to a tenth as the export does."""
    kilograms = person.body.weight_kg + rng.normal(0, 0.35, len(dates))
    tenths = np.floor(kilograms * POUNDS_A_KG * 10).astype(np.int64)
    return [
        int(tenth) / 10 if person.has_scale and day % WEIGH_IN_EVERY == 1 else None
        for day, tenth in enumerate(tenths)
    ]

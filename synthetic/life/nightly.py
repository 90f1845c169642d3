"""Daily values the device works out from a night or a day: as its files write them, before any reader."""

from collections.abc import Mapping
from datetime import date

import numpy as np
import polars as pl

from synthetic.life.sleep import SleepLog
from synthetic.life.state import DayStates
from synthetic.life.wear import Mask
from synthetic.people.body import Floats
from synthetic.people.persona import Person
from synthetic.people.profiles import PROFILES, index_of

POUNDS_A_KG = 1 / 0.45359237
WEIGH_IN_EVERY = 6
SKIN_TEMPERATURE = 34.1
BASELINE_NIGHTS, FIRST_BASELINE_NIGHTS = 30, 3
READINESS_FROM_DAY = 7
SHORTEST_STAGE_FOR_BREATHING = 20
# What a unit of strain, and a whole fever, does to a day's values (clinical direction; the sizes are ours).
RMSSD_STRAIN, RMSSD_FEVER, RMSSD_A_BPM = -0.085, -0.4, -0.012
BREATHS_STRAIN, BREATHS_FEVER = 0.25, 2.5
WARMTH_STRAIN, WARMTH_FEVER = 0.16, 1.4
CALM_STRAIN, CALM_FEVER, CALM_A_BPM = -4.0, -20.0, -0.9
RMSSD_A_BPM_READ_HIGHER = -0.03
NEED_A_WORN_DAY = ("resting_heart_rate", "stress_management_score", "vo2max")
NEED_A_NIGHT = (
    "heart_rate_variability", "deep_rmssd", "respiratory_rate", "respiratory_rate_deep",
    "respiratory_rate_light",
    "respiratory_rate_rem", "spo2_avg", "spo2_min", "spo2_max", "nightly_temperature", "sleep_score_overall",
)  # fmt: skip

Nights = Mapping[date, SleepLog]


def nightly_values(
    person: Person,
    dates: tuple[date, ...],
    sleeps: tuple[SleepLog, ...],
    worn_days: Mask,
    states: DayStates,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """One row a local day; null where the device gives none.

    Resting heart rate and stress need a worn day; variability, respiration, oxygen, skin temperature and the
    sleep score a night with stages; readiness a night and a week before it; cardio fitness a worn day; weight
    a weigh-in.
    """
    nights = {sleep.wake_date: sleep for sleep in sleeps if sleep.is_main and sleep.kind == "stages"}
    has_night = np.array([day in nights for day in dates])
    count = len(dates)
    columns: dict[str, Floats] = {
        **_heart(person, states, rng),
        **_breathing(person, nights, dates, states, rng),
        **_oxygen(person, states, rng),
        "nightly_temperature": _temperature(states, rng),
        "restlessness": np.round(0.05 + 0.06 * rng.random(count), 12),
        "sleep_score_overall": _sleep_scores(nights, dates, rng),
        "weight_lb": _weights(person, count, rng),
    }
    return (
        pl.DataFrame({"date": dates, **columns, "_night": has_night, "_worn": worn_days})
        .pipe(_only_where_known)
        .pipe(_with_baseline)
        .with_columns(
            sleep_score=pl.col("sleep_score_overall").round(0, mode="half_away_from_zero").cast(pl.Int64),
            readiness_score=_readiness(person),
        )
        .drop("_night", "_worn")
    )


def _only_where_known(frame: pl.DataFrame) -> pl.DataFrame:
    """Null where the day was not worn, where there was no night with stages, and for NaN."""
    return frame.with_columns(
        pl.when(known).then(pl.col(name).fill_nan(None)).alias(name)
        for known, names in (("_worn", NEED_A_WORN_DAY), ("_night", NEED_A_NIGHT))
        for name in names
    ).with_columns(pl.col("weight_lb").fill_nan(None))


def _heart(person: Person, states: DayStates, rng: np.random.Generator) -> dict[str, Floats]:
    """Resting heart rate, variability, calm and fitness: all lean on the day's strain and fever."""
    count, body = len(states.strain), person.body
    resting = states.read_resting
    log_rmssd = (
        RMSSD_A_BPM * states.drift
        + RMSSD_STRAIN * states.strain
        + RMSSD_FEVER * states.fever
        + RMSSD_A_BPM_READ_HIGHER * states.read_higher
        + rng.normal(0, 0.08, count)
    )
    rmssd = np.clip(body.heart_rate_variability * np.exp(log_rmssd), 6, 180)
    calm = CALM_A_BPM * states.drift + CALM_STRAIN * states.strain + CALM_FEVER * states.fever
    stress = body.stress_management_score + calm + rng.normal(0, 3.5, count)
    fitness = body.vo2max - 0.12 * states.drift + rng.normal(0, 0.12, count)
    return {
        "resting_heart_rate": np.round(resting + rng.normal(0, 0.25, count), 9),
        "resting_heart_rate_error": np.round(6 + rng.random(count) * 5, 9),
        "heart_rate_variability": np.round(rmssd, 3),
        "deep_rmssd": np.round(np.clip(rmssd * np.exp(rng.normal(-0.06, 0.08, count)), 5, 190), 3),
        "nremhr": np.round(resting - 1.5 + rng.normal(0, 0.6, count), 3),
        "entropy": np.round(rng.normal(2.6, 0.2, count), 3),
        "stress_management_score": np.floor(np.clip(stress, 5, 99) + 0.5),
        "vo2max": np.round(np.clip(fitness, 12, 70), 5),
    }


def _breathing(
    person: Person, nights: Nights, dates: tuple[date, ...], states: DayStates, rng: np.random.Generator
) -> dict[str, Floats]:
    """Breaths a minute of the whole sleep and by stage; NaN where a stage was too short to tell."""
    count = len(dates)
    full = person.body.respiratory_rate + BREATHS_STRAIN * states.strain + BREATHS_FEVER * states.fever
    full = full + rng.normal(0, 0.25, count)
    found = {"respiratory_rate": np.round(np.clip(full, 8, 34), 1)}
    for stage, shift in (("deep", -0.3), ("light", 0.1), ("rem", 0.6)):
        minutes = np.array([nights[day].minutes_by_level()[stage] if day in nights else 0 for day in dates])
        rate = np.round(np.clip(full + shift + rng.normal(0, 0.3, count), 8, 36), 1)
        found[f"respiratory_rate_{stage}"] = np.where(minutes < SHORTEST_STAGE_FOR_BREATHING, np.nan, rate)
    return found


def _oxygen(person: Person, states: DayStates, rng: np.random.Generator) -> dict[str, Floats]:
    """Mean and bounds of the night; who stops breathing at night falls lower."""
    count, dip = len(states.strain), PROFILES[index_of(person.profile)].desaturation
    mean = person.body.spo2_avg - 0.6 * states.fever + rng.normal(0, 0.5, count)
    mean = np.round(np.clip(mean, 86, 99.4), 1)
    low = mean - 0.7 - dip * (0.35 + rng.random(count))
    high = np.clip(mean + 0.8 + 1.5 * rng.random(count), 80, 100)
    return {
        "spo2_avg": mean,
        "spo2_min": np.round(np.clip(low, 72, 99), 1),
        "spo2_max": np.round(high, 1),
    }


def _temperature(states: DayStates, rng: np.random.Generator) -> Floats:
    """Skin temperature of the night in degC: a level of the person's own, strain, fever and noise."""
    own = SKIN_TEMPERATURE + rng.normal(0, 0.5)
    warmth = WARMTH_STRAIN * states.strain + WARMTH_FEVER * states.fever
    return np.round(own + warmth + rng.normal(0, 0.14, len(states.strain)), 12)


def _with_baseline(frame: pl.DataFrame) -> pl.DataFrame:
    """Baseline: mean of the nights among the thirty days before, from three nights on; variation from it."""
    before = pl.col("nightly_temperature").shift(1)
    baseline = before.rolling_mean(BASELINE_NIGHTS, min_samples=FIRST_BASELINE_NIGHTS)
    return frame.with_columns(baseline_temperature=pl.when("_night").then(baseline.round(12))).with_columns(
        skin_temperature_variation=(pl.col("nightly_temperature") - pl.col("baseline_temperature")).round(12)
    )


def _readiness(person: Person) -> pl.Expr:
    """High with a resting heart rate below, and variability and sleep above, the person's own; 1 to 100."""
    body = person.body
    score = (
        62
        - 2.2 * (pl.col("resting_heart_rate") - body.resting_heart_rate)
        + 30 * (pl.col("heart_rate_variability") / body.heart_rate_variability).log()
        + 0.8 * (pl.col("sleep_score_overall") - 76)
    )
    known = pl.int_range(pl.len()) >= READINESS_FROM_DAY
    return pl.when(known).then(score.round(0, mode="half_away_from_zero").clip(1, 100).cast(pl.Int64))


def _sleep_scores(nights: Nights, dates: tuple[date, ...], rng: np.random.Generator) -> Floats:
    noise = rng.normal(0, 2.5, len(dates))
    scores = [
        np.nan if day not in nights else _sleep_score(nights[day]) + extra
        for day, extra in zip(dates, noise.tolist(), strict=True)
    ]
    return np.clip(np.array(scores), 20, 99)


def _sleep_score(night: SleepLog) -> float:
    minutes = night.minutes_by_level()
    restoring = (minutes["deep"] + minutes["rem"]) / night.minutes_in_bed
    return float(sleep_score(night.minutes_asleep, restoring, minutes["wake"] / night.minutes_in_bed))


def sleep_score(asleep: Floats | float, restoring: Floats | float, awake: Floats | float) -> Floats:
    """More minutes asleep, a larger share of deep and REM sleep, a smaller one awake: a higher score."""
    return np.asarray(30 + 0.085 * np.minimum(asleep, 500) + 45 * restoring - 60 * (awake - 0.1))


def _weights(person: Person, count: int, rng: np.random.Generator) -> Floats:
    """Weigh-ins in pounds, cut (not rounded) to a tenth as the export does; NaN where nobody stood on it."""
    kilograms = person.body.weight_kg + rng.normal(0, 0.35, count)
    tenths = np.floor(kilograms * POUNDS_A_KG * 10) / 10
    weighed = person.has_scale & (np.arange(count) % WEIGH_IN_EVERY == 1)
    return np.where(weighed, tenths, np.nan)

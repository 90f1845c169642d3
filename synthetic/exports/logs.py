"""What every form says of a sleep or exercise log in its own words: counts, runs of levels, zones, shares."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np

from synthetic.life.activity import CARDIO, FAT_BURN, OUT_OF_ZONE, PEAK, zone_limits
from synthetic.life.recording import METRES_A_MILE, ExerciseLog
from synthetic.life.sleep import CLASSIC_LEVELS, STAGES, Levels, SleepLog
from synthetic.people.persona import Person

MONTH_DAYS = 30
VERY_ACTIVE_EFFORT = 0.46
LOWEST_BPM, HIGHEST_BPM = 30, 220
ZONES = (
    (OUT_OF_ZONE, "Out of Range", "OUT_OF_ZONE"),
    (FAT_BURN, "Fat Burn", "FAT_BURN"),
    (CARDIO, "Cardio", "CARDIO"),
    (PEAK, "Peak", "PEAK"),
)

Run = tuple[int, int, int]


def efficiency(sleep: SleepLog) -> int:
    """Share of the time in bed that was slept, in whole percent."""
    return round(100 * sleep.minutes_asleep / sleep.minutes_in_bed)


def level_names(sleep: SleepLog) -> tuple[str, ...]:
    """Names of the codes in ``sleep.levels``."""
    return STAGES if sleep.kind == "stages" else CLASSIC_LEVELS


def level_runs(levels: Levels) -> list[Run]:
    """Stretches of one level as (level, first half minute, half minutes)."""
    edges = np.flatnonzero(np.diff(levels)) + 1
    starts = np.concatenate([[0], edges])
    lengths = np.diff(np.concatenate([starts, [len(levels)]]))
    return [
        (int(levels[start]), int(start), int(length)) for start, length in zip(starts, lengths, strict=True)
    ]


def month_averages(sleeps: Sequence[SleepLog]) -> dict[date, dict[str, int]]:
    """By wake date: mean minutes of each stage over the nights of the thirty days to it; never 0."""
    staged = [(sleep.wake_date, sleep.minutes_by_level()) for sleep in sleeps if sleep.kind == "stages"]
    return {day: _averages(day, staged) for day in {sleep.wake_date for sleep in sleeps}}


def _averages(day: date, staged: Sequence[tuple[date, Mapping[str, int]]]) -> dict[str, int]:
    month = [minutes for night, minutes in staged if 0 <= (day - night).days < MONTH_DAYS]
    if not month:
        return {}
    return {name: max(1, round(sum(night[name] for night in month) / len(month))) for name in STAGES}


def activity_level(log: ExerciseLog) -> list[dict[str, Any]]:
    """An exercise's minutes by level: all in the one that its effort reaches."""
    level = "very" if log.exercise.effort >= VERY_ACTIVE_EFFORT else "fairly"
    return [
        {"minutes": log.exercise.seconds // 60 if name == level else 0, "name": name}
        for name in ("sedentary", "lightly", "fairly", "very")
    ]


def zone_bounds(person: Person) -> tuple[tuple[int, int], ...]:
    """Lower and upper bpm of the four zones."""
    limits = (LOWEST_BPM, *zone_limits(person), HIGHEST_BPM)
    return tuple(pairwise(limits))


def heart_rate_zones(person: Person, log: ExerciseLog) -> list[dict[str, Any]]:
    """The four zones with their limits in bpm, the exercise's minutes and kilocalories in each."""
    total = max(sum(log.zones), 1)
    return [
        {
            "name": name,
            "min": low,
            "max": high,
            "minutes": log.zones[order],
            "caloriesOut": round(log.calories * log.zones[order] / total, 5),
        }
        for (order, name, _), (low, high) in zip(ZONES, zone_bounds(person), strict=True)
    ]


def distance_m(person: Person, log: ExerciseLog) -> float | None:
    """Metres of an exercise, to the six decimals of the account's unit; None for a sport without a stride."""
    return None if log.distance is None else log.distance * (METRES_A_MILE if person.miles else 1000.0)


def elevation_gain_m(log: ExerciseLog) -> float:
    """Ten feet a floor, in metres."""
    return round(log.floors * 3.048, 3)

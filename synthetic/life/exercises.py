"""Recorded exercises: when, what and how hard."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

import numpy as np


@dataclass(frozen=True, slots=True)
class Sport:
    """A type of exercise. type_id is the vendor's; effort is the share of heart-rate reserve reached."""

    name: str
    type_id: int
    effort: float
    cadence: float
    stride_m: float
    minutes: tuple[int, int]
    log_type: str


SPORTS = (
    Sport("Walk", 90013, 0.42, 108, 0.72, (22, 65), "auto_detected"),
    Sport("Run", 90009, 0.74, 164, 1.02, (20, 60), "tracker"),
    Sport("Bike", 90001, 0.62, 2, 0.0, (25, 90), "tracker"),
    Sport("Weights", 2131, 0.48, 12, 0.3, (25, 60), "tracker"),
)


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: local start, length in seconds, and the share of heart-rate reserve reached."""

    sport: Sport
    start: datetime
    seconds: int
    effort: float


def exercises_of(day: date, per_week: float, rng: np.random.Generator) -> list[Exercise]:
    """At most one morning and one evening exercise of a day; weekends have more."""
    chance = per_week / 7 * (1.25 if day.weekday() >= 5 else 0.9)
    draws = rng.random(2)
    return [
        _exercise(day, earliest, rng)
        for earliest, draw in zip((7 * 60 + 30, 17 * 60), draws, strict=True)
        if draw < chance / 2
    ]


def first_exercise(day: date) -> Exercise:
    """The brisk walk with which everybody tries the new device on the first day."""
    return Exercise(SPORTS[0], datetime.combine(day, time(18, 5, 12)), 1810, 0.5)


def _exercise(day: date, earliest: int, rng: np.random.Generator) -> Exercise:
    sport = SPORTS[int(rng.choice(len(SPORTS), p=(0.45, 0.25, 0.15, 0.15)))]
    start = datetime.combine(day, time()) + timedelta(
        minutes=earliest + int(rng.integers(0, 100)), seconds=int(rng.integers(0, 60))
    )
    seconds = int(rng.integers(sport.minutes[0] * 60, sport.minutes[1] * 60))
    return Exercise(sport, start, seconds, float(np.clip(sport.effort + rng.normal(0, 0.06), 0.2, 0.92)))

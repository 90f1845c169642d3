"""Steps and effort of every minute: strolls around a total of the day, brisk walks, recorded exercises.

Each day and exercise draws by itself, so that a change of one leaves the others as they were.
"""

import numpy as np

from synthetic.life.exercises import Exercise
from synthetic.life.schedule import sleeps_by_day
from synthetic.life.wear import Mask
from synthetic.local_days import Ints, LocalDays
from synthetic.people.body import Floats
from synthetic.people.persona import Person

MEAN_STEPS_OF_A_WALKING_MINUTE = 62.0
STROLL_EFFORT, BRISK_EFFORT, BRISK_CADENCE = 0.32, 0.47, 112
FEVER_REST = 0.6


def moved(
    person: Person,
    days: LocalDays,
    in_bed: Mask,
    exercises: list[Exercise],
    fever: Floats,
    rng: np.random.Generator,
) -> tuple[Ints, Floats]:
    """Steps, and effort as share of the heart-rate reserve that the movement asks for, of every minute."""
    walking, brisk, sport = rng.spawn(3)
    steps = _daily_steps(person, days, in_bed, fever, walking)
    effort = np.clip(steps / 110.0, 0, 1) * STROLL_EFFORT
    _add_brisk_walks(person, days, in_bed, steps, effort, brisk)
    for exercise, draws in zip(exercises, sport.spawn(len(exercises)), strict=True):
        _add_exercise(days, exercise, steps, effort, draws)
    return steps, effort


def _daily_steps(
    person: Person, days: LocalDays, in_bed: Mask, fever: Floats, rng: np.random.Generator
) -> Ints:
    """Steps of every minute: each day the most restless minutes of a smoothed noise are walked."""
    steps = np.zeros(len(days.day), dtype=np.int64)
    bouts = np.convolve(rng.normal(0, 1, len(steps)), np.ones(5) / 5, mode="same")
    time_of_day = 0.35 * np.exp(-(((days.wall - 750) / 330.0) ** 2))
    quiet = (days.wall < 360) & ~_at_work_by_night(person, days)
    restless = np.where(in_bed | quiet, -9.0, bouts + time_of_day)
    everyday = (
        person.body.steps * np.exp(rng.normal(0, 0.22, len(days.dates)) - 0.18) * (1 - FEVER_REST * fever)
    )
    for day, (total, draws) in enumerate(zip(everyday, rng.spawn(len(everyday)), strict=True)):
        minutes = days.minutes_of(day)
        count = min(int(total / MEAN_STEPS_OF_A_WALKING_MINUTE), (minutes.stop - minutes.start) // 2)
        walked = minutes.start + np.argsort(-restless[minutes], kind="stable")[:count]
        steps[walked] = np.clip(draws.normal(MEAN_STEPS_OF_A_WALKING_MINUTE, 28, count), 3, 126).astype(
            np.int64
        )
    return np.where(in_bed, 0, steps)


def _at_work_by_night(person: Person, days: LocalDays) -> Mask:
    """Minutes of the days whose main sleep comes after a night shift."""
    return np.array([sleeps_by_day(person, date) for date in days.dates])[days.day]


def _add_brisk_walks(
    person: Person, days: LocalDays, in_bed: Mask, steps: Ints, effort: Floats, rng: np.random.Generator
) -> None:
    """Unrecorded brisk walks, as to a bus: on most days of those who exercise, on fewer of others."""
    chance = min(0.48 + 0.08 * person.body.exercises_per_week, 0.9)
    for day, draws in enumerate(rng.spawn(len(days.dates))):
        draw, place = draws.random(), int(draws.integers(8 * 60, 19 * 60))
        length = int(draws.integers(9, 26))
        minutes = days.minutes_of(day)
        start = minutes.start + place
        if draw < chance and start + length <= minutes.stop and not in_bed[start : start + length].any():
            steps[start : start + length] = BRISK_CADENCE + draws.integers(-6, 7, length)
            effort[start : start + length] = BRISK_EFFORT


def _add_exercise(
    days: LocalDays, exercise: Exercise, steps: Ints, effort: Floats, rng: np.random.Generator
) -> None:
    start = days.place_of(exercise.start)
    piece = slice(start, min(start + exercise.seconds // 60, len(steps)))
    length = piece.stop - piece.start
    cadence = rng.normal(exercise.sport.cadence, 4 + 0.03 * exercise.sport.cadence, length)
    steps[piece] = np.clip(cadence, 0, 190).astype(np.int64)
    effort[piece] = exercise.effort + 0.04 * np.sin(np.arange(length) / 3.0)

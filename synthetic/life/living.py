"""What a person did over the days of the study: slept, napped, exercised; known or not to the device."""

from dataclasses import replace
from datetime import timedelta

import numpy as np

from synthetic.life.exercises import Exercise, exercises_of, first_exercise
from synthetic.life.sleep import SleepLog, nap_of, night_of
from synthetic.life.wear import Mask
from synthetic.local_days import LocalDays, existing
from synthetic.people.body import Floats
from synthetic.people.persona import Person

NAP_CHANCE = 0.05


def resting_by_day(person: Person, days: int, rng: np.random.Generator) -> Floats:
    """The settled value, the planted slope around its middle, and slow noise."""
    slope = np.linspace(-0.5, 0.5, days) * person.planted.resting_heart_rate_change
    noise = np.convolve(rng.normal(0, 0.8, days + 3), np.ones(4) / 2, mode="valid")
    return np.clip(person.body.resting_heart_rate + slope + noise, 40, 100)


def all_sleeps(person: Person, days: LocalDays, rng: np.random.Generator) -> list[SleepLog]:
    """Nights of every wake date, and some naps; the evening of the last day is not reached."""
    count = len(days.dates)
    sleeps: list[SleepLog] = []
    for day, wake_date in enumerate(days.dates):
        night = night_of(person, wake_date, day, count, rng)
        sleeps.append(replace(night, start=existing(night.start, days.zone)))
        if rng.random() < NAP_CHANCE:
            sleeps.append(nap_of(wake_date, rng))
    return sleeps


def all_exercises(
    person: Person, days: LocalDays, slept: list[SleepLog], worn: Mask, rng: np.random.Generator
) -> list[Exercise]:
    """Exercises that were worn whole and do not fall into a sleep."""
    planned = [first_exercise(days.dates[0])]
    for day in days.dates[1:]:
        planned += exercises_of(day, person.body.exercises_per_week, rng)
    asleep = np.zeros(len(worn), dtype=np.bool_)
    for sleep in slept:
        start = days.place_of(sleep.start)
        asleep[max(start, 0) : max(start + sleep.minutes_in_bed, 0)] = True
    free = worn & ~asleep
    return [
        exercise
        for exercise in planned
        if free[minutes_of(days, exercise)].all() and minutes_of(days, exercise).stop < len(worn)
    ]


def minutes_of(days: LocalDays, exercise: Exercise) -> slice:
    """Elapsed minutes an exercise touches."""
    start = days.place_of(exercise.start)
    return slice(start, days.place_of(exercise.start + timedelta(seconds=exercise.seconds)) + 1)

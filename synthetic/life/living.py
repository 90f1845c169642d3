"""What a person did over the days of the study: slept, napped, exercised; known or not to the device."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import numpy as np

from synthetic.life.exercises import Exercise, exercises_of, first_exercise
from synthetic.life.schedule import sleeps_by_day
from synthetic.life.sleep import SleepLog, nap_of, night_of
from synthetic.life.state import DayStates
from synthetic.life.wear import Mask
from synthetic.local_days import LocalDays
from synthetic.people.body import Floats
from synthetic.people.persona import Person

NAP_CHANCE = 0.05


def all_sleeps(
    person: Person, days: LocalDays, states: DayStates, rng: np.random.Generator
) -> list[SleepLog]:
    """Nights of every wake date, and some naps; the evening of the last day is not reached.

    Each day draws by itself, so that a change of one leaves the others as they were. A night or nap that a
    move between zones would cut in two is not slept: the person sat in a plane.
    """
    count = len(days.dates)
    planned: list[SleepLog] = []
    for day, (wake_date, draws) in enumerate(zip(days.dates, rng.spawn(count), strict=True)):
        planned.append(night_of(person, wake_date, day, count, float(states.fever[day]), draws))
        if draws.random() < NAP_CHANCE and not sleeps_by_day(person, wake_date):
            planned.append(nap_of(wake_date, draws))
    return list(_on_the_ground(days, planned))


def _on_the_ground(days: LocalDays, planned: list[SleepLog]) -> Iterator[SleepLog]:
    """Sleeps in one zone, begun at a time that exists and after the end of the one before."""
    woke = days.place_of(planned[0].start)
    for sleep in planned:
        start = days.existing(sleep.start)
        place, end = days.place_of(start), start + timedelta(minutes=sleep.minutes_in_bed)
        jumped = start - sleep.start > timedelta(hours=1)
        if place >= woke and not jumped and days.zone_at(start) == days.zone_at(end):
            woke = place + sleep.minutes_in_bed
            yield replace(sleep, start=start)


def all_exercises(
    person: Person, days: LocalDays, slept: list[SleepLog], worn: Mask, rng: np.random.Generator
) -> list[Exercise]:
    """Exercises that were worn whole and do not fall into a sleep or a move between zones."""
    per_week = exercises_per_week(person, len(days.dates))
    planned = [first_exercise(days.dates[0])]
    for day, draws in enumerate(rng.spawn(len(days.dates))[1:], start=1):
        planned += exercises_of(days.dates[day], float(per_week[day]), draws)
    free = worn & ~_asleep(days, slept)
    return [exercise for exercise in planned if _fits(days, free, exercise)]


def exercises_per_week(person: Person, days: int) -> Floats:
    """Of each day: the person's habit, and the more of a planted training block."""
    habit = np.full(days, person.body.exercises_per_week)
    block = person.planted.find("training_block")
    if block is not None:
        habit[block.first_day(days) :] += block.amount
    return habit


def _asleep(days: LocalDays, slept: list[SleepLog]) -> Mask:
    asleep = np.zeros(len(days.day), dtype=np.bool_)
    for sleep in slept:
        start = days.place_of(sleep.start)
        asleep[max(start, 0) : max(start + sleep.minutes_in_bed, 0)] = True
    return asleep


def _fits(days: LocalDays, free: Mask, exercise: Exercise) -> bool:
    minutes = minutes_of(days, exercise)
    whole = minutes.stop - minutes.start <= exercise.seconds // 60 + 2
    return (
        days.existing(exercise.start) == exercise.start
        and whole
        and minutes.stop < len(free)
        and bool(free[minutes].all())
    )


def minutes_of(days: LocalDays, exercise: Exercise) -> slice:
    """Elapsed minutes an exercise touches."""
    start = days.place_of(exercise.start)
    return slice(start, days.place_of(exercise.start + timedelta(seconds=exercise.seconds)) + 1)

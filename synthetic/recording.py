"""All a participant's device recorded over the study: minutes, sleep and exercise logs, daily values."""

from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np
import polars as pl

from synthetic.activity import (
    FAT_BURN,
    PEAK,
    ZONE_MULTIPLIER,
    distance_cm,
    energy_tenths,
    floor_rows,
    intensity_minutes,
    per_day,
    zone_minutes,
)
from synthetic.exercises import Exercise, exercises_of, first_exercise
from synthetic.local_days import LocalDays, existing, make_local_days
from synthetic.minutes import Floats, Ints, Minutes, make_minutes
from synthetic.nightly import nightly_values
from synthetic.people import Person
from synthetic.randomness import generator
from synthetic.sleep import SleepLog, nap_of, night_of
from synthetic.wear import Mask, arrived_minutes, worn_minutes

NAP_CHANCE = 0.05
METRES_A_MILE = 1609.344
WORN_DAY_MINUTES = 600


@dataclass(frozen=True, slots=True)
class ExerciseLog:
    """A recorded exercise as the vendor lists it; distance in miles or kilometres by the account."""

    log_id: int
    exercise: Exercise
    steps: int
    distance: float | None
    calories: int
    average_heart_rate: int
    zones: tuple[int, ...]
    floors: int

    @property
    def active_zone_minutes(self) -> int:
        """Zone minutes times their multiplier."""
        return int(np.dot(self.zones, ZONE_MULTIPLIER))


@dataclass(frozen=True, slots=True)
class Recording:
    """What was recorded. ``sleeps`` are the logged ones by start, with ``sleep_ids`` beside them.

    nightly: one row a local day, values as the files write them (synthetic.nightly).
    """

    person: Person
    days: LocalDays
    minutes: Minutes
    arrived: Mask
    sleeps: tuple[SleepLog, ...]
    sleep_ids: tuple[int, ...]
    exercises: tuple[ExerciseLog, ...]
    zone: Ints
    distance_cm: Ints
    energy_tenths: Ints
    intensity: dict[str, Ints]
    floor_places: Ints
    floors: Ints
    wear: Ints
    nightly: pl.DataFrame


def record(person: Person, seed: int) -> Recording:
    """Let a person live through the days of the study with a device on the wrist."""
    days = make_local_days(person.time_zone, person.first_day, person.last_day)
    worn = worn_minutes(person, days, generator(seed, "wear", person.number))
    slept = _all_sleeps(person, days, generator(seed, "sleep", person.number))
    exercises = _all_exercises(person, days, slept, worn, generator(seed, "exercise", person.number))
    rng = generator(seed, "minutes", person.number)
    resting = _resting_by_day(person, len(days.dates), rng)
    minutes = make_minutes(person, days, worn, slept, exercises, resting, rng)
    sleeps = _logged(days, worn, slept)
    in_bed = _minutes_by_wake_date(days, sleeps)
    places, floors = floor_rows(days, minutes, rng)
    wear = per_day(days, worn)
    zone, distance = zone_minutes(person, minutes), distance_cm(person, minutes)
    energy = energy_tenths(person, days, minutes)
    first_id = 40_000_000_000 + person.number * 1_000_000
    return Recording(
        person=person,
        days=days,
        minutes=minutes,
        arrived=arrived_minutes(days),
        sleeps=sleeps,
        sleep_ids=tuple(first_id + 7 * n for n in range(len(sleeps))),
        exercises=_exercise_logs(person, days, minutes, zone, distance, energy, exercises),
        zone=zone,
        distance_cm=distance,
        energy_tenths=energy,
        intensity=intensity_minutes(days, minutes, in_bed),
        floor_places=places,
        floors=floors,
        wear=wear,
        nightly=nightly_values(
            person, days, sleeps, wear >= WORN_DAY_MINUTES, resting, generator(seed, "nightly", person.number)
        ),
    )


def _resting_by_day(person: Person, days: int, rng: np.random.Generator) -> Floats:
    """The settled value, the planted slope around its middle, and slow noise."""
    slope = np.linspace(-0.5, 0.5, days) * person.planted.resting_heart_rate_change
    noise = np.convolve(rng.normal(0, 0.8, days + 3), np.ones(4) / 2, mode="valid")
    return np.clip(person.body.resting_heart_rate + slope + noise, 40, 100)


def _all_sleeps(person: Person, days: LocalDays, rng: np.random.Generator) -> list[SleepLog]:
    """Nights of every wake date, and some naps; the evening of the last day is not reached."""
    count = len(days.dates)
    sleeps: list[SleepLog] = []
    for day, wake_date in enumerate(days.dates):
        night = night_of(person, wake_date, day, count, rng)
        sleeps.append(replace(night, start=existing(night.start, days.zone)))
        if rng.random() < NAP_CHANCE:
            sleeps.append(nap_of(wake_date, rng))
    return sleeps


def _logged(days: LocalDays, worn: Mask, slept: list[SleepLog]) -> tuple[SleepLog, ...]:
    """Sleeps that were worn from start to end; a nap only beside the main sleep of its date."""
    whole = [sleep for sleep in slept if _worn_through(days, worn, sleep)]
    nights = {sleep.wake_date for sleep in whole if sleep.is_main}
    return tuple(sleep for sleep in whole if sleep.wake_date in nights)


def _worn_through(days: LocalDays, worn: Mask, sleep: SleepLog) -> bool:
    start = days.place_of(sleep.start)
    stop = start + sleep.minutes_in_bed
    return start >= 0 and stop < len(worn) and bool(worn[start : stop + 1].all())


def _minutes_by_wake_date(days: LocalDays, sleeps: tuple[SleepLog, ...]) -> Ints:
    total = np.zeros(len(days.dates), dtype=np.int64)
    for sleep in sleeps:
        total[(sleep.wake_date - days.dates[0]).days] += sleep.minutes_in_bed
    return total


def _all_exercises(
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
        if free[_minutes_of(days, exercise)].all() and _minutes_of(days, exercise).stop < len(worn)
    ]


def _minutes_of(days: LocalDays, exercise: Exercise) -> slice:
    start = days.place_of(exercise.start)
    return slice(start, days.place_of(exercise.start + timedelta(seconds=exercise.seconds)) + 1)


def _exercise_logs(
    person: Person,
    days: LocalDays,
    minutes: Minutes,
    zone: Ints,
    distance: Ints,
    energy: Ints,
    exercises: list[Exercise],
) -> tuple[ExerciseLog, ...]:
    unit = METRES_A_MILE if person.miles else 1000.0
    logs: list[ExerciseLog] = []
    for number, exercise in enumerate(exercises):
        piece = _minutes_of(days, exercise)
        metres = int(distance[piece].sum()) / 100
        counts = np.bincount(zone[piece], minlength=PEAK + 1)
        tenths = energy[days.day[piece], days.wall[piece]].sum()
        logs.append(
            ExerciseLog(
                log_id=60_000_000_000 + person.number * 1_000_000 + 11 * number,
                exercise=exercise,
                steps=int(minutes.steps[piece].sum()),
                distance=round(metres / unit, 6) if exercise.sport.stride_m else None,
                calories=round(int(tenths) / 10),
                average_heart_rate=round(float(minutes.heart_rate[piece].mean())),
                zones=tuple(int(n) for n in counts),
                floors=int(number % 4 == FAT_BURN),
            )
        )
    return tuple(logs)

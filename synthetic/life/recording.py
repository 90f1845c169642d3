"""All a participant's device recorded over the study: minutes, sleep and exercise logs, daily values."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from synthetic.life.activity import ZONE_MULTIPLIER, Measures, intensity_minutes, measure, per_day
from synthetic.life.exercises import Exercise
from synthetic.life.living import all_exercises, all_sleeps, minutes_of
from synthetic.life.minutes import Minutes, make_minutes
from synthetic.life.nightly import nightly_values
from synthetic.life.phone import phone_steps
from synthetic.life.sleep import SleepLog
from synthetic.life.state import DayStates, day_states
from synthetic.life.wear import Mask, arrived_minutes, worn_minutes
from synthetic.local_days import Ints, LocalDays, make_local_days
from synthetic.people.devices import Device
from synthetic.people.persona import Person
from synthetic.randomness import generator

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

    intensity: minutes of each local day by the file name's word. wear: worn minutes of each local day.
    phone_steps: those the phone counted in each elapsed minute. nightly: one row a local day, values as the
    files write them (synthetic.life.nightly). states: what lay behind them. seed: of what is drawn only when
    it is asked for, as samples by the second.
    """

    seed: int
    person: Person
    days: LocalDays
    states: DayStates
    minutes: Minutes
    phone_steps: Ints
    arrived: Mask
    measures: Measures
    sleeps: tuple[SleepLog, ...]
    sleep_ids: tuple[int, ...]
    exercises: tuple[ExerciseLog, ...]
    intensity: dict[str, Ints]
    wear: Ints
    nightly: pl.DataFrame

    @property
    def devices(self) -> tuple[Device, ...]:
        """One wearable for each day, and the phone of those who count steps with it."""
        return self.person.devices


def record(person: Person, seed: int) -> Recording:
    """Let a person live through the days of the study with a device on the wrist."""

    def rng(purpose: str) -> np.random.Generator:
        return generator(seed, purpose, person.number)

    days = make_local_days(person.time_zone, person.first_day, person.last_day, person.trips)
    states = day_states(person, len(days.dates), rng("states"))
    worn = worn_minutes(person, days, rng("wear"))
    slept = all_sleeps(person, days, states, rng("sleep"))
    exercises = all_exercises(person, days, slept, worn, rng("exercise"))
    minutes = make_minutes(person, days, worn, slept, exercises, states, rng("minutes"))
    measures = measure(person, days, minutes, rng("floors"))
    sleeps = _logged(days, worn, slept)
    wear = per_day(days, worn)
    arrived = arrived_minutes(days)
    first_id = 40_000_000_000 + person.number * 1_000_000
    return Recording(
        seed=seed,
        person=person,
        days=days,
        states=states,
        minutes=minutes,
        phone_steps=phone_steps(person, minutes, arrived, rng("phone")),
        arrived=arrived,
        measures=measures,
        sleeps=sleeps,
        sleep_ids=tuple(first_id + 7 * n for n in range(len(sleeps))),
        exercises=tuple(
            _exercise_log(person, days, minutes, measures, number, exercise)
            for number, exercise in enumerate(exercises)
        ),
        intensity=intensity_minutes(days, minutes, _minutes_by_wake_date(days, sleeps)),
        wear=wear,
        nightly=nightly_values(person, days.dates, sleeps, wear >= WORN_DAY_MINUTES, states, rng("nightly")),
    )


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


def _exercise_log(
    person: Person, days: LocalDays, minutes: Minutes, measures: Measures, number: int, exercise: Exercise
) -> ExerciseLog:
    piece = minutes_of(days, exercise)
    metres = int(measures.distance_cm[piece].sum()) / 100
    tenths = int(measures.energy_tenths[days.day[piece], days.wall[piece]].sum())
    zones = np.bincount(measures.zone[piece], minlength=len(ZONE_MULTIPLIER))
    unit = METRES_A_MILE if person.miles else 1000.0
    return ExerciseLog(
        log_id=60_000_000_000 + person.number * 1_000_000 + 11 * number,
        exercise=exercise,
        steps=int(minutes.steps[piece].sum()),
        distance=round(metres / unit, 6) if exercise.sport.stride_m else None,
        calories=round(tenths / 10),
        average_heart_rate=round(float(minutes.heart_rate[piece].mean())),
        zones=tuple(int(count) for count in zones),
        floors=int(measures.floors[piece].sum()),
    )

"""The wearable by the minute: steps, heart rate, energy. A small honest model, not a simulator.

Heart rate = resting level of the day + time of day + answer to effort (with a lag) + noise; steps come in
bouts around a total of the day; energy is basal rate times effort. Nothing is known while the device is off.
"""

from dataclasses import dataclass

import numpy as np

from synthetic.life.exercises import Exercise
from synthetic.life.schedule import sleeps_by_day
from synthetic.life.sleep import DEEP, REM, SleepLog
from synthetic.life.state import DayStates
from synthetic.life.wear import Mask
from synthetic.local_days import Ints, LocalDays
from synthetic.people.body import Floats
from synthetic.people.persona import Person

MEAN_STEPS_OF_A_WALKING_MINUTE = 62.0
STEPS_A_BPM_READ_HIGHER = 0.015
FEVER_REST = 0.6
NIGHT_DIP = 1.2
STROLL_EFFORT, BRISK_EFFORT, BRISK_CADENCE = 0.32, 0.47, 112
LAG_KERNEL = np.exp(-np.arange(10) / 2.5) / np.exp(-np.arange(10) / 2.5).sum()


@dataclass(frozen=True, slots=True)
class Minutes:
    """Arrays over the elapsed minutes of ``LocalDays``.

    steps: those the watch counted. walked: those that were made, worn or not. heart_rate: bpm as the watch
    reads it, valid where worn. effort: share of heart-rate reserve. met: multiples of the basal rate. in_bed:
    within any sleep, logged or not.
    """

    worn: Mask
    in_bed: Mask
    steps: Ints
    walked: Ints
    heart_rate: Ints
    effort: Floats
    met: Floats


def make_minutes(
    person: Person,
    days: LocalDays,
    worn: Mask,
    sleeps: list[SleepLog],
    exercises: list[Exercise],
    states: DayStates,
    rng: np.random.Generator,
) -> Minutes:
    """Simulate every minute."""
    in_bed, stage_shift = _sleeping(days, sleeps)
    steps = _daily_steps(person, days, in_bed, states.fever, rng)
    effort = np.clip(steps / 110.0, 0, 1) * STROLL_EFFORT
    _add_brisk_walks(person, days, in_bed, steps, effort, rng)
    for exercise in exercises:
        _add_exercise(days, exercise, steps, effort, rng)
    effort = np.convolve(effort, LAG_KERNEL)[: len(effort)].astype(np.float64)
    heart_rate = _heart_rate(person, days, in_bed, stage_shift, effort, states.read_resting, rng)
    met = np.where(in_bed, 0.95, 1.15 + 10.5 * effort)
    counted = np.rint(steps * (1 + STEPS_A_BPM_READ_HIGHER * states.read_higher[days.day])).astype(np.int64)
    return Minutes(worn, in_bed, np.where(worn, counted, 0), steps, heart_rate, effort, met)


def _sleeping(days: LocalDays, sleeps: list[SleepLog]) -> tuple[Mask, Floats]:
    """Whether each minute lies in a sleep, and what its stage adds to the heart rate."""
    in_bed = np.zeros(len(days.day), dtype=np.bool_)
    shift = np.zeros(len(days.day))
    for sleep in sleeps:
        place = days.place_of(sleep.start)
        levels = sleep.levels[::2][max(-place, 0) : max(len(in_bed) - place, 0)]
        piece = slice(max(place, 0), max(place, 0) + len(levels))
        in_bed[piece] = True
        if sleep.kind == "stages":
            shift[piece] = np.where(levels == DEEP, -2.5, np.where(levels == REM, 2.0, 0.0))
    return in_bed, shift


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
        person.body.steps * np.exp(rng.normal(0, 0.22, len(days.dates)) - 0.28) * (1 - FEVER_REST * fever)
    )
    for day, total in enumerate(everyday):
        minutes = days.minutes_of(day)
        count = min(int(total / MEAN_STEPS_OF_A_WALKING_MINUTE), (minutes.stop - minutes.start) // 2)
        walked = minutes.start + np.argsort(-restless[minutes], kind="stable")[:count]
        steps[walked] = np.clip(rng.normal(MEAN_STEPS_OF_A_WALKING_MINUTE, 28, count), 3, 126).astype(
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
    for day in range(len(days.dates)):
        draw, place, length = rng.random(), int(rng.integers(8 * 60, 19 * 60)), int(rng.integers(9, 26))
        minutes = days.minutes_of(day)
        start = minutes.start + place
        if draw < chance and start + length <= minutes.stop and not in_bed[start : start + length].any():
            steps[start : start + length] = BRISK_CADENCE + rng.integers(-6, 7, length)
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


def _heart_rate(
    person: Person,
    days: LocalDays,
    in_bed: Mask,
    stage_shift: Floats,
    effort: Floats,
    resting: Floats,
    rng: np.random.Generator,
) -> Ints:
    base = resting[days.day]
    awake = 8.0 + 3.0 * np.sin((days.wall - 480) / 1440.0 * 2 * np.pi)
    noise = np.convolve(rng.normal(0, 3.2, len(base)), np.ones(3) / 3, mode="same")
    asleep = stage_shift - 2.0 - NIGHT_DIP * np.cos((days.wall - 240) / 1440.0 * 2 * np.pi)
    level = base + np.where(in_bed, asleep, awake)
    reserve = person.body.maximum_heart_rate - level
    return np.clip(np.rint(level + reserve * effort + noise), 38, 208).astype(np.int64)

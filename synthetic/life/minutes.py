"""The wearable by the minute: steps, heart rate, energy. A small honest model, not a simulator.

Heart rate = resting level of the day + time of day + answer to effort (with a lag) + noise; steps come in
bouts around a total of the day; energy is basal rate times effort. Nothing is known while the device is off.
"""

from dataclasses import dataclass

import numpy as np

from synthetic.life.exercises import Exercise
from synthetic.life.moving import moved
from synthetic.life.sleep import DEEP, REM, SleepLog
from synthetic.life.state import DayStates
from synthetic.life.wear import Mask
from synthetic.local_days import Ints, LocalDays
from synthetic.people.body import Floats
from synthetic.people.persona import Person

STEPS_A_BPM_READ_HIGHER = 0.015
NIGHT_DIP = 1.2
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
    steps, effort = moved(person, days, in_bed, exercises, states.fever, rng)
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

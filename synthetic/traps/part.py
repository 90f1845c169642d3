"""A stretch of days of a recording: what an earlier, or a shorter, export of it holds."""

from dataclasses import fields, replace
from datetime import date
from typing import Any, TypeVar

import numpy as np

from synthetic.life.activity import Measures
from synthetic.life.minutes import Minutes
from synthetic.life.recording import Recording
from synthetic.life.state import DayStates
from synthetic.local_days import LocalDays

Arrays = TypeVar("Arrays", DayStates, Minutes, Measures)


def part_of(recording: Recording, first: int, stop: int) -> Recording:
    """The local days from the ``first``-th to before the ``stop``-th.

    The account and its devices stay as they are, so that both exports are of one account.
    """
    days = recording.days
    dates = days.dates[first:stop]
    minutes = slice(days.minutes_of(first).start, days.minutes_of(stop - 1).stop)
    kept = [n for n, sleep in enumerate(recording.sleeps) if sleep.wake_date in dates]
    return replace(
        recording,
        days=_part_of_days(days, dates, first, minutes),
        states=_sliced(recording.states, slice(first, stop)),
        minutes=_sliced(recording.minutes, minutes),
        phone_steps=recording.phone_steps[minutes],
        arrived=recording.arrived[minutes],
        measures=replace(
            _sliced(recording.measures, minutes, but="energy_tenths"),
            energy_tenths=recording.measures.energy_tenths[first:stop],
        ),
        sleeps=tuple(recording.sleeps[n] for n in kept),
        sleep_ids=tuple(recording.sleep_ids[n] for n in kept),
        exercises=tuple(log for log in recording.exercises if log.exercise.start.date() in dates),
        intensity={name: values[first:stop] for name, values in recording.intensity.items()},
        wear=recording.wear[first:stop],
        nightly=recording.nightly[first:stop],
    )


def _part_of_days(days: LocalDays, dates: tuple[date, ...], first: int, minutes: slice) -> LocalDays:
    return replace(
        days,
        dates=dates,
        utc_minute=days.utc_minute[minutes],
        offset=days.offset[minutes],
        day=days.day[minutes] - first,
        wall=days.wall[minutes],
    )


def _sliced(arrays: Arrays, piece: slice, but: str = "") -> Arrays:
    """A dataclass of arrays with all of them cut."""
    changes: dict[str, Any] = {
        column.name: value[piece]
        for column in fields(arrays)
        if column.name != but and isinstance(value := getattr(arrays, column.name), np.ndarray)
    }
    return replace(arrays, **changes)

"""When the device was on the wrist."""

import numpy as np
from numpy.typing import NDArray

from synthetic.local_days import LocalDays
from synthetic.people import Person

Mask = NDArray[np.bool_]

SYNC_WALL_MINUTE = 21 * 60 + 40
DAY_OFF, PART_OFF, NIGHT_OFF = 0.03, 0.06, 0.04
BAD_DAY_OFF, BAD_PART_OFF = 0.55, 0.8
BADLY_WORN_DAYS = 24


def worn_minutes(person: Person, days: LocalDays, rng: np.random.Generator) -> Mask:
    """Whether each elapsed minute was worn; after the last sync of the last day nothing is known, so False."""
    worn = np.ones(len(days.day), dtype=np.bool_)
    for day in range(len(days.dates)):
        minutes = days.minutes_of(day)
        length = minutes.stop - minutes.start
        for start, stop in _breaks(length, _is_bad(person, days, day), rng):
            worn[minutes.start + start : minutes.start + stop] = False
    return worn & arrived_minutes(days)


def arrived_minutes(days: LocalDays) -> Mask:
    """Minutes before the last sync."""
    last = len(days.dates) - 1
    return (days.day < last) | (days.wall < SYNC_WALL_MINUTE)


def _is_bad(person: Person, days: LocalDays, day: int) -> bool:
    bad_days = min(BADLY_WORN_DAYS, len(days.dates) // 2)
    return person.planted.badly_worn and day >= len(days.dates) - bad_days


def _breaks(length: int, bad: bool, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Unworn stretches of a day of ``length`` minutes, as (start, stop)."""
    draws = rng.random(4)
    charge = int(rng.integers(10 * 60, 19 * 60))
    found = [(charge, charge + int(rng.integers(20, 65)))]
    if draws[0] < (BAD_DAY_OFF if bad else DAY_OFF):
        return [(0, length)]
    if draws[1] < (BAD_PART_OFF if bad else PART_OFF):
        start = int(rng.integers(6 * 60, 10 * 60) if bad else rng.integers(8 * 60, 15 * 60))
        found.append((start, start + int(rng.integers(780, 1000) if bad else rng.integers(150, 420))))
    if draws[2] < NIGHT_OFF:
        found.append((0, int(rng.integers(390, 500))))
    return [(start, min(stop, length)) for start, stop in found]

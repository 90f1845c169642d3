"""When the device was on the wrist."""

import numpy as np
from numpy.typing import NDArray

from synthetic.life.schedule import sleeps_by_day
from synthetic.local_days import LocalDays
from synthetic.people.persona import Person

Mask = NDArray[np.bool_]

SYNC_WALL_MINUTE = 21 * 60 + 40
# Chances on an ordinary day of leaving it off all day, most of it, some hours, the night; and on a bad day.
DAY_OFF, LONG_OFF, SOME_OFF, NIGHT_OFF = 0.03, 0.02, 0.08, 0.04
BAD_DAY_OFF, BAD_LONG_OFF = 0.55, 0.8
BADLY_WORN_DAYS = 24


def worn_minutes(person: Person, days: LocalDays, rng: np.random.Generator) -> Mask:
    """Whether each elapsed minute was worn; False after the last sync, when nothing is known."""
    worn = np.ones(len(days.day), dtype=np.bool_)
    last = len(days.dates) - 1
    for day in range(len(days.dates)):
        minutes = days.minutes_of(day)
        length = minutes.stop - minutes.start
        evening = sleeps_by_day(person, days.dates[day])
        for start, stop in _breaks(length, _is_bad(person, days, day), day in (0, last), evening, rng):
            worn[minutes.start + start : minutes.start + stop] = False
    return worn & arrived_minutes(days)


def arrived_minutes(days: LocalDays) -> Mask:
    """Minutes before the last sync."""
    last = len(days.dates) - 1
    return (days.day < last) | (days.wall < SYNC_WALL_MINUTE)


def _is_bad(person: Person, days: LocalDays, day: int) -> bool:
    bad_days = min(BADLY_WORN_DAYS, len(days.dates) // 2)
    return person.planted.badly_worn and day >= len(days.dates) - bad_days


def _breaks(
    length: int, bad: bool, sure: bool, evening: bool, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Unworn stretches of a day of ``length`` minutes, as (start, stop).

    ``sure`` is a day with nothing but a short charge: the first, when the device was new, and the last, when
    it was synced. Who sleeps by day charges in the ``evening``.
    """
    draws = rng.random(3)
    charge, charged = int(rng.integers(10 * 60, 19 * 60)), int(rng.integers(20, 65))
    charge = 16 * 60 + (charge - 10 * 60) // 2 if evening else charge
    some, long = int(rng.integers(150, 420)), int(rng.integers(820, 1000))
    if sure:
        return [(10 * 60, 10 * 60 + charged)]
    if draws[0] < (BAD_DAY_OFF if bad else DAY_OFF):
        return [(0, length)]
    found = [(charge, charge + charged)]
    if draws[1] < (BAD_LONG_OFF if bad else LONG_OFF):
        found.append((7 * 60, 7 * 60 + long))
    elif draws[1] < SOME_OFF:
        found.append((9 * 60 + some // 2, 9 * 60 + some // 2 + some))
    if draws[2] < NIGHT_OFF:
        found.append((0, 390 + some // 4))
    return [(start, min(stop, length)) for start, stop in found]

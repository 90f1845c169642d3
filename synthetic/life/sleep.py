"""Nights and naps: when, how long and in which stages, in half minutes as the device gives them."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

import numpy as np
from numpy.typing import NDArray

from synthetic.life.schedule import DAY_SLEEP_BED_MINUTE, DAY_SLEEP_SHORTER, sleeps_by_day
from synthetic.people.persona import Person

STAGES = ("wake", "light", "deep", "rem")
WAKE, LIGHT, DEEP, REM = range(4)
CLASSIC_LEVELS = ("awake", "restless", "asleep")
AWAKE, RESTLESS, ASLEEP = range(3)

CYCLE_HALF_MINUTES = 180
SHORTEST_SEGMENT = 8
CLASSIC_NIGHT_SHARE = 0.03
FEVER_SLEEP = 45

Levels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class SleepLog:
    """One log. ``start`` is local wall time; ``end`` counts on in the offset of the start, as vendors do.

    levels: level of every half minute, short wakes laid over. segments: what ``data`` lists, without short
    wakes. kind "stages" uses STAGES, "classic" CLASSIC_LEVELS.
    """

    start: datetime
    levels: Levels
    segments: Levels
    kind: str
    is_main: bool
    info_code: int

    @property
    def minutes_in_bed(self) -> int:
        """Length in minutes; every log has full minutes."""
        return len(self.levels) // 2

    @property
    def end(self) -> datetime:
        """Wall time at the end, in the offset of the start."""
        return self.start + timedelta(minutes=self.minutes_in_bed)

    @property
    def wake_date(self) -> date:
        """The day the log counts for."""
        return self.end.date()

    def minutes_by_level(self) -> dict[str, int]:
        """Minutes of each level; they add up to the minutes in bed, the commonest takes the rounding."""
        names = STAGES if self.kind == "stages" else CLASSIC_LEVELS
        filler = LIGHT if self.kind == "stages" else ASLEEP
        minutes = np.bincount(self.levels, minlength=len(names)) // 2
        minutes[filler] += self.minutes_in_bed - int(minutes.sum())
        return {name: int(minutes[code]) for code, name in enumerate(names)}

    @property
    def minutes_awake(self) -> int:
        """Wake minutes of a stages log; awake and restless ones of a classic log."""
        by_level = self.minutes_by_level()
        return by_level["wake"] if self.kind == "stages" else by_level["awake"] + by_level["restless"]

    @property
    def minutes_asleep(self) -> int:
        """Minutes in bed that were slept."""
        return self.minutes_in_bed - self.minutes_awake


def night_of(
    person: Person, wake_date: date, day: int, days: int, fever: float, rng: np.random.Generator
) -> SleepLog:
    """The main sleep that ends on ``wake_date``, the ``day``-th of ``days`` of the study; longer in fever."""
    body = person.body
    bed_minute = _usual_bed_minute(person, wake_date) + rng.normal(0, bed_time_sd(person, day, days))
    asleep = (
        body.sleep_minutes
        + (25 if _lies_in(person, wake_date) else 0)
        + FEVER_SLEEP * fever
        + rng.normal(0, 38)
    )
    if sleeps_by_day(person, wake_date):
        bed_minute, asleep = float(np.clip(bed_minute, 420, 660)), asleep - DAY_SLEEP_SHORTER
    else:
        bed_minute = float(np.clip(bed_minute, -240, 200))
    in_bed = int(np.clip(asleep / (1 - body.wake_share), max(200.0, 90 - bed_minute), 660))
    start = datetime.combine(wake_date, time()) + timedelta(seconds=30 * int(bed_minute * 2))
    segments = _hypnogram(in_bed * 2, person, rng)
    if rng.random() < CLASSIC_NIGHT_SHARE:
        return SleepLog(start, *_as_classic(segments), "classic", is_main=True, info_code=1)
    levels = _with_short_wakes(segments, in_bed // 24, rng)
    return SleepLog(start, levels, segments, "stages", is_main=True, info_code=0)


def _usual_bed_minute(person: Person, wake_date: date) -> float:
    """Half an hour later before a day off; after a night shift in the morning."""
    if sleeps_by_day(person, wake_date):
        return DAY_SLEEP_BED_MINUTE
    return person.body.bed_minute + (35 if _lies_in(person, wake_date) else 0)


def _lies_in(person: Person, wake_date: date) -> bool:
    """At weekends, who works; for others all days are alike."""
    return person.work != "none" and wake_date.weekday() >= 5


def nap_of(wake_date: date, rng: np.random.Generator) -> SleepLog:
    """An afternoon nap: always classic, as logs under three hours are."""
    start = datetime.combine(wake_date, time(12)) + timedelta(seconds=30 * int(rng.integers(0, 500)))
    levels = np.full(2 * int(rng.integers(62, 100)), ASLEEP, dtype=np.int8)
    levels[: int(rng.integers(2, 12))] = RESTLESS
    levels[-int(rng.integers(1, 8)) :] = AWAKE
    return SleepLog(start, levels, levels, "classic", is_main=False, info_code=2)


def bed_time_sd(person: Person, day: int, days: int) -> float:
    """Spread of bed times on a day of the study, with what is planted."""
    change = person.planted.find("better_regularity", "worse_regularity")
    if change is None or day < change.first_day(days):
        return person.body.bed_time_sd
    return person.body.bed_time_sd * change.amount


def _hypnogram(half_minutes: int, person: Person, rng: np.random.Generator) -> Levels:
    """Stage of every half minute: cycles of about 90 minutes, deep sleep early, REM late."""
    body = person.body
    cycles = max(2, round(half_minutes / CYCLE_HALF_MINUTES))
    place = np.arange(cycles) / (cycles - 1)
    jitter = np.exp(rng.normal(0, 0.18, (3, cycles)))
    deep = _spread(body.deep_share * half_minutes * _night_factor(rng), (1.6 - 1.3 * place) * jitter[0])
    rem = _spread(body.rem_share * half_minutes * _night_factor(rng), (0.4 + 1.2 * place) * jitter[1])
    wake = _spread(0.6 * body.wake_share * half_minutes, jitter[2])
    light = _spread(max(half_minutes - deep.sum() - rem.sum() - wake.sum(), 2.0 * cycles), np.ones(cycles))
    runs = [
        (level, length)
        for n in range(cycles)
        for level, length in (
            (LIGHT, light[n] // 2),
            (DEEP, deep[n]),
            (LIGHT, light[n] - light[n] // 2),
            (REM, rem[n]),
            (WAKE, wake[n]),
        )
        if length >= SHORTEST_SEGMENT
    ]
    levels = np.repeat(
        np.array([level for level, _ in runs], dtype=np.int8), np.array([length for _, length in runs])
    )
    return np.resize(levels, half_minutes) if len(levels) > half_minutes else _filled(levels, half_minutes)


def _night_factor(rng: np.random.Generator) -> float:
    return float(np.exp(rng.normal(0, 0.12)))


def _spread(total: float, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """A total split by weights into whole half minutes."""
    return np.rint(total * weights / weights.sum()).astype(np.int64)


def _filled(levels: Levels, length: int) -> Levels:
    return np.concatenate([levels, np.full(length - len(levels), LIGHT, dtype=np.int8)])


def _with_short_wakes(segments: Levels, count: int, rng: np.random.Generator) -> Levels:
    """Lay wakes of at most three minutes over sleep, far enough apart to stay separate."""
    levels = segments.copy()
    places = np.sort(rng.choice(np.arange(4, len(segments) - 12, 14), size=count, replace=False))
    for place, length in zip(places, rng.integers(1, 7, count), strict=True):
        piece = slice(int(place), int(place) + int(length))
        if (segments[piece.start - 1 : piece.stop + 1] != WAKE).all():
            levels[piece] = WAKE
    return levels


def _as_classic(segments: Levels) -> tuple[Levels, Levels]:
    """The same night as an old tracker, or one without enough heart rate, tells it."""
    levels = np.full(len(segments), ASLEEP, dtype=np.int8)
    levels[segments == WAKE] = RESTLESS
    levels[:6] = AWAKE
    return levels, levels

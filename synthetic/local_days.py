"""The calendar a participant lives in: every minute of their days, in UTC and on the wall."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
QUARTER = 15
NOON, DAY_MINUTES = 12 * 60, 24 * 60
ARRIVES_AT = time(18)


@dataclass(frozen=True, slots=True)
class Trip:
    """A stay in another zone: the clock changes on the evening of ``out`` and back on that of ``back``."""

    zone: str
    out: date
    back: date


@dataclass(frozen=True, slots=True)
class Stay:
    """The zone a participant's clock shows from a UTC minute on."""

    zone: ZoneInfo
    from_utc_minute: int


@dataclass(frozen=True, slots=True)
class LocalDays:
    """Every elapsed minute from the first local midnight on.

    stays: where the participant was, in order; one for who never travels. utc_minute: minutes since 1970 in
    UTC. offset: minutes local is ahead of UTC. day: index of the local day in ``dates``, never falling; a day
    that the date line took has no minute. wall: minute of that day on the wall clock; it jumps where the
    offset changes.
    """

    stays: tuple[Stay, ...]
    dates: tuple[date, ...]
    utc_minute: Ints
    offset: Ints
    day: Ints
    wall: Ints

    @property
    def zone(self) -> ZoneInfo:
        """The zone of the last day: the one an account names when the export is asked for."""
        return self.stays[-1].zone

    def minutes_of(self, day: int) -> slice:
        """The elapsed minutes of a local day: mostly 1440; 0 to 2880 across the date line."""
        return slice(int(np.searchsorted(self.day, day)), int(np.searchsorted(self.day, day + 1)))

    def zone_at(self, local: datetime) -> ZoneInfo:
        """The zone in which a wall-clock time was shown, the earlier one where it was shown twice.

        A time that a move jumped over is read in the zone that was left, as ``zoneinfo`` reads the hour that
        summer time takes.
        """
        zone = self.stays[0].zone
        for number, stay in enumerate(self.stays):
            minute = utc_minute_of(local, stay.zone)
            if number and minute < stay.from_utc_minute:
                continue
            if number + 1 == len(self.stays) or minute < self.stays[number + 1].from_utc_minute:
                return stay.zone
            zone = stay.zone
        return zone

    def utc_of(self, local: datetime) -> datetime:
        """The instant of a wall-clock time, aware, in UTC."""
        return local.replace(tzinfo=self.zone_at(local)).astimezone(UTC)

    def offset_at(self, local: datetime) -> int:
        """Minutes that local time is ahead of UTC at a wall-clock time."""
        return offset_at(local, self.zone_at(local))

    def offset_at_noon(self, day: int) -> int | None:
        """Minutes that local time is ahead of UTC at noon of the ``day``-th date; None where it had none or
        two.
        """
        minutes = self.minutes_of(day)
        shown = self.offset[minutes][self.wall[minutes] == NOON]
        return int(shown[0]) if len(shown) == 1 else None

    def existing(self, local: datetime) -> datetime:
        """The wall time itself, or, where the clocks jump over it, what they show at that moment."""
        instant = self.utc_of(local)
        zone = self.stays[0].zone
        for stay in self.stays[1:]:
            if instant >= EPOCH + timedelta(minutes=stay.from_utc_minute):
                zone = stay.zone
        return instant.astimezone(zone).replace(tzinfo=None)

    def place_of(self, local: datetime) -> int:
        """Index of the elapsed minute in which a wall-clock time falls; may lie outside."""
        return utc_minute_of(local, self.zone_at(local)) - int(self.utc_minute[0])


def make_local_days(zone_name: str, first: date, last: date, trips: Sequence[Trip] = ()) -> LocalDays:
    """The local days from ``first`` to ``last``, both included, of who lives in a zone and travels.

    Raises ValueError where a trip would make a date begin twice (more than 24 hours back).
    """
    stays = _stays(zone_name, first, last, trips)
    dates = tuple(first + timedelta(days=n) for n in range((last - first).days + 1))
    start = stays[0].from_utc_minute
    end = _midnight_utc_minute(last + timedelta(days=1), stays[-1].zone)
    utc_minute = np.arange(start, end, dtype=np.int64)
    offset = np.empty(len(utc_minute), dtype=np.int64)
    for stay in stays:
        since = max(stay.from_utc_minute - start, 0)
        offset[since:] = _offsets(start, end, stay.zone)[since:]
    local_minute = utc_minute + offset
    day = local_minute // 1440 - _days_since_epoch(first)
    if (np.diff(day) < 0).any():
        raise ValueError("a trip makes a date begin twice")
    return LocalDays(stays, dates, utc_minute, offset, day, local_minute % 1440)


def _stays(zone_name: str, first: date, last: date, trips: Sequence[Trip]) -> tuple[Stay, ...]:
    home = ZoneInfo(zone_name)
    stays = [Stay(home, _midnight_utc_minute(first, home))]
    for trip in sorted(trips, key=lambda trip: trip.out):
        for day, zone in ((trip.out, ZoneInfo(trip.zone)), (trip.back, home)):
            if day <= last:
                stays.append(Stay(zone, _arrival(day, stays[-1].zone, zone)))
    return tuple(stays)


def _arrival(day: date, left: ZoneInfo, zone: ZoneInfo) -> int:
    """UTC minute at which the clock changes: 18:00 by the zone that is left, or so late that going back in
    time stays within the day."""
    evening = datetime.combine(day, ARRIVES_AT)
    back = max(0, offset_at(evening, left) - offset_at(evening, zone))
    minute = max(ARRIVES_AT.hour * 60, -(-back // QUARTER) * QUARTER)
    return utc_minute_of(datetime.combine(day, time()), left) + minute


def utc_minute_of(local: datetime, zone: ZoneInfo) -> int:
    """Minutes since 1970 in UTC, rounded down, of a wall-clock time."""
    return int((local.replace(tzinfo=zone) - EPOCH) // timedelta(minutes=1))


def offset_at(local: datetime, zone: ZoneInfo) -> int:
    """Minutes that local time is ahead of UTC at a wall-clock time of a zone."""
    offset = local.replace(tzinfo=zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def _midnight_utc_minute(day: date, zone: ZoneInfo) -> int:
    return utc_minute_of(datetime.combine(day, time()), zone)


@lru_cache(maxsize=64)
def _offsets(start: int, end: int, zone: ZoneInfo) -> Ints:
    """Offset of every minute; zones of today change only on full UTC quarters of an hour."""
    quarters = range(start, end, QUARTER)
    offsets = [_offset_of_utc(EPOCH + timedelta(minutes=minute), zone) for minute in quarters]
    minutes = np.repeat(np.array(offsets, dtype=np.int64), QUARTER)[: end - start]
    minutes.setflags(write=False)
    return minutes


def _offset_of_utc(instant: datetime, zone: ZoneInfo) -> int:
    offset = instant.astimezone(zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def _days_since_epoch(day: date) -> int:
    return (day - EPOCH.date()).days

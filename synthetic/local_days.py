"""The calendar a participant lives in: every minute of their days, in UTC and on the wall."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LocalDays:
    """Every elapsed minute from the first local midnight on.

    utc_minute: minutes since 1970 in UTC. offset: minutes local is ahead of UTC. day: index of the local day.
    wall: minute of that day on the wall clock; it jumps where the offset changes.
    """

    zone: ZoneInfo
    dates: tuple[date, ...]
    utc_minute: Ints
    offset: Ints
    day: Ints
    wall: Ints

    def minutes_of(self, day: int) -> slice:
        """The elapsed minutes of a local day: 1380 to 1500 of them."""
        return slice(int(np.searchsorted(self.day, day)), int(np.searchsorted(self.day, day + 1)))

    def place_of(self, local: datetime) -> int:
        """Index of the elapsed minute in which a wall-clock time falls; may lie outside."""
        return utc_minute_of(local, self.zone) - int(self.utc_minute[0])


def make_local_days(zone_name: str, first: date, last: date) -> LocalDays:
    """The local days of a zone from ``first`` to ``last``, both included."""
    zone = ZoneInfo(zone_name)
    dates = tuple(first + timedelta(days=n) for n in range((last - first).days + 1))
    start, end = (_midnight_utc_minute(day, zone) for day in (first, last + timedelta(days=1)))
    utc_minute = np.arange(start, end, dtype=np.int64)
    offset = _offsets(start, end, zone)
    local_minute = utc_minute + offset
    day = local_minute // 1440 - _days_since_epoch(first)
    return LocalDays(zone, dates, utc_minute, offset, day, local_minute % 1440)


def utc_minute_of(local: datetime, zone: ZoneInfo) -> int:
    """Minutes since 1970 in UTC, rounded down, of a wall-clock time."""
    return int((local.replace(tzinfo=zone) - EPOCH) // timedelta(minutes=1))


def noon_offset(day: date, zone: ZoneInfo) -> int:
    """Minutes that local time is ahead of UTC at noon of a day."""
    return offset_at(datetime(day.year, day.month, day.day, 12), zone)  # noqa: DTZ001 - wall clock


def offset_at(local: datetime, zone: ZoneInfo) -> int:
    """Minutes that local time is ahead of UTC at a wall-clock time."""
    offset = local.replace(tzinfo=zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def existing(local: datetime, zone: ZoneInfo) -> datetime:
    """The wall time itself, or, where the clocks jump over it, what they show at that moment."""
    return local.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None)


def _midnight_utc_minute(day: date, zone: ZoneInfo) -> int:
    return utc_minute_of(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001 - wall clock


def _offsets(start: int, end: int, zone: ZoneInfo) -> Ints:
    """Offset of every minute; zones of today change only on full UTC quarters of an hour."""
    quarters = range(start, end, 15)
    offsets = [_offset_of_utc(EPOCH + timedelta(minutes=minute), zone) for minute in quarters]
    return np.repeat(np.array(offsets, dtype=np.int64), 15)[: end - start]


def _offset_of_utc(instant: datetime, zone: ZoneInfo) -> int:
    offset = instant.astimezone(zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def _days_since_epoch(day: date) -> int:
    return (day - EPOCH.date()).days

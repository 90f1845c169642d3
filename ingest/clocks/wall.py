"""What the wall clock showed: stretches of one offset seen from the wall, where hours come twice or never."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from ingest.clocks.steps import MINUTES, Steps

_DAY, _MINUTE = timedelta(days=1), timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Shown:
    """A stretch of UTC (``start`` until ``end``) at one offset (minutes ahead of UTC)."""

    start: datetime
    end: datetime
    offset: int

    @property
    def first_wall(self) -> datetime:
        """The wall clock at its start."""
        return self.start + timedelta(minutes=self.offset)

    @property
    def last_wall(self) -> datetime:
        """The wall clock at its end."""
        return self.end + timedelta(minutes=self.offset)


def offsets_on_the_wall(stays: Sequence[Sequence[Shown]]) -> tuple[Steps[int], Steps[int]]:
    """Offset by wall-clock time: where it came twice, of the first and of the second time.

    stays: stretches of each stay, in the order of time. None where no stretch shows the time, and where two
    stays show it at different offsets.
    """
    shown = [one for stay in stays for one in stay]
    of_stay = np.array([n for n, stay in enumerate(stays) for _ in stay])
    offsets = np.array([one.offset for one in shown])
    first = np.array([one.first_wall for one in shown], dtype="datetime64[us]")
    last = np.array([one.last_wall for one in shown], dtype="datetime64[us]")
    points = np.unique(np.concatenate([first, last]))
    covers = (first <= points[:, None]) & (points[:, None] < last)
    earliest, latest = covers.argmax(axis=1), len(shown) - 1 - covers[:, ::-1].argmax(axis=1)
    one_stay = of_stay[earliest] == of_stay[latest]
    known = covers.any(axis=1) & (one_stay | _alike(covers, offsets))
    moments: list[datetime] = points.tolist()
    return _steps(moments, offsets[earliest], known), _steps(moments, offsets[latest], known)


def minutes_missed(left: datetime, arrived: datetime) -> dict[date, int]:
    """By local day, the minutes a jump of the wall clock took from it; negative: it showed them twice."""
    start, end, sign = (left, arrived, 1) if left < arrived else (arrived, left, -1)
    missed: dict[date, int] = {}
    while start < end:
        until = min(end, datetime.combine(start.date(), datetime.min.time()) + _DAY)
        missed[start.date()] = sign * ((until - start) // _MINUTE)
        start = until
    return missed


def _alike(covers: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """True where all stretches that cover a point are at one offset."""
    lowest = np.where(covers, offsets, offsets.max()).min(axis=1)
    highest = np.where(covers, offsets, offsets.min()).max(axis=1)
    return lowest == highest


def _steps(points: Sequence[datetime], offsets: np.ndarray, known: np.ndarray) -> Steps[int]:
    pairs = zip(points, offsets.tolist(), known.tolist(), strict=True)
    return Steps[int].of(((point, offset if sure else None) for point, offset, sure in pairs), MINUTES)

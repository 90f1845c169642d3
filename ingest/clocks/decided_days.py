"""Days on a clock that people decided on: there nothing else is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl

from ingest.clocks.zone_history import Stay, ZoneHistory

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DecidedDays:
    """Local days from ``first`` to ``last``, both included, on the clock of ``zone`` (IANA)."""

    zone: str
    first: date
    last: date

    @property
    def start(self) -> datetime:
        """The first midnight, in UTC digits."""
        return self._midnight(self.first)

    @property
    def end(self) -> datetime:
        """The midnight after the last day, in UTC digits."""
        return self._midnight(self.last + _DAY)

    def _midnight(self, day: date) -> datetime:
        local = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(self.zone))
        return local.astimezone(UTC).replace(tzinfo=None)


def outside_of(sightings: pl.DataFrame, days: DecidedDays) -> pl.DataFrame:
    """Sightings that reach into none of the days."""
    return sightings.filter((pl.col("until") < days.start) | (pl.col("since") >= days.end))


def with_decided_days(history: ZoneHistory, days: DecidedDays) -> ZoneHistory:
    """A history with the days on their clock; before and after them the clock that was in force there."""
    start, end = days.start, days.end
    before = [replace(stay, proven=min(stay.proven, start)) for stay in history.stays if stay.since < start]
    then = [stay for stay in history.stays if stay.since <= end][-1]
    after = [stay for stay in history.stays if stay.since > end]
    decided = Stay(days.zone, "decision", start, start)
    return replace(
        history,
        stays=(*before, decided, replace(then, since=end, proven=end), *after),
        spans=tuple(span for span in history.spans if span.end <= start or span.first >= end),
        evidence=_told(history.evidence, days),
    )


def _told(evidence: Mapping[str, object], days: DecidedDays) -> dict[str, object]:
    """Evidence that names the days: which came first, as decisions may be several."""
    known = evidence.get("decided", [])
    own = {"zone": days.zone, "first": days.first.isoformat(), "last": days.last.isoformat()}
    return {**evidence, "decided": [*(known if isinstance(known, list) else []), own]}

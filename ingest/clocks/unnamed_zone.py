"""A zone that nobody names, known by when its clocks change: it bridges what files leave open in between."""

from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import polars as pl

from ingest.clocks.steps import Steps, offset_steps

_MINUTE = timedelta(minutes=1)


def unnamed_zone(seen: pl.DataFrame) -> str | None:
    """A place whose clock explains all sightings; None where none does, or where several differ meanwhile.

    seen: sightings (``sightings.SCHEMA``) in the order of time. Of places whose clocks were alike from the
    first to the last sighting the first by name stands for all.
    """
    bounds = seen.select("since", "until", "low", "high").rows()
    if not bounds:
        return None
    # Most places fail at once where the first and the last offset are asked for first.
    asked = [bounds[0], bounds[-1], *bounds[1:-1]]
    fitting = [zone for zone, clock in _places() if all(_explains(clock, *bound) for bound in asked)]
    first, last = bounds[0][0], max(until for _, until, _, _ in bounds)
    alike = {_meanwhile(offset_steps(zone), first, last) for zone in fitting}
    return fitting[0] if len(alike) == 1 else None


@cache
def _places() -> tuple[tuple[str, ZoneInfo], ...]:
    """Places whose clocks differed since 1970, by name: of the data base that the project pins."""
    table = files("tzdata").joinpath("zoneinfo", "zone1970.tab").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return tuple((zone, ZoneInfo(zone)) for zone in sorted(row[2] for row in rows))


def _explains(clock: ZoneInfo, since: datetime, until: datetime, low: int, high: int) -> bool:
    return all(low <= _offset(clock, moment) <= high for moment in (since, until))


def _offset(clock: ZoneInfo, moment: datetime) -> float:
    offset = moment.replace(tzinfo=UTC).astimezone(clock).utcoffset()
    return (offset or timedelta()) / _MINUTE


def _meanwhile(steps: Steps[int], first: datetime, last: datetime) -> tuple[object, ...]:
    """The offset at the first moment, and each change up to the last."""
    changes = zip(steps.starts, steps.values, strict=True)
    return (steps.value_at(first), *((start, offset) for start, offset in changes if first < start <= last))

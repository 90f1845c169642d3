"""The history of a participant's clocks from what files show: as few stays as explain all of it.

Zones that somebody names come first, fixed offsets that files show themselves last. Where no file shows when
a move was, its moment stays unknown.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise, takewhile

import numpy as np
import polars as pl

from ingest.clocks.overruling import OVERRULED_SHARE, overruled
from ingest.clocks.sightings import QUARTER, Source, midnight_offsets, only_quarters
from ingest.clocks.steps import BEGINNING, offset_steps
from ingest.clocks.unnamed_zone import unnamed_zone
from ingest.clocks.zone_history import Clock, DaySpan, Stay, ZoneHistory

_NEAR = "12h"
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)

# First sighting, end, place among the clocks.
_Part = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A clock somebody names: ``named_by`` is profile, settings, registry or offsets."""

    clock: Clock
    named_by: str


def infer_history(
    candidates: Sequence[Candidate], sightings: pl.DataFrame, runs: pl.DataFrame | None = None
) -> ZoneHistory:
    """The fewest stays that explain all sightings, each by the most trusted candidate that can.

    candidates: named zones in the order of trust (never empty). sightings: of all sources, in the form of
    ``sightings.SCHEMA``. runs: from ``sightings.day_runs``; they state local days within moves. A sighting
    that no candidate and no fixed offset explains leaves its day and the days beside it without a clock. A
    weak one is overruled by strong ones around it that one clock explains.
    """
    believed, refused = _believed(sightings)
    seen = believed.sort("since", "until", "source", "low", "high")
    clocks = [*_distinct(candidates), *_shown(seen, runs)]
    fits = _fits(clocks, seen)
    wrong = overruled(seen, fits)
    lost, seen, fits = seen.filter(wrong), seen.filter(~wrong), fits[~wrong]
    is_explained: np.ndarray = np.asarray(fits.any(axis=1))
    contradicted, explained = seen.filter(~is_explained), seen.filter(is_explained)
    stays = _stays(clocks, explained, fits[is_explained])
    return ZoneHistory(
        stays,
        _spans(stays, runs),
        frozenset(_beside(contradicted["day"].to_list())),
        _evidence(stays, contradicted, lost, refused),
    )


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    by_clock = {candidate.clock: candidate for candidate in reversed(candidates)}
    return [by_clock[clock] for clock in dict.fromkeys(candidate.clock for candidate in candidates)]


def _shown(seen: pl.DataFrame, runs: pl.DataFrame | None) -> list[Candidate]:
    """Fixed offsets that files show by themselves, the most often shown first; exercises alone show none."""
    own = only_quarters(seen.filter(pl.col("source") != Source.EXERCISE_OFFSETS))
    stated = [own] if runs is None else [own, midnight_offsets(runs)]
    counted = pl.concat(stated).value_counts().sort("count", "offset", descending=[True, False])
    return [Candidate(offset, "offsets") for offset in counted["offset"]]


def _fits(clocks: Sequence[Candidate], seen: pl.DataFrame) -> np.ndarray:
    """By sighting and clock: the clock's offset lies within the bounds at both ends of the sighting."""
    steps = [offset_steps(candidate.clock) for candidate in clocks]
    tests = [
        (
            s.at(pl.col("since")).is_between(pl.col("low"), pl.col("high"))
            & s.at(pl.col("until")).is_between(pl.col("low"), pl.col("high"))
        ).alias(str(n))
        for n, s in enumerate(steps)
    ]
    return seen.select(tests).to_numpy().astype(bool).reshape(seen.height, len(clocks))


def _stays(clocks: Sequence[Candidate], seen: pl.DataFrame, fits: np.ndarray) -> tuple[Stay, ...]:
    first = [(start, end, _first(alive)) for start, end, alive in _parts(fits)]
    if not first:
        return (Stay(clocks[0].clock, clocks[0].named_by),)
    parts = list(_bridged(first, clocks, seen))
    believed = _fits([candidate for _, _, candidate in parts], seen)
    since, until = seen["since"].to_list(), seen["until"].to_list()
    stays = [Stay(c.clock, c.named_by, agree=_counts(seen[start:end])) for start, end, c in parts]
    for n, ((a, b, _), (_, c, _)) in enumerate(pairwise(parts), start=1):
        held = max((until[i] + _MINUTE for i in range(a, b) if not believed[i, n]), default=since[a])
        holds = min((since[i] for i in range(b, c) if not believed[i, n - 1]), default=until[c - 1])
        after = stays[n - 1].proven
        stays[n] = replace(stays[n], since=max(min(held, holds), after), proven=max(held, holds, after))
    return tuple(stays)


def _bridged(
    parts: Sequence[_Part], clocks: Sequence[Candidate], seen: pl.DataFrame
) -> Iterator[tuple[int, int, Candidate]]:
    """Parts with their clock; fixed offsets that follow each other as a place's clock are that place."""
    start = 0
    while start < len(parts):
        first, end, clock = parts[start]
        fixed = takewhile(lambda part: clocks[part[2]].named_by == "offsets", parts[start:])
        lasts = [last for _, last, _ in fixed]
        found = ((last, unnamed_zone(seen[first:last])) for last in reversed(lasts[1:]))
        last, zone = next(((last, zone) for last, zone in found if zone), (end, None))
        yield first, last, Candidate(zone, "changes") if zone else clocks[clock]
        start += lasts.index(last) + 1 if zone else 1


def _parts(fits: np.ndarray) -> list[tuple[int, int, np.ndarray]]:
    """Longest stretches of sightings that one clock explains: first, end, clocks that explain all of it."""
    parts: list[tuple[int, int, np.ndarray]] = []
    start = 0
    for n, row in enumerate(fits):
        alive = row if n == start else parts[-1][2] & row
        if n > start and alive.any():
            parts[-1] = (start, n + 1, alive)
        else:
            parts.append((n, n + 1, row))
            start = n
    return parts


def _first(alive: np.ndarray) -> int:
    return int(alive.argmax())


def _counts(seen: pl.DataFrame) -> dict[str, int]:
    return dict(sorted(Counter(seen["source"].to_list()).items()))


def _beside(days: Sequence[date]) -> set[date]:
    return {day + n * _DAY for day in days for n in (-1, 0, 1)}


def _spans(stays: Sequence[Stay], runs: pl.DataFrame | None) -> tuple[DaySpan, ...]:
    """Runs of day files within moves; a gap of a few minutes to the next run belongs to the day before."""
    moves = [stay for stay in stays if stay.since < stay.proven]
    if runs is None or not moves:
        return ()
    within = pl.any_horizontal((pl.col("end") > s.since) & (pl.col("first") < s.proven) for s in moves)
    following = pl.col("first").shift(-1)
    own_end = pl.col("last") + _MINUTE
    tight = following - pl.col("last") <= pl.duration(minutes=QUARTER)
    ends = runs.with_columns(pl.when(tight).then(following).otherwise(own_end).alias("end"))
    return tuple(DaySpan(*row) for row in ends.filter(within).select("first", "end", "day").iter_rows())


def _believed(sightings: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, dict[str, int]]]:
    """Sightings without sources that contradict a more trusted one on the same days, and those sources."""
    believed, refused = sightings.clear(), dict[str, dict[str, int]]()
    for source in Source:
        own = sightings.filter(pl.col("source") == source.value)
        compared, differing = _compared(own, believed)
        if differing > compared * OVERRULED_SHARE:
            refused[source.value] = {"compared": compared, "contradict": differing}
        else:
            believed = pl.concat([believed, own])
    return believed, refused


def _compared(own: pl.DataFrame, trusted: pl.DataFrame) -> tuple[int, int]:
    """Sightings within twelve hours of an exact one of more trusted sources, and how many of them differ."""
    exact = trusted.filter(pl.col("low") == pl.col("high")).select("since", offset="low").sort("since")
    near = (
        own.sort("since")
        .join_asof(exact, on="since", strategy="nearest", tolerance=_NEAR)
        .drop_nulls("offset")
    )
    return near.height, near.filter(~pl.col("offset").is_between(pl.col("low"), pl.col("high"))).height


def _evidence(
    stays: Sequence[Stay],
    contradicted: pl.DataFrame,
    lost: pl.DataFrame,
    refused: Mapping[str, Mapping[str, int]],
) -> dict[str, object]:
    return {
        "stays": [
            {
                "zone": stay.name,
                "named_by": stay.named_by,
                "since_utc": _text(stay.since),
                "proven_from_utc": _text(stay.proven),
                "agree": dict(stay.agree),
            }
            for stay in stays
        ],
        "contradict": _counts(contradicted),
        "overruled": _counts(lost),
        "refused": {source: dict(counts) for source, counts in refused.items()},
    }


def _text(moment: datetime) -> str | None:
    return None if moment == BEGINNING else f"{moment.isoformat(timespec='seconds')}Z"

"""The clocks a participant lived by: instants to local days and back, for whole columns.

A local day is as long as it was: 23 or 25 hours where clocks changed, any length from 0 to 48 on a journey.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import pairwise

import polars as pl

from ingest.clocks.steps import BEGINNING, END, MINUTES, Steps, offset_steps
from ingest.clocks.wall import Shown, minutes_missed, offsets_on_the_wall

Clock = str | int


@dataclass(frozen=True, slots=True)
class Stay:
    """A time at one clock.

    clock: an IANA zone, or fixed minutes ahead of UTC. named_by: who says so: profile, settings, registry,
    decision, files by their offsets or by when these changed (offsets, changes).
    since, proven: UTC digits. The clock before may hold until ``proven``, this one may from ``since`` on:
    between them lies a move whose moment no file shows. agree: sightings it explains, by source.
    """

    clock: Clock
    named_by: str
    since: datetime = BEGINNING
    proven: datetime = BEGINNING
    agree: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def name(self) -> str:
        """The zone (one of those alike where nobody names it), or ``UTC+05:45`` for a fixed offset."""
        if isinstance(self.clock, str):
            return self.clock if self.named_by != "changes" else f"{self.clock} or alike"
        hours, minutes = divmod(abs(self.clock), 60)
        return f"UTC{'-' if self.clock < 0 else '+'}{hours:02}:{minutes:02}"


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Instants that a file puts on one local day, whatever the offset: from ``first`` until ``end`` (UTC)."""

    first: datetime
    end: datetime
    day: date


@dataclass(frozen=True)
class ZoneHistory:
    """Stays in the order of time (never empty), and what is known and unknown around them.

    spans: days that files state, in the order of time, at least where moves are. contradicted_days: local
    days that no clock explains. evidence: counts and verdicts for ``source_files.clocks_json``.
    """

    stays: tuple[Stay, ...]
    spans: tuple[DaySpan, ...] = ()
    contradicted_days: frozenset[date] = frozenset()
    evidence: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def current(self) -> Stay:
        """The newest stay."""
        return self.stays[-1]

    def offset(self, utc: str) -> pl.Expr:
        """Minutes local time is ahead of UTC, at a column of UTC digits; null within a move."""
        late = self._late.at(pl.col(utc))
        return late if self._never_moved else pl.when(late == self._early.at(pl.col(utc))).then(late)

    def local_time(self, utc: str) -> pl.Expr:
        """Wall-clock digits of a column of UTC digits; null within a move."""
        return pl.col(utc) + pl.duration(minutes=self.offset(utc))

    def local_date(self, utc: str) -> pl.Expr:
        """Local day of a column of UTC digits; null where it is unknown, and on contradicted days.

        Within a move the day is known where both clocks show the same one, or where a file states it.
        """
        early, late = self.possible_dates(utc)
        day = late if self._never_moved else pl.when(early == late).then(late)
        unclear = sorted(self.contradicted_days)
        return pl.when(~day.is_in(unclear)).then(day) if unclear else day

    def possible_dates(self, utc: str) -> tuple[pl.Expr, pl.Expr]:
        """The local day if each move came as late as it can, and as early: one where the day is certain."""
        moment = pl.col(utc)
        late = _date_at(moment, self._late)
        if self._never_moved:
            return late, late
        early = _date_at(moment, self._early)
        stated = pl.when(early != late).then(self._stated_days.at(moment))
        return pl.coalesce(stated, early), pl.coalesce(stated, late)

    def utc_of_local(self, local: str) -> pl.Expr:
        """UTC digits of a column of wall-clock digits.

        Of an hour that came twice by a change of the clocks the first is taken. Null for a time that never
        was, and for one that a move brought twice, or may have.
        """
        return pl.col(local) - pl.duration(minutes=self._wall_offsets[0].at(pl.col(local)))

    def with_day_offsets(self, days: pl.LazyFrame) -> pl.LazyFrame:
        """Add by ``date``: ``utc_offset_minutes`` (at noon) and ``tz_change`` (the day had not 24 hours).

        The offset is null where noon never was, came twice or lies within a move. Where clocks are set
        forward at midnight the day that lacks its first hour has the change; where they are set back at
        midnight, the day whose last hour came twice. Of a move of unknown moment each day it may have
        shortened or lengthened has it.
        """
        noon = pl.col("date").cast(pl.Datetime("us")).dt.offset_by("12h")
        first, second = (offsets.at(noon) for offsets in self._wall_offsets)
        instant = noon - pl.duration(minutes=first)
        # A noon that one clock alone can have shown was skipped if the move came before it.
        is_sure = (first == second) & (self._late.at(instant) == self._early.at(instant))
        return days.with_columns(
            pl.when(is_sure).then(first).alias("utc_offset_minutes"),
            pl.col("date").is_in(sorted(self._change_days)).alias("tz_change"),
        )

    def day_offset(self, day: date) -> int | None:
        """Minutes ahead of UTC at noon of a local day; None where nobody knows."""
        row = pl.LazyFrame({"date": [day]}).pipe(self.with_day_offsets).collect()
        return None if day in self.contradicted_days else row["utc_offset_minutes"].item()

    @property
    def _never_moved(self) -> bool:
        return len(self.stays) == 1

    @cached_property
    def _late(self) -> Steps[int]:
        """Offsets if each move came as early as it can."""
        return self._offsets([stay.since for stay in self.stays])

    @cached_property
    def _early(self) -> Steps[int]:
        """Offsets if each move came as late as it can."""
        return self._offsets([stay.proven for stay in self.stays])

    def _offsets(self, begins: list[datetime]) -> Steps[int]:
        ranges = zip(self.stays, pairwise([*begins, END]), strict=True)
        pieces = [piece for stay, (start, end) in ranges for piece in _pieces(stay.clock, start, end)]
        return Steps[int].of(((start, offset) for start, _, offset in pieces), MINUTES)

    @cached_property
    def _shown(self) -> list[list[Shown]]:
        """By stay: the wall clock while it may have held, from the first instant it can to the last."""
        ends = [*(stay.proven for stay in self.stays[1:]), END]
        return [
            [Shown(*piece) for piece in _pieces(stay.clock, stay.since, end)]
            for stay, end in zip(self.stays, ends, strict=True)
        ]

    @cached_property
    def _wall_offsets(self) -> tuple[Steps[int], Steps[int]]:
        return offsets_on_the_wall(self._shown)

    @cached_property
    def _stated_days(self) -> Steps[date]:
        bounds = [((span.first, span.day), (span.end, None)) for span in self.spans]
        return Steps[date].of((bound for pair in bounds for bound in pair), pl.Date())

    @cached_property
    def _change_days(self) -> frozenset[date]:
        missed: Counter[date] = Counter()
        maybe: set[date] = set()
        for shown in self._shown:
            for before, after in pairwise(shown):
                missed.update(minutes_missed(before.last_wall, after.first_wall))
        for shown, later, stay in zip(self._shown, self._shown[1:], self.stays[1:], strict=False):
            old, new = _wall_at(shown, stay.since), _wall_at(later, stay.proven)
            change = minutes_missed(old, new)
            if stay.since == stay.proven:
                missed.update(change)
            elif old - stay.since != new - stay.proven:
                maybe |= change.keys()
        return frozenset(maybe.union(day for day, minutes in missed.items() if minutes))


def _pieces(clock: Clock, start: datetime, end: datetime) -> list[tuple[datetime, datetime, int]]:
    """Stretches of one offset of a clock between two moments."""
    steps = offset_steps(clock)
    bounds = zip(steps.starts, [*steps.starts[1:], END], steps.values, strict=True)
    return [
        (max(since, start), min(until, end), offset)
        for since, until, offset in bounds
        if offset is not None and max(since, start) < min(until, end)
    ]


def _date_at(moment: pl.Expr, steps: Steps[int]) -> pl.Expr:
    return (moment + pl.duration(minutes=steps.at(moment))).dt.date()


def _wall_at(shown: list[Shown], moment: datetime) -> datetime:
    """The wall clock at a moment, by the stretch it lies in or ends."""
    found = next((one for one in shown if one.start <= moment <= one.end), shown[-1])
    return moment + timedelta(minutes=found.offset)

"""Step functions of time, and the offsets of a zone as one. All moments are digits without a zone."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl

V = TypeVar("V", int, date)
MINUTES = pl.Int64()

# Far outside of any file, near enough that an offset can be added.
BEGINNING, END = datetime(1000, 1, 1), datetime(9000, 1, 1)
# Two-digit years of files are read as 1969 to 2068; no tracker of theirs is older than 2009.
_FIRST_DAY, _LAST_DAY = datetime(2000, 1, 1), datetime(2069, 12, 31)


@dataclass(frozen=True, slots=True)
class Steps(Generic[V]):
    """A value from each moment on: ``starts`` in order, ``values`` beside them (None where there is none)."""

    starts: tuple[datetime, ...]
    values: tuple[V | None, ...]
    dtype: pl.DataType

    @classmethod
    def of(cls, pieces: Iterable[tuple[datetime, V | None]], dtype: pl.DataType) -> "Steps[V]":
        """Steps from (moment, value) in the order of time; a later one at the same moment replaces it."""
        by_start = dict(pieces)
        return cls(tuple(by_start), tuple(by_start.values()), dtype)

    def at(self, moment: pl.Expr) -> pl.Expr:
        """The value in force at each moment of a column; null before the first step and at null."""
        starts, values = _columns(self)
        return pl.lit(values).gather(pl.lit(starts).search_sorted(moment, side="right"))

    def value_at(self, moment: datetime) -> V | None:
        """The value in force at one moment."""
        place = bisect_right(self.starts, moment)
        return self.values[place - 1] if place else None


@lru_cache(maxsize=256)
def _columns(steps: Steps[int] | Steps[date]) -> tuple[pl.Series, pl.Series]:
    """Starts, and the values in force before the first of them and from each on."""
    return (
        pl.Series(steps.starts, dtype=pl.Datetime("us")),
        pl.Series([None, *steps.values], dtype=steps.dtype),
    )


def is_zone(name: str | None) -> bool:
    """True for a name of the IANA data base."""
    if not name or name.startswith("/") or ".." in name:
        return False
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


@lru_cache(maxsize=256)
def offset_steps(clock: str | int) -> Steps[int]:
    """Minutes local time is ahead of UTC, by UTC: of an IANA zone, or the same for ever of a fixed offset."""
    if isinstance(clock, int):
        return Steps((BEGINNING,), (clock,), MINUTES)
    days = _offsets(pl.datetime_range(_FIRST_DAY, _LAST_DAY, "1d", eager=True), clock)
    changed = days.filter(pl.col("offset") != pl.col("offset").shift(-1))
    minutes = changed.select(pl.datetime_ranges("utc", pl.col("utc").dt.offset_by("1d"), "1m").explode())
    moved = _offsets(minutes.to_series(), clock).filter(pl.col("offset") != pl.col("offset").shift(1))
    return Steps.of([(BEGINNING, days.row(0)[1]), *moved.iter_rows()], MINUTES)


def _offsets(utc: pl.Series, zone: str) -> pl.DataFrame:
    shown = pl.col("utc").dt.replace_time_zone("UTC").dt.convert_time_zone(zone).dt.replace_time_zone(None)
    offset = (shown - pl.col("utc")).dt.total_minutes().alias("offset")
    return utc.alias("utc").to_frame().with_columns(offset)

"""The form of a CSV kind as a declaration: its time column, its value columns, their units and sentinels.

All families of ``*_GoogleData`` and most of the products' files are a time and a few values; they differ in
names and sentinels only, so one reader reads them all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_rows import Header, digits, label_date, number
from ingest.fitbit.csv_together import header_of, read_csv_each
from ingest.fitbit.kind import Clock
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift_each
from schemas.table import Table

RECORDER = "data source"


@dataclass(frozen=True, slots=True)
class Value:
    """A value column.

    header: its names over the years. limits: published table and column whose limits hold, else it must not
    be negative. none_up_to: a value up to this means that there is none; without it, each row must have the
    value. times: factor to our unit.
    """

    name: str
    header: Header
    limits: tuple[type[Table], str] | None = None
    none_up_to: float | None = None
    times: float = 1.0
    whole: bool = False

    @property
    def source(self) -> str:
        """The name ``read_csv`` gives the column."""
        return self.header if isinstance(self.header, str) else self.header[0]

    def read(self) -> pl.Expr:
        """The value in our unit; sentinels are null, as is a fraction where only whole numbers are."""
        value = number(self.source) * self.times
        if self.none_up_to is not None:
            value = pl.when(value > self.none_up_to).then(value)
        if self.whole and self.none_up_to is not None:
            value = value.round(0).cast(pl.Int64, strict=False)
        elif self.whole:
            value = pl.when(value == value.round(0)).then(value.cast(pl.Int64, strict=False))
        return value.alias(self.name)

    def rules(self) -> tuple[Rule, ...]:
        """Reasons to reject a row for this value."""
        if self.limits is None:
            limits = Rule("outside_limits", pl.col(self.name) < 0, self.name)
        else:
            limits = outside_limits(*self.limits, pl.col(self.name))
        return (limits,) if self.none_up_to is not None else (missing(self.name), limits)


@dataclass(frozen=True)
class CsvForm:
    """The form of a kind; called, it reads a member of it.

    Rows come with ``utc``, ``local`` or ``stamp`` (to the minute unless ``seconds``), or with ``date``; and
    with ``recorder`` (empty where the file names none) where ``recorders`` is true.
    """

    time: Header
    clock: Clock
    values: tuple[Value, ...]
    recorders: bool = False
    seconds: bool = False

    def __call__(self, content: Content, _name: str) -> Reading:
        """Read a member. Raises OtherForm where a column is missing."""
        return self.read_each([content])[0]

    def read_each(self, contents: Sequence[Content]) -> list[Reading]:
        """Read members in one pass, to what each gives alone: many are so small that each pass costs more
        than its rows. Raises OtherForm where a column is missing in one of them.
        """
        by_header: dict[bytes, list[int]] = {}
        for place, content in enumerate(contents):
            by_header.setdefault(header_of(content), []).append(place)
        readings: dict[int, Reading] = {}
        for places in by_header.values():
            alike = self._read_alike([contents[place] for place in places])
            readings |= zip(places, alike, strict=True)
        return [readings[place] for place in range(len(contents))]

    def _read_alike(self, contents: Sequence[Content]) -> list[Reading]:
        headers = [self.time, *(value.header for value in self.values)]
        texts, members = read_csv_each(contents, headers, [RECORDER] if self.recorders else [])
        # Of a label that is an instant the day can be read and the instant missed: days are few.
        thorough = self.clock == "day"
        frame = self._read(texts, thorough=thorough)
        if not thorough and frame[self._clock_column].null_count():
            frame = self._read(texts, thorough=True)
        return sift_each(members, frame, self._reject, self._ignore)

    def _read(self, texts: pl.DataFrame, *, thorough: bool) -> pl.DataFrame:
        time = texts[self.time if isinstance(self.time, str) else self.time[0]]
        recorder = [pl.col(RECORDER).fill_null("").alias("recorder")] if self.recorders else []
        return texts.select("row", *self._times(time, thorough=thorough), *recorder, *self._values)

    def _times(self, texts: pl.Series, *, thorough: bool) -> list[pl.Expr]:
        moments = digits(texts, thorough=thorough)
        if self.clock != "day":
            return [(moments if self.seconds else moments.dt.truncate("1m")).alias(self._clock_column)]
        # A label that is the instant of a local midnight, as other vendors write them, keeps its instant.
        instant = pl.when(moments != moments.dt.truncate("1d")).then(moments).alias("utc")
        return [label_date(texts.name).alias("date"), *([instant] if self.recorders else [])]

    @cached_property
    def _values(self) -> list[pl.Expr]:
        return [value.read() for value in self.values]

    @property
    def _clock_column(self) -> str:
        return {"utc": "utc", "local": "local", "disputed": "stamp", "day": "date"}[self.clock]

    @cached_property
    def _reject(self) -> tuple[Rule, ...]:
        return (missing(self._clock_column), *(rule for value in self.values for rule in value.rules()))

    @cached_property
    def _ignore(self) -> tuple[Rule, ...]:
        if any(value.none_up_to is None for value in self.values):
            return ()
        none = pl.all_horizontal(pl.col(value.name).is_null() for value in self.values)
        return (Rule("no_value", none, self.values[0].name),)

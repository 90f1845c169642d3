"""Facts as a checker of texts sees them: all the ways a value may be written, and what may be said of it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any, Literal

import polars as pl

from health_agents.quantities import MINUTES_PER_HOUR, Quantity, find_quantities
from health_agents.units import UNITS, canonical_unit

_WORD = re.compile(r"[^\W\d_]{3,}")
_RECENT = re.compile(r"last_\d+_days")
# Units whose word may stand before the number: "Steps: 8,432".
_NAMED_UNITS = {"step", "point", "year", "floor"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A value a fact may be written with."""

    value: Decimal | None
    unit: str | None
    comparator: str | None = None
    day: date | None = None

    def equals(self, quantity: Quantity, *, lower: bool) -> bool:
        """Same number with the same comparator. A fall of 3 may be written "3 lower" for -3."""
        if self.day is not None or quantity.day is not None:
            return self.day == quantity.day
        if self.value is None or quantity.value is None or quantity.comparator != self.comparator:
            return False
        if self.unit == "min" and quantity.unit == "h":
            return _hours_equal(self.value, quantity.value)
        return quantity.value == self.value or (lower and -quantity.value == self.value)

    def unit_fits(self, quantity: Quantity, sentence: str) -> bool:
        """The number is written with this unit, or with none where none is needed."""
        if quantity.unit == self.unit or (self.unit == "min" and quantity.unit == "h"):
            return True
        if self.unit is None:
            return quantity.unit == "point"
        if self.unit in {"day", "night"}:
            return quantity.unit in {"day", "night"}
        before = sentence[: quantity.start]
        return quantity.unit is None and self.unit in _NAMED_UNITS and _names_unit(before, self.unit)


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of the table facts, read for checking."""

    fact_id: str
    label: str
    rendered: str
    value_text: str | None
    unit: str | None
    direction: str | None
    window: str | None
    readings: tuple[Reading, ...]

    @property
    def subject(self) -> str:
        """What it is about: the metric, analyte or instrument of its id."""
        parts = self.fact_id.split(".")
        return parts[0] if parts[1:2] in (["median"], ["change"]) else ".".join(parts[1:2])

    @property
    def is_rank(self) -> bool:
        """It tells a place among others: its direction is none of the value itself."""
        return self.fact_id.startswith("peer.")

    @property
    def limit(self) -> Literal["low", "high"] | None:
        """Which limit it is, of a laboratory or a guideline; None for all else."""
        if self.fact_id.endswith(".low"):
            return "low"
        return "high" if self.fact_id.endswith(".high") else None

    @property
    def is_statement(self) -> bool:
        """Rendered as words that mean something by themselves, so that they can be quoted whole."""
        return _is_statement(self.rendered)

    @property
    def is_recent(self) -> bool:
        """It is of the last N days."""
        return self.window is not None and _RECENT.fullmatch(self.window) is not None

    @property
    def is_timeless(self) -> bool:
        """It belongs to no window of days, as an age or a laboratory value."""
        return self.window in {None, "newest"}

    def covers(self, window: str) -> bool:
        """A text may name this window of it. A change also compares with the days before."""
        if window.startswith("before_"):
            return ".change." in self.fact_id and self.window == window.replace("before_", "last_")
        return self.window == window

    def says(self, word: str) -> bool:
        """Its own words hold this word."""
        own = f"{self.rendered} {self.label} {self.value_text or ''}".lower()
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", own) is not None


def read_facts(facts: pl.DataFrame, fact_ids: Iterable[str]) -> list[Fact]:
    """The cited facts in the order of the frame."""
    rows = facts.filter(pl.col("fact_id").is_in(list(fact_ids))).iter_rows(named=True)
    return [_read_fact(row) for row in rows]


def _read_fact(row: dict[str, Any]) -> Fact:
    return Fact(
        fact_id=row["fact_id"],
        label=row["label"],
        rendered=row["rendered"],
        value_text=row["value_text"],
        unit=row["unit"],
        direction=row["direction"] or _direction_of_change(row),
        window=row["window"],
        readings=tuple(_readings(row)),
    )


def _readings(row: dict[str, Any]) -> list[Reading]:
    """The numbers a fact may be written with; those inside a statement count only where it is quoted."""
    unit, comparator = canonical_unit(row["unit"]), row["comparator"]
    written = find_quantities(row["rendered"], [row["unit"]] if row["unit"] else [])
    readings = [] if _is_statement(row["rendered"]) else [_reading(quantity) for quantity in written]
    # The bare value only where it is what is shown: a rank of 0 is rendered "below the 1st percentile".
    shown = {abs(quantity.value) for quantity in written if quantity.value is not None}
    if row["value_num"] is not None and row["decimals"] is not None:
        rounded = _rounded(row["value_num"], row["decimals"])
        readings += [Reading(v, unit, comparator) for v in rounded if abs(v) in shown or not shown]
    if row["days"] is not None:
        readings.append(Reading(Decimal(row["days"]), "day"))
    readings += [Reading(None, "date", day=day) for day in (row["window_start"], row["window_end"]) if day]
    return readings


def _reading(quantity: Quantity) -> Reading:
    return Reading(quantity.value, quantity.unit, quantity.comparator, quantity.day)


def _is_statement(rendered: str) -> bool:
    return len(_WORD.findall(rendered)) >= 2


def _rounded(value: float, decimals: int) -> set[Decimal]:
    """A value rounded as shown; an exact half may have gone either way."""
    step = Decimal(1).scaleb(-decimals)
    exact = Decimal(repr(value))
    return {exact.quantize(step, ROUND_HALF_EVEN), exact.quantize(step, ROUND_HALF_UP)}


def _direction_of_change(row: dict[str, Any]) -> str | None:
    if ".change." not in row["fact_id"] or not row["value_num"]:
        return None
    return "falling" if row["value_num"] < 0 else "rising"


def _hours_equal(minutes: Decimal, hours: Decimal) -> bool:
    exact = minutes / MINUTES_PER_HOUR
    places = -int(hours.as_tuple().exponent)
    return hours == exact or (
        places > 0 and hours == exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    )


def _names_unit(sentence: str, unit: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(s)}(?!\w)", sentence, re.IGNORECASE) for s in UNITS[unit])

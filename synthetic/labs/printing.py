"""How results read in print: numbers, intervals, flags and words of a layout, and a printed result."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

Flag = Literal["L", "H", "critical"]

_INTERVAL = re.compile(r"(?P<low>[\d.]+)-(?P<high>[\d.]+)|(?P<sign>[<>]=?)(?P<end>[\d.]+)")


@dataclass(frozen=True, slots=True)
class Interval:
    """A printed interval; a strict end does not belong to it. ``words`` where it is none in numbers."""

    low: Decimal | None = None
    high: Decimal | None = None
    strict: bool = False
    words: str | None = None

    def judge(self, value: Decimal) -> Literal["L", "N", "H"]:
        """On which side of the interval a value lies."""
        if self.low is not None and (value < self.low or (self.strict and value == self.low)):
            return "L"
        if self.high is not None and (value > self.high or (self.strict and value == self.high)):
            return "H"
        return "N"

    def judge_bound(self, comparator: str, bound: Decimal) -> Literal["L", "N", "H", "indeterminate"]:
        """The side all amounts that the bound allows lie on; amounts are never negative."""
        tiny = Decimal("1e-9")
        if comparator == "<":
            lowest, highest = self.judge(Decimal(0)), self.judge(bound - tiny)
        else:
            lowest, highest = self.judge(bound + tiny), "N" if self.high is None else "H"
        return lowest if lowest == highest else "indeterminate"


def interval_of(text: str) -> Interval | None:
    """``65-99``, ``<200``, ``>=40`` or words; None for no interval."""
    match = _INTERVAL.fullmatch(text)
    if match is None:
        return Interval(words=text) if text else None
    if match["sign"] is None:
        return Interval(Decimal(match["low"]), Decimal(match["high"]))
    end, strict = Decimal(match["end"]), "=" not in match["sign"]
    return Interval(high=end, strict=strict) if "<" in match["sign"] else Interval(low=end, strict=strict)


@dataclass(frozen=True, slots=True)
class Style:
    """What a layout's numbers, intervals, flags and gaps look like. Flags map to the word and its meaning."""

    decimal: str = "."
    thousands: str = ""
    between: str = "{low}-{high}"
    at_most: str = "<={high}"
    below: str = "<{high}"
    at_least: str = ">={low}"
    above: str = ">{low}"
    around_words: str = "{words}"
    bound: str = "{sign}{bound}"
    flags: Mapping[Flag, tuple[str, str]] = field(
        default_factory=lambda: {"L": ("L", "L"), "H": ("H", "H"), "critical": ("Critical", "critical")}
    )
    gaps: Mapping[str, str] = field(default_factory=dict[str, str])

    def number(self, value: Decimal) -> str:
        """A number with all its decimals, thousands and decimal sign as printed."""
        whole, _, part = f"{value:,}".partition(".")
        return whole.replace(",", self.thousands) + (self.decimal + part if part else "")

    def interval(self, interval: Interval) -> str:
        """An interval as printed."""
        low, high = interval.low, interval.high
        if interval.words is not None:
            return self.around_words.format(words=interval.words)
        if low is not None and high is not None:
            return self.between.format(low=self.number(low), high=self.number(high))
        if high is not None:
            return (self.below if interval.strict else self.at_most).format(high=self.number(high))
        template = self.above if interval.strict else self.at_least
        return template.format(low=self.number(low or Decimal(0)))


@dataclass(frozen=True, slots=True)
class Line:
    """How an analyte is printed; ``of_men`` is used for men; beyond least and most it is a bound."""

    panel: str
    key: str | None
    loinc: str | None
    name: str
    unit: str | None
    ucum: str | None
    decimals: int
    interval: Interval | None
    of_men: Interval | None
    least: Decimal | None
    most: Decimal | None
    wide: bool
    beside: bool
    note: str | None
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A printed result: one of value, bound, text and missing is set.

    flag is the printed word, flag_meaning that word in the vocabulary of lab_results; comment is printed
    below; doubt is the reason for which a reader must not accept it.
    """

    line: Line
    interval: Interval | None
    raw_value: str
    value: Decimal | None = None
    comparator: str | None = None
    bound: Decimal | None = None
    text: str | None = None
    missing: str | None = None
    flag: str | None = None
    flag_meaning: str | None = None
    computed: str | None = None
    comment: str | None = None
    previous: str | None = None
    doubt: str | None = None

"""Numbers as people write them: values with units, durations, dates, clock times, ranges, number words.

``find_quantities`` returns every number of a text; nothing that looks like one is skipped, so that a text
cannot hold a number nobody checks. Names that hold digits (HbA1c, PHQ-9) are hidden by the caller.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal

from health_agents.units import canonical_unit, unit_pattern

MINUTES_PER_HOUR = 60

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_WORDS = {word: Decimal(value) for value, word in enumerate(_ONES)} | {
    word: Decimal(value)
    for value, word in zip(
        range(20, 100, 10),
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        strict=True,
    )
}
# Words that state a number which no fact is rendered as: never bound.
_INEXACT = [
    "half",
    "twice",
    "thrice",
    "double",
    "doubled",
    "doubling",
    "triple",
    "tripled",
    "quadruple",
    "dozen",
    "dozens",
    "couple",
    "quarter",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
]

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_COMPARATORS = {
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
    "less than": "<",
    "fewer than": "<",
    "under": "<",
    "more than": ">",
    "over": ">",
    "at most": "<=",
    "up to": "<=",
    "no more than": "<=",
    "at least": ">=",
    "no less than": ">=",
} | dict.fromkeys(
    ("about", "around", "approximately", "nearly", "almost", "roughly", "some", "~", "circa", "close to"), "~"
)
_COMPARATOR = re.compile(
    "(?:(?<=^)|(?<=[\\s(\x00]))("
    + "|".join(sorted(map(re.escape, _COMPARATORS), key=len, reverse=True))
    + r")\s*$",
    re.IGNORECASE,
)

_DATE = re.compile(
    r"(?<!\d)(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"
    rf"|\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_MONTH})\b(?:\.?,? (?P<year>\d{{4}})(?!\d))?"
    rf"|\b(?P<month2>{_MONTH})\b\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year2>\d{{4}})(?!\d))?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)\s*(am|pm)?", re.IGNORECASE)
_DURATION = re.compile(
    r"(?<![\d.,])(\d+)\s*(?:h|hrs?|hours?)\s*(?:and\s+)?(\d+)\s*(?:min|mins|minutes?)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?P<sign>(?<![\w)])[-−+])?(?P<digits>\d{1,3}(?:[,\u202f]\d{3})+(?!\d)|\d+)(?P<point>\.\d+)?"
)
_ORDINAL = re.compile(r"(st|nd|rd|th)\b", re.IGNORECASE)
_WORD = re.compile(
    r"\b(?:(?P<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(?P<unit>one|two|three|four|five|"
    r"six|seven|eight|nine)|(?P<plain>" + "|".join([*_WORDS, *_INEXACT]) + r"))\b",
    re.IGNORECASE,
)
_ODD_DIGIT = re.compile(r"[²³¹¼-¾⁰-₉⅐-↉①-⓿]")
_RANGE_LINK = re.compile(r"\s*(?:-|–|—|to|and)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text. ``value`` is None where it is none that could be compared (half, a date).

    unit: canonical unit, or the unknown unit of a fact in lower case, or None.
    comparator: <, <=, >, >= or ~ (about) written before it.
    after: end of the number itself; ``end`` is that of its unit.
    end_of_range: low or high where it is an end of a range; disordered: the range runs backwards.
    """

    start: int
    after: int
    end: int
    text: str
    value: Decimal | None
    unit: str | None
    day: date | None = None
    comparator: str | None = None
    end_of_range: Literal["low", "high"] | None = None
    disordered: bool = False


def find_quantities(text: str, fact_units: Iterable[str] = ()) -> list[Quantity]:
    """All numbers of a text from left to right; units are those of UNITS and ``fact_units``."""
    units = unit_pattern(frozenset(fact_units))
    found: list[Quantity] = []
    position = 0
    while (quantity := _next_quantity(text, position, units)) is not None:
        found.append(quantity)
        position = max(quantity.end, quantity.start + 1)
    return _share_units_in_ranges(text, found)


def _next_quantity(text: str, position: int, units: re.Pattern[str]) -> Quantity | None:
    readers = (_read_date, _read_clock, _read_duration, _read_number, _read_word, _read_odd_digit)
    found = [quantity for read in readers if (quantity := read(text, position, units)) is not None]
    # At the same place the longer reading wins: a date over its first number.
    return min(found, key=lambda q: (q.start, -q.end), default=None)


def _read_date(text: str, position: int, _units: re.Pattern[str]) -> Quantity | None:
    match = _DATE.search(text, position)
    if match is None:
        return None
    return Quantity(match.start(), match.end(), match.end(), match[0], None, "date", day=_day(match))


def _day(match: re.Match[str]) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        name, day, year = (match[k] or match[k + "2"] for k in ("month", "day", "year"))
        month = next(i for i, full in enumerate(_MONTHS, 1) if full.startswith(name[:3].lower()))
        return date(int(year), month, int(day)) if year else None
    except ValueError:
        return None


def _read_clock(text: str, position: int, _units: re.Pattern[str]) -> Quantity | None:
    match = _CLOCK.search(text, position)
    if match is None:
        return None
    half_day = {"am": 0, "pm": 12}.get((match[3] or "").lower())
    hours = int(match[1]) if half_day is None else int(match[1]) % 12 + half_day
    value = Decimal(hours * MINUTES_PER_HOUR + int(match[2]))
    return Quantity(match.start(), match.end(), match.end(), match[0].strip(), value, "clock")


def _read_duration(text: str, position: int, _units: re.Pattern[str]) -> Quantity | None:
    match = _DURATION.search(text, position)
    if match is None:
        return None
    value = Decimal(int(match[1]) * MINUTES_PER_HOUR + int(match[2]))
    return _with_comparator(text, Quantity(match.start(), match.end(), match.end(), match[0], value, "min"))


def _read_number(text: str, position: int, units: re.Pattern[str]) -> Quantity | None:
    match = _NUMBER.search(text, position)
    if match is None:
        return None
    value = Decimal(match["digits"].replace(",", "").replace("\u202f", "") + (match["point"] or ""))
    if match["sign"] in {"-", "−"}:
        value = -value
    ordinal = _ORDINAL.match(text, match.end())
    return _with_unit(text, match.start(), ordinal.end() if ordinal else match.end(), value, units)


def _read_word(text: str, position: int, units: re.Pattern[str]) -> Quantity | None:
    for match in _WORD.finditer(text, position):
        if match["tens"]:
            value = _WORDS[match["tens"].lower()] + _WORDS[match["unit"].lower()]
        else:
            value = _WORDS.get(match["plain"].lower())
        quantity = _with_unit(text, match.start(), match.end(), value, units)
        # "one" is a number only before a unit: "one of them" is not.
        if match[0].lower() != "one" or quantity.unit is not None:
            return quantity
    return None


def _read_odd_digit(text: str, position: int, _units: re.Pattern[str]) -> Quantity | None:
    match = _ODD_DIGIT.search(text, position)
    return Quantity(match.start(), match.end(), match.end(), match[0], None, None) if match else None


def _with_unit(text: str, start: int, after: int, value: Decimal | None, units: re.Pattern[str]) -> Quantity:
    unit = units.match(text, after)
    end = unit.end() if unit else after
    name = canonical_unit(unit[1]) if unit else None
    return _with_comparator(text, Quantity(start, after, end, text[start:end], value, name))


def _with_comparator(text: str, quantity: Quantity) -> Quantity:
    before = _COMPARATOR.search(text[: quantity.start])
    return replace(quantity, comparator=_COMPARATORS[before[1].lower()]) if before else quantity


def _share_units_in_ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """In "3.5 to 5.1 mmol/L" both ends have the unit; an end below its start is marked as disordered."""
    shared = list(found)
    for i in range(len(found) - 1):
        low, high = shared[i], shared[i + 1]
        if not _RANGE_LINK.fullmatch(text[low.end : high.start]):
            continue
        if low.unit is None and high.unit is not None:
            low = replace(low, unit=high.unit)
        shared[i], high = replace(low, end_of_range="low"), replace(high, end_of_range="high")
        if low.value is not None and high.value is not None and low.unit == high.unit:
            high = replace(high, disordered=high.value < low.value)
        shared[i + 1] = high
    return shared

"""Dates and times as printed: both readings of 03/04/2026 are kept until the report itself decides."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Literal

Order = Literal["MDY", "DMY"]

_MONTH_NAMES = (
    *(("jan", 1), ("feb", 2), ("mar", 3), ("apr", 4), ("may", 5), ("jun", 6)),
    *(("jul", 7), ("aug", 8), ("sep", 9), ("oct", 10), ("nov", 11), ("dec", 12)),
    *(("mär", 3), ("mrz", 3), ("mai", 5), ("okt", 10), ("dez", 12)),
    *(("fév", 2), ("avr", 4), ("aoû", 8), ("déc", 12)),
    *(("gen", 1), ("mag", 5), ("giu", 6), ("lug", 7), ("ago", 8), ("ott", 10), ("dic", 12)),
    *(("ene", 1), ("abr", 4)),
)
_MONTHS = dict(_MONTH_NAMES)
_MONTH = rf"(?:{'|'.join(_MONTHS)})[^\W\d_]*"
_NUMERIC = "|".join(rf"\d{{1,2}}{sep}\d{{1,2}}{sep}(?:\d{{4}}|\d{{2}})" for sep in ("/", "-", r"\."))
DATE = (
    rf"(?:(?<![\d.,/-])(?:(?:19|20)\d{{2}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|{_NUMERIC})(?![\d-]|[./]\d)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?:[-/\s]|\.\s?){_MONTH}[-/.,\s]+(?:\d{{4}}|\d{{2}}(?![\d:.]))"
    rf"|\b{_MONTH}\.?[\s-]+\d{{1,2}}(?:st|nd|rd|th)?(?:,\s*|[\s-]+)\d{{4}})"
)
TIME = r"(?:\d{1,2}:\d{2}(?::\d{2})?\s*(?:am|pm)?)"
MOMENT = re.compile(rf"({DATE})(?:[\s,/]*(?:at\s+)?({TIME}))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A printed date: one day, or one for each order of day and month."""

    month_first: date | None
    day_first: date | None
    at: time | None = None

    @property
    def decides(self) -> Order | None:
        """The order this date proves, where only one gives a real day."""
        if (self.month_first is None) == (self.day_first is None):
            return None
        return "MDY" if self.month_first else "DMY"

    def day(self, order: Order | None) -> date | None:
        """The day under an order; None where it takes one and there is none."""
        if self.month_first == self.day_first:
            return self.month_first
        return {"MDY": self.month_first, "DMY": self.day_first, None: None}[order]

    def moment(self, order: Order | None) -> datetime | None:
        """The moment, only where a time of day is printed."""
        day = self.day(order)
        return datetime.combine(day, self.at) if day is not None and self.at is not None else None


def parse_dates(text: str) -> list[PrintedDate]:
    """All dates of a text with the time that follows each."""
    return [
        PrintedDate(*days, parse_time(match[2]))
        for match in MOMENT.finditer(text)
        if any(days := _days(match[1]))
    ]


def timed(dates: Iterable[PrintedDate]) -> tuple[PrintedDate, ...]:
    """The different dates, without those that stand again with their time."""
    different = tuple(dict.fromkeys(dates))
    return tuple(
        d for d in different if d.at or not any(o.at and replace(o, at=None) == d for o in different)
    )


def order_of(dates: Iterable[PrintedDate]) -> Order | Literal["conflict"] | None:
    """The order of day and month that the dates of a report prove together."""
    proofs: set[Order] = {order for date in dates if (order := date.decides) is not None}
    if len(proofs) > 1:
        return "conflict"
    return next(iter(proofs), None)


def _days(text: str) -> tuple[date | None, date | None]:
    text = text.casefold()
    if (named := re.search(_MONTH, text)) is not None:
        day, year = (int(n) for n in re.findall(r"\d+", text))
        same = _date(year if year > 99 else year + 2000, _MONTHS[named[0][:3]], day)
        return same, same
    first, second, third = (int(n) for n in re.findall(r"\d+", text))
    if first > 31:
        return _date(first, second, third), _date(first, second, third)
    year = third if third > 99 else third + 2000
    month_first, day_first = _date(year, first, second), _date(year, second, first)
    if "." in text and day_first is not None:
        # Dots stand between day, month and year only where the day comes first.
        month_first = None if month_first != day_first else month_first
    return month_first, day_first


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def parse_time(text: str | None) -> time | None:
    """A time of day as printed, of 12 or 24 hours; None where it is none."""
    if text is None:
        return None
    half = text.casefold().strip()[-2:]
    hour, minute, *_ = (int(n) for n in re.findall(r"\d+", text))
    if half in ("am", "pm"):
        hour = hour % 12 + (12 if half == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None

"""JSON in the vendor's own fixed layout as columns, without parsing it: many times faster than a decoder.

The exports print each record in the same way, so that only one number in it has no fixed width. Every byte
that is no value is compared with the layout; where one differs, or a value has an unexpected form, nothing is
returned and a decoder reads the file.
"""
# ruff: noqa: DTZ001 - digits in files carry no zone

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ingest.fitbit.fixed_text import ANY, DIGIT, Bytes, Whole, are_all, places_of, records

# In a layout the place of ``12/09/23 23:00:07``.
STAMP = b"##/##/## ##:##:##"
_MARK = b"T"  # Once in each record: "dateTime".
_LOW_BITS = np.uint8(0x0F)
_ZERO, _DOT, _COMMA = b"0.,"
_MOST_DIGITS = 15
_EPOCH = datetime(1970, 1, 1)
_PIVOT = 69


class Columns(NamedTuple):
    """Values of a file in its order. digit: the one-digit value after the number, if the layout has one.

    second: since 1970 by the digits of the stamp (years 69 to 99 are 19xx). number: Float64 with dots.
    """

    second: Whole
    number: Whole | NDArray[np.float64]
    digit: Bytes | None

    @property
    def time(self) -> pl.Series:
        """The stamps as datetimes without zone."""
        return pl.Series(self.second * 1_000_000).cast(pl.Datetime("us"))


@dataclass(frozen=True)
class Layout:
    """A record: text with a stamp, a number, text that may hold a digit. dots: the number may have a dot."""

    head: bytes
    tail: bytes
    dots: bool = False

    def read(self, data: bytes) -> Columns | None:
        """All records of a file; None where the bytes are not in this layout."""
        stamp_at = self.head.index(STAMP)
        if not (data.startswith(b"[" + self.head[:stamp_at]) and data.endswith(b"]")):
            return None
        marks = places_of(np.frombuffer(data, np.uint8), _MARK[0])
        if marks is None or marks[0] != 1 + self.head.index(_MARK):
            return None
        start = marks - self.head.index(_MARK)
        stop = np.append(start[1:], len(data)) - 1
        length = stop - start - (len(self.head) + len(self.tail))
        if length.min() < 1 or length.max() > _MOST_DIGITS:
            return None
        head, tail = self._heads(data, start), self._tails(data, stop, int(length.max()))
        if head is None or tail is None:
            return None
        return self._columns(head[:, 1 + stamp_at :], tail, length)

    def _heads(self, data: bytes, start: Whole) -> Bytes | None:
        """The text before each number with the comma before it, which the first record has a bracket for."""
        rows = records(data, start - 1, 1 + len(self.head))
        rows[0, 0] = _COMMA
        return rows if are_all(rows, b"," + self.head) else None

    def _tails(self, data: bytes, stop: Whole, width: int) -> Bytes | None:
        """The text after each number, with so many bytes before it."""
        rows = records(data, stop - len(self.tail) - width, width + len(self.tail))
        return rows if are_all(rows, ANY * width + self.tail) else None

    def _columns(self, stamps: Bytes, tails: Bytes, length: Whole) -> Columns | None:
        second = _seconds(stamps)
        number = (_decimals if self.dots else _whole_numbers)(tails[:, : -len(self.tail)], length)
        digit = _one_digit(tails, self.tail.find(DIGIT) - len(self.tail)) if DIGIT in self.tail else None
        if second is None or number is None or (digit is None and DIGIT in self.tail):
            return None
        return Columns(second, number, digit)


def _one_digit(rows: Bytes, place: int) -> Bytes | None:
    digit = rows[:, place] & _LOW_BITS
    return digit if digit.max() <= 9 else None


def _whole_numbers(rows: Bytes, length: Whole) -> Whole | None:
    """Numbers that end with their row and have so many digits, read digit by digit for all at once.

    JSON knows no number of several digits that begins with 0.
    """
    digits = length.astype(np.uint8)
    total = np.zeros(len(rows), np.int64)
    for place in range(rows.shape[1], 0, -1):
        digit = (rows[:, -place] - _ZERO) * (digits >= place)
        if digit.max() > 9 or (place > 1 and ((digit == 0) & (digits == place)).any()):
            return None
        total *= 10
        total += digit
    return total


def _decimals(rows: Bytes, length: Whole) -> NDArray[np.float64] | None:
    """The same where one of the letters may be a dot with digits on both sides."""
    letters = length.astype(np.uint8)
    total, divisor = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
    for place in range(rows.shape[1], 0, -1):
        letter, there = rows[:, -place], letters >= place
        dot = there & (letter == _DOT)
        if (dot & ((divisor > 0) | (length == place))).any() or (place == 1 and dot.any()):
            return None
        digit = np.where(dot, 0, (letter - _ZERO) * there)
        if digit.max() > 9:
            return None
        total = np.where(dot, total, total * 10 + digit)
        divisor = np.where(dot, 1, divisor * 10)
    return total / np.maximum(divisor, 1)


def _seconds(stamps: Bytes) -> Whole | None:
    """Seconds since 1970 of rows that begin with a stamp, its marks compared already."""
    days = _days(stamps[:, :8])
    hour, minute, second = (_two_digits(stamps, place) for place in (9, 12, 15))
    if days is None or hour is None or minute is None or second is None:
        return None
    if hour.max() > 23 or minute.max() > 59 or second.max() > 59:
        return None
    return days + ((hour.astype(np.int32) * 60 + minute) * 60 + second)


def _two_digits(rows: Bytes, place: int) -> Bytes | None:
    tens, ones = rows[:, place] & _LOW_BITS, rows[:, place + 1] & _LOW_BITS
    return tens * np.uint8(10) + ones if max(tens.max(), ones.max()) <= 9 else None


def _days(dates: Bytes) -> Whole | None:
    """Seconds since 1970 of dates written as MM/DD/YY, a row each; None where one is no date."""
    words = dates.view(np.uint64)[:, 0]
    begins = np.append(0, np.flatnonzero(words[1:] != words[:-1]) + 1)
    known: dict[bytes, int] = {}
    texts = [dates[begin].tobytes() for begin in begins.tolist()]
    for text in set(texts):
        try:
            month, day, year = (int(part) for part in text.split(b"/"))
            moment = datetime(year + (1900 if year >= _PIVOT else 2000), month, day)
        except ValueError:
            return None
        known[text] = int((moment - _EPOCH).total_seconds())
    starts = np.array([known[text] for text in texts], np.int64)
    return np.repeat(starts, np.diff(np.append(begins, len(words))))

"""JSON in the vendor's own fixed layout as columns, without parsing it: many times faster than a decoder.

The exports print each record in the same way, so that only one number in it has no fixed width. Every byte
that is no value is compared with the layout; where one differs, or a value has an unexpected form, nothing is
returned and a decoder reads the file.
"""
# ruff: noqa: DTZ001 - digits in files carry no zone

import sys
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]

# In a layout a stamp stands for itself, and an asterisk for one digit.
STAMP = b"MM/DD/YY hh:mm:ss"
DIGIT = b"*"
_MARK = b"T"  # Once in each record: "dateTime".
_ZERO, _DOT, _COMMA, _SLASH, _COLON, _BLANK = b"0.,/: "
_WORD = 8
_MOST_DIGITS = 15
_EPOCH = datetime(1970, 1, 1)
_PIVOT = 69


class Columns(NamedTuple):
    """Values of a file in its order. digit: the one-digit value after the number, if the layout has one."""

    time: pl.Series
    number: pl.Series
    digit: pl.Series | None


@dataclass(frozen=True)
class Layout:
    """A record: text with a stamp, a number, text that may hold a digit. dots: the number may have a dot."""

    head: bytes
    tail: bytes
    dots: bool = False

    @cached_property
    def fixed_head(self) -> "_Fixed":
        """What must stand before the number."""
        return _Fixed(self.head.replace(STAMP, bytes(len(STAMP))))

    @cached_property
    def fixed_tail(self) -> "_Fixed":
        """What must stand after the number."""
        return _Fixed(self.tail.replace(DIGIT, b"\0"))

    def read(self, data: bytes) -> Columns | None:
        """All records of a file; None where the bytes are not in this layout.

        Stamps become datetimes without zone (years 69 to 99 are 19xx), numbers Int64, or Float64 with dots.
        """
        text = np.frombuffer(data, dtype=np.uint8)
        start = np.flatnonzero(text == _MARK[0]) - self.head.index(_MARK)
        if not len(start) or start[0] != 1 or not (data.startswith(b"[") and data.endswith(b"]")):
            return None
        stop = np.append(start[1:], len(data)) - 1
        number_at, tail_at = start + len(self.head), stop - len(self.tail)
        length = tail_at - number_at
        if length.min() < 1 or length.max() > _MOST_DIGITS or (text[stop[:-1]] != _COMMA).any():
            return None
        head, tail = self.fixed_head.cut(text, start), self.fixed_tail.cut(text, tail_at)
        if head is None or tail is None:
            return None
        return self._columns(head, tail, _numbers(text, tail_at, length, dots=self.dots))

    def _columns(self, head: Bytes, tail: Bytes, number: pl.Series | None) -> Columns | None:
        time = _moments(head, self.head.index(STAMP))
        place = self.tail.find(DIGIT)
        digit = _one_digit(tail[:, place]) if place >= 0 else None
        if time is None or number is None or (place >= 0 and digit is None):
            return None
        return Columns(time, number, digit)


class _Fixed:
    """Text of which some bytes (written as 0) are free, compared in words of eight bytes."""

    def __init__(self, words: bytes) -> None:
        free = np.frombuffer(words, dtype=np.uint8) == 0
        self.length = len(words)
        self.padded = -(-len(words) // _WORD) * _WORD
        self.words = np.frombuffer(words.ljust(self.padded, b"\0"), dtype=np.uint64)
        mask = np.where(free, 0, 255).astype(np.uint8).tobytes()
        self.mask = np.frombuffer(mask.ljust(self.padded, b"\0"), dtype=np.uint64)

    def cut(self, text: Bytes, at: Whole) -> Bytes | None:
        """The bytes at these places, a row each; None where one of them differs from the text."""
        if at[-1] + self.length > len(text):
            return None
        if at[-1] + self.padded > len(text):
            text = np.append(text, np.zeros(self.padded, np.uint8))
        rows = sliding_window_view(text, self.padded)[at]
        same = (rows.view(np.uint64) & self.mask) == self.words
        return rows if same.all() else None


def _one_digit(column: Bytes) -> pl.Series | None:
    digit = column - _ZERO
    return pl.Series(digit.astype(np.int64)) if digit.max() <= 9 else None


def _numbers(text: Bytes, stop: Whole, length: Whole, *, dots: bool) -> pl.Series | None:
    """Digits read from the last to the first, in all rows at once. A dot needs digits on both sides."""
    total, power = np.zeros(len(stop), np.int64), np.ones(len(stop), np.int64)
    divisor = np.zeros(len(stop), np.int64)
    for place in range(1, int(length.max()) + 1):
        there = length >= place
        digit = np.where(there, text[stop - place] - _ZERO, 0).astype(np.int64)
        if dots:
            dot = there & (text[stop - place] == _DOT)
            if (dot & ((divisor > 0) | (length == place))).any() or (dot.any() and place == 1):
                return None
            divisor[dot], digit[dot] = power[dot], 0
            power = np.where(dot, power // 10, power)
        if digit.max() > 9:
            return None
        total += digit * power
        power *= 10
    return pl.Series(total / np.maximum(divisor, 1)) if dots else pl.Series(total)


def _moments(head: Bytes, place: int) -> pl.Series | None:
    """Datetimes of the stamps that begin at a column."""
    stamp = np.ascontiguousarray(head[:, place : place + len(STAMP)])
    if not (stamp[:, 8] == _BLANK).all() or not (stamp[:, [11, 14]] == _COLON).all():
        return None
    clock = stamp[:, [9, 10, 12, 13, 15, 16]] - _ZERO
    if clock.max() > 9 or clock[:, [2, 4]].max() > 5:
        return None
    hour = clock[:, 0] * 10 + clock[:, 1]
    days = _days(np.ascontiguousarray(stamp[:, :8]).view(np.uint64).ravel())
    if days is None or hour.max() > 23:
        return None
    minute, second = clock[:, 2] * 10 + clock[:, 3], clock[:, 4] * 10 + clock[:, 5]
    seconds = days + hour.astype(np.int64) * 3600 + minute.astype(np.int64) * 60 + second
    return pl.Series(seconds * 1_000_000).cast(pl.Datetime("us"))


def _days(dates: NDArray[np.uint64]) -> Whole | None:
    """Seconds since 1970 of dates written as MM/DD/YY, each in one word; None where one is no date."""
    begins = np.append(0, np.flatnonzero(dates[1:] != dates[:-1]) + 1)
    known: dict[int, int] = {}
    for word in set(dates[begins].tolist()):
        text = int(word).to_bytes(_WORD, sys.byteorder)
        parts = text[:2] + text[3:5] + text[6:]
        if text[2] != _SLASH or text[5] != _SLASH or not parts.isdigit():
            return None
        month, day, year = int(text[:2]), int(text[3:5]), int(text[6:])
        try:
            moment = datetime(year + (1900 if year >= _PIVOT else 2000), month, day)
        except ValueError:
            return None
        known[word] = int((moment - _EPOCH).total_seconds())
    starts = np.array([known[word] for word in dates[begins].tolist()], np.int64)
    return np.repeat(starts, np.diff(np.append(begins, len(dates))))

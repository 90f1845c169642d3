"""A value against the printed interval: L, N, H, or indeterminate where a bound does not decide."""

from decimal import Decimal
from typing import Literal

from ingest.labs.intervals import Interval
from ingest.labs.vocabulary import Value

Flag = Literal["L", "N", "H", "indeterminate"]

CRITICAL_MARKS = frozenset({"LL", "HH", "critical"})

_DIRECTION = {"LL": "L", "L": "L", "N": "N", "HH": "H", "H": "H"}


def compute_flag(value: Value, interval: Interval | None) -> Flag | None:
    """The flag by the printed interval alone; None where there is no value or no interval in numbers."""
    if interval is None or (interval.low is None and interval.high is None):
        return None
    if value.number is not None:
        return _flag_of(value.number, interval)
    if value.bound is not None and value.comparator is not None:
        return _flag_of_bound(value.bound, value.comparator, interval)
    return None


def disagrees(printed: str | None, computed: Flag | None, prints_flags: bool) -> bool | None:
    """Whether printed and computed flag differ; None where that cannot be told.

    Many laboratories flag on unrounded values, so a difference is a note, never a rejection. A row without
    a flag says "normal" only in a report that prints flags at all.
    """
    if computed in (None, "indeterminate") or (printed is None and not prints_flags):
        return None
    if printed in ("A", "critical"):
        return computed == "N"
    return _DIRECTION.get(printed or "N", "N") != computed


def _flag_of(number: Decimal, interval: Interval) -> Flag:
    if _below(number, interval):
        return "L"
    return "H" if _above(number, interval) else "N"


def _flag_of_bound(bound: Decimal, comparator: str, interval: Interval) -> Flag:
    """All values the bound allows must fall on one side. Amounts are never negative."""
    if comparator.startswith("<"):
        if _below(bound, interval) or (comparator == "<" and bound == interval.low):
            return "L"
        low_open = interval.low is None or interval.low <= 0
        return (
            "N" if low_open and not _above(bound, interval) else _high_or_unclear(bound, comparator, interval)
        )
    if _above(bound, interval) or (comparator == ">" and bound == interval.high):
        return "H"
    return "N" if interval.high is None and not _below(bound, interval) else "indeterminate"


def _high_or_unclear(bound: Decimal, comparator: str, interval: Interval) -> Flag:
    at_open_end = comparator == "<" and bound == interval.high and (interval.low is None or interval.low <= 0)
    return "N" if at_open_end else "indeterminate"


def _below(number: Decimal, interval: Interval) -> bool:
    low = interval.low
    return low is not None and (number < low or (number == low and not interval.low_incl))


def _above(number: Decimal, interval: Interval) -> bool:
    high = interval.high
    return high is not None and (number > high or (number == high and not interval.high_incl))

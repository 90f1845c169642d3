"""Results read from a picture: what sends them to a person, beside the doubts every result may raise.

A result is accepted only where all its numbers were surely recognised, or read alike by two engines, and
its value fits the printed interval in size and in decimals, so that a lost point or sign does not pass.
Without an interval nothing but a second engine confirms a value. A critical mark is never accepted.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ingest.labs.checks import SUSPECT_ABOVE, SUSPECT_BELOW
from ingest.labs.flags import CRITICAL_MARKS
from ingest.labs.intervals import Interval
from ingest.labs.pdf import Box, Page
from ingest.labs.row import LabRow

CLOSE = Decimal(5)


def doubted(row: LabRow, pages: Sequence[Page]) -> LabRow:
    """The row with where its characters came from, and the doubts that come with a picture."""
    page = next(page for page in pages if page.number == row.reading.page)
    if page.source_kind == "text":
        return row
    doubts = [*row.doubts, *_doubts(row, page)]
    return replace(row, source_kind="ocr", doubts=tuple(dict.fromkeys(doubts)))


def _doubts(row: LabRow, page: Page) -> list[str]:
    reading = row.reading
    value, interval = reading.value.number or reading.value.bound, reading.interval
    doubts: list[str] = []
    if any(_touch(reading.box, box) for box in page.unsure):
        doubts.append("ocr_disagreement" if page.seconded else "ocr_unsure")
    if value is not None and not (_fits(value, interval) or (page.seconded and not _ends(interval))):
        doubts.append("ocr_unconfirmed")
    if row.flag_printed in CRITICAL_MARKS:
        doubts.append("ocr_critical")
    return doubts


def _fits(value: Decimal, interval: Interval | None) -> bool:
    """Like the printed interval in size and decimals; without an interval nothing confirms it.

    With one decimal more or less, a point may have been lost: then it must be closer in size.
    """
    ends = _ends(interval)
    if not ends:
        return False
    middle = sum(ends, Decimal(0)) / len(ends)
    apart = max(abs(_decimals(value) - _decimals(end)) for end in ends)
    low, high = (SUSPECT_BELOW, SUSPECT_ABOVE) if apart == 0 else (1 / CLOSE, CLOSE)
    return apart <= 1 and middle > 0 and low <= value / middle <= high


def _ends(interval: Interval | None) -> list[Decimal]:
    return [] if interval is None else [end for end in (interval.low, interval.high) if end is not None]


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

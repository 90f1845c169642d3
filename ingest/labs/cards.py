"""Results printed as cards: the name, `Normal range: ...` below it, and the value below or between them.

All stand at one margin. Two cards may stand side by side, so a card is followed down its own left margin. The
ends of a gauge stand at other margins and are never read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.labs.cells import Cells, take_detail, take_value
from ingest.labs.lines import Line, Segment

_RANGE = re.compile(
    r"^(normal|reference|standard|expected|ref\.?) (range|value|interval)s?\s*:\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
SAME_MARGIN_POINTS = 2.0
LINES_TO_VALUE = 3
LINES_TO_NAME = 2


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a page in reading order, and the lines that are none of their cells."""

    cards: list[Cells]
    others: list[Line]


def cards_of(lines: Sequence[Line], decimal_comma: bool) -> Cards:
    """The cards of a page; a card without a value of known form is none."""
    cards = [
        card
        for number, line in enumerate(lines)
        for segment in line.segments
        if is_range_label(segment.text) and (card := _card(lines, number, segment, decimal_comma)) is not None
    ]
    used = {id(segment) for card in cards for segment in card.used}
    rest = (tuple(s for s in line.segments if id(s) not in used) for line in lines)
    return Cards(cards, [Line(segments) for segments in rest if segments])


def is_range_label(text: str) -> bool:
    """``Normal range: 65-99``."""
    return _RANGE.match(text) is not None


def _card(lines: Sequence[Line], number: int, label: Segment, comma: bool) -> Cells | None:
    cells = Cells()
    for segment in _at_margin(lines[max(number - LINES_TO_NAME, 0) : number][::-1], label):
        if is_range_label(segment.text):
            break
        if cells.value is None and not cells.name and take_value(cells, segment, comma):
            continue
        cells.name = [segment]
        cells.used.append(segment)
        break
    if not cells.name:
        return None
    if cells.value is None:
        _take_value_below(cells, lines[number + 1 : number + 1 + LINES_TO_VALUE], label, comma)
    if cells.value is not None and take_detail(cells, label, comma):
        cells.used.append(label)
    return cells if cells.value is not None else None


def _take_value_below(cells: Cells, lines: Sequence[Line], label: Segment, comma: bool) -> None:
    for segment in _at_margin(lines, label):
        if is_range_label(segment.text) or take_value(cells, segment, comma):
            break


def _at_margin(lines: Sequence[Line], label: Segment) -> Iterator[Segment]:
    """Segments of lines that begin at the margin of the label, line by line."""
    for line in lines:
        yield from (s for s in line.segments if abs(s.x0 - label.x0) <= SAME_MARGIN_POINTS)

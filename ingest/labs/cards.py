"""Results printed as cards: the name, `Normal range: ...` below it, the value below that, at one margin.

Two cards may stand side by side, so a card is followed down its own left margin. The ends of a gauge stand at
other margins and are never read.
"""

import re
from collections.abc import Iterator, Sequence

from ingest.labs.cells import Cells, take_detail, take_value
from ingest.labs.lines import Line, Segment

_RANGE = re.compile(r"^normal (range|value)\s*:", re.IGNORECASE)
SAME_MARGIN_POINTS = 2.0
LINES_TO_VALUE = 3


def cards_of(lines: Sequence[Line], decimal_comma: bool) -> list[Cells]:
    """The cards of a page in reading order; a card without a value of known form has none."""
    return [
        card
        for number, line in enumerate(lines)
        for segment in line.segments
        if _RANGE.match(segment.text) and (card := _card(lines, number, segment, decimal_comma)) is not None
    ]


def _card(lines: Sequence[Line], number: int, label: Segment, comma: bool) -> Cells | None:
    name = next(_down(lines[max(number - 1, 0) : number], label), None)
    if name is None:
        return None
    cells = Cells(name=[name], used=[name])
    for segment in _down(lines[number + 1 : number + 1 + LINES_TO_VALUE], label):
        if _RANGE.match(segment.text) or take_value(cells, segment, comma):
            break
    if cells.value is not None and take_detail(cells, label, comma):
        cells.used.append(label)
    return cells if cells.value is not None else None


def _down(lines: Sequence[Line], above: Segment) -> Iterator[Segment]:
    """Segments of lines that begin at the same margin."""
    for line in lines:
        yield from (s for s in line.segments if abs(s.x0 - above.x0) <= SAME_MARGIN_POINTS)

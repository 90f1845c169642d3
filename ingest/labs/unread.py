"""Lines that look like results and were not read: what a layout not understood would lose in silence."""

from collections.abc import Sequence

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import AFTER_NAME, Cells, take_value
from ingest.labs.lines import Line, Segment
from ingest.labs.reading import Reading

SAME_MARGIN_POINTS = 2.0
LINES_BELOW = 2
TOUCHING_POINTS = 1.0


def unread_lines(page: int, lines: Sequence[Line], readings: Sequence[Reading], comma: bool) -> int:
    """Lines of a page that begin with a known name, have a number in reach and belong to no reading.

    In reach is in the line itself, or in the two lines below at the margin of the name.
    """
    own = [reading for reading in readings if reading.page == page]
    return sum(
        is_known_name(line.segments[0].text.rstrip(AFTER_NAME))
        and not any(_is_in(line.segments[0], reading) for reading in own)
        and any(_is_number(segment, comma) for segment in _in_reach(lines, n))
        for n, line in enumerate(lines)
    )


def _in_reach(lines: Sequence[Line], number: int) -> list[Segment]:
    name, *beside = lines[number].segments
    below = (segment for line in lines[number + 1 : number + 1 + LINES_BELOW] for segment in line.segments)
    return [*beside, *(s for s in below if abs(s.x0 - name.x0) <= SAME_MARGIN_POINTS)]


def _is_in(name: Segment, reading: Reading) -> bool:
    x0, top, x1, bottom = reading.box
    middle = (name.top + name.bottom) / 2
    return top - TOUCHING_POINTS <= middle <= bottom + TOUCHING_POINTS and (
        x0 - TOUCHING_POINTS <= name.x0 <= x1
    )


def _is_number(segment: Segment, comma: bool) -> bool:
    return any(c.isdigit() for c in segment.text) and take_value(Cells(), segment, comma)

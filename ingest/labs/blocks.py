"""Results whose value stands below their name, in blocks of any order; blocks may stand side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import AFTER_NAME
from ingest.labs.column_content import form_of
from ingest.labs.labelled import is_named, without_labels
from ingest.labs.lines import Line, Segment

LINES = 5
MARGIN_POINTS = 2.0
CLOSE_EM = 2.6
APART_EM = 0.9
INDENT_POINTS = 260.0


@dataclass(frozen=True, slots=True)
class Block:
    """A name with the cells below it, as one line; ``lines``: how many lines it takes."""

    line: Line
    lines: int


def blocks_of(lines: Sequence[Line], comma: bool) -> list[Block]:
    """The blocks that begin in the first of the lines: a known name each, without a value in its line."""
    named = is_named(lines[0])
    first = without_labels(lines[0]) if named else lines[0]
    names = [s for s in first.segments if is_known_name(s.text.rstrip(AFTER_NAME))]
    if named and not names:
        names = list(first.segments[:1])
    if not names:
        return []
    ends = [*(name.x0 - MARGIN_POINTS for name in names[1:]), float("inf")]
    below = lines[1 : LINES + 1]
    found = (_block(first, name, end, below, comma) for name, end in zip(names, ends, strict=True))
    return [block for block in found if block is not None]


def _block(first: Line, name: Segment, end: float, below: Sequence[Line], comma: bool) -> Block | None:
    beside = [s for s in first.segments if name.x0 < s.x0 < end]
    forms = [form_of(s.text, comma) for s in beside]
    if None in forms or "value" in forms or "name" in forms:
        return None
    cells, taken = list(beside), 0
    for segments in _typed(name, end, below, comma):
        cells += segments
        taken += 1
    values = [s for s in cells if form_of(s.text, comma) in ("value", "bound")]
    if not values or values[0].x0 > name.x0 + INDENT_POINTS:
        return None
    return Block(Line((name, *cells)), taken + 1)


def _typed(name: Segment, end: float, below: Sequence[Line], comma: bool) -> Iterator[list[Segment]]:
    """The cells of each close line below, up to one that holds a name or text of no known form."""
    last = name
    for line in below:
        own = tuple(s for s in line.segments if name.x0 - MARGIN_POINTS <= s.x0 < end)
        if not own or is_named(Line(own)):
            return
        cells = [s for s in without_labels(Line(own)).segments if s.text]
        gap = own[0].bottom - last.bottom
        if not APART_EM * min(name.size, own[0].size) <= gap <= CLOSE_EM * max(name.size, own[0].size):
            return
        if any(form_of(cell.text, comma) in (None, "name") for cell in cells):
            return
        yield cells
        last = own[0]

"""Names that run over two lines: joined where the whole is a known name, in doubt where it may be one."""

import re
from dataclasses import dataclass, replace

from ingest.labs.analytes import fits, is_known_name, names_longer, specimen_of, words_of
from ingest.labs.cells import Cells, take_value
from ingest.labs.lines import Line, Segment
from ingest.labs.units import Unit

SAME_START_POINTS = 9.0
SAME_MARGIN_POINTS = 1.5
SAME_SIZE = 0.12
CLOSE_FACTOR = 0.75
NEXT_LINE_EM = 1.4
MAX_MORE_WORDS = 5


@dataclass(frozen=True, slots=True)
class WholeName:
    """A name over the lines it stands in; ``unclear`` where a neighbour line may change what it means."""

    text: str
    above: bool = False
    below: bool = False
    unclear: bool = False


def whole_name(
    name: str, unit: Unit | None, first: Segment, above: Line | None, below: Line | None
) -> WholeName:
    """The name of a row, with the close single cell above or below it where that is a part of it.

    It is where the name ends in a comma or the cell below begins with a bracket or a small letter, or where
    the whole is a known name. Where the name alone and the longer one are both known, the unit decides; if
    it fits both, the row is in doubt. So it is where words follow that make another known name
    (``Testosterone`` above ``Free``).
    """
    for neighbour, is_below in ((below, True), (above, False)):
        if neighbour is None or not _continues(first, neighbour):
            continue
        more = neighbour.segments[0].text
        joined = joined_name(name, more) if is_below else joined_name(more, name)
        if is_below and goes_on(name, more):
            return WholeName(joined, below=True)
        if is_known_name(joined):
            alone, longer = fits(name, unit), fits(joined, unit)
            if alone and not longer:
                continue
            return WholeName(joined, not is_below, is_below, unclear=bool(alone) and alone != longer)
        changed = is_known_name(name) and not is_known_name(more) and words_of(more) & names_longer(name)
        if is_below and changed:
            return WholeName(name, unclear=True)
    return WholeName(name)


def goes_on(name: str, more: str) -> bool:
    """True where the print itself shows that a name goes on in the cell below."""
    return name.endswith((",", "-", "/")) or more[:1] == "(" or more[:1].islower()


def is_next_line(upper: Segment, lower: Segment) -> bool:
    """A cell of the same print right below another at its margin."""
    return (
        abs(upper.x0 - lower.x0) <= SAME_START_POINTS
        and abs(upper.size - lower.size) <= SAME_SIZE * upper.size
        and 0 < lower.bottom - upper.bottom <= NEXT_LINE_EM * upper.size
    )


def begins_with_value(line: Line, above: Line, comma: bool) -> bool:
    """A value beside the middle of a name of two lines: right of the single cell above and close to it."""
    first = line.segments[0]
    if (
        len(above.segments) != 1
        or first.x0 <= above.segments[0].x1
        or not _is_close(first, above.segments[0])
    ):
        return False
    return take_value(Cells(), first, comma)


def with_cells_below(line: Line, below: Line | None) -> Line | None:
    """A row whose cells go on in the line below: each of those stands right below a cell, at its margin."""
    if below is None or len(line.segments) < 2:
        return None
    above = [_over(cell, line) for cell in below.segments]
    if None in above:
        return None
    more = {id(over): cell for over, cell in zip(above, below.segments, strict=True)}
    return Line(tuple(_with_more(cell, more.get(id(cell))) for cell in line.segments))


def _over(cell: Segment, line: Line) -> Segment | None:
    at_margin = (s for s in line.segments if abs(s.x0 - cell.x0) <= SAME_MARGIN_POINTS)
    return next((s for s in at_margin if is_next_line(s, cell)), None)


def _with_more(cell: Segment, more: Segment | None) -> Segment:
    if more is None:
        return cell
    text = joined_name(cell.text, more.text)
    return replace(cell, text=text, x1=max(cell.x1, more.x1), bottom=more.bottom, starts=())


def _is_close(first: Segment, other: Segment) -> bool:
    gap = max(other.top - first.bottom, first.top - other.bottom)
    return gap <= CLOSE_FACTOR * min(first.size, other.size)


def _continues(first: Segment, neighbour: Line) -> bool:
    """A single cell of the same print at the margin of the name, within a line's height of it."""
    text = neighbour.text
    if len(text.split()) > MAX_MORE_WORDS:
        return False
    if len(neighbour.segments) != 1 or ":" in text or specimen_of(text) or not re.search(r"[^\W_]", text):
        return False
    other = neighbour.segments[0]
    return (
        abs(first.x0 - other.x0) <= SAME_START_POINTS
        and abs(first.size - other.size) <= SAME_SIZE * first.size
        and _is_close(first, other)
    )


def joined_name(first: str, second: str) -> str:
    """A name of two lines in one; a hyphen at the end of the first breaks a word."""
    return first[:-1] + second if re.search(r"\w-$", first) else f"{first} {second}"

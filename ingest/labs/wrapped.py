"""Names that run over two lines: joined where the whole is a known name, in doubt where it may be one."""

import re
from dataclasses import dataclass

from ingest.labs.analytes import fits, is_known_name, names_longer, normalised_name, specimen_of
from ingest.labs.cells import Cells, take_value
from ingest.labs.lines import Line
from ingest.labs.units import Unit

SAME_START_POINTS = 9.0
SAME_SIZE = 0.12
CLOSE_FACTOR = 0.75
MAX_MORE_WORDS = 5


@dataclass(frozen=True, slots=True)
class WholeName:
    """A name over the lines it stands in; ``unclear`` where a neighbour line may change what it means."""

    text: str
    above: bool = False
    below: bool = False
    unclear: bool = False


def whole_name(name: str, unit: Unit | None, line: Line, above: Line | None, below: Line | None) -> WholeName:
    """The name of a row, with the close single cell above or below it where that makes it a known name.

    Where the name alone and the longer one are both known, the unit decides; if it fits both, the row is in
    doubt. So it is where words follow that make another known name (``Testosterone`` above ``Free``).
    """
    for neighbour, is_below in ((below, True), (above, False)):
        if neighbour is None or not _continues(line, neighbour):
            continue
        more = neighbour.segments[0].text
        joined = _joined(name, more) if is_below else _joined(more, name)
        if is_known_name(joined):
            alone, longer = fits(name, unit), fits(joined, unit)
            if alone and not longer:
                continue
            return WholeName(joined, not is_below, is_below, unclear=bool(alone) and alone != longer)
        changed = is_known_name(name) and not is_known_name(more) and _words(more) & names_longer(name)
        if is_below and changed:
            return WholeName(name, unclear=True)
    return WholeName(name)


def begins_with_value(line: Line, above: Line, comma: bool) -> bool:
    """A value beside the middle of a name of two lines: right of the single cell above and close to it."""
    first = line.segments[0]
    if len(above.segments) != 1 or first.x0 <= above.segments[0].x1 or not _is_close(line, above):
        return False
    return take_value(Cells(), first, comma)


def _is_close(line: Line, neighbour: Line) -> bool:
    first, other = line.segments[0], neighbour.segments[0]
    gap = max(other.top - first.bottom, first.top - other.bottom)
    return gap <= CLOSE_FACTOR * min(first.size, other.size)


def _continues(line: Line, neighbour: Line) -> bool:
    """A single cell of the same print at the margin of the name, within a line's height of it."""
    text = neighbour.text
    if len(text.split()) > MAX_MORE_WORDS:
        return False
    if len(neighbour.segments) != 1 or ":" in text or specimen_of(text) or not re.search(r"[^\W_]", text):
        return False
    first, other = line.segments[0], neighbour.segments[0]
    return (
        abs(first.x0 - other.x0) <= SAME_START_POINTS
        and abs(first.size - other.size) <= SAME_SIZE * first.size
        and _is_close(line, neighbour)
    )


def _joined(first: str, second: str) -> str:
    return first[:-1] + second if re.search(r"\w-$", first) else f"{first} {second}"


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", normalised_name(text)))

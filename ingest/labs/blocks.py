"""Results whose value stands below their name, in blocks of any order; blocks may stand side by side."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import AFTER_NAME
from ingest.labs.column_content import form_of
from ingest.labs.grammar import NONE, parse_details
from ingest.labs.labelled import is_named, told_cells, without_labels
from ingest.labs.lines import Line, Segment
from ingest.labs.wrapped import goes_on, is_next_line, joined_name

Print = tuple[int, float]
LINES = 5
MIN_NAMES = 3
MARGIN_POINTS = 2.0
CLOSE_EM = 2.6
APART_EM = 0.9
INDENT_POINTS = 260.0


@dataclass(frozen=True, slots=True)
class Block:
    """A name with the cells below it, as one line; ``lines``: how many lines it takes."""

    line: Line
    lines: int


def name_prints(lines: Sequence[Line]) -> frozenset[Print]:
    """Margins and sizes at which several names we know stand: a name we do not know looks like them."""
    known = [s for line in lines for s in line.segments if is_known_name(s.text.rstrip(AFTER_NAME))]
    return frozenset(look for look, count in Counter(map(_print, known)).items() if count >= MIN_NAMES)


def blocks_of(lines: Sequence[Line], prints: frozenset[Print], comma: bool) -> list[Block]:
    """The blocks that begin in the first of the lines: a name each, without a value in its line."""
    named = is_named(lines[0])
    first = without_labels(lines[0]) if named else lines[0]
    names = [s for s in first.segments if is_known_name(s.text.rstrip(AFTER_NAME)) or _print(s) in prints]
    if named and not names:
        names = list(first.segments[:1])
    if not names:
        return []
    if named:
        names = [replace(name, x0=max(s.x0 for s in lines[0].segments if s.x0 <= name.x0)) for name in names]
    ends = [*(name.x0 - MARGIN_POINTS for name in names[1:]), float("inf")]
    below = lines[1 : LINES + 1]
    found = (_block(first, name, end, below, comma) for name, end in zip(names, ends, strict=True))
    return [block for block in found if block is not None]


def _print(segment: Segment) -> Print:
    return round(segment.x0), round(segment.size, 1)


def _block(first: Line, name: Segment, end: float, below: Sequence[Line], comma: bool) -> Block | None:
    beside = [s for s in first.segments if s.text != name.text and name.x0 < s.x0 < end]
    forms = [form_of(s.text, comma) for s in beside]
    if None in forms or "value" in forms or "name" in forms:
        return None
    whole, rest = _over_two_lines(name, end, below)
    cells = [*beside, *(cell for cells in _typed(whole, end, rest, comma) for cell in cells)]
    values = [s for s in cells if form_of(s.text, comma) in ("value", "bound")]
    if not values or values[0].x0 > name.x0 + INDENT_POINTS or _may_be_an_interval(values[0], cells, comma):
        return None
    end_of_block = max(cell.bottom for cell in cells)
    return Block(Line((whole, *cells)), 1 + sum(line.segments[0].bottom <= end_of_block for line in below))


def _may_be_an_interval(first: Segment, cells: Sequence[Segment], comma: bool) -> bool:
    """``< 200 mg/dL`` with no other interval in its block may be that of a value that was not read."""
    details = parse_details(first.text, NONE, comma)
    if details is None or details.unit is None or details.interval is None:
        return False
    return not any(form_of(s.text, comma) in ("reference", "bound") for s in cells if s is not first)


def _over_two_lines(name: Segment, end: float, below: Sequence[Line]) -> tuple[Segment, Sequence[Line]]:
    """The name with its second line, where it has one, and the lines below as they are without that."""
    for n, line in enumerate(below):
        own = [s for s in line.segments if name.x0 - MARGIN_POINTS <= s.x0 < end]
        if not own:
            continue
        more, joined = own[0], joined_name(name.text, own[0].text)
        goes_on_below = goes_on(name.text, more.text) or is_known_name(joined)
        if len(own) > 1 or not is_next_line(name, more) or not goes_on_below:
            break
        rest = Line(tuple(s for s in line.segments if s is not more)) if len(line.segments) > 1 else None
        whole = replace(name, text=joined, x1=max(name.x1, more.x1), bottom=more.bottom)
        return whole, [*below[:n], *([rest] if rest else []), *below[n + 1 :]]
    return name, below


def _typed(name: Segment, end: float, below: Sequence[Line], comma: bool) -> Iterator[list[Segment]]:
    """The cells of each close line below, up to one that holds a name or text of no known form."""
    last = name
    for line in below:
        own = tuple(s for s in line.segments if name.x0 - MARGIN_POINTS <= s.x0 < end)
        if not own:
            continue
        if is_named(Line(own)):
            return
        cells = told_cells(Line(own))
        gap = own[0].bottom - last.bottom
        if not APART_EM * min(name.size, own[0].size) <= gap <= CLOSE_EM * max(name.size, own[0].size):
            return
        if any(form_of(cell.text, comma) in (None, "name") for cell in cells):
            return
        yield cells
        last = own[0]

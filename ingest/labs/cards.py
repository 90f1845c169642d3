"""Results printed as cards or blocks: a name, `Normal range: ...`, the value, each in a line of its own.

In a card all stand at one margin, the value below the range or between it and the name. In a block the
range stands to the right, and name, value and unit stand below each other at the name's margin. Cards may
stand side by side, so each is followed down its own margin. The ends of a gauge stand at other margins and
are never read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import Cells, take_detail, take_value
from ingest.labs.grammar import label_end
from ingest.labs.lines import Line, Segment
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import is_flag
from ingest.labs.wrapped import goes_on, is_next_line, joined_name

_RANGE = re.compile(
    r"^(lab(oratory)?|normal|reference|standard|expected|ref\.?) (range|value|interval)s?\s*:",
    re.IGNORECASE,
)
SAME_MARGIN_POINTS = 2.0
LINES_TO_VALUE = 3
LINES_TO_NAME = 3


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a page in reading order, and the lines that are none of their cells."""

    cards: list[Cells]
    others: list[Line]


def cards_of(lines: Sequence[Line], decimal_comma: bool) -> Cards:
    """The cards and blocks of a page; one without a value of known form is none."""
    cards = [
        card
        for number, line in enumerate(lines)
        for segment in line.segments
        if is_range_label(segment.text)
        and (
            card := _card(lines, number, segment, decimal_comma)
            or _block(lines, number, segment, decimal_comma)
        )
        is not None
    ]
    used = {id(segment) for card in cards for segment in card.used}
    rest = (tuple(s for s in line.segments if id(s) not in used) for line in lines)
    return Cards(cards, [Line(segments) for segments in rest if segments])


def is_range_label(text: str) -> bool:
    """``Normal range: 65-99``."""
    return _RANGE.match(text) is not None or (":" in text and label_end(text) > 0)


def _card(lines: Sequence[Line], number: int, label: Segment, comma: bool) -> Cells | None:
    cells = Cells()
    for segment in _at_margin(lines[max(number - LINES_TO_NAME, 0) : number][::-1], label):
        if is_range_label(segment.text) or (cells.name and not _is_begun(segment, cells.name[0])):
            break
        if cells.value is None and not cells.name and take_value(cells, segment, comma):
            continue
        cells.name = [segment, *cells.name]
        cells.used.append(segment)
    if not cells.name:
        return None
    if cells.value is None:
        _take_value_below(cells, lines[number + 1 : number + 1 + LINES_TO_VALUE], label, comma)
    _take_beside_value(cells, lines[max(number - LINES_TO_NAME, 0) : number + 1 + LINES_TO_VALUE], comma)
    return _with_range(cells, label, comma)


def _is_begun(above: Segment, name: Segment) -> bool:
    """Whether a name begins in the line above it."""
    whole = joined_name(above.text, name.text)
    return is_next_line(above, name) and (goes_on(above.text, name.text) or is_known_name(whole))


def _block(lines: Sequence[Line], number: int, label: Segment, comma: bool) -> Cells | None:
    """The name stands left of the range, in its line or in one of the two above; the value below the name."""
    for above in range(number, max(number - LINES_TO_NAME, 0) - 1, -1):
        first = lines[above].segments[0]
        if first.x0 < label.x0 - SAME_MARGIN_POINTS and not is_range_label(first.text):
            break
    else:
        return None
    cells = Cells(name=[first], used=[first])
    if take_value(Cells(), first, comma) or any(
        take_value(Cells(), s, comma) for s in lines[number].segments
    ):
        return None
    flags = [s for s in lines[above].segments[1:] if is_flag(s.text)]
    if flags:
        cells.details = replace(cells.details, flag=flags[0].text)
        cells.used.append(flags[0])
    below = lines[above + 1 : number + 1 + LINES_TO_VALUE]
    _take_value_below(cells, below, first, comma)
    if cells.value is not None and cells.details.unit is None:
        _take_unit_below(cells, below, first)
    return _with_range(cells, label, comma)


def _with_range(cells: Cells, label: Segment, comma: bool) -> Cells | None:
    if cells.value is not None and take_detail(cells, label, comma):
        cells.used.append(label)
    return cells if cells.value is not None else None


def _take_value_below(cells: Cells, lines: Sequence[Line], margin: Segment, comma: bool) -> None:
    for segment in _at_margin(lines, margin):
        if is_range_label(segment.text) or take_value(cells, segment, comma):
            break


def _take_beside_value(cells: Cells, lines: Sequence[Line], comma: bool) -> None:
    """Unit and flag right of a value in its line, up to a cell that is neither."""
    value = next((s for s in cells.used if s not in cells.name), None)
    beside = [s for line in lines if value in line.segments for s in line.segments]
    for segment in beside[beside.index(value) + 1 :] if value is not None else []:
        if is_range_label(segment.text) or not take_detail(cells, segment, comma):
            break
        cells.used.append(segment)


def _take_unit_below(cells: Cells, lines: Sequence[Line], margin: Segment) -> None:
    value = cells.used[-1]
    for segment in _at_margin(lines, margin):
        if segment.top > value.top and parse_unit(segment.text) is not None:
            cells.details = replace(cells.details, unit=segment.text)
            cells.used.append(segment)
            break


def _at_margin(lines: Sequence[Line], margin: Segment) -> Iterator[Segment]:
    """Segments of lines that begin at a margin, line by line."""
    for line in lines:
        yield from (s for s in line.segments if abs(s.x0 - margin.x0) <= SAME_MARGIN_POINTS)

"""What stands in a line: a name, and VALUE, FLAG, UNIT, RANGE in any order, by column and by form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ingest.labs.analytes import is_known_name
from ingest.labs.columns import Column, Header, overlap
from ingest.labs.dates import PrintedDate
from ingest.labs.grammar import NONE, Details, parse_details, parse_result
from ingest.labs.intervals import Interval
from ingest.labs.lines import Line, Segment
from ingest.labs.titles import Role
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import Value, is_flag, parse_value

AFTER_NAME = " :.=·…_-–—"
_LEADER = re.compile(r"[._·…\-=:]{2,}")
_MARKS = frozenset({"*", "**", "!", "#", "¬", "▲", "▼", "↑", "↓"})
_EMPTY = re.compile(r"[-–—.]{1,3}")
_SITE = re.compile(r"0\d")
BESIDE_THE_VALUE: tuple[Role, ...] = ("reference", "unit", "other", "low", "high")


@dataclass(slots=True)
class Cells:
    """What stands in a line, by kind. ``others``: further numbers that may as well be the value."""

    name: list[Segment] = field(default_factory=list[Segment])
    value: Value | None = None
    details: Details = NONE
    out_of_range: bool = False
    others: list[Segment] = field(default_factory=list[Segment])
    drawn: PrintedDate | None = None
    specimen_id: str | None = None
    used: list[Segment] = field(default_factory=list[Segment])


def cells_of(line: Line, header: Header | None, comma: bool) -> list[Cells]:
    """The results of a line: one, or one more for each further column or unit it is printed in.

    Under a header, previous results are passed over and columns limit the value.
    """
    found = [Cells()]
    segments = [part for segment in line.segments for part in _apart(segment, header, comma)]
    for segment in _name_first(segments, header):
        cells = found[-1]
        if _LEADER.fullmatch(segment.text):
            continue
        column = _column(segment, header) if header and cells.name else None
        role = column.role if column else None
        if role == "previous" or (role in ("value", "out_of_range") and _EMPTY.fullmatch(segment.text)):
            continue
        if cells.value is None:
            _before_value(cells, segment, column, comma)
        elif (further := _further(cells, segment, column, comma)) is not None:
            found.append(further)
        elif _take_beside(cells, segment, role, comma):
            cells.used.append(segment)
        elif _may_be_the_value(segment, column, comma):
            cells.others.append(segment)
    return _shared([_without_pictures(cells, comma) for cells in found])


def take_value(cells: Cells, segment: Segment, comma: bool) -> bool:
    """VALUE [FLAG] [UNIT] [RANGE] as a whole cell."""
    parsed = parse_result(segment.text, cells.details, comma)
    if parsed is None:
        return False
    cells.value, cells.details = parsed
    cells.used.append(segment)
    return True


def take_detail(cells: Cells, segment: Segment, comma: bool) -> bool:
    """FLAG, UNIT, RANGE or several of them as a whole cell, beside the value."""
    details = parse_details(segment.text, cells.details, comma)
    if details is None:
        return False
    cells.details = details
    return True


def _column(segment: Segment, header: Header) -> Column | None:
    """The column of a cell; without titles only one that it stands in."""
    column = header.column_of(segment)
    return column if header.titled or overlap(column, segment) > 0 else None


def _apart(segment: Segment, header: Header | None, comma: bool) -> list[Segment]:
    """A cell of no known form as the cells of the columns that it spans."""
    if header is None or is_known_name(segment.text):
        return [segment]
    whole = parse_result(segment.text, NONE, comma) or parse_details(segment.text, NONE, comma)
    return [segment] if whole is not None else header.cells(segment)


def _name_first(segments: Sequence[Segment], header: Header | None) -> Sequence[Segment]:
    """The cells with the name in front, wherever its column stands; without a header a name we know."""
    if header is not None:
        named = [s for s in segments if header.role_of(s) == "name"]
    else:
        named = [s for s in segments if is_known_name(s.text.rstrip(AFTER_NAME))][:1]
    others = [s for s in segments if s not in named]
    # An icon in the margin tells less than the flag beside the value.
    icons = [s for s in others if named and s.x1 <= named[0].x0 and s.text in _MARKS]
    return [*named, *(s for s in others if s not in icons), *icons] if named else segments


def _before_value(cells: Cells, segment: Segment, column: Column | None, comma: bool) -> None:
    """The value, or what stands before it: name, flag, unit or interval, as the columns have it."""
    role = column.role if column else None
    beside = role in BESIDE_THE_VALUE
    if cells.name and not beside and _is_flag_before(cells, segment, role):
        cells.details = replace(cells.details, flag=segment.text)
        cells.used.append(segment)
    elif cells.name and not beside and take_value(cells, segment, comma):
        cells.out_of_range = role == "out_of_range"
        if column is not None:
            cells.drawn, cells.specimen_id = column.drawn, column.specimen_id
    elif not beside:
        cells.name.append(segment)
        cells.used.append(segment)
    elif _take_beside(cells, segment, role, comma):
        cells.used.append(segment)


def _is_flag_before(cells: Cells, segment: Segment, role: Role | None) -> bool:
    """A flag in its own column before the value; elsewhere only the marks that can be no name."""
    if not is_flag(segment.text) or cells.details.flag is not None:
        return False
    return role == "flag" or (role in (None, "name", "value") and segment.text in _MARKS)


def _take_beside(cells: Cells, segment: Segment, role: Role | None, comma: bool) -> bool:
    """What a column or the form of a cell says it is; what we do not know is kept as printed."""
    if role in ("low", "high"):
        return _take_limit(cells, segment, role == "low", comma)
    if take_detail(cells, segment, comma):
        return True
    if role == "unit" and cells.details.unit is None:
        cells.details = replace(cells.details, unit=segment.text)
        return True
    if role == "reference" and cells.details.interval is None and not _is_number(segment, comma):
        interval = Interval(segment.text, text=segment.text)
        cells.details = replace(cells.details, interval=interval)
        return True
    return False


def _take_limit(cells: Cells, segment: Segment, is_low: bool, comma: bool) -> bool:
    """An end of the interval in a column of its own; both ends belong to it."""
    value = parse_value(segment.text, comma)
    if value is None or value.number is None:
        return False
    before = cells.details.interval or Interval("")
    ends = (value.number, before.high) if is_low else (before.low, value.number)
    raw = (
        f"{segment.text} - {before.raw}"
        if is_low
        else f"{before.raw}{'' if before.raw else '- '}{segment.text}"
    )
    low, high = ends
    interval = Interval(raw, low, high, None if low is None else True, None if high is None else True)
    cells.details = replace(cells.details, interval=interval)
    return True


def _further(cells: Cells, segment: Segment, column: Column | None, comma: bool) -> Cells | None:
    """The result of another draw in its own column, or the same result in another unit: VALUE UNIT."""
    other = Cells(name=cells.name, used=list(cells.name))
    if column is not None and column.drawn is not None and column.drawn != cells.drawn:
        if not take_value(other, segment, comma):
            return None
        other.drawn, other.specimen_id = column.drawn, column.specimen_id
        return other
    if (column is not None and column.role != "value") or cells.details.unit is None:
        return None
    if not take_value(other, segment, comma) or other.value is None or other.value.number is None:
        return None
    unit, first = parse_unit(other.details.unit or ""), parse_unit(cells.details.unit)
    if unit is None or first is None or unit.dimension == first.dimension:
        return None
    return other


def _may_be_the_value(segment: Segment, column: Column | None, comma: bool) -> bool:
    """A second value where no column says what it is, or where two columns say that it is the value."""
    if column is not None and column.role not in ("value", "out_of_range", "unknown"):
        return False
    return parse_result(segment.text, NONE, comma) is not None and not _SITE.fullmatch(segment.text)


def _without_pictures(cells: Cells, comma: bool) -> Cells:
    """The numbers of a scale or bar repeat the value and the ends of its interval; they are none other."""
    interval = cells.details.interval
    shown = {cells.value.number, cells.value.bound} if cells.value else set[Decimal | None]()
    shown |= {interval.low, interval.high} if interval else set()
    cells.others = [s for s in cells.others if _number(s, comma) not in shown - {None}]
    return cells


def _number(segment: Segment, comma: bool) -> Decimal | None:
    parsed = parse_result(segment.text, NONE, comma)
    return parsed[0].number if parsed else None


def _is_number(segment: Segment, comma: bool) -> bool:
    return _number(segment, comma) is not None


def _shared(found: list[Cells]) -> list[Cells]:
    """Draws side by side have one unit and one interval, wherever their columns stand."""
    if len(found) > 1 and found[-1].drawn is not None:
        unit = next((c.details.unit for c in found if c.details.unit), None)
        interval = next((c.details.interval for c in found if c.details.interval), None)
        for cells in found:
            cells.details = replace(cells.details, unit=unit, interval=interval)
            cells.used = [*cells.used, *(s for s in found[-1].used if s not in cells.used)]
    return found

"""What stands in a line, by its form: name, VALUE [FLAG] [UNIT] [RANGE], FLAG, UNIT, RANGE, RANGE UNIT."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ingest.labs.columns import Column, Header, Role
from ingest.labs.dates import PrintedDate
from ingest.labs.lines import Line, Segment
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import Interval, Value, is_flag, parse_interval, parse_value

_LABEL = re.compile(
    r"^(?P<open>[\[(])?\s*(lab range|laboratory range|"
    r"reference range|reference interval|reference|ref\.? ?range|ref\.? ?interval|"
    r"normal range|normal value|normal|standard range|expected range|expected|ref|range|referenzbereich|norm)"
    r"(\.?\s*:|\.)?\s+(?=\S)",
    re.IGNORECASE,
)
_LEADER = re.compile(r"[._·…\-=:]{2,}")
_MARKS = frozenset({"*", "**", "!", "#", "¬", "▲", "▼", "↑", "↓"})
_GLUED = re.compile(r"([\[(]?[<>≤≥]?=?[\d.,]*\d[\])]?)(%|[^\W\d_].*|/.*)")
MAX_CELL = 100
MAX_TOKENS = 16
BESIDE_THE_VALUE = ("reference", "unit", "other")


@dataclass(frozen=True, slots=True)
class Details:
    """What may stand beside a value."""

    flag: str | None = None
    unit: str | None = None
    interval: Interval | None = None


@dataclass(slots=True)
class Cells:
    """What stands in a line, by kind. ``unclear``: a second number that may as well be the value."""

    name: list[Segment] = field(default_factory=list[Segment])
    value: Value | None = None
    details: Details = Details()
    out_of_range: bool = False
    unclear: bool = False
    drawn: PrintedDate | None = None
    specimen_id: str | None = None
    used: list[Segment] = field(default_factory=list[Segment])


def cells_of(line: Line, header: Header | None, comma: bool) -> list[Cells]:
    """The results of a line: one, or one more for each further column or unit it is printed in.

    Under a header, previous results are passed over and columns limit the value.
    """
    found = [Cells()]
    for segment in line.segments:
        cells = found[-1]
        if _LEADER.fullmatch(segment.text):
            continue
        column = header.column_of(segment) if header and cells.name else None
        role = column.role if column else None
        if role == "previous":
            continue
        if cells.value is None:
            _before_value(cells, segment, column, comma)
        elif (further := _further(cells, segment, column, comma)) is not None:
            found.append(further)
        elif take_detail(cells, segment, comma) or _take_unknown_unit(cells, segment, role):
            cells.used.append(segment)
        elif header is None and cells.details == Details() and _is_number(segment, comma):
            cells.unclear = True
    return _shared(found)


def take_value(cells: Cells, segment: Segment, comma: bool) -> bool:
    """VALUE [FLAG] [UNIT] [RANGE] as a whole cell; ``Normal range: 65-99`` is no value "Normal"."""
    if _LABEL.match(segment.text):
        return False
    tokens = tokens_of(segment.text)
    for cut in range(min(len(tokens), MAX_TOKENS), 0, -1):
        value, glued = _value_and_tail(" ".join(tokens[:cut]), comma)
        if value is None:
            continue
        given = _with_glued(cells.details, glued)
        details = details_of(tokens[cut:], given, comma)
        if details is None:
            continue
        cells.value, cells.details = value, details
        cells.used.append(segment)
        return True
    return False


def details_of(tokens: Sequence[str], given: Details, comma: bool) -> Details | None:
    """FLAG, UNIT and RANGE in any order, each at most once, and nothing else; None where it is not so."""
    if not tokens:
        return given
    for cut in range(len(tokens), 0, -1):
        for more in _meanings(" ".join(tokens[:cut]), given, comma):
            if (whole := details_of(tokens[cut:], more, comma)) is not None:
                return whole
    return None


def take_detail(cells: Cells, segment: Segment, comma: bool) -> bool:
    """FLAG, UNIT, RANGE or several of them as a whole cell, beside the value."""
    for tokens in (segment.text.split(), tokens_of(segment.text), tokens_of(_unlabelled(segment.text))):
        details = details_of(tokens, cells.details, comma) if 0 < len(tokens) <= MAX_TOKENS else None
        if details is not None:
            cells.details = details
            return True
    return False


def tokens_of(text: str) -> list[str]:
    """The words of a cell, a unit glued to a number apart; none where it is longer than any value is."""
    if len(text) > MAX_CELL:
        return []
    return [part for word in text.split() for part in _apart(word)]


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
    elif take_detail(cells, segment, comma) or _take_unknown_unit(cells, segment, role):
        cells.used.append(segment)


def _is_flag_before(cells: Cells, segment: Segment, role: Role | None) -> bool:
    """A flag in its own column before the value; without a header only the marks that can be no name."""
    if not is_flag(segment.text) or cells.details.flag is not None:
        return False
    return role == "flag" or (role is None and segment.text in _MARKS)


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


def _shared(found: list[Cells]) -> list[Cells]:
    """Draws side by side have one unit and one interval, wherever their columns stand."""
    if len(found) > 1 and found[-1].drawn is not None:
        unit = next((c.details.unit for c in found if c.details.unit), None)
        interval = next((c.details.interval for c in found if c.details.interval), None)
        for cells in found:
            cells.details = replace(cells.details, unit=unit, interval=interval)
            cells.used = [*cells.used, *(s for s in found[-1].used if s not in cells.used)]
    return found


def _meanings(text: str, given: Details, comma: bool) -> list[Details]:
    """What a text can be of that which is not given yet."""
    bare = _unlabelled(text)
    found: list[Details] = []
    if given.unit is None and parse_unit(text) is not None:
        found.append(replace(given, unit=text))
    if given.interval is None and (interval := parse_interval(bare, comma)) is not None:
        found.append(replace(given, interval=interval))
    if given.flag is None and is_flag(text):
        found.append(replace(given, flag=text))
    return found


def _unlabelled(text: str) -> str:
    match = _LABEL.match(text)
    if match is None:
        return text
    return (match["open"] or "") + text[match.end() :]


def _take_unknown_unit(cells: Cells, segment: Segment, role: Role | None) -> bool:
    """A unit we do not know is kept as printed where it stands in the unit column."""
    if role == "unit" and cells.details.unit is None:
        cells.details = replace(cells.details, unit=segment.text)
        return True
    if role == "reference" and cells.details.interval is None:
        interval = Interval(segment.text, text=segment.text)
        cells.details = replace(cells.details, interval=interval)
        return True
    return False


def _value_and_tail(text: str, comma: bool) -> tuple[Value | None, str | None]:
    """A value, or a number with a flag or a percent sign glued to it (``<0.2L``)."""
    if (value := parse_value(text, comma)) is not None:
        return value, None
    if (match := re.fullmatch(r"(.*\d)\s*(HH|LL|H|L|\*{1,2}|%)", text)) is not None:
        return parse_value(match[1], comma), match[2]
    return None, None


def _with_glued(given: Details, glued: str | None) -> Details:
    if glued is None:
        return given
    return replace(given, unit=given.unit or glued) if glued == "%" else replace(given, flag=glued)


def _apart(word: str) -> list[str]:
    """``91mg/dL`` as number and unit; ``x10^9/L`` and ``1.73m2`` stay."""
    match = _GLUED.fullmatch(word)
    if match is None or parse_unit(match[2]) is None:
        return [word]
    return [match[1], match[2]]


def _is_number(segment: Segment, comma: bool) -> bool:
    value = parse_value(segment.text, comma)
    return value is not None and value.number is not None

"""What stands in a line, by its form: name, VALUE [FLAG] [UNIT], FLAG, UNIT, RANGE, RANGE UNIT."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.labs.columns import Header, Role
from ingest.labs.lines import Line, Segment
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import Interval, Value, is_flag, parse_interval, parse_value

_LABEL = re.compile(r"^(reference range|ref\.? range|normal range|normal value|ref)\s*:?\s*", re.IGNORECASE)
MAX_CELL = 100
BESIDE_THE_VALUE = ("reference", "unit", "other")


@dataclass(slots=True)
class Cells:
    """What stands in a line, by kind."""

    name: list[Segment] = field(default_factory=list[Segment])
    value: Value | None = None
    flag: str | None = None
    out_of_range: bool = False
    unit: str | None = None
    interval: Interval | None = None
    used: list[Segment] = field(default_factory=list[Segment])


def cells_of(line: Line, header: Header | None, comma: bool) -> Cells:
    """The cells of a line; under a header, previous results are passed over and columns limit the value."""
    cells = Cells()
    for segment in line.segments:
        role = header.role_of(segment) if header and cells.name else None
        if role == "previous":
            continue
        beside = role in BESIDE_THE_VALUE
        may_be_value = cells.value is None and bool(cells.name) and not beside
        if may_be_value and take_value(cells, segment, comma):
            cells.out_of_range = role == "out_of_range"
            continue
        if cells.value is None and not beside:
            cells.name.append(segment)
            cells.used.append(segment)
        elif take_detail(cells, segment, comma) or _take_unknown_unit(cells, segment, role):
            cells.used.append(segment)
    return cells


def take_value(cells: Cells, segment: Segment, comma: bool) -> bool:
    """VALUE [FLAG] [UNIT] as a whole cell."""
    tokens = _tokens(segment.text)
    for cut in range(len(tokens), 0, -1):
        value, glued = _value_and_tail(" ".join(tokens[:cut]), comma)
        rest = tokens[cut:]
        if value is None or not _take_rest(cells, rest):
            continue
        cells.value = value
        if glued == "%":
            cells.unit = cells.unit or glued
        else:
            cells.flag = cells.flag or glued
        cells.used.append(segment)
        return True
    return False


def _value_and_tail(text: str, comma: bool) -> tuple[Value | None, str | None]:
    """A value, or a number with a flag or a percent sign glued to it (``<0.2L``)."""
    if (value := parse_value(text, comma)) is not None:
        return value, None
    if (match := re.fullmatch(r"(.*\d)%", text)) is not None:
        return parse_value(match[1], comma), "%"
    if (match := re.fullmatch(r"(.*\d)\s*(HH|LL|H|L|\*{1,2})", text)) is not None:
        return parse_value(match[1], comma), match[2]
    return None, None


def _take_rest(cells: Cells, tokens: Sequence[str]) -> bool:
    """[FLAG] [UNIT] after a value: nothing else may stand there."""
    flag = next((n for n in range(min(2, len(tokens)), 0, -1) if is_flag(" ".join(tokens[:n]))), 0)
    unit = " ".join(tokens[flag:])
    if unit and parse_unit(unit) is None:
        return False
    cells.flag = " ".join(tokens[:flag]) or None
    cells.unit = unit or cells.unit
    return True


def take_detail(cells: Cells, segment: Segment, comma: bool) -> bool:
    """FLAG, UNIT, RANGE or RANGE UNIT to the right of the value."""
    text = _LABEL.sub("", segment.text).strip()
    if cells.flag is None and is_flag(text):
        cells.flag = text
        return True
    tokens = _tokens(text)
    if not tokens:
        return False
    for cut in range(len(tokens), -1, -1):
        interval = parse_interval(" ".join(tokens[:cut]), comma) if cut else None
        unit = " ".join(tokens[cut:]) or None
        if (cut and interval is None) or (unit and parse_unit(unit) is None):
            continue
        if (interval and cells.interval) or (unit and cells.unit):
            continue
        cells.interval, cells.unit = interval or cells.interval, unit or cells.unit
        return True
    return False


def _take_unknown_unit(cells: Cells, segment: Segment, role: Role | None) -> bool:
    """A unit we do not know is kept as printed where it stands in the unit column."""
    if role == "unit" and cells.unit is None:
        cells.unit = segment.text
        return True
    if role == "reference" and cells.interval is None:
        cells.interval = Interval(segment.text, text=segment.text)
        return True
    return False


def _tokens(text: str) -> list[str]:
    """The words of a cell; none of one longer than any value, unit or interval is printed."""
    return text.split() if len(text) <= MAX_CELL else []

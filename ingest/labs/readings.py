"""Lines -> readings: name, value, flag, unit and interval as printed, told apart by their form alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ingest.labs.columns import Header, header_of
from ingest.labs.lines import Line, Segment
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import Interval, Value, is_flag, parse_interval, parse_value, reason_in_comment

_ICONS = re.compile(r"^[!▲▼*#↑↓\s]+(?=\S)")
_LABEL = re.compile(r"^(reference range|ref\.? range|normal range|normal value|ref)\s*:?\s*", re.IGNORECASE)
_NO_NAME = re.compile(
    r"^(age|dob|d\.o\.b|page|sex|gender|phone|tel|fax|client|account|specimen|patient|requisition|lab no|nhs|"
    r"mrn|date|collected|received|reported|printed|h =|l =)\b|^[\d<>(=\[]|:$",
    re.IGNORECASE,
)
_CORRECTED = re.compile(r"corrected (result|report)|previously reported as", re.IGNORECASE)
DEEPER_POINTS = 1.5
MAX_TITLE_WORDS = 8
BOX_DECIMALS = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A printed result as it stands: page from 1, box (x0, top, x1, bottom) in points from the top left."""

    page: int
    box: tuple[float, float, float, float]
    panel: str | None
    layout: str
    raw_name: str
    value: Value
    raw_flag: str | None
    out_of_range: bool
    raw_unit: str | None
    interval: Interval | None
    corrected: bool = False


@dataclass(slots=True)
class _Cells:
    """What stands in a line, by kind."""

    name: list[Segment] = field(default_factory=list[Segment])
    value: Value | None = None
    flag: str | None = None
    out_of_range: bool = False
    unit: str | None = None
    interval: Interval | None = None
    used: list[Segment] = field(default_factory=list[Segment])


def readings_of(pages: Iterable[tuple[int, Sequence[Line]]], decimal_comma: bool) -> list[Reading]:
    """All readings of a report in reading order; comments only decide why a value is missing."""
    found: list[Reading] = []
    panel: str | None = None
    for page, lines in pages:
        header: Header | None = None
        title: str | None = None
        name_x0: float | None = None
        for line in lines:
            if (titled := header_of(line)) is not None:
                header, panel, title = titled, title or panel, None
            elif (reading := _reading(line, page, header, title or panel, decimal_comma)) is not None:
                found.append(reading)
                panel, title, name_x0 = title or panel, None, _name_start(line)
            elif name_x0 is not None and line.x0 > name_x0 + DEEPER_POINTS:
                found[-1] = _with_comment(found[-1], line.text)
            else:
                title, name_x0 = (line.segments[0].text if _is_title(line) else None), None
    return found


def _reading(line: Line, page: int, header: Header | None, panel: str | None, comma: bool) -> Reading | None:
    cells = _cells(line, header, comma)
    name = _ICONS.sub("", " ".join(segment.text for segment in cells.name)).strip()
    if cells.value is None or not re.search(r"[^\W\d_]", name) or _NO_NAME.search(name):
        return None
    if cells.unit is None and cells.interval is None and header is None:
        return None
    return Reading(
        page=page,
        box=_box(cells.used),
        panel=panel,
        layout=header.layout if header else "no_header",
        raw_name=name,
        value=cells.value,
        raw_flag=cells.flag,
        out_of_range=cells.out_of_range,
        raw_unit=cells.unit,
        interval=cells.interval,
    )


def _cells(line: Line, header: Header | None, comma: bool) -> _Cells:
    cells = _Cells()
    for segment in line.segments:
        role = header.role_of(segment) if header and cells.name else None
        if role == "previous":
            continue
        may_be_value = cells.value is None and bool(cells.name) and role not in ("reference", "unit")
        if may_be_value and _take_value(cells, segment, comma):
            cells.out_of_range = role == "out_of_range"
            continue
        if cells.value is None:
            cells.name.append(segment)
            cells.used.append(segment)
        elif _take_detail(cells, segment, comma) or _take_unknown_unit(cells, segment, role):
            cells.used.append(segment)
    return cells


def _take_value(cells: _Cells, segment: Segment, comma: bool) -> bool:
    """VALUE [FLAG] [UNIT] as a whole cell."""
    tokens = segment.text.split()
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


def _take_rest(cells: _Cells, tokens: Sequence[str]) -> bool:
    """[FLAG] [UNIT] after a value: nothing else may stand there."""
    flag = next((n for n in range(min(2, len(tokens)), 0, -1) if is_flag(" ".join(tokens[:n]))), 0)
    unit = " ".join(tokens[flag:])
    if unit and parse_unit(unit) is None:
        return False
    cells.flag = " ".join(tokens[:flag]) or None
    cells.unit = unit or None
    return True


def _take_detail(cells: _Cells, segment: Segment, comma: bool) -> bool:
    """FLAG, UNIT, RANGE or RANGE UNIT to the right of the value."""
    text = _LABEL.sub("", segment.text).strip()
    if cells.flag is None and is_flag(text):
        cells.flag = text
        return True
    tokens = text.split()
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


def _take_unknown_unit(cells: _Cells, segment: Segment, role: str | None) -> bool:
    """A unit we do not know is kept as printed where it stands in the unit column."""
    if role == "unit" and cells.unit is None:
        cells.unit = segment.text
        return True
    if role == "reference" and cells.interval is None:
        cells.interval = Interval(segment.text, text=segment.text)
        return True
    return False


def _with_comment(reading: Reading, comment: str) -> Reading:
    """Only what a comment says about a missing or corrected value; its text is not kept."""
    value, reason = reading.value, reason_in_comment(comment)
    if reason is not None and value.missing in ("see_comment", "not_performed"):
        value = Value(value.raw, missing=reason)
    corrected = reading.corrected or _CORRECTED.search(comment) is not None
    return replace(reading, value=value, corrected=corrected)


def _is_title(line: Line) -> bool:
    """A line that may title the rows right below it."""
    text = line.segments[0].text
    return (
        len(line.segments) <= 2
        and ":" not in line.text
        and len(text.split()) <= MAX_TITLE_WORDS
        and re.match(r"[^\W\d_]{2}", text) is not None
    )


def _name_start(line: Line) -> float:
    """Where the name begins; an icon before it does not count."""
    named = (segment for segment in line.segments if re.search(r"[^\W_]", segment.text))
    return next(named, line.segments[0]).x0


def _box(segments: Sequence[Segment]) -> tuple[float, float, float, float]:
    return (
        round(min(s.x0 for s in segments), BOX_DECIMALS),
        round(min(s.top for s in segments), BOX_DECIMALS),
        round(max(s.x1 for s in segments), BOX_DECIMALS),
        round(max(s.bottom for s in segments), BOX_DECIMALS),
    )

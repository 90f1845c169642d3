"""Lines -> readings: name, value, flag, unit and interval as printed, told apart by their form alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ingest.labs.analytes import is_known_name
from ingest.labs.cards import cards_of
from ingest.labs.cells import BESIDE_THE_VALUE, Cells, cells_of, take_detail
from ingest.labs.columns import Header, header_of
from ingest.labs.lines import Line, Segment
from ingest.labs.vocabulary import Interval, Value, reason_in_comment

_ICONS = re.compile(r"^[!▲▼*#↑↓\s]+(?=\S)")
_NO_NAME = re.compile(
    r"^(age|dob|d\.o\.b|page|sex|gender|phone|tel|fax|client|account|specimen|patient|requisition|lab no|nhs|"
    r"mrn|date|collected|received|reported|printed|h =|l =)\b|^[\d<>(=\[]|:$",
    re.IGNORECASE,
)
_CORRECTED = re.compile(r"corrected (result|report)|previously reported as", re.IGNORECASE)
DEEPER_POINTS = 1.5
MAX_TITLE_WORDS = 8
MAX_NAME = 200
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


def readings_of(pages: Iterable[tuple[int, Sequence[Line]]], decimal_comma: bool) -> list[Reading]:
    """All readings of a report in reading order; comments only decide why a value is missing."""
    found: list[Reading] = []
    panel: str | None = None
    for page, lines in pages:
        cards = cards_of(lines, decimal_comma)
        if cards:
            found += [_made(card, card.name[0].text, page, None, "cards") for card in cards]
        else:
            panel = _read_table(found, panel, page, lines, decimal_comma)
    return found


def _read_table(
    found: list[Reading], panel: str | None, page: int, lines: Sequence[Line], comma: bool
) -> str | None:
    """Add the rows of a page; returns the panel that is open at its end."""
    header: Header | None = None
    title: str | None = None
    name_x0: float | None = None
    for line in lines:
        if (titled := header_of(line)) is not None:
            header, panel, title = titled, title or panel, None
        elif (reading := _reading(line, page, header, title or panel, comma)) is not None:
            found.append(reading)
            panel, title, name_x0 = title or panel, None, _name_start(line)
        elif name_x0 is not None and line.x0 > name_x0 + DEEPER_POINTS:
            found[-1] = _with_comment(found[-1], line.text)
        else:
            title, name_x0 = (line.segments[0].text if _is_title(line) else None), None
    return panel


def _reading(line: Line, page: int, header: Header | None, panel: str | None, comma: bool) -> Reading | None:
    cells = cells_of(line, header, comma)
    if cells.value is None:
        cells = _unreadable(line, header, comma)
    name = _ICONS.sub("", " ".join(segment.text for segment in cells.name)).strip()
    if (
        cells.value is None
        or len(name) > MAX_NAME
        or not re.search(r"[^\W\d_]", name)
        or _NO_NAME.search(name)
    ):
        return None
    if cells.unit is None and cells.interval is None and header is None:
        return None
    return _made(cells, name, page, panel, header.layout if header else "no_header")


def _unreadable(line: Line, header: Header | None, comma: bool) -> Cells:
    """A known test whose value is missing or of no form we know: kept for a person to read, never dropped."""
    cells = Cells()
    named = [segment for segment in line.segments if re.search(r"[^\W_]", segment.text)]
    if len(named) < 2 or not is_known_name(named[0].text):
        return cells
    cells.name, cells.used = [named[0]], [named[0]]
    value: Segment | None = None
    for segment in named[1:]:
        role = header.role_of(segment) if header else None
        if role == "previous":
            continue
        if value is None and role not in BESIDE_THE_VALUE:
            value = segment
            cells.used.append(segment)
        elif take_detail(cells, segment, comma):
            cells.used.append(segment)
    if value is not None or cells.unit or cells.interval:
        cells.value = Value(value.text if value else "")
    return cells


def _made(cells: Cells, name: str, page: int, panel: str | None, layout: str) -> Reading:
    return Reading(
        page=page,
        box=_box(cells.used),
        panel=panel,
        layout=layout,
        raw_name=name,
        value=cells.value or Value(""),
        raw_flag=cells.flag,
        out_of_range=cells.out_of_range,
        raw_unit=cells.unit,
        interval=cells.interval,
    )


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

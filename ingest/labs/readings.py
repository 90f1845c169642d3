"""Lines -> readings: name, value, flag, unit and interval as printed, told apart by their form alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ingest.labs.analytes import is_known_name, specimen_of
from ingest.labs.blocks import blocks_of, name_prints
from ingest.labs.cards import cards_of, is_range_label
from ingest.labs.cells import AFTER_NAME, BESIDE_THE_VALUE, Cells, cells_of, take_detail
from ingest.labs.column_content import settled, untitled_table
from ingest.labs.columns import Header, is_column_title, titles_of
from ingest.labs.draw_columns import MAX_LINES, draws_header
from ingest.labs.flows import flows_of
from ingest.labs.inline import parts_of
from ingest.labs.labelled import without_labels
from ingest.labs.lines import Line, Segment
from ingest.labs.reading import Reading, made, with_comment, with_range
from ingest.labs.sections import Section, titled
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import Value
from ingest.labs.wrapped import WholeName, begins_with_value, joined_name, whole_name, with_cells_below

_ICONS = re.compile(r"^[!▲▼*#↑↓•●■\s]+(?=\S)")
_NO_NAME = re.compile(
    r"^(age|dob|d\.o\.b|page|sex|gender|phone|tel|fax|client|account|specimen|patient|requisition|lab no|nhs|"
    r"mrn|date|collected|received|reported|printed|seite|telefon|h =|l =)\b|^[\d<>(=\[]|:$",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"^(near[- ])?(optimal|borderline|desirable|(very )?(high|low)|normal|deficien\w*|"
    r"insufficien\w*|sufficien\w*|"
    r"toxic\w*|(low|high|average|increased|moderate) risk|pre-?diabet\w*|diabet\w*|non-?diabetic|target|goal|"
    r"recommended|follicular|luteal|mid-?cycle|(post|pre)-?menopaus\w*|\w+ trimester|males?|females?|m[ae]n|"
    r"wom[ae]n|adults?|child(ren)?|pregnan\w*|ideal|elevated|severe|moderate|mild|good|fair|poor)\b",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"[.·…_]{2,}\s*:?$")
_SPECIMEN_LINE = re.compile(r"^(?:specimen|sample)(?: type| source)?\s*:\s*(\D+)$", re.IGNORECASE)
DEEPER_POINTS = 1.5
CENTRED_POINTS = 40.0
MAX_TITLE_WORDS = 8
MAX_NAME = 200
MAX_ROWS = 60
MAX_BLOCK = 6
NO_TITLE = Section()


@dataclass(slots=True)
class _Table:
    """What holds for the rows that follow on a page, and the readings found so far."""

    page: int
    comma: bool
    found: list[Reading]
    section: Section
    header: Header | None = None
    title: Section = NO_TITLE
    specimen: str | None = None
    name_x0: float | None = None


def readings_of(pages: Iterable[tuple[int, Sequence[Line]]], decimal_comma: bool) -> list[Reading]:
    """All readings of a report in reading order; comments only decide why a value is missing."""
    found: list[Reading] = []
    section = NO_TITLE
    for page, flow in ((page, flow) for page, lines in pages for flow in flows_of(lines)):
        in_cards = cards_of(flow, decimal_comma)
        found += [
            made(card, _name_of(card), page, _title_above(card, in_cards.others), "cards")
            for card in in_cards.cards
        ]
        table = _Table(page, decimal_comma, found, section, untitled_table(in_cards.others, decimal_comma))
        section = _read_table(table, in_cards.others)
    return found


def _name_of(card: Cells) -> str:
    return reduce(joined_name, (part.text for part in card.name))


def _title_above(card: Cells, lines: Sequence[Line]) -> str | None:
    """The nearest line above a card that is one title and no word of a table."""
    titles = [
        line.text
        for line in lines
        if len(line.segments) == 1
        and line.segments[0].bottom < card.name[0].top
        and _is_title(line)
        and not is_column_title(line.text)
    ]
    return titles[-1] if titles else None


def _read_table(table: _Table, lines: Sequence[Line]) -> Section:
    """Add the rows of a page; returns the section that is open at its end."""
    taken, prints = -1, name_prints(lines)
    for n, line in enumerate(lines):
        if n <= taken:
            continue
        above = lines[n - 1] if n - 1 > taken else None
        below = lines[n + 1] if n + 1 < len(lines) else None
        header = draws_header(lines[n : n + MAX_LINES]) or _header(lines, n, table.comma)
        if header is not None:
            taken = n + header.lines - 1
            table.header = header
            table.section, table.title = table.section.opened_by(table.title), NO_TITLE
        elif readings := _readings(table, line, above, below):
            taken = n + 1 if any(whole.below for _, whole in readings) else n
            _add_rows(table, line, readings)
        elif blocks := blocks_of(lines[n : n + MAX_BLOCK], prints, table.comma):
            taken = n + max(block.lines for block in blocks) - 1
            _add_rows(table, line, [r for block in blocks for r in _readings(table, block.line, None, None)])
        elif worded := _worded_over_two_lines(table, line, below):
            taken = n + 1
            _add_rows(table, line, worded)
        elif unread := _unreadable_in(table, line, above, below):
            taken = n
            _add_rows(table, line, unread)
        elif n - 1 == taken and table.found and is_range_label(line.text):
            table.found[-1] = with_range(table.found[-1], line, table.comma)
        elif _is_comment(table, line):
            table.found[-1] = with_comment(table.found[-1], line.text)
        else:
            _take_title(table, line)
    return table.section


def _header(lines: Sequence[Line], number: int, comma: bool) -> Header | None:
    """The header that begins with a line, its columns settled by the rows up to the next titles."""
    titles = titles_of(lines[number], lines[number + 1] if number + 1 < len(lines) else None)
    if titles is None:
        return None
    rows = lines[number + titles.lines : number + titles.lines + MAX_ROWS]
    end = next((n for n, line in enumerate(rows) if titles_of(line) is not None), len(rows))
    return settled(titles, rows[:end], comma)


def _add_rows(table: _Table, line: Line, readings: Sequence[tuple[Reading, WholeName]]) -> None:
    if any(whole.above for _, whole in readings):
        table.title = NO_TITLE
    section = table.section = table.section.opened_by(table.title)
    table.found += [replace(r, panel=section.panel, titled=section.moment) for r, _ in readings]
    table.title, table.name_x0 = NO_TITLE, _name_start(line)


def _take_title(table: _Table, line: Line) -> None:
    if (told := _SPECIMEN_LINE.match(line.text)) is not None:
        table.specimen = told[1] if specimen_of(told[1]) else None
    table.title, table.name_x0 = _title_of(line), None


def _title_of(line: Line) -> Section:
    """The title that a line may be of the rows below it, and the moment behind it."""
    first, *others = line.segments
    title = titled(first.text)
    return title if _is_title(Line((replace(first, text=title.panel or ""), *others))) else NO_TITLE


def _readings(
    table: _Table, line: Line, above: Line | None, below: Line | None
) -> list[tuple[Reading, WholeName]]:
    """The results of a line; one that begins with its value has its name in the lines above and below."""
    found: list[tuple[Reading, WholeName]] = []
    if above is not None and begins_with_value(line, above, table.comma):
        named = Line((*above.segments, *line.segments))
        whole_names = _readings(table, named, None, below)
        if all(is_known_name(whole.text) for _, whole in whole_names):
            return [(r, replace(whole, above=True)) for r, whole in whole_names]
    for part in parts_of(without_labels(line), table.header, table.comma):
        results = cells_of(part, table.header, table.comma)
        named = (_reading(table, cells, part, above, below) for cells in results)
        found += [pair for pair in named if pair is not None]
    return found


def _worded_over_two_lines(table: _Table, line: Line, below: Line | None) -> list[tuple[Reading, WholeName]]:
    """The results of a row whose cells go on below it: words alone (``Test not`` / ``performed``)."""
    whole = with_cells_below(line, below)
    found = [] if whole is None else _readings(table, whole, None, None)
    return found if all(r.value.missing or r.value.text for r, _ in found) else []


def _unreadable_in(
    table: _Table, line: Line, above: Line | None, below: Line | None
) -> list[tuple[Reading, WholeName]]:
    """The results of a line that have a known name and a value of no known form."""
    parts = parts_of(line, table.header, table.comma)
    named = (
        _reading(table, _unreadable(part, table.header, table.comma), part, above, below) for part in parts
    )
    return [pair for pair in named if pair is not None]


def _reading(
    table: _Table, cells: Cells, line: Line, above: Line | None, below: Line | None
) -> tuple[Reading, WholeName] | None:
    printed = _ICONS.sub("", " ".join(segment.text for segment in cells.name)).strip()
    if cells.value is None or len(printed) > MAX_NAME or not re.search(r"[^\W\d_]", printed):
        return None
    if is_known_name(printed.rstrip(AFTER_NAME)) or _LEADERS.search(printed):
        printed = printed.rstrip(AFTER_NAME)
    details, header = cells.details, table.header
    whole = whole_name(printed, parse_unit(details.unit or ""), cells.name[0], above, below)
    if not is_known_name(whole.text) and (_NO_NAME.search(printed) or _LIMITS.match(printed)):
        return None
    has_titles = header is not None and header.titled
    if details.unit is None and details.interval is None and not has_titles:
        return None
    found = made(cells, whole.text, table.page, None, header.layout if header else "no_header")
    doubt = "name_unclear" if whole.unclear else "value_column_unclear" if cells.others else None
    return replace(found, specimen=table.specimen, doubt=doubt), whole


def _unreadable(line: Line, header: Header | None, comma: bool) -> Cells:
    """A known test whose value is missing or of no form we know: kept for a person to read, never dropped."""
    cells = Cells()
    named = [segment for segment in line.segments if re.search(r"[^\W_]", segment.text)]
    if header is not None:
        named.sort(key=lambda segment: header.role_of(segment) != "name")
    if len(named) < 2 or not is_known_name(named[0].text.rstrip(AFTER_NAME)):
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
    if value is not None or cells.details.unit or cells.details.interval:
        cells.value = Value(value.text if value else "")
    return cells


def _is_comment(table: _Table, line: Line) -> bool:
    """Deeper than the name of the row above; a line in capitals in the middle of the page is a title."""
    if table.name_x0 is None or line.x0 <= table.name_x0 + DEEPER_POINTS:
        return False
    centred = line.x0 > table.name_x0 + CENTRED_POINTS and line.text.isupper()
    return not (centred and _is_title(line))


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

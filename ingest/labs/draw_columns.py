"""Cumulative reports: a block of lines above the columns says of each draw its date, time and number.

Date      05/09/2025   16/12/2025
Time      08:19        09:34          Units     Reference
Specimen  K86.1073     M30.4180
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import time

from ingest.labs.columns import Column, Header, column_titled, date_of
from ingest.labs.dates import TIME, parse_time
from ingest.labs.lines import Line, Segment

_DATES = re.compile(
    r"(date|day|collected|collection date|date collected|sample date|specimen date|date taken|drawn|datum|"
    r"entnahme|test|tests?|analyte|investigation|parameter|component)s?\s*:?",
    re.IGNORECASE,
)
_TIMES = re.compile(r"(time|hour|uhrzeit|zeit|time collected|collection time)\s*:?", re.IGNORECASE)
_NUMBERS = re.compile(
    r"(specimen|sample|lab|accession|request|order|report)?\s*"
    r"(id|no\.?|number|ref\.?|#|nr\.?)?\s*:?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[A-Z0-9][A-Z0-9./-]*\d[A-Z0-9./-]*", re.IGNORECASE)
MAX_LINES = 4


def draws_header(lines: Sequence[Line]) -> Header | None:
    """The header that the first of the lines begins, with a value column for each of two or more dates."""
    first, *others = lines[0].segments
    drawn = [date_of(segment.text) for segment in others]
    if not _DATES.fullmatch(first.text.strip()) or sum(day is not None for day in drawn) < 2:
        return None
    columns = [Column("name", first.x0, first.x1)]
    for segment, day in zip(others, drawn, strict=True):
        column = Column("value", segment.x0, segment.x1, day) if day else column_titled(segment)
        if column is None:
            return None
        columns.append(column)
    taken = 1
    for line in lines[1:MAX_LINES]:
        more = _with_line(columns, line)
        if more is None:
            break
        columns, taken = more, taken + 1
    return Header(tuple(sorted(columns, key=lambda c: c.x0)), taken)


def _with_line(columns: Sequence[Column], line: Line) -> list[Column] | None:
    """The columns with what a further line of the block says of them; None where it is no such line."""
    label, *cells = line.segments
    is_time, is_number = _TIMES.fullmatch(label.text.strip()), _NUMBERS.fullmatch(label.text.strip())
    if not cells or not (is_time or is_number or column_titled(label)):
        return None
    told = list(columns)
    for cell in [*([] if is_time or is_number else [label]), *cells]:
        if (title := column_titled(cell)) is not None:
            if title.role != "name":
                told.append(title)
            continue
        n = _column_above(told, cell)
        if n is None:
            return None
        if is_time and re.fullmatch(TIME, cell.text.strip(), re.IGNORECASE):
            told[n] = _at(told[n], parse_time(cell.text))
        elif is_number and _NUMBER.fullmatch(cell.text.replace(" ", "")):
            told[n] = replace(told[n], specimen_id=cell.text)
        else:
            return None
    return told


def _column_above(columns: Sequence[Column], cell: Segment) -> int | None:
    """The draw whose date stands above a cell."""
    overlapping = (
        n
        for n, column in enumerate(columns)
        if column.drawn is not None and column.x0 < cell.x1 and cell.x0 < column.x1
    )
    return next(overlapping, None)


def _at(column: Column, moment: time | None) -> Column:
    if column.drawn is None or moment is None:
        return column
    return replace(column, drawn=replace(column.drawn, at=moment))

"""One report: its pages read, whose it is, when it was taken, and its readings interpreted row by row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ingest.labs.analytes import recognise
from ingest.labs.dates import Order, PrintedDate, order_of
from ingest.labs.drawn import Part, drawn_at, parts_of
from ingest.labs.heading import PageHead, page_head
from ingest.labs.identity import birth_order, check_identity
from ingest.labs.lines import lines_of
from ingest.labs.names import name_tokens
from ingest.labs.ocr_doubts import doubted
from ingest.labs.pdf import Page
from ingest.labs.reading import Reading
from ingest.labs.readings import readings_of
from ingest.labs.row import LabRow, dated_row, interpreted, unit_of
from ingest.labs.unread import unread_lines
from ingest.labs.vocabulary import parse_flag, uses_decimal_comma
from schemas.errors import PhaError
from schemas.participant import Participant


@dataclass(frozen=True, slots=True)
class Report:
    """A report that passed the gate. Identifiers are not in it. ``unread``: lines that look like results."""

    rows: tuple[LabRow, ...]
    pages: int
    identity: str
    vendor: str | None
    layout: str
    status: str
    first_day: date | None
    last_day: date | None
    unread: int = 0


def read_report(pages: Sequence[Page], file_id: str, participant: Participant) -> Report:
    """The report in a PDF's pages.

    Raises PhaError: lab_text_unusable (no text at all), lab_multiple_patients, lab_identity_mismatch,
    lab_layout_unknown (no reading), lab_no_collection_date (none, or one that may be two days).
    """
    lines = [lines_of(page.words) for page in pages]
    if not any(lines):
        raise PhaError("lab_text_unusable")
    heads = [page_head(page_lines) for page_lines in lines]
    parts = parts_of(lines, heads)
    order = _order(parts, heads, participant)
    identity = check_identity(heads, participant, order, _years(parts, heads))
    comma = uses_decimal_comma([word.text for page in pages for word in page.words])
    numbered = [(page.number, page_lines) for page, page_lines in zip(pages, lines, strict=True)]
    found = readings_of(numbered, comma)
    readings = _without_identifiers(found, heads, participant)
    if not readings:
        raise PhaError("lab_layout_unknown")
    if not any(day.day(order) for day in _collected(heads, readings)):
        raise PhaError("lab_no_collection_date")
    rows = tuple(doubted(row, pages) for row in _rows(readings, file_id, parts, order))
    days = [row.collected_date for row in rows if row.collected_date is not None]
    return Report(
        rows=rows,
        pages=len(pages),
        identity=identity.verdict,
        vendor=parts[0].head.vendor,
        layout=readings[0].layout,
        status="corrected" if any(r.corrected for r in readings) else parts[0].head.status,
        first_day=min(days, default=None),
        last_day=max(days, default=None),
        unread=sum(unread_lines(page, page_lines, found, comma) for page, page_lines in numbered),
    )


def _order(parts: Sequence[Part], heads: Sequence[PageHead], participant: Participant) -> Order | None:
    """Month or day first: by the file's own dates, else the registered birth date, else the place."""
    proven = order_of(day for part in parts for day in part.head.dates)
    if proven is not None:
        return None if proven == "conflict" else proven
    places: set[Order] = {part.head.place_order for part in parts if part.head.place_order is not None}
    return birth_order(heads, participant) or (next(iter(places)) if len(places) == 1 else None)


def _collected(heads: Sequence[PageHead], readings: Sequence[Reading]) -> list[PrintedDate]:
    drawn = [reading.drawn for reading in readings if reading.drawn is not None]
    return [*(day for page in heads for day in page.collected), *drawn]


def _years(parts: Sequence[Part], heads: Sequence[PageHead]) -> set[int]:
    """Years in which the report says it was taken, received or reported."""
    told = [moment for part in parts for moment in (part.head.received, part.head.reported)]
    moments = [*told, *(day for page in heads for day in page.collected)]
    days = [day for moment in moments if moment for day in (moment.month_first, moment.day_first)]
    return {day.year for day in days if day is not None}


def _without_identifiers(
    readings: Sequence[Reading], heads: Sequence[PageHead], participant: Participant
) -> list[Reading]:
    """No name of a person as a panel, and no line that names one as a reading."""
    names = [name for name in (participant.name, *(head.name for head in heads)) if name]
    persons = {token for name in names for token in name_tokens(name)}

    def names_person(text: str | None) -> bool:
        return bool(text and persons & name_tokens(text))

    return [
        replace(reading, panel=None) if names_person(reading.panel) else reading
        for reading in readings
        if not names_person(reading.raw_name) or recognise(reading.raw_name, None, unit_of(reading)).analyte
    ]


def _rows(
    readings: Sequence[Reading], file_id: str, parts: Sequence[Part], order: Order | None
) -> tuple[LabRow, ...]:
    prints_flags = any(parse_flag(r.raw_flag or "") not in (None, "N") for r in readings)
    rows: list[LabRow] = []
    of_report = {part.pages: [r for r in readings if r.page - 1 in part.pages] for part in parts}
    for row_no, reading in enumerate(readings, 1):
        part = parts[reading.page - 1]
        drawn = drawn_at(reading, part, of_report[part.pages], order)
        row = dated_row(reading, file_id, row_no, part.head, drawn, order)
        # The number at the head is that of this report, not of the earlier draws it shows.
        specimen = part.specimen_id if reading.drawn is None else reading.specimen_id
        rows.append(interpreted(replace(row, specimen_id=specimen), prints_flags))
    return tuple(rows)

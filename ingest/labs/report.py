"""One report: its pages read, whose it is, when it was taken, and its readings interpreted row by row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ingest.labs.analytes import recognise
from ingest.labs.dates import Order, order_of
from ingest.labs.heading import PageHead, ReportHead, page_head, report_head
from ingest.labs.identity import birth_order, check_identity
from ingest.labs.lines import lines_of
from ingest.labs.names import name_tokens
from ingest.labs.ocr_doubts import doubted
from ingest.labs.pdf import Page
from ingest.labs.readings import Reading, readings_of
from ingest.labs.row import LabRow, dated_row, interpreted, unit_of
from ingest.labs.vocabulary import parse_flag, uses_decimal_comma
from schemas.errors import PhaError
from schemas.participant import Participant


@dataclass(frozen=True, slots=True)
class Report:
    """A report that passed the gate. Identifiers are not in it."""

    rows: tuple[LabRow, ...]
    pages: int
    identity: str
    vendor: str | None
    layout: str
    status: str
    first_day: date | None
    last_day: date | None


def read_report(pages: Sequence[Page], file_id: str, participant: Participant) -> Report:
    """The report in a PDF's pages.

    Raises PhaError: lab_text_unusable (no text at all), lab_multiple_patients, lab_identity_mismatch,
    lab_layout_unknown (no reading), lab_no_collection_date (none, or one that may be two days).
    """
    lines = [lines_of(page.words) for page in pages]
    if not any(lines):
        raise PhaError("lab_text_unusable")
    heads = [page_head(page_lines) for page_lines in lines]
    head = report_head(lines)
    order = _order(head, heads, participant)
    identity = check_identity(heads, participant, order, _years(head, heads))
    comma = uses_decimal_comma([word.text for page in pages for word in page.words])
    numbered = [(page.number, page_lines) for page, page_lines in zip(pages, lines, strict=True)]
    readings = _without_identifiers(readings_of(numbered, comma), heads, participant)
    if not readings:
        raise PhaError("lab_layout_unknown")
    if not any(day.day(order) for page in heads for day in page.collected):
        raise PhaError("lab_no_collection_date")
    rows = tuple(doubted(row, pages) for row in _rows(readings, file_id, head, heads, order))
    days = [row.collected_date for row in rows if row.collected_date is not None]
    return Report(
        rows=rows,
        pages=len(pages),
        identity=identity.verdict,
        vendor=head.vendor,
        layout=readings[0].layout,
        status="corrected" if any(r.corrected for r in readings) else head.status,
        first_day=min(days, default=None),
        last_day=max(days, default=None),
    )


def _order(head: ReportHead, heads: Sequence[PageHead], participant: Participant) -> Order | None:
    """Month or day first: as its own dates prove, else as the registered birth date shows, else by place."""
    proven = order_of(head.dates)
    if proven is not None:
        return None if proven == "conflict" else proven
    return birth_order(heads, participant) or head.place_order


def _years(head: ReportHead, heads: Sequence[PageHead]) -> set[int]:
    """Years in which the report says it was taken, received or reported."""
    moments = [head.received, head.reported, *(day for page in heads for day in page.collected)]
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
    readings: Sequence[Reading],
    file_id: str,
    head: ReportHead,
    heads: Sequence[PageHead],
    order: Order | None,
) -> tuple[LabRow, ...]:
    prints_flags = any(parse_flag(r.raw_flag or "") not in (None, "N") for r in readings)
    everywhere = tuple(dict.fromkeys(day for page in heads for day in page.collected))
    rows: list[LabRow] = []
    for row_no, reading in enumerate(readings, 1):
        page = heads[reading.page - 1]
        collected = page.collected or everywhere
        specimen = page.specimen_id or next((p.specimen_id for p in heads if p.specimen_id), None)
        row = dated_row(reading, file_id, row_no, head, collected[0] if len(collected) == 1 else None, order)
        rows.append(interpreted(replace(row, specimen_id=specimen), prints_flags))
    return tuple(rows)

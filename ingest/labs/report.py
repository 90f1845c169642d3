"""One report: its pages read, whose it is, when it was taken, and its readings interpreted row by row."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal

from ingest.labs.analytes import Analyte, normalised_name, recognise, specimen_of
from ingest.labs.dates import Order, PrintedDate, order_of
from ingest.labs.flags import Flag, compute_flag, disagrees
from ingest.labs.heading import PageHead, ReportHead, page_head, report_head
from ingest.labs.identity import birth_order, check_identity, name_tokens
from ingest.labs.lines import lines_of
from ingest.labs.pdf import Page
from ingest.labs.readings import Reading, readings_of
from ingest.labs.units import Unit, in_canonical, parse_unit
from ingest.labs.vocabulary import parse_flag, uses_decimal_comma
from schemas.errors import PhaError
from schemas.participant import Participant

_CANCELLED = frozenset({"not_performed", "insufficient", "cancelled"})
FASTING_GLUCOSE = "1558-6"


@dataclass(frozen=True, slots=True)
class LabRow:
    """A reading with its meaning. ``doubts`` send it to review, ``notes`` only go with it.

    Amounts are exact; ``canonical`` and ``bound_canonical`` are in the analyte's unit.
    """

    file_id: str
    row_no: int
    reading: Reading
    vendor: str | None
    collected: PrintedDate | None
    collected_at: datetime | None
    collected_date: date | None
    received_at: datetime | None
    reported_at: datetime | None
    reported_date: date | None
    report_status: str
    fasting: str
    specimen_id: str | None
    specimen_type: str | None = None
    analyte: Analyte | None = None
    loinc: str | None = None
    unit: Unit | None = None
    canonical: Decimal | None = None
    bound_canonical: Decimal | None = None
    flag_printed: str | None = None
    flag_computed: Flag | None = None
    flag_mismatch: bool | None = None
    derived: bool = False
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A report that passed the gate. Identifiers are not in it."""

    rows: tuple[LabRow, ...]
    pages: int
    identity: str
    vendor: str | None
    layout: str
    status: str
    collected_date: date | None
    derived: tuple[LabRow, ...] = field(default_factory=tuple)


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
    identity = check_identity(heads, participant, order)
    comma = uses_decimal_comma([word.text for page in pages for word in page.words])
    numbered = [(page.number, page_lines) for page, page_lines in zip(pages, lines, strict=True)]
    readings = _without_identifiers(readings_of(numbered, comma), heads, participant)
    if not readings:
        raise PhaError("lab_layout_unknown")
    if not any(day.day(order) for page in heads for day in page.collected):
        raise PhaError("lab_no_collection_date")
    rows = _rows(readings, file_id, head, heads, order)
    return Report(
        rows=rows,
        pages=len(pages),
        identity=identity.verdict,
        vendor=head.vendor,
        layout=readings[0].layout,
        status="corrected" if any(r.corrected for r in readings) else head.status,
        collected_date=min(row.collected_date for row in rows if row.collected_date is not None)
        if any(row.collected_date for row in rows)
        else None,
    )


def _order(head: ReportHead, heads: Sequence[PageHead], participant: Participant) -> Order | None:
    """Month or day first: as its own dates prove, else as the registered birth date shows, else by place."""
    proven = order_of(head.dates)
    if proven is not None:
        return None if proven == "conflict" else proven
    return birth_order(heads, participant) or head.place_order


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
        if not names_person(reading.raw_name) or recognise(reading.raw_name, None, _unit(reading)).analyte
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
        row = _dated(reading, file_id, row_no, head, collected[0] if len(collected) == 1 else None, order)
        rows.append(_interpreted(replace(row, specimen_id=specimen), prints_flags))
    return tuple(rows)


def _dated(
    reading: Reading,
    file_id: str,
    row_no: int,
    head: ReportHead,
    collected: PrintedDate | None,
    order: Order | None,
) -> LabRow:
    day = collected.day(order) if collected else None
    return LabRow(
        file_id=file_id,
        row_no=row_no,
        reading=reading,
        vendor=head.vendor,
        collected=collected,
        collected_at=collected.moment(order) if collected else None,
        collected_date=day,
        received_at=head.received.moment(order) if head.received else None,
        reported_at=head.reported.moment(order) if head.reported else None,
        reported_date=head.reported.day(order) if head.reported else None,
        report_status=_status(reading, head.status),
        fasting=head.fasting,
        specimen_id=None,
        doubts=() if day else ("collection_unclear",),
    )


def _status(reading: Reading, status: str) -> str:
    if reading.value.missing in _CANCELLED:
        return "cancelled"
    return "corrected" if reading.corrected else status


def _interpreted(row: LabRow, prints_flags: bool) -> LabRow:
    """The row with analyte, code, unit, canonical value and flags; doubts where one of them is unclear."""
    reading = row.reading
    unit = _unit(reading)
    meant = recognise(reading.raw_name, reading.panel, unit)
    doubts = [*row.doubts, *_unit_doubts(reading, unit), *([meant.reason] if meant.reason else [])]
    printed = parse_flag(reading.raw_flag) if reading.raw_flag else ("A" if reading.out_of_range else None)
    computed = compute_flag(reading.value, reading.interval)
    if reading.value.missing and meant.reason == "unit_missing":
        doubts.remove("unit_missing")
    loinc = meant.analyte.code_for(meant.unit) if meant.analyte else None
    fasting, fasting_doubts = _fasting(row.fasting, loinc)
    mismatch = disagrees(printed, computed, prints_flags)
    return replace(
        row,
        fasting=fasting,
        analyte=meant.analyte,
        loinc=loinc,
        unit=meant.unit,
        specimen_type=meant.analyte.specimen
        if meant.analyte
        else specimen_of(f"{reading.raw_name} {reading.panel or ''}"),
        canonical=_canonical(reading.value.number, meant.unit, meant.analyte),
        bound_canonical=_canonical(reading.value.bound, meant.unit, meant.analyte),
        flag_printed=printed,
        flag_computed=computed,
        flag_mismatch=mismatch,
        doubts=tuple(dict.fromkeys([*doubts, *fasting_doubts])),
        notes=("flag_mismatch",) if mismatch else (),
    )


def _unit(reading: Reading) -> Unit | None:
    return parse_unit(reading.raw_unit) if reading.raw_unit else None


def _unit_doubts(reading: Reading, unit: Unit | None) -> list[str]:
    return ["unit_unknown"] if reading.raw_unit and unit is None else []


def _fasting(report: str, loinc: str | None) -> tuple[str, list[str]]:
    """A test that is named fasting says so for itself; against the report it is in doubt."""
    if loinc != FASTING_GLUCOSE:
        return report, []
    return ("yes", []) if report != "no" else ("unknown", ["fasting_contradiction"])


def _canonical(value: Decimal | None, unit: Unit | None, analyte: Analyte | None) -> Decimal | None:
    if value is None or unit is None or analyte is None:
        return None
    return in_canonical(value, unit, analyte)


def normalised(row: LabRow) -> str:
    """The published normal form of the printed name."""
    return normalised_name(row.reading.raw_name)

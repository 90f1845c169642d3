"""A reading with its meaning: analyte, code, canonical amount, flags, and what is in doubt about it."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ingest.labs.analytes import Analyte, normalised_name, recognise, specimen_of
from ingest.labs.dates import Order, PrintedDate
from ingest.labs.flags import Flag, compute_flag, disagrees
from ingest.labs.heading import ReportHead
from ingest.labs.reading import Reading
from ingest.labs.units import Unit, in_canonical, parse_unit
from ingest.labs.vocabulary import parse_flag

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
    decided: bool = False
    source_kind: Literal["text", "ocr"] = "text"
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    superseded_by: str | None = None


def dated_row(
    reading: Reading,
    file_id: str,
    row_no: int,
    head: ReportHead,
    collected: PrintedDate | None,
    order: Order | None,
) -> LabRow:
    """A reading placed in time; without one clear day of collection it is in doubt."""
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


def interpreted(row: LabRow, prints_flags: bool) -> LabRow:
    """The row with analyte, code, unit, canonical value and flags; doubts where one of them is unclear."""
    reading = row.reading
    unit = unit_of(reading)
    meant = recognise(reading.raw_name, f"{reading.panel or ''} {reading.specimen or ''}", unit)
    doubts = [
        *row.doubts,
        *([reading.doubt] if reading.doubt else []),
        *_value_doubts(reading, meant.analyte),
        *_unit_doubts(reading, unit),
        *([meant.reason] if meant.reason else []),
    ]
    printed = parse_flag(reading.raw_flag) if reading.raw_flag else ("A" if reading.out_of_range else None)
    computed = compute_flag(reading.value, reading.interval)
    if reading.value.missing and meant.reason == "unit_missing" and meant.analyte is not None:
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
        else specimen_of(f"{reading.raw_name} {reading.panel or ''} {reading.specimen or ''}"),
        canonical=_canonical(reading.value.number, meant.unit, meant.analyte),
        bound_canonical=_canonical(reading.value.bound, meant.unit, meant.analyte),
        flag_printed=printed,
        flag_computed=computed,
        flag_mismatch=mismatch,
        doubts=tuple(dict.fromkeys([*doubts, *fasting_doubts])),
        notes=("flag_mismatch",) if mismatch else (),
    )


def unit_of(reading: Reading) -> Unit | None:
    """The printed unit, where it is in our table."""
    return parse_unit(reading.raw_unit) if reading.raw_unit else None


def _value_doubts(reading: Reading, analyte: Analyte | None) -> list[str]:
    """No known form; or a range or grade of an analyte of which all we know have amounts."""
    value = reading.value
    known = (value.number, value.bound, value.text, value.missing)
    graded = analyte is not None and value.text is not None and any(c.isdigit() for c in value.text)
    return ["value_unreadable"] if graded or all(part is None for part in known) else []


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

"""What people decided on readings in doubt, applied while a report is read.

A reading is known by its report and row (``file_id:row_no``). Its printed text is part of the decision
(``expect``): where the report or the reader has changed since, the decision is not applied, and that is told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ingest.labs.analytes import Analyte, analytes
from ingest.labs.flags import compute_flag
from ingest.labs.row import LabRow
from ingest.labs.units import Unit, fitted, in_canonical, parse_unit, units
from ingest.labs.vocabulary import Value, parse_value

_CORRECTION = re.compile(r"([a-z0-9_]+) ([<>]=?)?\s*(-?[0-9]+(?:\.[0-9]+)?)(?: (.+))?")
ACCEPTED, CORRECTED = "accepted_by_decision", "corrected_by_decision"


@dataclass(frozen=True, slots=True)
class ReadingDecision:
    """Accept a reading as it was read, or correct it to ``value``: ``glucose 91 mg/dL``."""

    file_id: str
    row_no: int
    expect: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """The right result: an analyte we know, a number or a bound, and a unit it may be measured in."""

    analyte: Analyte
    value: Value
    unit: Unit


def expected_text(raw_name: str | None, raw_value: str | None, raw_unit: str | None) -> str:
    """A reading as printed, in one line: ``Glucose: 91 mg/dL``."""
    printed = f"{raw_name or ''}: {raw_value or ''} {raw_unit or ''}"
    return " ".join(printed.split())


def parse_correction(text: str) -> Correction | None:
    """``analyte_key AMOUNT UNIT``, the amount with or without a sign of a bound; None where it is none."""
    match = _CORRECTION.fullmatch(" ".join(text.split()))
    known = [a for a in analytes() if match is not None and a.key == match[1]]
    if match is None or not known:
        return None
    analyte, unit = known[0], _unit(match[4] or "1")
    if unit is None or in_canonical(Decimal(1), fitted(unit, analyte), analyte) is None:
        return None
    value = parse_value(f"{match[2] or ''}{match[3]}")
    return None if value is None else Correction(analyte, value, fitted(unit, analyte))


def with_decisions(
    rows: Sequence[LabRow], decisions: Sequence[ReadingDecision]
) -> tuple[list[LabRow], frozenset[int]]:
    """The rows with the decisions that hold, and the numbers of the rows that were decided."""
    by_row = {decision.row_no: decision for decision in decisions}
    decided = {
        row.row_no: made
        for row in rows
        if (decision := by_row.get(row.row_no)) is not None and (made := _decided(row, decision)) is not None
    }
    return [decided.get(row.row_no, row) for row in rows], frozenset(decided)


def _decided(row: LabRow, decision: ReadingDecision) -> LabRow | None:
    """The row as decided; None where it is printed otherwise now, or has no day or value to accept."""
    reading = row.reading
    if decision.expect != expected_text(reading.raw_name, reading.value.raw, reading.raw_unit):
        return None
    if row.collected_date is None:
        return None
    if decision.value is None:
        accepted = "value_unreadable" not in row.doubts
        notes = (*row.notes, ACCEPTED)
        return replace(row, doubts=(), notes=notes, decided=True) if accepted else None
    correction = parse_correction(decision.value)
    return None if correction is None else _corrected(row, correction)


def _corrected(row: LabRow, correction: Correction) -> LabRow:
    """The right result in the place of the printed one, whose text is kept; its flag is not."""
    analyte, unit = correction.analyte, correction.unit
    if row.analyte is not None and row.analyte.key == analyte.key:
        analyte = row.analyte
    value = replace(correction.value, raw=row.reading.value.raw)
    own_unit = row.reading.raw_unit is not None and parse_unit(row.reading.raw_unit) == unit
    return replace(
        row,
        reading=replace(row.reading, value=value),
        analyte=analyte,
        loinc=analyte.code_for(unit),
        unit=unit,
        specimen_type=analyte.specimen,
        canonical=_amount(value.number, unit, analyte),
        bound_canonical=_amount(value.bound, unit, analyte),
        flag_printed=None,
        flag_computed=compute_flag(value, row.reading.interval) if own_unit else None,
        flag_mismatch=None,
        doubts=(),
        notes=(CORRECTED,),
        decided=True,
    )


def _amount(number: Decimal | None, unit: Unit, analyte: Analyte) -> Decimal | None:
    return None if number is None else in_canonical(number, unit, analyte)


def _unit(text: str) -> Unit | None:
    """A unit in UCUM, as suggestions give it, or as reports print it."""
    return units().get(text) or parse_unit(text)

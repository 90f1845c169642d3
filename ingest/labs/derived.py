"""Values we compute from printed ones, each a row of its own with ``derived`` set.

eGFR: CKD-EPI 2021 creatinine equation (Inker et al., N Engl J Med 2021;385:1737-49), adults only.
HOMA-IR: glucose (mg/dL) x insulin (uIU/mL) / 405 (Matthews et al., Diabetologia 1985;28:412-9), fasting only:
computed where no report says no, published where the report or the questionnaire says yes.
Non-HDL cholesterol: total - HDL (2018 AHA/ACC cholesterol guideline).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from ingest.labs.analytes import Analyte, analytes
from ingest.labs.checks import values_by_draw
from ingest.labs.reading import Reading
from ingest.labs.row import LabRow
from ingest.labs.units import units
from ingest.labs.vocabulary import Value
from schemas.participant import Participant

DECIMALS = Decimal("0.000001")
ADULT = 18
EGFR_TOLERANCE = 3

Inputs = Mapping[str, LabRow]


def derive(rows: Sequence[LabRow], participant: Participant, rows_read: Mapping[str, int]) -> list[LabRow]:
    """Rows for each draw that has the inputs among its accepted rows and prints no such number itself.

    A row belongs to the report of its first input and is numbered after that report's ``rows_read``.
    """
    found: list[LabRow] = []
    last = dict(rows_read)
    for inputs in values_by_draw(rows).values():
        for key, (needed, compute) in _RULES.items():
            if key in inputs or not all(name in inputs for name in needed):
                continue
            amount = compute(inputs, participant)
            if amount is not None:
                used = [inputs[name] for name in needed]
                last[used[0].file_id] += 1
                found.append(_row(key, amount, used, last[used[0].file_id], participant))
    return found


def note_egfr(rows: Sequence[LabRow], participant: Participant) -> list[LabRow]:
    """A printed eGFR that differs by more than 3 from ours keeps a note: other equation, age or rounding."""
    noted: set[tuple[str, int]] = set()
    for inputs in values_by_draw(rows).values():
        ours = _egfr(inputs, participant) if {"egfr", "creatinine"} <= inputs.keys() else None
        if ours is not None and abs(_amount(inputs["egfr"]) - ours) > EGFR_TOLERANCE:
            noted.add(_place(inputs["egfr"]))
    return [replace(row, notes=(*row.notes, "egfr_differs")) if _place(row) in noted else row for row in rows]


def _place(row: LabRow) -> tuple[str, int]:
    """Rows are numbered within their report."""
    return row.file_id, row.row_no


def ckd_epi_2021(creatinine: Decimal, age: int, female: bool) -> Decimal:
    """eGFR in mL/min/1.73 m2 from serum creatinine in mg/dL, age in completed years and sex at birth."""
    kappa, alpha = (0.7, -0.241) if female else (0.9, -0.302)
    ratio = float(creatinine) / kappa
    value = 142 * min(ratio, 1.0) ** alpha * max(ratio, 1.0) ** -1.200 * 0.9938**age
    return Decimal(value * (1.012 if female else 1.0)).quantize(DECIMALS)


def _egfr(inputs: Inputs, participant: Participant) -> Decimal | None:
    row = inputs["creatinine"]
    age = _age(participant, row.collected_date)
    if participant.sex not in ("female", "male") or age is None or age < ADULT:
        return None
    return ckd_epi_2021(_amount(row), age, participant.sex == "female")


def _homa_ir(inputs: Inputs, _: Participant) -> Decimal | None:
    glucose, insulin = inputs["glucose"], inputs["insulin"]
    if "no" in (insulin.fasting, glucose.fasting):
        return None
    return (_amount(glucose) * _amount(insulin) / 405).quantize(DECIMALS)


def _non_hdl(inputs: Inputs, _: Participant) -> Decimal | None:
    return _amount(inputs["total_cholesterol"]) - _amount(inputs["hdl_cholesterol"])


_RULES: dict[str, tuple[tuple[str, ...], Callable[[Inputs, Participant], Decimal | None]]] = {
    "egfr": (("creatinine",), _egfr),
    "homa_ir": (("glucose", "insulin"), _homa_ir),
    "non_hdl_cholesterol": (("total_cholesterol", "hdl_cholesterol"), _non_hdl),
}
_NAMES = {
    "egfr": "eGFR (CKD-EPI 2021), computed",
    "homa_ir": "HOMA-IR, computed",
    "non_hdl_cholesterol": "Non-HDL cholesterol, computed",
}


def _row(
    key: str, amount: Decimal, inputs: Sequence[LabRow], number: int, participant: Participant
) -> LabRow:
    analyte = _analyte(key)
    first = inputs[0]
    fasting = {row.fasting for row in inputs}
    same_page = [row.reading.box for row in inputs if row.reading.page == first.reading.page]
    reading = Reading(
        page=first.reading.page,
        box=_union(same_page),
        panel=None,
        layout=first.reading.layout,
        raw_name=_NAMES[key],
        value=Value("; ".join(_input_text(row) for row in inputs), number=amount),
        raw_flag=None,
        out_of_range=False,
        raw_unit=None,
        interval=None,
    )
    approximate = key == "egfr" and participant.age_approximate
    return replace(
        first,
        row_no=number,
        reading=reading,
        analyte=analyte,
        loinc=analyte.loinc,
        unit=units()[analyte.unit],
        specimen_type=analyte.specimen,
        canonical=amount,
        bound_canonical=None,
        flag_printed=None,
        flag_computed=None,
        flag_mismatch=None,
        fasting=first.fasting if len(fasting) == 1 else "unknown",
        derived=True,
        notes=("age_approximate",) if approximate else (),
    )


def _input_text(row: LabRow) -> str:
    return f"{row.reading.raw_name} {row.reading.value.raw} {row.reading.raw_unit or ''}".strip()


def _amount(row: LabRow) -> Decimal:
    return row.canonical if row.canonical is not None else Decimal(0)


def _analyte(key: str) -> Analyte:
    return next(analyte for analyte in analytes() if analyte.key == key)


def _age(participant: Participant, day: date | None) -> int | None:
    """Completed years, not capped: the equation needs the real age."""
    if day is None:
        return None
    born = participant.birth_date
    if born is None:
        return day.year - participant.birth_year
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _union(boxes: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return min(x0), min(top), max(x1), max(bottom)

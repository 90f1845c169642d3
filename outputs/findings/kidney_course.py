"""Kidney over time: what lasted three months or more, and a fall of eGFR from one draw to the next."""

from datetime import date

from outputs.findings.bands import Band, band_index
from outputs.findings.kidney import ALBUMIN_CREATININE, EGFR, KDIGO
from outputs.findings.measured import (
    Checked,
    Measured,
    UncheckedError,
    banded,
    canonical,
    lab,
    lab_inputs,
    verdict,
)
from outputs.findings.rule import Case, Finding
from outputs.printed_result import PrintedResult
from outputs.rendering import rounded, shown_day, shown_number

LASTS_DAYS = 90
_MARKERS = ("egfr", "urine_albumin_creatinine_ratio")
_NAMES = {"egfr": "eGFR", "urine_albumin_creatinine_ratio": "urine albumin"}
_LASTING = Band(
    "lasting three months or more",
    severity="medium",
    fires=True,
    next_step="Meets the numeric criterion of chronic kidney disease: look for its cause and stage it.",
)
_ONCE = Band(
    "outside, not yet for three months", severity="low", fires=True, next_step="Repeat after three months."
)
_NONE = Band("not outside at the newest draw")


def _is_marker(result: PrintedResult) -> bool:
    """eGFR below 60 or albumin/creatinine from 30 mg/g, as the laboratory reports it."""
    rule = EGFR if result.analyte == "egfr" else ALBUMIN_CREATININE
    bands = rule.bands["any"]
    value = rounded(result.value, 0) if result.analyte == "egfr" else result.value
    return bands[band_index(value, result.unit, bands)].fires


def _usable(case: Case, analyte: str) -> list[PrintedResult]:
    """Draws with a number in a unit the limits are given in, the newest first."""
    bands = (EGFR if analyte == "egfr" else ALBUMIN_CREATININE).bands["any"]
    draws = case.history.get(analyte, ())
    return [each for each in draws if each.comparator is None and each.unit in bands[-1].lower]


def _outside_since(draws: list[PrintedResult]) -> PrintedResult | None:
    """The oldest of the newest unbroken run of draws that are outside; None where the newest is not."""
    oldest = None
    for each in draws:
        if not _is_marker(each):
            break
        oldest = each
    return oldest


def _lasting(rule: Checked, case: Case) -> Finding:
    runs = [(draws, _outside_since(draws)) for name in _MARKERS if (draws := _usable(case, name))]
    if not runs:
        raise UncheckedError("no_result")
    newest = max(draws[0].collected for draws, _ in runs)
    outside = [(draws[0], oldest) for draws, oldest in runs if oldest is not None]
    if not outside:
        return _inside(rule, case, newest, [draws for draws, _ in runs])
    last, first = max(outside, key=lambda run: (run[0].collected - run[1].collected).days)
    days = (last.collected - first.collected).days
    band = _LASTING if days >= LASTS_DAYS else _ONCE
    statement = (
        f"{last.label} {last.shown}, outside since {shown_day(first.collected)}: {band.category}."
        if first is not last
        else f"{last.label} {last.shown}: {band.category}."
    )
    return verdict(rule, last.collected, statement, band, lab_inputs(case, *dict.fromkeys((last, first))))


def _inside(rule: Checked, case: Case, newest: date, measured: list[list[PrintedResult]]) -> Finding:
    """Nothing found only where both markers were measured over three months; else what is missing is told."""
    inputs = lab_inputs(case, *(draws[0] for draws in measured))
    seen = [draws[0].analyte for draws in measured]
    unmeasured = [name for name in _MARKERS if name not in seen]
    lacks = [f"{_NAMES[name]} was not measured" for name in unmeasured]
    if all((draws[0].collected - draws[-1].collected).days < LASTS_DAYS for draws in measured):
        lacks.append(f"no draws lie {LASTS_DAYS} days apart")
    if not lacks:
        statement = "Neither eGFR nor urine albumin marks kidney disease at the newest draw."
        return verdict(rule, newest, statement, _NONE, inputs)
    says = "does not mark" if unmeasured else "do not mark"
    marked = " and ".join(_NAMES[name] for name in seen)
    statement = f"At the newest draw {marked} {says} kidney disease, which does not exclude it"
    statement += f": {'; '.join(lacks)}."
    reason = "other_marker" if unmeasured else "one_draw"
    return Finding(rule.about, newest, "insufficient", statement, reason=reason, evidence=inputs)


def _fall(case: Case) -> Measured:
    newest = lab(case, "egfr")
    before = [each for each in _usable(case, "egfr") if each.collected < newest.collected]
    if not before:
        raise UncheckedError("one_draw", day=newest.collected)
    old, new = canonical(before[0]), canonical(newest)
    fallen = rounded(100 * (old - new) / old, 1)
    direction = "lower" if fallen >= 0 else "higher"
    shown = (
        f"{shown_number(abs(fallen), 0)} % {direction} than on {shown_day(before[0].collected)}"
        f" ({before[0].shown} before)"
    )
    return Measured(fallen, shown, newest.collected, lab_inputs(case, newest, before[0]))


CHRONIC = Checked(
    "kidney_three_months_kdigo",
    "Kidney markers over three months",
    "labs",
    ("egfr", "urine_albumin_creatinine_ratio"),
    "all draws",
    "one result to say that it is outside, two of 90 days apart to say that it lasts; both markers, and draws"
    " 90 days apart, to find nothing",
    KDIGO,
    _lasting,
    {},
    lines=(
        "eGFR below 60 or albumin/creatinine from 30 mg/g over 90 days or more, none between within (medium)",
        "outside at the newest draw, not over 90 days (low)",
        "neither, where both were measured and draws lie 90 days apart (nothing found)",
    ),
)
FALL = Checked(
    "egfr_fall_kdigo",
    "eGFR, fall over time",
    "labs",
    ("egfr",),
    "newest draw against the one before",
    "two draws",
    KDIGO,
    banded(_fall, "%", name="eGFR"),
    {
        "any": (
            Band("20 % or less", says="within what tests vary"),
            Band("above 20 %", {"%": 20}, "medium", True, "more than the guideline's variability",
                 "Look for illness, dehydration and medicines (some lower it and are meant to); repeat.",
                 strictly=True),
        )
    },
)  # fmt: skip
RULES = (CHRONIC.rule(), FALL.rule())

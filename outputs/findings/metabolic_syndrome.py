"""The five criteria of the metabolic syndrome (harmonised definition); missing ones leave the answer open."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from outputs.findings.bands import Band
from outputs.findings.blood_pressure import pressure, pressure_inputs
from outputs.findings.measured import Checked, UncheckedError, lab, lab_inputs, reaches, told, verdict
from outputs.findings.rule import Case, Finding, Guideline

_HARMONISED = Guideline(
    "Harmonised definition of the metabolic syndrome (IDF, NHLBI, AHA, WHF, IAS, IASO)",
    2009,
    "https://doi.org/10.1161/CIRCULATIONAHA.109.192644",
)
NEEDED, ALL = 3, 5
# The definition leaves the waist to each population: these are AHA's, of the United States.
WAIST_CM = {"female": 88.0, "male": 102.0}
HDL_BELOW = {"female": {"mg/dL": 50, "mmol/L": 1.3}, "male": {"mg/dL": 40, "mmol/L": 1.0}}
TRIGLYCERIDES_FROM = {"mg/dL": 150, "mmol/L": 1.7}
GLUCOSE_FROM = {"mg/dL": 100, "mmol/L": 5.6}
_MET = Band(
    "three or more of five",
    severity="low",
    fires=True,
    next_step="Read as a whole: weight, movement, blood pressure, glucose and lipids; waist limits differ.",
)
_NOT_MET = Band("fewer than three of five")


@dataclass(frozen=True, slots=True)
class Criterion:
    """Whether a criterion is met, the day it holds for and its inputs."""

    met: bool
    day: date
    evidence: list[dict[str, object]]


def _waist(case: Case) -> Criterion:
    waist = told(case, "waist_cm")
    evidence = [waist.evidence(case.participant_id, "cm")]
    return Criterion(waist.value >= WAIST_CM[case.sex], waist.day or case.last_day, evidence)


def _triglycerides(case: Case) -> Criterion:
    result = lab(case, "triglycerides")
    return Criterion(reaches(result, TRIGLYCERIDES_FROM), result.collected, lab_inputs(case, result))


def _hdl(case: Case) -> Criterion:
    result = lab(case, "hdl_cholesterol")
    return Criterion(not reaches(result, HDL_BELOW[case.sex]), result.collected, lab_inputs(case, result))


def _pressure(case: Case) -> Criterion:
    """130/85, or medicines for it."""
    measured = pressure(case, "systolic", "diastolic")
    high = measured.systolic >= 130 or measured.diastolic >= 85
    evidence = pressure_inputs(case, measured)
    return Criterion(high or case.says("antihypertensives") is True, measured.days[-1], evidence)


def _glucose(case: Case) -> Criterion:
    """100 mg/dL fasting, or medicines for it."""
    result = lab(case, "glucose")
    treated = case.says("glucose_drug") is True
    if result.fasting is not True and not treated:
        raise UncheckedError("fasting_unknown", day=result.collected)
    return Criterion(treated or reaches(result, GLUCOSE_FROM), result.collected, lab_inputs(case, result))


_CRITERIA: Mapping[str, Callable[[Case], Criterion]] = {
    "waist": _waist,
    "triglycerides": _triglycerides,
    "HDL cholesterol": _hdl,
    "blood pressure": _pressure,
    "fasting glucose": _glucose,
}


def _criteria(case: Case) -> dict[str, Criterion]:
    """Those that can be judged."""
    found: dict[str, Criterion] = {}
    for name, judge in _CRITERIA.items():
        try:
            found[name] = judge(case)
        except UncheckedError:
            continue
    return found


def _answer(rule: Checked, case: Case) -> Finding:
    if case.sex not in WAIST_CM:
        raise UncheckedError("sex_unknown", "not_applicable")
    found = _criteria(case)
    met = [name for name, criterion in found.items() if criterion.met]
    if len(met) < NEEDED <= len(met) + ALL - len(found):
        raise UncheckedError("not_told")
    band = _MET if len(met) >= NEEDED else _NOT_MET
    missing = [name for name in _CRITERIA if name not in found]
    statement = (
        f"Metabolic syndrome criteria: {len(met)} met of {len(found)} that could be judged"
        + (f" ({', '.join(met)})" if met else "")
        + (f"; not judged: {', '.join(missing)}" if missing else "")
        + "."
    )
    evidence = [each for criterion in found.values() for each in criterion.evidence]
    day = max(criterion.day for criterion in found.values())
    return verdict(rule, day, statement, band, evidence)


METABOLIC_SYNDROME = Checked(
    "metabolic_syndrome_harmonised",
    "Metabolic criteria read together",
    "labs",
    ("waist_cm", "triglycerides", "hdl_cholesterol", "systolic", "diastolic", "glucose"),
    "newest values",
    "as many of the five criteria as settle whether three are met",
    _HARMONISED,
    _answer,
    {},
    lines=(
        "three or more of five: waist from 102 cm (men) or 88 cm (women), triglycerides from 150 mg/dL"
        " (1.7 mmol/L), HDL below 40 mg/dL (1.0 mmol/L, men) or 50 mg/dL (1.3 mmol/L, women), blood pressure"
        " from 130 or 85 mmHg or treated, fasting glucose from 100 mg/dL (5.6 mmol/L) or treated (low)",
        "fewer (nothing found)",
    ),
    gate="registered sex female or male",
)
RULES = (METABOLIC_SYNDROME.rule(),)

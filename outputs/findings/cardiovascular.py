"""Risk within ten years by the PREVENT equations, only where every input is there."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from outputs.findings.bands import Band
from outputs.findings.blood_pressure import Pressure, pressure, pressure_inputs
from outputs.findings.body import bmi
from outputs.findings.measured import (
    Checked,
    Measured,
    UncheckedError,
    banded,
    canonical,
    lab,
    lab_inputs,
    one_draw,
    says,
    told,
)
from outputs.findings.prevent import Inputs, Outcome, ten_year_risk
from outputs.findings.rule import Case, Guideline
from outputs.findings.told import Told
from outputs.printed_result import PrintedResult
from outputs.rendering import rounded

LONGEST_APART_DAYS = 365
SEVERE_LDL = {"mg/dL": 190, "mmol/L": 4.9}
_PREVENT = "10.1161/CIRCULATIONAHA.123.067626"
_AHA_BP = Guideline(
    "AHA/ACC guideline on high blood pressure; PREVENT equations of Khan et al., Circulation 149:430",
    2025,
    f"https://doi.org/{_PREVENT}",
)
_ACC_LIPIDS = Guideline(
    "ACC/AHA guideline on dyslipidemia; PREVENT equations of Khan et al., Circulation 149:430",
    2026,
    f"https://doi.org/{_PREVENT}",
)
_STEP = "A starting point for a talk on blood pressure, lipids, smoking and movement; the clinician decides."
_INPUTS = (
    "total_cholesterol", "hdl_cholesterol", "egfr", "systolic", "height_cm", "weight_kg", "diabetes",
    "smoker", "antihypertensives", "statin",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Measures:
    """The measured inputs; UncheckedError where one is missing or they lie more than a year apart."""

    total: PrintedResult
    hdl: PrintedResult
    egfr: PrintedResult
    seated: Pressure
    height: Told
    weight: Told

    @property
    def day(self) -> date:
        """The newest of them."""
        return max(self.total.collected, self.egfr.collected, self.seated.days[-1])

    def inputs(self, case: Case) -> Inputs:
        """With what the person says of conditions and medicines; eGFR as the integer laboratories report."""
        return Inputs(
            sex="female" if case.sex == "female" else "male",
            age=case.age or 0,
            total_cholesterol=canonical(self.total),
            hdl_cholesterol=canonical(self.hdl),
            systolic=self.seated.systolic,
            bmi=rounded(bmi(self.weight.value, self.height.value), 1),
            egfr=rounded(canonical(self.egfr), 0),
            diabetes=says(case, "diabetes"),
            smoker=says(case, "smoker"),
            antihypertensives=says(case, "antihypertensives"),
            statin=says(case, "statin"),
        )

    def evidence(self, case: Case) -> list[dict[str, object]]:
        """Every input with its cell."""
        person = case.participant_id
        yes_or_no = (case.newest(name) for name in ("diabetes", "smoker", "antihypertensives", "statin"))
        return [
            *lab_inputs(case, self.total, self.hdl, self.egfr),
            *pressure_inputs(case, self.seated),
            self.height.evidence(person, "cm"),
            self.weight.evidence(person, "kg"),
            *(fact.evidence(person, "yes or no") for fact in yes_or_no if fact is not None),
        ]


def _measures(case: Case) -> _Measures:
    total, hdl = one_draw(case, "total_cholesterol", "hdl_cholesterol")
    egfr = lab(case, "egfr")
    seated = pressure(case, "systolic", "diastolic")
    days = (total.collected, egfr.collected, seated.days[-1])
    if (max(days) - min(days)).days > LONGEST_APART_DAYS:
        raise UncheckedError("other_draw", day=max(days))
    return _Measures(total, hdl, egfr, seated, told(case, "height_cm"), told(case, "weight_kg"))


def _risk(outcome: Outcome) -> Callable[[Case], Measured]:
    def measured(case: Case) -> Measured:
        found = _measures(case)
        if case.says("heart_disease"):
            raise UncheckedError("known_heart_disease", "not_applicable", found.day)
        ldl = case.results.get("ldl_cholesterol")
        if ldl is not None and ldl.value >= SEVERE_LDL.get(ldl.unit, math.inf):
            raise UncheckedError("severe_ldl", "not_applicable", found.day)
        risk = ten_year_risk(found.inputs(case), outcome)
        if risk is None:
            raise UncheckedError("input_range", "not_applicable", found.day)
        percent = rounded(100 * risk, 1)
        people = "fewer than 1" if percent < 0.5 else f"about {rounded(percent, 0):.0f}"
        shown = f"{percent:.1f} % within ten years, {people} of 100 people with these values"
        return Measured(percent, shown, found.day, found.evidence(case))

    return measured


def _rule(
    rule_id: str, title: str, outcome: Outcome, guideline: Guideline, bands: tuple[Band, ...]
) -> Checked:
    return Checked(
        rule_id,
        title,
        "heart",
        _INPUTS,
        "newest values",
        "every input, none more than a year from another; cholesterols of one draw",
        guideline,
        banded(_risk(outcome), "%"),
        {"female": bands, "male": bands},
        gate="age 30 to 79 and every input within the range of the equations; no known heart disease;"
        " LDL cholesterol below 190 mg/dL",
    )


CVD = _rule(
    "prevent_cvd_aha",
    "PREVENT ten-year estimate (CVD)",
    "cvd",
    _AHA_BP,
    (
        Band("below 7.5 %", says="below the guideline's limit for blood pressure"),
        Band("7.5 % or above", {"%": 7.5}, "medium", True, "at or above the limit of the guideline", _STEP),
    ),
)
ASCVD = _rule(
    "prevent_ascvd_acc_aha",
    "PREVENT ten-year estimate (ASCVD)",
    "ascvd",
    _ACC_LIPIDS,
    (
        Band("low", says="in the guideline's low group"),
        Band("borderline", {"%": 3}, "info", True, "in the guideline's borderline group", _STEP),
        Band("intermediate", {"%": 5}, "low", True, "in the guideline's intermediate group", _STEP),
        Band("high", {"%": 10}, "medium", True, "in the guideline's high group", _STEP),
    ),
)
RULES = (CVD.rule(), ASCVD.rule())

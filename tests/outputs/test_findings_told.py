"""Rules on what was told: blood pressure, body, risk, criteria of the metabolic syndrome, medicines."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_person import END, days, labs, person_row, result, table, tables_of

from outputs.findings.blood_pressure import category, category_in_pregnancy
from outputs.findings.body import bmi
from outputs.findings.case import DEFAULT_LIMITS, case_of
from outputs.findings.check import check_case
from outputs.findings.metabolic_syndrome import METABOLIC_SYNDROME
from outputs.findings.prevent import Inputs, ten_year_risk
from outputs.findings.told import told_facts
from schemas.settings import FindingsSection

TOLD_ON = date(2026, 6, 5)
G_UNIT = "mL/min/{1.73_m2}"


def answered(item: str, value: float, day: date = TOLD_ON, **fields: Any) -> dict[str, Any]:
    return {
        "participant_id": "P1", "instrument": "clinic", "event": "", "instance": 1, "item": item,
        "value": f"{value:g}", "value_num": value, "answered_on": day, "file_id": "f",
    } | fields  # fmt: skip


def findings(
    told: Mapping[str, float] | list[dict[str, Any]],
    *results: dict[str, Any],
    items: Mapping[Any, str] | None = None,
    **person: Any,
) -> dict[str, dict[str, Any]]:
    """Findings by rule, of rules with one subject."""
    rows = told if isinstance(told, list) else [answered(item, value) for item, value in told.items()]
    tables = tables_of(lab_results=labs(*results), **person) | {
        "survey_answers": table("survey_answers", rows)
    }
    settings = FindingsSection(items=dict(items or {}))  # pyright: ignore[reportCallIssue]
    found = check_case(case_of(tables, END, DEFAULT_LIMITS, settings))
    return {row["rule_id"]: row for row in found.iter_rows(named=True)}


@pytest.mark.parametrize(
    ("systolic", "diastolic", "expected"),
    [
        (119, 79, "normal"), (118, 80, "stage 1"), (125, 79, "elevated"), (128, 85, "stage 1"),
        (140, 70, "stage 2"), (181, 95, "above 180/120"), (180, 120, "stage 2"), (120, 79, "elevated"),
        (130, 79, "stage 1"), (129, 79, "elevated"), (110, 90, "stage 2"), (150, 121, "above 180/120"),
    ],
)  # fmt: skip
def test_blood_pressure_categories(systolic: float, diastolic: float, expected: str) -> None:
    assert category(systolic, diastolic).category == expected


@given(st.integers(80, 240), st.integers(40, 140), st.integers(0, 20), st.integers(0, 20))
def test_higher_pressure_is_never_a_lower_category(upper: int, lower: int, more: int, also: int) -> None:
    order = ["normal", "elevated", "stage 1", "stage 2", "above 180/120"]
    place = order.index(category(upper, lower).category)
    assert order.index(category(upper + more, lower + also).category) >= place


@pytest.mark.parametrize(
    ("systolic", "diastolic", "severity"),
    [(139, 89, "info"), (140, 70, "high"), (159, 109, "high"), (160, 80, "critical"), (120, 110, "critical")],
)
def test_pregnancy_has_limits_of_its_own(systolic: float, diastolic: float, severity: str) -> None:
    assert category_in_pregnancy(systolic, diastolic).severity == severity
    row = findings({"systolic": systolic, "diastolic": diastolic, "pregnant": 1})["blood_pressure_aha"]
    assert row["severity"] == severity


def test_readings_at_home_are_averaged_and_one_is_told_as_one() -> None:
    rows = [
        answered(item, value, TOLD_ON + timedelta(n), instrument="home", instance=n + 1)
        for n, pair in enumerate(((150, 90), (140, 84), (133, 81)))
        for item, value in zip(("home_systolic", "home_diastolic"), pair, strict=True)
    ]
    found = findings([*rows, answered("systolic", 150), answered("diastolic", 80)])
    home, office = found["blood_pressure_home_aha"], found["blood_pressure_aha"]
    assert home["statement"] == "Blood pressure at home 141/85 mmHg (mean of 3 readings on 3 days): stage 2."
    assert home["window_end"] == TOLD_ON + timedelta(2)
    assert "(one reading): stage 2. The category needs two or more readings" in office["statement"]


def test_half_a_reading_is_none() -> None:
    assert findings({"systolic": 150})["blood_pressure_aha"]["reason"] == "not_told"


@pytest.mark.parametrize(
    ("kilograms", "outcome", "severity"),
    [(47.2, "fired", "low"), (47.3, "normal", "info"), (63.9, "fired", "info"), (63.8, "normal", "info"),
     (76.8, "fired", "low"), (102.4, "fired", "medium")],
)  # fmt: skip
def test_body_mass_index(kilograms: float, outcome: str, severity: str) -> None:
    row = findings({"height_cm": 161, "weight_kg": kilograms * 161**2 / 160**2})["bmi_who"]
    assert bmi(64.0, 160) == pytest.approx(25.0)
    assert (row["outcome"], row["severity"]) == (outcome, severity)


@pytest.mark.parametrize(("now", "outcome"), [(66.6, "normal"), (66.4, "fired"), (62.9, "fired")])
def test_weight_lost_over_months(now: float, outcome: str) -> None:
    daily = days(300, weight_kg=lambda n: None if n % 7 else (now if n > 270 else 70.0))
    found = check_case(case_of(tables_of(daily), END)).filter(pl.col("rule_id") == "weight_loss_afp")
    row = found.row(0, named=True)
    assert row["outcome"] == outcome
    assert row["severity"] == ("info" if outcome == "normal" else "high" if now < 63 else "medium")


PREVENT = [
    ("female", 50, 200, 45, 160, 1, 0, 90, 1, 0, 35, 0.146839, 0.091951),
    ("male", 50, 200, 45, 160, 1, 0, 90, 1, 0, 35, 0.163171, 0.101944),
    ("male", 66, 188, 52, 148, 1, 1, 67, 0, 1, 30, 0.224156, 0.142050),
    ("female", 66, 188, 52, 148, 1, 1, 67, 0, 1, 30, 0.216776, 0.135244),
    ("female", 40, 180, 60, 105, 0, 0, 105, 0, 0, 22, 0.005387, 0.003396),
    ("male", 72, 160, 40, 135, 0, 0, 48, 1, 1, 33, 0.216489, 0.119475),
    ("female", 55, 213, 50, 120, 0, 0, 90, 0, 0, 25, 0.030407, 0.019610),
    ("male", 55, 213, 50, 120, 0, 0, 90, 0, 0, 25, 0.041312, 0.028158),
]


def person(row: Sequence[Any]) -> Inputs:
    sex, age, total, hdl, systolic, diabetes, smoker, egfr, treated, statin, mass = row
    yes = (bool(each) for each in (diabetes, smoker, treated, statin))
    return Inputs(sex, age, total, hdl, systolic, mass, egfr, *yes)


@pytest.mark.parametrize("row", PREVENT)
def test_prevent_gives_the_published_risks(row: tuple[Any, ...]) -> None:
    *values, cvd, ascvd = row
    inputs = person(values)
    assert ten_year_risk(inputs, "cvd") == pytest.approx(cvd, abs=5e-7)
    assert ten_year_risk(inputs, "ascvd") == pytest.approx(ascvd, abs=5e-7)


@pytest.mark.parametrize(
    ("place", "value"),
    [(1, 29), (1, 80), (2, 129), (2, 321), (3, 19), (3, 101), (4, 89), (4, 201), (7, 14), (7, 141), (10, 40)],
)
def test_outside_its_ranges_prevent_says_nothing(place: int, value: float) -> None:
    values: list[Any] = list(PREVENT[6][:11])
    values[place] = value
    assert ten_year_risk(person(values), "cvd") is None


RISK_TOLD = {
    "systolic": 160, "diastolic": 85, "height_cm": 170, "weight_kg": 101.15, "diabetes": 1, "smoker": 0,
    "antihypertensives": 1, "statin": 0,
}  # fmt: skip
RISK_LABS = (
    result("total_cholesterol", 200, "mg/dL"),
    result("hdl_cholesterol", 45, "mg/dL"),
    result("egfr", 90.4, G_UNIT),
)  # fmt: skip


def test_prevent_is_not_for_severe_ldl() -> None:
    for value, reason in ((189, None), (190, "severe_ldl")):
        found = findings(RISK_TOLD, *RISK_LABS, result("ldl_cholesterol", value, "mg/dL"), age=50)
        assert found["prevent_ascvd_acc_aha"]["reason"] == reason


def test_prevent_from_tables() -> None:
    found = findings(RISK_TOLD, *RISK_LABS, age=50)
    assert found["prevent_cvd_aha"]["statement"].startswith(
        "PREVENT ten-year estimate (CVD) 14.7 % within ten years, about 15 of 100 people"
    )
    assert (found["prevent_cvd_aha"]["outcome"], found["prevent_cvd_aha"]["severity"]) == ("fired", "medium")
    assert found["prevent_ascvd_acc_aha"]["category"] == "intermediate"


@pytest.mark.parametrize(
    ("change", "outcome", "reason"),
    [
        ({"statin": None}, "insufficient", "not_told"),
        ({"weight_kg": 130}, "not_applicable", "input_range"),
        ({"heart_disease": 1}, "not_applicable", "known_heart_disease"),
        ({"pregnant": 1}, "not_applicable", "pregnancy"),
    ],
)
def test_prevent_is_silent_where_it_does_not_hold(change: dict[str, Any], outcome: str, reason: str) -> None:
    told = {name: value for name, value in (RISK_TOLD | change).items() if value is not None}
    row = findings(told, *RISK_LABS, age=50)["prevent_cvd_aha"]
    assert (row["outcome"], row["reason"]) == (outcome, reason)


@pytest.mark.parametrize(
    ("told", "values", "sex", "outcome"),
    [
        ({"waist_cm": 90, "systolic": 131, "diastolic": 80}, (160, 38, 99), "male", "fired"),
        ({"waist_cm": 90, "systolic": 129, "diastolic": 80}, (160, 38, 99), "male", "normal"),
        ({"waist_cm": 88, "systolic": 120, "diastolic": 85}, (149, 49, 99), "female", "fired"),
        ({"systolic": 128, "diastolic": 86}, (160, None, None), "male", "insufficient"),
        ({"systolic": 120, "diastolic": 70, "antihypertensives": 1}, (160, 38, None), "male", "fired"),
        ({}, (140, 60, 90), "male", "normal"),
    ],
)
def test_metabolic_syndrome(
    told: dict[str, float], values: tuple[float | None, ...], sex: str, outcome: str
) -> None:
    names = ("triglycerides", "hdl_cholesterol", "glucose")
    results = [result(name, v, "mg/dL") for name, v in zip(names, values, strict=True) if v is not None]
    assert findings(told, *results, sex=sex)[METABOLIC_SYNDROME.rule_id]["outcome"] == outcome


def test_criteria_are_compared_in_the_unit_of_the_report() -> None:
    results = (
        result("triglycerides", 1.7, "mmol/L", value_canonical=150.6),
        result("hdl_cholesterol", 1.0, "mmol/L", value_canonical=38.7),
        result("glucose", 5.6, "mmol/L", value_canonical=100.9),
    )
    told = {"waist_cm": 100.0, "systolic": 120.0, "diastolic": 80.0}
    row = findings(told, *results, sex="male")[METABOLIC_SYNDROME.rule_id]
    assert row["statement"] == (
        "Metabolic syndrome criteria: 2 met of 5 that could be judged (triglycerides, fasting glucose)."
    )


@pytest.mark.parametrize(
    ("medicine", "test", "rule", "severity"),
    [
        ("metformin", result("egfr", 29, G_UNIT), "metformin_kidney_fda", "high"),
        ("metformin", result("egfr", 30, G_UNIT), "metformin_kidney_fda", "medium"),
        ("metformin", result("egfr", 45, G_UNIT), "metformin_kidney_fda", None),
        ("metformin", result("vitamin_b12", 179, "pg/mL"), "metformin_b12_mhra", "medium"),
        ("metformin", result("vitamin_b12", 351, "pg/mL"), "metformin_b12_mhra", None),
        ("nsaid", result("egfr", 29, G_UNIT), "painkiller_kidney_kdigo", "high"),
        ("nsaid", result("egfr", 59, G_UNIT), "painkiller_kidney_kdigo", "medium"),
        ("nsaid", result("egfr", 60, G_UNIT), "painkiller_kidney_kdigo", None),
        ("statin", result("alt", 121, "U/L", ref_high=40.0), "statin_liver_acc_aha", "medium"),
        ("statin", result("alt", 120, "U/L", ref_high=40.0), "statin_liver_acc_aha", None),
        ("biotin", result("tsh", 0.05, "m[IU]/L"), "biotin_tests_fda", "low"),
    ],
)
def test_medicines_and_results(medicine: str, test: dict[str, Any], rule: str, severity: str | None) -> None:
    row = findings({medicine: 1}, test)[rule]
    assert (row["outcome"], row["severity"]) == ("fired" if severity else "normal", severity or "info")
    assert findings({medicine: 0}, test)[rule]["reason"] == "not_taken"
    assert findings({}, test)[rule]["reason"] == "not_told"
    assert "stop taking" not in (row["next_step"] or "")


def test_a_statin_in_pregnancy_is_for_the_same_day() -> None:
    row = findings({"statin": 1, "pregnant": 1})["statin_pregnancy_fda"]
    assert (row["outcome"], row["severity"]) == ("fired", "high")
    assert findings({"statin": 1, "pregnant": 0})["statin_pregnancy_fda"]["outcome"] == "normal"
    assert findings({"statin": 1})["statin_pregnancy_fda"]["reason"] == "not_told"


def test_facts_are_found_by_name_or_by_the_studys_mapping() -> None:
    rows = [answered("smoking", 2), answered("Waist", 91.5), answered("taille", 80.0)]
    answers = table("survey_answers", rows)
    assert "smoker" not in told_facts(answers, END, {})
    found = told_facts(answers, END, {"smoker": "smoking=2", "waist_cm": "taille"})
    assert (found["smoker"][0].value, found["waist_cm"][0].value) == (1.0, 80.0)
    assert told_facts(answers, END, {"smoker": "smoking=1"})["smoker"][0].value == 0.0
    assert told_facts(answers, END, {"waist_cm": "waist"})["waist_cm"][0].value == 91.5


def test_the_newest_answer_on_or_before_as_of_counts() -> None:
    rows = [
        answered("waist_cm", 90, date(2026, 1, 1)),
        answered("waist_cm", 95, date(2026, 3, 1), instance=2),
        answered("waist_cm", 99, END + timedelta(1), instance=3),
    ]
    found = told_facts(table("survey_answers", rows[::-1]), END, {})["waist_cm"]
    assert [each.value for each in found] == [95, 90]


def test_people_without_answers_are_answered() -> None:
    tables = tables_of() | {"participants": person_row()}
    found = check_case(case_of(tables, END))
    reasons = dict(zip(found["rule_id"], found["reason"], strict=True))
    for rule in ("bmi_who", "blood_pressure_aha", "metformin_kidney_fda", "metabolic_syndrome_harmonised"):
        assert reasons[rule] == "not_told"

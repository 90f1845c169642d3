"""Rules on laboratory results, at their limits and through their gates."""

import json
from datetime import date
from typing import Any

import pytest
from made_person import END, findings_of, lab_finding, labs, person_row, result, table, tables_of

G_UNIT = "mL/min/{1.73_m2}"

LIMITS = [
    ("hba1c_ada", "hba1c", "%", 5.6, "normal", "below prediabetes range", "info"),
    ("hba1c_ada", "hba1c", "%", 5.7, "fired", "prediabetes range", "low"),
    ("hba1c_ada", "hba1c", "%", 6.4, "fired", "prediabetes range", "low"),
    ("hba1c_ada", "hba1c", "%", 6.5, "fired", "diabetes range", "high"),
    ("hba1c_ada", "hba1c", "%", 9.9, "fired", "diabetes range", "high"),
    ("hba1c_ada", "hba1c", "%", 10.0, "fired", "diabetes range, far above", "high"),
    ("hba1c_ada", "hba1c", "mmol/mol", 38, "normal", "below prediabetes range", "info"),
    ("hba1c_ada", "hba1c", "mmol/mol", 39, "fired", "prediabetes range", "low"),
    ("hba1c_ada", "hba1c", "mmol/mol", 48, "fired", "diabetes range", "high"),
    ("fasting_glucose_ada", "glucose", "mg/dL", 99, "normal", "below impaired fasting range", "info"),
    ("fasting_glucose_ada", "glucose", "mg/dL", 100, "fired", "impaired fasting range", "low"),
    ("fasting_glucose_ada", "glucose", "mg/dL", 125, "fired", "impaired fasting range", "low"),
    ("fasting_glucose_ada", "glucose", "mg/dL", 125.5, "fired", "impaired fasting range", "low"),
    ("fasting_glucose_ada", "glucose", "mg/dL", 126, "fired", "diabetes range", "high"),
    ("fasting_glucose_ada", "glucose", "mg/dL", 250, "fired", "diabetes range, far above", "high"),
    ("fasting_glucose_ada", "glucose", "mmol/L", 5.5, "normal", "below impaired fasting range", "info"),
    ("fasting_glucose_ada", "glucose", "mmol/L", 5.6, "fired", "impaired fasting range", "low"),
    ("fasting_glucose_ada", "glucose", "mmol/L", 7.0, "fired", "diabetes range", "high"),
    ("homa_ir_wear_me", "homa_ir", "1", 1.499, "normal", "insulin sensitive", "info"),
    ("homa_ir_wear_me", "homa_ir", "1", 1.5, "fired", "impaired insulin sensitivity", "info"),
    ("homa_ir_wear_me", "homa_ir", "1", 2.9, "fired", "impaired insulin sensitivity", "info"),
    ("homa_ir_wear_me", "homa_ir", "1", 2.901, "fired", "insulin resistant", "low"),
    ("ldl_acc_aha", "ldl_cholesterol", "mg/dL", 189, "normal", "below severe range", "info"),
    ("ldl_acc_aha", "ldl_cholesterol", "mg/dL", 190, "fired", "severe range", "high"),
    ("ldl_acc_aha", "ldl_cholesterol", "mmol/L", 4.9, "fired", "severe range", "high"),
    ("triglycerides_acc_aha", "triglycerides", "mg/dL", 149, "normal", "below elevated range", "info"),
    ("triglycerides_acc_aha", "triglycerides", "mg/dL", 150, "fired", "elevated range", "low"),
    ("triglycerides_acc_aha", "triglycerides", "mg/dL", 500, "fired", "severe range", "high"),
    ("triglycerides_acc_aha", "triglycerides", "mg/dL", 1000, "fired", "pancreatitis risk range", "high"),
    ("hdl_harmonised", "hdl_cholesterol", "mg/dL", 49, "fired", "low", "low"),
    ("hdl_harmonised", "hdl_cholesterol", "mg/dL", 50, "normal", "not low", "info"),
    ("lipoprotein_a_nla", "lipoprotein_a_moles", "nmol/L", 74, "normal", "low risk range", "info"),
    ("lipoprotein_a_nla", "lipoprotein_a_moles", "nmol/L", 75, "fired", "intermediate range", "low"),
    ("lipoprotein_a_nla", "lipoprotein_a_moles", "nmol/L", 125, "fired", "high range", "medium"),
    ("lipoprotein_a_mass_nla", "lipoprotein_a_mass", "mg/dL", 49, "fired", "intermediate range", "low"),
    ("egfr_kdigo", "egfr", G_UNIT, 90, "normal", "G1", "info"),
    ("egfr_kdigo", "egfr", G_UNIT, 89, "normal", "G2", "info"),
    ("egfr_kdigo", "egfr", G_UNIT, 60, "normal", "G2", "info"),
    ("egfr_kdigo", "egfr", G_UNIT, 59, "fired", "G3a", "low"),
    ("egfr_kdigo", "egfr", G_UNIT, 44, "fired", "G3b", "medium"),
    ("egfr_kdigo", "egfr", G_UNIT, 29, "fired", "G4", "high"),
    ("egfr_kdigo", "egfr", G_UNIT, 14, "fired", "G5", "critical"),
    ("urine_acr_kdigo", "urine_albumin_creatinine_ratio", "mg/g", 29, "normal", "A1", "info"),
    ("urine_acr_kdigo", "urine_albumin_creatinine_ratio", "mg/g", 30, "fired", "A2", "low"),
    ("urine_acr_kdigo", "urine_albumin_creatinine_ratio", "mg/g", 300, "fired", "A2", "low"),
    ("urine_acr_kdigo", "urine_albumin_creatinine_ratio", "mg/g", 301, "fired", "A3", "medium"),
    ("hemoglobin_who", "hemoglobin", "g/dL", 12.0, "normal", "not low", "info"),
    ("hemoglobin_who", "hemoglobin", "g/dL", 11.9, "fired", "mild range", "low"),
    ("hemoglobin_who", "hemoglobin", "g/dL", 11.0, "fired", "mild range", "low"),
    ("hemoglobin_who", "hemoglobin", "g/dL", 10.9, "fired", "moderate range", "medium"),
    ("hemoglobin_who", "hemoglobin", "g/L", 80, "fired", "moderate range", "medium"),
    ("hemoglobin_who", "hemoglobin", "g/L", 79, "fired", "severe range", "high"),
    ("vitamin_d_iom", "vitamin_d_25oh", "ng/mL", 11.9, "fired", "risk of deficiency", "medium"),
    ("vitamin_d_iom", "vitamin_d_25oh", "ng/mL", 12, "fired", "some at risk of inadequacy", "low"),
    ("vitamin_d_iom", "vitamin_d_25oh", "ng/mL", 20, "normal", "sufficient for nearly all", "info"),
    ("vitamin_d_iom", "vitamin_d_25oh", "nmol/L", 50, "normal", "sufficient for nearly all", "info"),
    ("hs_crp_cdc_aha", "hs_crp", "mg/L", 0.9, "normal", "lower", "info"),
    ("hs_crp_cdc_aha", "hs_crp", "mg/L", 3.0, "normal", "average", "info"),
    ("hs_crp_cdc_aha", "hs_crp", "mg/L", 3.1, "fired", "higher", "low"),
    ("hs_crp_cdc_aha", "hs_crp", "mg/L", 12, "fired", "repeat", "low"),
    ("tsh_nice", "tsh", "m[IU]/L", 0.05, "fired", "suppressed range", "medium"),
    ("tsh_nice", "tsh", "m[IU]/L", 0.1, "normal", "between the decision limits", "info"),
    ("tsh_nice", "tsh", "u[IU]/mL", 9.9, "normal", "between the decision limits", "info"),
    ("tsh_nice", "tsh", "u[IU]/mL", 10.0, "fired", "raised range", "medium"),
]


@pytest.mark.parametrize(("rule", "analyte", "unit", "value", "outcome", "category", "severity"), LIMITS)
def test_every_rule_at_its_limits(
    rule: str, analyte: str, unit: str, value: float, outcome: str, category: str, severity: str
) -> None:
    row = lab_finding(rule, result(analyte, value, unit))
    assert (row["outcome"], row["category"], row["severity"]) == (outcome, category, severity)
    assert row["window_end"] == date(2026, 6, 1)
    assert (row["next_step"] is not None) == (outcome == "fired")


def test_statement_shows_the_value_as_printed_and_the_band() -> None:
    row = lab_finding("hba1c_ada", result("hba1c", 6.0, "%", raw_value="6.0"), sex="male")
    assert row["statement"] == "HbA1c 6.0 %: in the guideline's prediabetes range (5.7 to below 6.5 %)."
    assert row["guideline"] == "American Diabetes Association, Standards of Care in Diabetes (2026)"


def test_no_statement_diagnoses() -> None:
    for rule, analyte, unit, value, *_ in LIMITS:
        statement = lab_finding(rule, result(analyte, value, unit))["statement"].lower()
        assert not any(word in statement for word in (" has ", "diagnos", "suffers", "you ", "abnormal"))
        if "diabetes," in statement:
            assert "confirmation required" in statement


@pytest.mark.parametrize(
    ("sex", "value", "outcome"), [("male", 40, "normal"), ("male", 39, "fired"), ("female", 49, "fired")]
)
def test_limits_by_sex(sex: str, value: float, outcome: str) -> None:
    assert (
        lab_finding("hdl_harmonised", result("hdl_cholesterol", value, "mg/dL"), sex=sex)["outcome"]
        == outcome
    )


@pytest.mark.parametrize("sex", ["intersex", "unknown"])
def test_where_limits_differ_by_sex_others_are_not_classed(sex: str) -> None:
    row = lab_finding("hemoglobin_who", result("hemoglobin", 9.0, "g/dL"), sex=sex)
    assert (row["outcome"], row["reason"]) == ("not_applicable", "sex_unknown")
    assert lab_finding("hba1c_ada", result("hba1c", 6.0, "%"), sex=sex)["outcome"] == "fired"


def test_men_below_130_grams_are_mild() -> None:
    assert (
        lab_finding("hemoglobin_who", result("hemoglobin", 12.9, "g/dL"), sex="male")["category"]
        == "mild range"
    )
    assert (
        lab_finding("hemoglobin_who", result("hemoglobin", 13.0, "g/dL"), sex="male")["outcome"] == "normal"
    )


@pytest.mark.parametrize(
    ("fields", "outcome", "reason"),
    [
        ({"fasting": "unknown"}, "insufficient", "fasting_unknown"),
        ({"fasting": None}, "insufficient", "fasting_unknown"),
        ({"fasting": "no"}, "insufficient", "not_fasting"),
        ({"fasting": "unknown", "loinc": "1558-6"}, "fired", None),
    ],
)
def test_fasting_gate(fields: dict[str, Any], outcome: str, reason: str | None) -> None:
    row = lab_finding("fasting_glucose_ada", result("glucose", 130, "mg/dL", **fields))
    assert (row["outcome"], row["reason"]) == (outcome, reason)


@pytest.mark.parametrize("unit", ["g/dL", None])
def test_units_without_limits_are_not_compared(unit: str | None) -> None:
    row = lab_finding("hba1c_ada", result("hba1c", 6.5, unit, raw_unit="g/dL"))
    assert (row["outcome"], row["reason"]) == ("not_comparable", "unit")


@pytest.mark.parametrize(
    ("age", "outcome", "reason"),
    [(17, "not_applicable", "under_age"), (18, "fired", None), (None, "insufficient", "age_unknown")],
)
def test_age_gate(age: int | None, outcome: str, reason: str | None) -> None:
    row = lab_finding("hba1c_ada", result("hba1c", 6.0, "%"), age=age)
    assert (row["outcome"], row["reason"]) == (outcome, reason)


def answered(item: str, value: float | None, day: date = date(2026, 6, 2)) -> dict[str, Any]:
    return {
        "participant_id": "P1",
        "instrument": "history",
        "event": "",
        "instance": 1,
        "item": item,
        "value_num": value,
        "answered_on": day,
        "file_id": "s1",
    }


def test_fasting_by_a_questionnaire_opens_the_gate_and_is_evidence() -> None:
    row = result("glucose", 130, "mg/dL", fasting="yes", fasting_source="questionnaire")
    answers = table("survey_answers", [answered("fasting", 1, date(2026, 6, 1))])
    tables = tables_of(lab_results=labs(row)) | {"survey_answers": answers}
    found = findings_of(tables, rule_id="fasting_glucose_ada")["fasting_glucose_ada", "glucose"]
    (evidence,) = json.loads(found["evidence_json"])["inputs"]
    assert found["outcome"] == "fired"
    assert evidence["fasting_source"] == "questionnaire"
    assert evidence["fasting_cell"]["key"]["item"] == "fasting"


def test_pregnancy_stops_bands_but_not_the_printed_interval() -> None:
    row = result("hba1c", 6.0, "%", ref_high=5.6, flag_computed="H")
    tables = tables_of(lab_results=labs(row)) | {
        "survey_answers": table("survey_answers", [answered("pregnant", 1)])
    }
    found = findings_of(tables)
    assert (found["hba1c_ada", "hba1c"]["outcome"], found["hba1c_ada", "hba1c"]["reason"]) == (
        "not_applicable",
        "pregnancy",
    )
    assert found["lab_printed_range", "hba1c"]["outcome"] == "fired"


def test_the_newest_answer_on_pregnancy_counts() -> None:
    answers = table(
        "survey_answers",
        [answered("pregnant", 1, date(2025, 1, 1)), {**answered("pregnant", 0), "instance": 2}],
    )
    tables = tables_of(lab_results=labs(result("hba1c", 6.0, "%"))) | {"survey_answers": answers}
    row = findings_of(tables)["hba1c_ada", "hba1c"]
    assert row["outcome"] == "fired"
    assert "pregnant" not in row["statement"]


@pytest.mark.parametrize(("person", "said"), [({}, True), ({"sex": "male"}, False), ({"age": 56}, False)])
def test_where_nobody_asked_the_statement_says_whom_the_limits_are_for(
    person: dict[str, Any], said: bool
) -> None:
    row = lab_finding("hba1c_ada", result("hba1c", 6.0, "%"), **person)
    assert row["statement"].endswith("who are not pregnant.") is said


@pytest.mark.parametrize(
    ("comparator", "bound", "outcome"),
    [
        (">", 90, "normal"),
        (">=", 90, "normal"),
        ("<", 15, "fired"),
        (">", 60, "not_comparable"),
        ("<", 90, "not_comparable"),
    ],
)
def test_bounds_decide_only_where_one_band_is_left(comparator: str, bound: float, outcome: str) -> None:
    row = lab_finding(
        "egfr_kdigo",
        result(
            "egfr", None, G_UNIT, comparator=comparator, bound_num=bound, raw_value=f"{comparator}{bound}"
        ),
    )
    assert row["outcome"] == outcome


def test_a_bound_is_shown_as_one() -> None:
    row = lab_finding(
        "hs_crp_cdc_aha", result("hs_crp", None, "mg/L", comparator="<", bound_num=0.2, raw_value="<0.2")
    )
    assert row["statement"].startswith("hs-CRP <0.2 mg/L: ")


@pytest.mark.parametrize(
    ("value", "derived", "category"),
    [(59.5, True, "G2"), (59.4, True, "G3a"), (89.5, True, "G1"), (59.6, False, "G3a")],
)
def test_our_own_egfr_is_classed_as_the_integer_a_laboratory_would_report(
    value: float, derived: bool, category: str
) -> None:
    assert lab_finding("egfr_kdigo", result("egfr", value, G_UNIT, derived=derived))["category"] == category


def test_homa_ir_is_silent_where_glucose_is_in_the_diabetes_range() -> None:
    for glucose, outcome in ((125, "fired"), (126, "not_applicable")):
        rows = labs(result("glucose", glucose, "mg/dL"), result("homa_ir", 3.5, "1", derived=True))
        assert findings_of(tables_of(lab_results=rows))["homa_ir_wear_me", "homa_ir"]["outcome"] == outcome


def printed(**fields: Any) -> dict[str, Any]:
    return lab_finding("lab_printed_range", result("sodium", 140, "mmol/L", **fields))


INTERVAL = {"ref_low": 135.0, "ref_high": 145.0, "ref_low_incl": True, "ref_high_incl": True}


@pytest.mark.parametrize(
    ("fields", "outcome", "category", "severity"),
    [
        ({"flag_computed": "N"}, "normal", "within", "info"),
        ({"flag_computed": "L"}, "fired", "below", "low"),
        ({"flag_computed": "H"}, "fired", "above", "low"),
        ({"flag_computed": "N", "flag_printed": "H", "flag_mismatch": True}, "fired", "above", "low"),
        ({"flag_computed": "H", "flag_printed": "N"}, "fired", "above", "low"),
        ({"flag_computed": "H", "flag_printed": "HH"}, "fired", "above", "high"),
        ({"flag_computed": "L", "flag_printed": "critical"}, "fired", "flagged critical", "high"),
        ({"flag_printed": "A"}, "fired", "flagged abnormal", "low"),
        ({"flag_computed": "indeterminate"}, "not_comparable", None, "info"),
    ],
)
def test_the_laboratory_flag_wins(
    fields: dict[str, Any], outcome: str, category: str | None, severity: str
) -> None:
    row = printed(**INTERVAL, **fields)
    assert (row["outcome"], row["category"], row["severity"]) == (outcome, category, severity)


def test_without_interval_and_flag_nothing_is_judged() -> None:
    row = printed()
    assert (row["outcome"], row["reason"]) == ("insufficient", "no_printed_range")


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (INTERVAL, "(135 to 145 mmol/L)"),
        ({"ref_high": 145.0, "ref_high_incl": False}, "(below 145 mmol/L)"),
        ({"ref_high": 145.0, "ref_high_incl": True}, "(up to 145 mmol/L)"),
        ({"ref_low": 135.0, "ref_low_incl": True}, "(135 mmol/L or above)"),
        ({"ref_low": 135.5, "ref_low_incl": False}, "(above 135.5 mmol/L)"),
    ],
)
def test_the_interval_stands_as_printed(interval: dict[str, Any], words: str) -> None:
    statement = printed(**interval, flag_computed="N")["statement"]
    assert statement == f"Sodium 140 mmol/L: within the printed interval {words}."


def test_values_we_computed_have_no_printed_interval() -> None:
    found = findings_of(tables_of(lab_results=labs(result("egfr", 80, G_UNIT, derived=True))))
    assert found["lab_printed_range", "lab_printed_range"]["reason"] == "no_result"


def test_only_the_newest_result_of_an_analyte_is_checked() -> None:
    rows = labs(
        result("sodium", 120, "mmol/L", collected_date=date(2026, 1, 1), flag_computed="L", **INTERVAL),
        result("sodium", 140, "mmol/L", flag_computed="N", **INTERVAL),
        result(
            "sodium",
            110,
            "mmol/L",
            flag_computed="L",
            report_status="preliminary",
            collected_date=date(2026, 6, 9),
        ),
    )
    assert findings_of(tables_of(lab_results=rows))["lab_printed_range", "sodium"]["outcome"] == "normal"


def test_without_any_result_the_day_is_data_through_or_as_of() -> None:
    assert findings_of(tables_of())["hba1c_ada", "hba1c"]["window_end"] == END
    tables = tables_of() | {"participants": person_row(data_through=date(2026, 5, 5), days_behind=54)}
    assert findings_of(tables)["hba1c_ada", "hba1c"]["window_end"] == date(2026, 5, 5)


@pytest.mark.parametrize(
    ("hba1c", "glucose", "outcome", "category", "severity"),
    [
        (6.5, 126, "fired", "both in the diabetes range", "high"),
        (10.1, 260, "fired", "both in the diabetes range", "high"),
        (6.5, 125, "fired", "one in the diabetes range", "medium"),
        (6.4, 126, "fired", "one in the diabetes range", "medium"),
        (6.4, 125, "normal", "neither in the diabetes range", "info"),
    ],
)
def test_two_tests_of_one_draw(
    hba1c: float, glucose: float, outcome: str, category: str, severity: str
) -> None:
    rows = labs(result("hba1c", hba1c, "%"), result("glucose", glucose, "mg/dL"))
    row = findings_of(tables_of(lab_results=rows))["two_glucose_tests_ada", "two_glucose_tests_ada"]
    assert (row["outcome"], row["category"], row["severity"]) == (outcome, category, severity)


@pytest.mark.parametrize(
    ("hba1c", "glucose", "alone"),
    [(6.5, 126, []), (10.1, 126, []), (6.5, 125, ["hba1c"]), (5.8, 130, ["glucose"])],
)
def test_beside_the_joint_reading_neither_test_asks_for_what_it_has(
    hba1c: float, glucose: float, alone: list[str]
) -> None:
    rows = labs(result("hba1c", hba1c, "%"), result("glucose", glucose, "mg/dL"))
    found = findings_of(tables_of(lab_results=rows))
    own = [found["hba1c_ada", "hba1c"], found["fasting_glucose_ada", "glucose"]]
    assert all("See the joint finding" in row["next_step"] for row in own)
    assert not any("onfirm" in row["next_step"] or "Repeat" in row["next_step"] for row in own)
    assert "Haemoglobin variants" in own[0]["next_step"]
    assert ("Review promptly" in own[0]["next_step"]) == (hba1c > 10)
    assert [row["subject"] for row in own if "confirmation required" in row["statement"]] == alone


def test_each_test_of_a_draw_of_its_own_asks_for_a_second() -> None:
    apart = date(2026, 5, 1)
    rows = labs(result("hba1c", 6.9, "%"), result("glucose", 140, "mg/dL", collected_date=apart))
    found = findings_of(tables_of(lab_results=rows))
    assert found["hba1c_ada", "hba1c"]["next_step"].startswith("Confirm with a second test")
    assert found["fasting_glucose_ada", "glucose"]["next_step"].startswith("Confirm with a second test")


@pytest.mark.parametrize(
    ("glucose", "reason"),
    [
        ({"collected_date": date(2026, 5, 1)}, "other_draw"),
        ({"fasting": "no"}, "not_fasting"),
        ({"unit_ucum": "g/L"}, "unit"),
    ],
)
def test_two_tests_need_one_fasting_draw(glucose: dict[str, Any], reason: str) -> None:
    rows = labs(result("hba1c", 6.9, "%"), result("glucose", 140, "mg/dL", **glucose))
    row = findings_of(tables_of(lab_results=rows))["two_glucose_tests_ada", "two_glucose_tests_ada"]
    assert row["reason"] == reason

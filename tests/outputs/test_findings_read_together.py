"""Rules that read several results or draws together: liver, kidney over time, iron, thyroid, vitamins."""

from datetime import date, timedelta
from typing import Any

import pytest
from made_person import findings_of, labs, result, table, tables_of

from outputs.findings.iron import ferritin_limit
from outputs.findings.liver import fib4
from outputs.findings.thyroid import PATTERNS

G_UNIT = "mL/min/{1.73_m2}"
NEWEST = date(2026, 6, 1)


def found(
    rule: str, *results: dict[str, Any], told: dict[str, float] | None = None, **person: Any
) -> dict[str, Any]:
    answers = [
        {"participant_id": "P1", "instrument": "clinic", "event": "", "instance": 1, "item": item,
         "value": f"{value:g}", "value_num": value, "answered_on": NEWEST, "file_id": "f"}
        for item, value in (told or {}).items()
    ]  # fmt: skip
    tables = tables_of(lab_results=labs(*results), **person) | {
        "survey_answers": table("survey_answers", answers)
    }
    (row,) = findings_of(tables, rule_id=rule).values()
    return row


@pytest.mark.parametrize(
    ("values", "expected"),
    [((50, 40, 36, 250), 1.333), ((70, 30, 25, 200), 2.10), ((60, 80, 49, 120), 5.714)],
)
def test_fib4_by_hand(values: tuple[int, float, float, float], expected: float) -> None:
    assert fib4(*values) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("age", "ast", "alt", "platelets", "category", "severity"),
    [
        (50, 40, 36, 250, "indeterminate", "low"),
        (50, 38, 36, 250, "low", "info"),
        (70, 30, 25, 200, "indeterminate", "low"),
        (70, 28, 25, 200, "low", "info"),
        (60, 80, 49, 120, "higher", "medium"),
    ],
)
def test_fib4_bands_rise_at_65(
    age: int, ast: float, alt: float, platelets: float, category: str, severity: str
) -> None:
    draw = (result("ast", ast, "U/L"), result("alt", alt, "U/L"), result("platelets", platelets, "10*3/uL"))
    row = found("fib4_aasld", *draw, age=age)
    assert (row["category"], row["severity"]) == (category, severity)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"age": 34}, "too_young"),
        ({"alt": result("alt", 201, "U/L", ref_high=40.0)}, "acute_liver"),
        ({"platelets": result("platelets", 250, "10*3/uL", collected_date=date(2026, 5, 1))}, "other_draw"),
        ({"alt": result("alt", None, "U/L", comparator="<", bound_num=5.0)}, "censored"),
        ({"ast": None}, "no_result"),
    ],
)
def test_fib4_says_why_it_could_not_be_made(change: dict[str, Any], reason: str) -> None:
    draw: dict[str, Any] = {
        "ast": result("ast", 40, "U/L"),
        "alt": result("alt", 36, "U/L"),
        "platelets": result("platelets", 250, "10*3/uL"),
        "age": 50,
    } | change
    results = [draw[name] for name in ("ast", "alt", "platelets") if draw[name] is not None]
    assert found("fib4_aasld", *results, age=draw["age"])["reason"] == reason


@pytest.mark.parametrize(
    ("alt", "bilirubin", "alp", "severity"),
    [
        (124, 2.52, 100, "critical"),
        (124, 2.40, 100, "medium"),
        (124, 2.52, 240, "medium"),
        (120, 2.52, 100, "info"),
    ],
)
def test_liver_tests_together(alt: float, bilirubin: float, alp: float, severity: str) -> None:
    row = found(
        "liver_injury_fda",
        result("alt", alt, "U/L", ref_high=40.0),
        result("bilirubin_total", bilirubin, "mg/dL", ref_high=1.2),
        result("alkaline_phosphatase", alp, "U/L", ref_high=120.0),
    )
    assert (row["outcome"], row["severity"]) == ("normal" if severity == "info" else "fired", severity)


def test_without_a_printed_limit_multiples_are_not_guessed() -> None:
    assert found("liver_injury_fda", result("alt", 500, "U/L"))["reason"] == "unknown_interval"


def draws(*values: tuple[int, float], analyte: str = "egfr", unit: str = G_UNIT) -> list[dict[str, Any]]:
    """Results by days before the newest draw."""
    return [
        result(analyte, value, unit, collected_date=NEWEST - timedelta(before), file_id=f"f{before}")
        for before, value in values
    ]


@pytest.mark.parametrize(
    ("values", "category"),
    [
        (((0, 59),), "outside, not yet for three months"),
        (((0, 59), (89, 58)), "outside, not yet for three months"),
        (((0, 59), (90, 58)), "lasting three months or more"),
        (((0, 59), (45, 61), (90, 58)), "outside, not yet for three months"),
        (((0, 59), (200, 58), (400, 50)), "lasting three months or more"),
    ],
)
def test_three_months_of_a_kidney_marker(values: tuple[tuple[int, float], ...], category: str) -> None:
    row = found("kidney_three_months_kdigo", *draws(*values))
    assert row["category"] == category


def test_albumin_is_a_marker_too() -> None:
    ratio = draws((0, 31), (120, 40), analyte="urine_albumin_creatinine_ratio", unit="mg/g")
    row = found("kidney_three_months_kdigo", *draws((0, 95)), *ratio)
    assert row["category"] == "lasting three months or more"
    assert row["statement"].startswith(
        "Urine albumin/creatinine ratio 31 mg/g, outside since 1 February 2026"
    )


@pytest.mark.parametrize(
    ("egfr", "ratio", "outcome", "reason", "lacks"),
    [
        ([0, 90], [0], "normal", None, ()),
        ([0], [0, 90], "normal", None, ()),
        ([0, 89], [0], "insufficient", "one_draw", ("no draws lie 90 days apart",)),
        ([0, 120], [], "insufficient", "other_marker", ("urine albumin was not measured",)),
        ([], [0, 120], "insufficient", "other_marker", ("eGFR was not measured",)),
        (
            [0, 31], [], "insufficient", "other_marker",
            ("urine albumin was not measured", "no draws lie 90 days apart"),
        ),
    ],
)  # fmt: skip
def test_no_kidney_disease_is_found_only_where_all_was_measured(
    egfr: list[int], ratio: list[int], outcome: str, reason: str | None, lacks: tuple[str, ...]
) -> None:
    albumin = draws(*((day, 5) for day in ratio), analyte="urine_albumin_creatinine_ratio", unit="mg/g")
    row = found("kidney_three_months_kdigo", *draws(*((day, 88) for day in egfr)), *albumin)
    assert (row["outcome"], row["reason"]) == (outcome, reason)
    assert row["statement"].startswith("Neither") == (outcome == "normal")
    assert all(words in row["statement"] for words in lacks)


@pytest.mark.parametrize(("new", "outcome"), [(80, "normal"), (79.8, "fired"), (120, "normal")])
def test_a_fall_of_egfr(new: float, outcome: str) -> None:
    row = found("egfr_fall_kdigo", *draws((0, new), (60, 100)))
    assert row["outcome"] == outcome
    assert row["statement"].startswith("eGFR ")
    assert ("lower" if new < 100 else "higher") in row["statement"]


def test_one_draw_has_no_course() -> None:
    assert found("egfr_fall_kdigo", *draws((0, 70)))["reason"] == "one_draw"


@pytest.mark.parametrize(
    ("ferritin", "others", "outcome"),
    [
        (14, [], "fired"),
        (15, [], "normal"),
        (40, [result("hemoglobin", 11.5, "g/dL")], "fired"),
        (45, [result("hemoglobin", 11.5, "g/dL")], "normal"),
        (60, [result("hs_crp", 12, "mg/L")], "fired"),
        (60, [result("hs_crp", 5, "mg/L")], "normal"),
        (70, [result("hs_crp", 12, "mg/L")], "normal"),
        (40, [result("hemoglobin", 11.5, "g/dL", collected_date=date(2026, 5, 1))], "normal"),
    ],
)
def test_ferritin_in_its_context(ferritin: float, others: list[dict[str, Any]], outcome: str) -> None:
    assert found("ferritin_who", result("ferritin", ferritin, "ng/mL"), *others)["outcome"] == outcome


def test_inflammation_asks_for_the_highest_limit() -> None:
    limits = [ferritin_limit(anaemic, inflamed) for anaemic in (False, True) for inflamed in (False, True)]
    assert limits == [15, 70, 45, 70]


@pytest.mark.parametrize(
    ("hb", "mcv", "category"),
    [(11.9, 79, "microcytic"), (11.9, 80, "normocytic"), (11.9, 100.1, "macrocytic")],
)
def test_pattern_of_a_low_haemoglobin(hb: float, mcv: float, category: str) -> None:
    row = found("anaemia_pattern", result("hemoglobin", hb, "g/dL"), result("mcv", mcv, "fL"))
    assert (row["outcome"], row["category"]) == ("fired", category)


def test_a_haemoglobin_that_is_not_low_has_no_pattern() -> None:
    row = found("anaemia_pattern", result("hemoglobin", 12.0, "g/dL"), result("mcv", 70, "fL"))
    assert (row["outcome"], row["reason"]) == ("not_applicable", "not_low")


@pytest.mark.parametrize(
    ("value", "unit", "category"),
    [
        (179, "pg/mL", "deficiency range"), (180, "pg/mL", "indeterminate"), (350, "ng/L", "indeterminate"),
        (351, "pg/mL", "unlikely"), (132, "pmol/L", "deficiency range"), (259, "pmol/L", "unlikely"),
    ],
)  # fmt: skip
def test_vitamin_b12(value: float, unit: str, category: str) -> None:
    assert found("vitamin_b12_nice", result("vitamin_b12", value, unit))["category"] == category


@pytest.mark.parametrize(
    ("value", "unit", "outcome"),
    [(3.9, "ng/mL", "fired"), (4, "ng/mL", "normal"), (9.9, "nmol/L", "fired"), (10, "nmol/L", "normal")],
)
def test_folate(value: float, unit: str, outcome: str) -> None:
    assert found("folate_who", result("folate", value, unit))["outcome"] == outcome


THYROID_INTERVALS: dict[str, dict[str, Any]] = {
    "tsh": {"ref_low": 0.4, "ref_high": 4.5},
    "free_t4": {"ref_low": 0.8, "ref_high": 1.8},
}


def thyroid(tsh: float, free_t4: float, **told: float) -> dict[str, Any]:
    return found(
        "thyroid_pattern_nice",
        result("tsh", tsh, "m[IU]/L", **THYROID_INTERVALS["tsh"]),
        result("free_t4", free_t4, "ng/dL", **THYROID_INTERVALS["free_t4"]),
        told=told,
    )


@pytest.mark.parametrize(
    ("tsh", "free_t4", "category", "severity"),
    [
        (4.2, 1.2, "both within", "info"),
        (9.9, 1.2, "high TSH with free T4 within", "low"),
        (12, 0.7, "high TSH with low free T4", "high"),
        (1.0, 0.7, "low free T4 without a high TSH", "high"),
        (0.05, 2.2, "low TSH with high free T4", "high"),
        (0.05, 1.2, "low TSH with free T4 within", "low"),
    ],
)
def test_tsh_and_free_t4(tsh: float, free_t4: float, category: str, severity: str) -> None:
    row = thyroid(tsh, free_t4)
    assert (row["category"], row["severity"]) == (category, severity)


def test_biotin_and_thyroid_hormone_are_named() -> None:
    assert "Biotin is taken" in thyroid(0.05, 2.2, biotin=1)["statement"]
    assert "On thyroid hormone" in thyroid(9.9, 1.2, thyroid_hormone=1)["statement"]
    assert "Biotin" not in thyroid(1.0, 1.2, biotin=1)["statement"]


def test_every_pair_of_places_has_a_pattern() -> None:
    assert len(PATTERNS) == 9
    assert [band.fires for band in PATTERNS.values()].count(False) == 1

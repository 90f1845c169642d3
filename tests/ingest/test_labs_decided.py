"""Decisions on readings: applied where the reading is still what was looked at, told where it is not."""

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.labs import ingest_labs
from ingest.labs.decided import ReadingDecision, expected_text, parse_correction
from outputs.store import Result
from tests.ingest.lab_pdfs import (
    HEAD,
    JANE,
    SECRET,
    Sheet,
    codes,
    derived,
    doubts,
    draw,
    frame,
    ingest,
    printed,
    source,
)

TITLES = ("Test Name", "Result", "Units", "Reference Range")
GLUCOSE = ("Glucose", "91", "mg/dL", "65-99")
SODIUM = ("Sodium", "1390 H", "mmol/L", "135-146")
EXPECTED = "Sodium: 1390 mmol/L"


def sheet(*rows: tuple[str, ...]) -> Sheet:
    return Sheet([TITLES, *rows])


def decide(path: Path, row_no: int, expect: str, value: str | None = None) -> Result:
    file_id = source(path).file_id(SECRET, JANE.participant_id)
    return ingest_labs(JANE, [source(path)], SECRET, [ReadingDecision(file_id, row_no, expect, value)])


def test_a_corrected_reading_is_published_with_its_printed_text(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", sheet(GLUCOSE, SODIUM))
    assert doubts(ingest(path)) == {"Sodium": "implausible"}
    result = decide(path, 2, EXPECTED, "sodium 139 mmol/L")
    row = printed(result)["Sodium"]
    assert (row["raw_value"], row["value_num"], row["value_canonical"]) == ("1390", 139.0, 139.0)
    assert (row["flag_printed"], row["flag_computed"], row["review_reasons"]) == (
        None,
        "N",
        "corrected_by_decision",
    )
    assert (row["loinc"], row["collected_date"]) == ("2951-2", date(2026, 3, 14))
    assert codes(result) == []
    assert doubts(result) == {}
    files = frame(result, "lab_files").row(0, named=True)
    assert (files["status"], files["rows_read"], files["rows_accepted"]) == ("accepted", 2, 2)


def test_an_accepted_reading_is_published_as_it_was_read(tmp_path: Path) -> None:
    path = draw(
        tmp_path / "a.pdf", sheet(("Unheard of", "5", "mg/dL", "1-9"), ("TSH", "0.02", "uIU/mL", "0.4-4"))
    )
    assert doubts(ingest(path)) == {"Unheard of": "analyte_unknown", "TSH": "decimal_suspect"}
    row = printed(decide(path, 2, "TSH: 0.02 uIU/mL"))["TSH"]
    assert (row["value_num"], row["flag_computed"], row["review_reasons"]) == (
        0.02,
        "L",
        "accepted_by_decision",
    )
    unknown = printed(decide(path, 1, "Unheard of: 5 mg/dL"))["Unheard of"]
    assert (unknown["value_num"], unknown["analyte_key"], unknown["loinc"]) == (5.0, None, None)


def test_a_correction_in_another_unit(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", sheet(("Glucose", "S.1", "mg/dL", "65-99")))
    row = printed(decide(path, 1, "Glucose: S.1 mg/dL", "glucose 5.1 mmol/L"))["Glucose"]
    assert (row["value_num"], row["unit_ucum"], row["loinc"]) == (5.1, "mmol/L", "14749-6")
    assert row["flag_computed"] is None, "the printed interval is in another unit"
    assert round(float(str(row["value_canonical"])), 1) == 91.9


@pytest.mark.parametrize(
    ("row_no", "expect", "value"),
    [
        (2, "Sodium: 139 mmol/L", "sodium 139 mmol/L"),
        (1, EXPECTED, "sodium 139 mmol/L"),
        (9, EXPECTED, "sodium 139 mmol/L"),
        (2, EXPECTED, "sodium many"),
    ],
)
def test_a_decision_that_does_not_hold_any_more_is_told_and_changes_nothing(
    tmp_path: Path, row_no: int, expect: str, value: str
) -> None:
    path = draw(tmp_path / "a.pdf", sheet(GLUCOSE, SODIUM))
    result = decide(path, row_no, expect, value)
    assert codes(result) == ["lab_row_review", "decision_outdated"]
    assert doubts(result) == doubts(ingest(path))
    assert printed(result) == printed(ingest(path))


def test_a_reading_without_a_value_or_a_day_cannot_be_accepted(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", sheet(GLUCOSE, ("Sodium", "l39", "mmol/L", "135-146")))
    outdated = decide(path, 2, "Sodium: l39 mmol/L")
    assert "decision_outdated" in codes(outdated)
    (told,) = [p["what"] for p in outdated.document["problems"] if p["code"] == "decision_outdated"]
    assert re.match(r"The decision to accept [0-9a-f]{20,}:2 was not applied: ", told)
    two_days = (*HEAD[:2], "Collected: 03/14/2026 Collected: 03/16/2026")
    path = draw(tmp_path / "b.pdf", Sheet([TITLES, GLUCOSE], head=two_days))
    assert codes(decide(path, 1, "Glucose: 91 mg/dL")) == ["lab_row_review", "decision_outdated"]


def test_a_report_that_is_set_aside_leaves_its_decisions_outdated(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", Sheet([TITLES, GLUCOSE], head=("ROE, MARY", *HEAD[1:])))
    assert codes(decide(path, 1, "Glucose: 91 mg/dL")) == ["lab_identity_mismatch", "decision_outdated"]


def test_of_two_results_that_conflict_the_decided_one_counts(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", sheet(GLUCOSE, ("Glucose", "104 H", "mg/dL", "65-99")))
    assert frame(ingest(path), "lab_review")["reasons"].to_list() == ["conflicting_results"] * 2
    result = decide(path, 2, "Glucose: 104 mg/dL")
    assert printed(result)["Glucose"]["value_num"] == 104.0
    assert frame(result, "lab_review").select("row_no", "reasons").rows() == [(1, "superseded")]
    assert codes(result) == []


def test_what_is_derived_follows_the_decision(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", sheet(("Creatinine", "72", "mg/dL", "0.5-1.1")))
    assert derived(ingest(path)) == {}
    assert set(derived(decide(path, 1, "Creatinine: 72 mg/dL", "creatinine 0.72 mg/dL"))) == {"egfr"}


@pytest.mark.parametrize(
    ("text", "comparator", "amount", "unit"),
    [
        ("glucose 91 mg/dL", None, "91", "mg/dL"),
        ("glucose  5.1  mmol/L", None, "5.1", "mmol/L"),
        ("hs_crp <0.3 mg/L", "<", "0.3", "mg/L"),
        ("hs_crp >= 10 mg/L", ">=", "10", "mg/L"),
        ("insulin 9 u[IU]/mL", None, "9", "u[IU]/mL"),
        ("albumin_globulin_ratio 1.5", None, "1.5", "1"),
    ],
)
def test_corrections_in_words(text: str, comparator: str | None, amount: str, unit: str) -> None:
    correction = parse_correction(text)
    assert correction is not None
    value = correction.value
    assert (value.comparator, str(value.number if comparator is None else value.bound)) == (
        comparator,
        amount,
    )
    assert correction.unit.ucum == unit


@pytest.mark.parametrize(
    "text",
    [
        "",
        "glucose",
        "glucose 91",
        "glucose 91 %",
        "glucose 9,1 mg/dL",
        "sugar 91 mg/dL",
        "glucose <> 5 mg/dL",
    ],
)
def test_what_is_no_correction(text: str) -> None:
    assert parse_correction(text) is None


@given(st.text(max_size=60))
def test_any_text_is_a_correction_or_none(text: str) -> None:
    correction = parse_correction(text)
    assert correction is None or text.split()[0] == correction.analyte.key


def test_the_suggestion_of_a_reading_is_a_correction(tmp_path: Path) -> None:
    result = ingest(draw(tmp_path / "a.pdf", sheet(("TSH", "0.02", "uIU/mL", "0.4-4"), SODIUM)))
    for suggestion in frame(result, "lab_review")["suggestion"]:
        assert parse_correction(suggestion) is not None, suggestion


def test_the_expected_text_is_one_line() -> None:
    assert expected_text("Glucose", " 91\n", None) == "Glucose: 91"

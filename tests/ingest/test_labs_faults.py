"""Faults that public readers of lab reports had, each with its small input and the right value."""

from pathlib import Path

import pytest

from tests.ingest.lab_pdfs import Mark, Sheet, derived, doubts, draw, frame, ingest, printed

TITLES = ("Test Name", "Result", "Units", "Reference Range")
FIVE = (40, 200, 300, 400, 480)


def row_of(tmp_path: Path, *row: str, titles: tuple[str, ...] | None = TITLES) -> dict[str, object]:
    rows = [row] if titles is None else [titles, row]
    return printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))[row[0]]


@pytest.mark.parametrize(
    ("row", "low", "high", "low_incl", "high_incl"),
    [
        (("Glucose", "5.1", "mmol/L", "3.6-10.0"), 3.6, 10.0, True, True),
        (("CRP", "2", "mg/L", "<5.0"), None, 5.0, None, False),
        (("HDL Cholesterol", "46", "mg/dL", "> OR = 40"), 40.0, None, True, None),
        (("AST", "21", "U/L", "Up to 40"), None, 40.0, None, True),
        (("Iron", "60", "ug/dL", "Not Estab."), None, None, None, None),
    ],
)
def test_wrong_range_halves(
    tmp_path: Path,
    row: tuple[str, ...],
    low: float | None,
    high: float | None,
    low_incl: bool | None,
    high_incl: bool | None,
) -> None:
    got = row_of(tmp_path, *row)
    assert (got["ref_low"], got["ref_high"], got["ref_low_incl"], got["ref_high_incl"]) == (
        low, high, low_incl, high_incl,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("printed_value", "comparator", "bound"),
    [
        ("<10", "<", 10.0),
        ("< 10", "<", 10.0),
        ("<\u00a010", "<", 10.0),
        ("> 90", ">", 90.0),
        ("> OR = 60", ">=", 60.0),
    ],
)
def test_comparator_lost(tmp_path: Path, printed_value: str, comparator: str, bound: float) -> None:
    """A bound is never a number: not 0, not the bare bound."""
    got = row_of(tmp_path, "TPO Ab", printed_value, "IU/mL", "<100")
    assert (got["comparator"], got["bound_num"], got["value_num"]) == (comparator, bound, None)


def test_comparator_lost_in_what_is_derived(tmp_path: Path) -> None:
    rows = [TITLES, ("Total Cholesterol", "180", "mg/dL", "<200"), ("HDL Cholesterol", "<10", "mg/dL", ">40")]
    assert derived(ingest(draw(tmp_path / "a.pdf", Sheet(rows)))) == {}


def test_percent_against_count(tmp_path: Path) -> None:
    rows = [
        TITLES,
        ("Neutrophils", "47", "%", "40-80"),
        ("Neutrophils (Absolute)", "2.5", "x10E3/uL", "1.4-7.0"),
        ("Lymphocytes", "1.8", "10^9/L", "1.0-4.0"),
        ("Monocytes", "7", "", ""),
    ]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    assert {name: row["loinc"] for name, row in printed(result).items()} == {
        "Neutrophils": "770-8",
        "Neutrophils (Absolute)": "751-8",
        "Lymphocytes": "731-0",
    }
    assert doubts(result) == {"Monocytes": "unit_missing"}


def test_a_missing_result_of_a_name_with_two_meanings_is_for_a_person(tmp_path: Path) -> None:
    rows = [TITLES, ("Neutrophils", "Not performed", "", ""), ("Sodium", "Not performed", "", "135-146")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    assert {n: r["analyte_key"] for n, r in printed(result).items()} == {"Sodium": "sodium"}
    assert doubts(result) == {"Neutrophils": "unit_missing"}


def test_previous_column(tmp_path: Path) -> None:
    titles = ("Test", "Current Result and Flag", "Previous Result and Date", "Units", "Reference Interval")
    rows = [titles, ("TSH", "1.9", "4.8 01/02/2024", "uIU/mL", "0.45-4.5")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=(40, 150, 280, 430, 500)))))
    assert got["TSH"]["value_num"] == 1.9


def test_previous_column_before_the_current_one(tmp_path: Path) -> None:
    titles = ("Test", "Previous Result", "Result", "Units", "Reference Interval")
    rows = [titles, ("TSH", "4.8", "1.9", "uIU/mL", "0.45-4.5"), ("Sodium", "139", "", "mmol/L", "135-145")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=FIVE)))
    assert {name: row["value_num"] for name, row in printed(result).items()} == {"TSH": 1.9}
    assert doubts(result) == {"Sodium": "value_unreadable"}


def test_decimal_comma(tmp_path: Path) -> None:
    rows = [TITLES, ("Leukozyten", "6,73", "/nl", "4,00 - 9,50"), ("Ferritin", "1.240", "µg/l", "30 - 400")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))
    assert {n: (r["value_num"], r["value_canonical"]) for n, r in got.items()} == {
        "Leukozyten": (6.73, 6.73),
        "Ferritin": (1240.0, 1240.0),
    }


def test_thousands_comma(tmp_path: Path) -> None:
    got = row_of(tmp_path, "Total WBC count", "5,400", "/cumm", "4,000 - 11,000")
    assert (got["value_num"], got["value_canonical"], got["ref_high"]) == (5400.0, 5.4, 11000.0)


@pytest.mark.parametrize("size", [5.0, 9.0])
def test_superscript_footnote(tmp_path: Path, size: float) -> None:
    """A raised note number behind a value or name is no digit of it, whatever its size."""
    rows = [TITLES, ("Glucose", "91", "mg/dL", "65-99"), ("Sodium", "140", "mmol/L", "135-146")]
    marks = [Mark("2", 260.3, 140.5, size=size), Mark("01", 70.5, 154.5, size=5)]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows, marks=marks))))
    assert {name: row["value_num"] for name, row in got.items()} == {"Glucose": 91.0, "Sodium": 140.0}


def test_superscript_footnote_as_a_character(tmp_path: Path) -> None:
    got = row_of(tmp_path, "Glucose", "91²", "mg/dL", "65-99")
    assert got["value_num"] == 91.0


def test_k_per_microlitre_is_no_kelvin(tmp_path: Path) -> None:
    got = row_of(tmp_path, "WBC", "5.4", "K/uL", "3.4-10.8")
    assert (got["unit_ucum"], got["loinc"], got["value_canonical"]) == ("10*3/uL", "6690-2", 5.4)


def test_affine_hba1c(tmp_path: Path) -> None:
    """NGSP = 0.09148 IFCC + 2.152: 36 mmol/mol are 5.4 %, not 36 times a factor."""
    got = row_of(tmp_path, "HbA1c", "36", "mmol/mol", "20-41")
    assert (got["loinc"], round(float(str(got["value_canonical"])), 1)) == ("59261-8", 5.4)


def test_insulin_factor(tmp_path: Path) -> None:
    """1 uIU/mL is 6.00 pmol/L (Knopp 2019), not 6.945."""
    assert row_of(tmp_path, "Insulin", "60", "pmol/L", "20-180")["value_canonical"] == 10.0


def test_bun_against_urea(tmp_path: Path) -> None:
    rows = [TITLES, ("Urea", "34", "mg/dL", "13-43"), ("Blood Urea Nitrogen", "16", "mg/dL", "6-20")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))
    assert {n: (r["analyte_key"], r["loinc"]) for n, r in got.items()} == {
        "Urea": ("urea", "3091-6"),
        "Blood Urea Nitrogen": ("urea_nitrogen", "3094-0"),
    }


def test_a_value_compared_with_a_range_in_another_unit(tmp_path: Path) -> None:
    row = ("Testosterone, Total", "450", "ng/dL", "3.0-10.0")
    result = ingest(draw(tmp_path / "a.pdf", Sheet([TITLES, row])))
    assert doubts(result) == {"Testosterone, Total": "decimal_suspect"}


def test_a_word_of_a_urine_strip_is_no_blood_count(tmp_path: Path) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([TITLES, ("WBC", "0-5 /HPF", "", "0-5")])))
    assert "6690-2" not in frame(result, "lab_results")["loinc"].to_list()


@pytest.mark.parametrize("cell", ["65-99", "Ref: 65-99"])
def test_a_range_where_the_value_is_missing_is_no_value(tmp_path: Path, cell: str) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([("Glucose", cell, "mg/dL")])))
    assert printed(result) == {}
    assert doubts(result) == {"Glucose": "value_unreadable"}


@pytest.mark.parametrize("value", ["<> 5", "5.4.1", "5 4", "O.9", "1O3"])
def test_what_is_no_number_goes_to_a_person(tmp_path: Path, value: str) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([TITLES, ("Glucose", value, "mg/dL", "65-99")])))
    assert printed(result) == {}
    assert doubts(result) == {"Glucose": "value_unreadable"}


@pytest.mark.parametrize(
    ("flag", "meaning"),
    [("H", "H"), ("HH", "HH"), ("Alert", "critical"), ("*", "A"), ("!", "A"), ("¬", "A"), ("High", "H")],
)
def test_flags_of_all_kinds(tmp_path: Path, flag: str, meaning: str) -> None:
    got = row_of(tmp_path, "Potassium", f"6.8 {flag}", "mmol/L", "3.5-5.3")
    assert (got["raw_flag"], got["flag_printed"], got["flag_computed"]) == (flag, meaning, "H")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("Anion Gap", "30", "mmol/L", "5-15"), ("Sodium", "140", "mmol/L", ""),
          ("Chloride", "104", "mmol/L", ""), ("Carbon Dioxide", "25", "mmol/L", "")], "anion_gap_disagrees"),
        ([("Total Protein", "9.9", "g/dL", ""), ("Albumin", "4.4", "g/dL", ""),
          ("Globulin", "2.4", "g/dL", "")],
         "protein_parts_disagree"),
        ([("Albumin", "4.4", "g/dL", ""), ("Globulin", "2.2", "g/dL", ""), ("A/G Ratio", "3.0", "ratio", "")],
         "albumin_globulin_ratio_disagrees"),
        ([("Bilirubin Direct", "0.9", "mg/dL", ""), ("Bilirubin Total", "0.5", "mg/dL", "")],
         "bilirubin_direct_exceeds_total"),
        ([("MCH", "20", "pg", ""), ("Hemoglobin", "14", "g/dL", ""), ("RBC", "4.7", "M/uL", "")],
         "mch_disagrees"),
        ([("BUN/Creatinine Ratio", "30", "ratio", ""), ("BUN", "16", "mg/dL", ""),
          ("Creatinine", "1.0", "mg/dL", "")],
         "urea_nitrogen_creatinine_ratio_disagrees"),
        ([("Non-HDL Cholesterol", "100", "mg/dL", ""), ("Total Cholesterol", "180", "mg/dL", ""),
          ("HDL Cholesterol", "50", "mg/dL", "")], "non_hdl_disagrees"),
        ([("Chol/HDL Ratio", "5.0", "ratio", ""), ("Total Cholesterol", "180", "mg/dL", ""),
          ("HDL Cholesterol", "60", "mg/dL", "")], "cholesterol_hdl_ratio_disagrees"),
    ],
)  # fmt: skip
def test_results_that_contradict_each_other_are_all_in_doubt(
    tmp_path: Path, rows: list[tuple[str, ...]], reason: str
) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([TITLES, *rows])))
    assert printed(result) == {}
    assert doubts(result) == {row[0]: reason for row in rows}


def test_results_that_agree_after_rounding_are_not(tmp_path: Path) -> None:
    rows = [
        TITLES, ("Anion Gap", "11", "mmol/L", ""), ("Sodium", "140", "mmol/L", ""),
        ("Chloride", "104", "mmol/L", ""), ("Carbon Dioxide", "25", "mmol/L", ""),
        ("Potassium", "4.2", "mmol/L", ""),
        ("Total Cholesterol", "4.4", "mmol/L", ""), ("HDL Cholesterol", "1.2", "mmol/L", ""),
        ("Non-HDL Cholesterol", "3.3", "mmol/L", ""), ("Chol/HDL Ratio", "3.7", "ratio", ""),
    ]  # fmt: skip
    assert doubts(ingest(draw(tmp_path / "a.pdf", Sheet(rows)))) == {}

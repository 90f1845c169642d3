"""Faults that public readers of lab reports and surveys had: which test holds the right answer of each.

Numbers are those of our list of public reports. Most are proved beside the code they are about; the table
says where, and the rows below are read here.
"""

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ingest.labs.ocr import REPAIRED
from ingest.labs.units import parse_unit
from tests.ingest.lab_pdfs import Sheet, doubts, draw, frame, ingest, printed

HERE = Path(__file__).parent
FOUR = ("Test Name", "Result", "Units", "Reference Range")

PROVED: dict[int, tuple[str, ...]] = {
    1: ("test_labs_faults.py::test_wrong_range_halves",),
    2: ("test_labs_samples.py::test_cards_of_a_portal",),
    3: ("test_labs_ocr.py::test_units_are_mended_from_a_closed_list_and_digits_never",),
    4: ("test_labs_faults.py::test_previous_column",),
    5: ("test_labs_faults.py::test_comparator_lost",),
    6: ("test_labs_vocabulary.py::test_a_bound_stays_a_bound",
        "test_labs_vocabulary.py::test_what_is_no_value"),
    7: ("test_labs_faults.py::test_comparator_lost",),
    9: ("test_labs_faults.py::test_comparator_lost_in_what_is_derived",),
    10: ("test_labs_vocabulary.py::test_a_bound_stays_a_bound",),
    11: ("test_labs_faults.py::test_percent_against_count",),
    14: ("test_labs_faults.py::test_flags_of_all_kinds",),
    15: ("test_public_cases.py::test_one_result_with_the_clocks_of_two_zones_is_one",),
    17: ("test_labs_samples.py::test_what_cannot_be_used_has_its_code",),
    18: ("test_labs_reports.py::test_only_what_a_person_sees_is_read",),
    20: ("test_labs_faults.py::test_a_value_compared_with_a_range_in_another_unit",),
    21: ("test_labs_faults.py::test_a_value_compared_with_a_range_in_another_unit",),
    22: ("test_labs_faults.py::test_k_per_microlitre_is_no_kelvin",),
    24: ("test_labs_reports.py::test_the_same_result_in_two_reports_is_one",),
    25: ("test_labs_faults.py::test_affine_hba1c",),
    26: ("test_labs_faults.py::test_a_word_of_a_urine_strip_is_no_blood_count",),
    28: ("test_labs_units.py::test_name_unit_and_specimen_choose_the_code",),
    29: ("test_labs_units.py::test_what_is_not_recognised",),
    30: ("test_labs_units.py::test_aliases",),
    32: ("test_labs_units.py::test_aliases",),
    34: ("test_labs_units.py::test_unknown_units_are_none_and_digits_are_never_repaired",),
    35: ("test_labs_units.py::test_every_unit_of_an_analyte_is_in_the_table",),
    36: ("test_labs_faults.py::test_k_per_microlitre_is_no_kelvin",),
    37: ("test_labs_units.py::test_check_digits",),
    39: ("test_labs_layouts.py::test_tables_side_by_side_with_and_without_a_header",),
    40: ("test_labs_layouts.py::test_tables_side_by_side_with_and_without_a_header",),
    41: ("test_labs_layouts.py::test_titles_over_two_lines",),
    42: ("test_labs_samples.py::test_public_reports_name_by_name",),
    43: ("test_labs_samples.py::test_public_reports_name_by_name",),
    44: ("test_labs_samples.py::test_a_report_takes_about_a_second",),
    45: ("test_labs_samples.py::test_what_cannot_be_used_has_its_code",),
    46: ("test_labs_samples.py::test_every_row_equals_its_truth",),
    47: ("test_labs_lines.py::test_an_exponent_and_a_site_number",),
    48: ("test_labs_second_opinion.py::test_a_number_is_confirmed_only_where_both_read_it_alike",),
    50: ("test_surveys.py::test_two_exports_of_one_project",),
    51: ("test_surveys.py::test_a_checkbox_with_some_of_its_columns_is_refused",),
    52: ("test_surveys.py::test_missing_codes_keep_their_code",),
    54: ("test_surveys.py::test_repeats_are_split_by_form_before_anything_is_missing",),
    55: ("test_surveys.py::test_events_stay_apart_and_untouched_forms_of_an_event_are_absent",
         "test_surveys.py::test_an_export_without_any_dictionary"),
    57: ("test_surveys.py::test_zeros_of_a_form_never_opened_are_no_answers",),
    58: ("test_surveys.py::test_an_export_without_any_dictionary",),
    59: ("test_surveys_forms.py::test_repeats_and_events_of_a_label_export",),
    60: ("test_surveys.py::test_missing_codes_keep_their_code",),
    61: ("test_surveys.py::test_choices",),
    63: ("test_surveys_forms.py::test_what_is_no_label_of_a_choice_is_rejected",),
    64: ("test_surveys.py::test_missing_codes_keep_their_code",),
    65: ("test_surveys.py::test_repeats_are_split_by_form_before_anything_is_missing",),
    67: ("test_surveys_forms.py::test_public_qualtrics_files_keep_their_only_respondent",),
    68: ("test_surveys.py::test_files_that_cannot_be_read",),
    69: ("test_surveys_forms.py::test_boxes_in_one_cell",),
    71: ("test_surveys.py::test_free_text_is_withheld_unless_the_study_allows_it",),
    72: ("test_surveys_forms.py::test_answers_of_a_made_study_equal_its_truth",),
    74: ("test_surveys.py::test_either_spelling_of_the_dictionary_and_what_excel_leaves",),
    75: ("test_surveys.py::test_events_stay_apart_and_untouched_forms_of_an_event_are_absent",),
}  # fmt: skip


@cache
def functions_of(name: str) -> frozenset[str]:
    tree = ast.parse((HERE / name).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("number", list(PROVED))
def test_the_case_has_a_test_of_its_own(number: int) -> None:
    for where in PROVED[number]:
        file, _, test = where.partition("::")
        assert test in functions_of(file), where


def test_every_kind_of_fault_named_in_public_is_there() -> None:
    kinds = {
        "wrong_range_halves", "comparator_lost", "percent_against_count", "previous_column", "decimal_comma",
        "superscript_footnote", "k_per_microlitre_is_no_kelvin", "affine_hba1c", "insulin_factor",
        "bun_against_urea",
    }  # fmt: skip
    assert {f"test_{kind}" for kind in kinds} <= functions_of("test_labs_faults.py")


@pytest.mark.parametrize(
    ("number", "row", "right"),
    [
        (1, ("Glucose", "5.1", "mmol/L", "3.6-10.0"), {"ref_low": 3.6, "ref_high": 10.0}),
        (1, ("CRP", "2", "mg/L", "<5.0"), {"ref_low": None, "ref_high": 5.0, "ref_high_incl": False}),
        (5, ("TPO Ab", "<10", "IntlUnit/mL", "<35"),
         {"comparator": "<", "bound_num": 10.0, "value_num": None, "unit_ucum": "[IU]/mL"}),
        (6, ("CRP", "= 5", "mg/L", "<5.0"), {"comparator": None, "value_num": 5.0}),
        (6, ("AST", "< OR = 39", "U/L", "10-40"), {"comparator": "<=", "bound_num": 39.0}),
        (7, ("eGFR", ">90", "mL/min/1.73m2", ">59"), {"comparator": ">", "bound_num": 90.0}),
        (10, ("AST", "<\u00a016", "U/L", "10-40"), {"comparator": "<", "bound_num": 16.0}),
        (11, ("Neutrophils", "47", "%", "40-80"), {"loinc": "770-8"}),
        (11, ("Neutrophils (Absolute)", "2.5", "x10E3/uL", "1.4-7.0"), {"loinc": "751-8"}),
        (14, ("Potassium", "6.8 Alert", "mmol/L", "3.5-5.1"), {"flag_printed": "critical", "value_num": 6.8}),
        (14, ("Sodium", "128 *", "mmol/L", "135-146"), {"flag_printed": "A", "flag_computed": "L"}),
        (22, ("WBC", "5.4", "K/uL", "3.4-10.8"), {"unit_ucum": "10*3/uL", "value_canonical": 5.4}),
        (25, ("Hemoglobin A1c", "36", "mmol/mol", "20-42"), {"unit_ucum": "mmol/mol", "value_num": 36.0}),
        (25, ("Hemoglobin A1c", "5.4", "%", "<5.7"), {"unit_ucum": "%", "value_canonical": 5.4}),
        (28, ("Vitamin D, 25-OH", "68", "nmol/L", "50-125"), {"unit_ucum": "nmol/L", "value_num": 68.0}),
        (30, ("HEMOGLOBIN A1c", "5.6", "% of total Hgb", "<5.7"), {"unit_ucum": "%", "loinc": "4548-4"}),
        (32, ("eGFR", "84", "mL/min/1.73 m\u00b2", ">59"), {"unit_ucum": "mL/min/{1.73_m2}"}),
    ],
)  # fmt: skip
def test_a_row_of_the_case_is_read_right(
    tmp_path: Path, number: int, row: tuple[str, ...], right: dict[str, Any]
) -> None:
    assert number in PROVED
    (found,) = printed(ingest(draw(tmp_path / "a.pdf", Sheet([FOUR, row])))).values()
    assert {name: found[name] for name in right} == right


@pytest.mark.parametrize(
    ("number", "row"),
    [
        (6, ("CRP", "<> 5", "mg/L", "<5.0")),
        (11, ("Neutrophils", "47", "", "")),
        (21, ("Testosterone, Total", "450", "ng/dL", "3.0-10.0")),
        (29, ("Glucose", "5.4", "%", "65-99")),
        (37, ("Beta-hydroxybutyrate 27353-2", "0.3", "mmol/L", "<0.4")),
    ],
)
def test_a_row_of_the_case_goes_to_a_person_and_the_others_are_read(
    tmp_path: Path, number: int, row: tuple[str, ...]
) -> None:
    assert number in PROVED
    result = ingest(draw(tmp_path / "a.pdf", Sheet([FOUR, row, ("Sodium", "140", "mmol/L", "135-146")])))
    assert set(printed(result)) == {"Sodium"}
    assert len(doubts(result)) == 1


def test_a_urine_count_is_no_blood_count(tmp_path: Path) -> None:
    """Case 26: the panel says which specimen the name is of."""
    result = ingest(draw(tmp_path / "a.pdf", Sheet([FOUR, ("URINALYSIS",), ("WBC", "0-5", "/HPF", "0-5")])))
    assert {row["loinc"] for row in printed(result).values()} <= {"5821-4", None}


@pytest.mark.parametrize(("seen", "unit"), [("xlOE3/uL", "10*3/uL"), ("mg/d1", "mg/dL"), ("1U/L", "[IU]/L")])
def test_units_that_engines_misread_have_one_meaning(seen: str, unit: str) -> None:
    """Case 3; the same text in a page with characters of its own is no unit."""
    meant = parse_unit(REPAIRED[seen])
    assert meant is not None
    assert meant.ucum == unit
    assert parse_unit(seen) is None


@pytest.mark.parametrize(
    ("first", "second", "value", "kept"),
    [
        ("02/27/2026 23:30", "02/28/2026 04:30", "91", 1),
        ("02/27/2026 23:30", "02/28/2026 04:30", "92", 2),
        ("02/27/2026 23:30", "02/28/2026 04:37", "91", 2),
        ("02/25/2026 23:30", "02/28/2026 04:30", "91", 2),
    ],
)
def test_one_result_with_the_clocks_of_two_zones_is_one(
    tmp_path: Path, first: str, second: str, value: str, kept: int
) -> None:
    """Case 15: of one specimen number, hours apart, equal."""
    head = ("DOE, JANE", "DOB: 05/20/1980 Sex: F Specimen: AB 123456C")
    sheets = [
        Sheet(
            [FOUR, ("Glucose", amount, "mg/dL", "65-99")], (*head, f"Collected: {moment}", f"Reported: {on}")
        )
        for amount, moment, on in (("91", first, "03/01/2026 10:00"), (value, second, "03/02/2026 10:00"))
    ]
    result = ingest(*(draw(tmp_path / f"{n}.pdf", sheet) for n, sheet in enumerate(sheets)))
    found = frame(result, "lab_results")
    assert found.height == kept
    assert frame(result, "lab_files")["rows_ignored"].sum() == 2 - kept
    assert str(found["collected_at"].max()) == f"{second[6:10]}-{second[:2]}-{second[3:5]} {second[11:]}:00"

"""Layouts nobody described: names over two lines, close cells, tables side by side, draws in columns."""

from datetime import date
from pathlib import Path

import pytest

from tests.ingest.lab_pdfs import (
    HEAD,
    Mark,
    Sheet,
    codes,
    doubts,
    draw,
    frame,
    ingest,
    printed,
)

TITLES = ("Test Name", "Result", "Units", "Reference Range")
FIVE = (40, 150, 250, 350, 450)
GLUCOSE = ("Glucose", "91", "mg/dL", "65-99")


def values(path: Path) -> dict[str, object]:
    return {name: row["value_num"] for name, row in printed(ingest(path)).items()}


def lines_close(*names: str, x: float = 40, top: float = 144, pitch: float = 10) -> list[Mark]:
    return [Mark(name, x, top + n * pitch) for n, name in enumerate(names)]


def test_a_name_over_two_lines_is_one_name(tmp_path: Path) -> None:
    marks = lines_close("Estimated Glomerular", "Filtration Rate", top=158)
    rows = [TITLES, GLUCOSE, ("", "97", "mL/min/1.73m2", ">59")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows, marks=marks))))
    assert got["Estimated Glomerular Filtration Rate"]["analyte_key"] == "egfr"
    marks = lines_close("LDL Cholesterol,", "Calculated", top=139)
    rows = [TITLES, ("", "102", "mg/dL", "<100")]
    got = printed(ingest(draw(tmp_path / "b.pdf", Sheet(rows, marks=marks))))
    assert {name: row["loinc"] for name, row in got.items()} == {"LDL Cholesterol, Calculated": "13457-7"}


def test_a_value_beside_the_second_line_of_its_name(tmp_path: Path) -> None:
    marks = [*lines_close("Hemoglobin A1c", top=134), *lines_close("(HbA1c)", top=144)]
    rows = [("", ""), ("", "5.4", "%", "4.0-5.6")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows, marks=marks))))
    assert got["Hemoglobin A1c (HbA1c)"]["value_num"] == 5.4


@pytest.mark.parametrize(
    ("name", "more", "row"),
    [
        ("PSA", "Free", ("", "0.9", "ng/mL", "<4.0")),
        ("Calcium", "Ionized", ("", "4.9", "mg/dL", "4.5-5.3")),
        ("Cholesterol", "HDL", ("", "46", "mg/dL", ">40")),
        ("Creatinine", "Clearance", ("", "0.9", "mg/dL", "0.6-1.2")),
    ],
)
def test_a_second_line_that_changes_the_name_is_never_passed_over(
    tmp_path: Path, name: str, more: str, row: tuple[str, ...]
) -> None:
    marks = lines_close(name, more, top=144)
    result = ingest(draw(tmp_path / "a.pdf", Sheet([TITLES, row], marks=marks)))
    assert printed(result) == {}
    assert list(doubts(result).values()) == ["name_unclear"]


def test_a_title_below_a_row_is_no_part_of_its_name(tmp_path: Path) -> None:
    rows = [TITLES, ("Creatinine", "0.9", "mg/dL", "0.6-1.2"), ("URINE",), ("Albumin", "12", "mg/L", "<30")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))
    assert [(name, row["analyte_key"]) for name, row in got.items()] == [
        ("Creatinine", "creatinine"),
        ("Albumin", "urine_albumin"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Glucose: 91 mg/dL (65-99)",
        "Glucose 91 mg/dL [Ref: 65 - 99]",
        "Glucose ........ 91 mg/dL  Ref. range: 65-99",
        "Glucose = 91mg/dL (65 - 99 mg/dL)".replace(" mg/dL)", ")"),
        "Glucose 91 N mg/dL 65-99",
    ],
)
def test_all_in_one_cell(tmp_path: Path, line: str) -> None:
    row = printed(ingest(draw(tmp_path / "a.pdf", Sheet([(line,)]))))["Glucose"]
    assert (row["value_num"], row["unit_ucum"], row["ref_low"], row["ref_high"]) == (
        91.0,
        "mg/dL",
        65.0,
        99.0,
    )


@pytest.mark.parametrize(
    "line",
    [
        "Your glucose was 91 mg/dL last year",
        "A glucose of 91 mg/dL (65-99) is common",
        "LDL cholesterol not calculated. Triglyceride levels greater than 400 mg/dL invalidate it",
        "Treating to a non-HDL-C goal of <100 mg/dL (LDL-C of <70 mg/dL) is considered",
        "JAMA. 2013;310(19):2061-2068",
        "01: Quest Diagnostics-Houston = 5850",
        "Patients age 45 mg/dL",
    ],
)
def test_prose_is_no_result(tmp_path: Path, line: str) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([TITLES, GLUCOSE, (line,)])))
    assert list(printed(result)) == ["Glucose"]
    assert doubts(result) == {}


def test_a_number_in_a_name_is_no_value(tmp_path: Path) -> None:
    rows = [("CA 125", "35", "U/mL", "<38"), ("Vitamin B12", "340", "pg/mL", "200-900")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    assert {n: r["value_num"] for n, r in printed(result).items()} == {"Vitamin B12": 340.0}
    assert doubts(result) == {"CA 125": "analyte_unknown"}


def test_tables_side_by_side_with_and_without_a_header(tmp_path: Path) -> None:
    columns = (30, 130, 180, 240, 320, 420, 470, 530)
    both = (*GLUCOSE, "Sodium", "140", "mmol/L", "135-146")
    wanted = {"Glucose": 91.0, "Sodium": 140.0}
    titles = ("Test", "Result", "Units", "Reference", "Test", "Result", "Units", "Reference")
    assert values(draw(tmp_path / "a.pdf", Sheet([both], columns=columns))) == wanted
    assert values(draw(tmp_path / "b.pdf", Sheet([titles, both], columns=columns))) == wanted


def test_columns_of_dates_are_draws_of_their_own(tmp_path: Path) -> None:
    titles = ("Test", "03/14/2026", "12/01/2025", "Units", "Reference Range")
    rows = [titles, ("Glucose", "91", "104 H", "mg/dL", "65-99"), ("Sodium", "", "139", "mmol/L", "135-146")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=FIVE)))
    got = frame(result, "lab_results").filter(~frame(result, "lab_results")["derived"])
    assert got.sort("row_no").select("raw_name", "value_num", "collected_date", "ref_high").rows() == [
        ("Glucose", 91.0, date(2026, 3, 14), 99.0),
        ("Glucose", 104.0, date(2025, 12, 1), 99.0),
        ("Sodium", 139.0, date(2025, 12, 1), 146.0),
    ]


def test_a_draw_shown_again_merges_with_its_own_report(tmp_path: Path) -> None:
    titles = ("Test", "03/14/2026", "12/01/2025", "Units", "Reference Range")
    later = Sheet([titles, ("Glucose", "91", "104", "mg/dL", "65-99")], columns=FIVE)
    head = (
        *HEAD[:1], "DOB: 05/20/1980 Sex: F Specimen: AB 000001C",
        "Collected: 12/01/2025 08:10 Received: 12/01/2025 11:00 Reported: 12/02/2025 09:30",
    )  # fmt: skip
    for value, merged, reasons in (("104", 1, {}), ("106", 0, {"Glucose": "conflicting_results"})):
        own = draw(tmp_path / "own.pdf", Sheet([TITLES, ("Glucose", value, "mg/dL", "65-99")], head=head))
        result = ingest(draw(tmp_path / "later.pdf", later), own)
        assert frame(result, "lab_files")["rows_ignored"].sum() == merged
        assert doubts(result) == reasons
        assert sorted(frame(result, "lab_results")["value_num"].to_list()) == [91.0, float(value)]


def test_dates_beside_a_result_column_are_previous_results(tmp_path: Path) -> None:
    titles = ("Test", "Result", "12/01/2025", "Units", "Reference Range")
    rows = [titles, ("Glucose", "91", "104", "mg/dL", "65-99")]
    assert values(draw(tmp_path / "a.pdf", Sheet(rows, columns=FIVE))) == {"Glucose": 91.0}


def test_a_column_with_a_title_nobody_knows_is_not_read(tmp_path: Path) -> None:
    titles = ("Test", "Panel mean", "Result", "Units", "Reference Range")
    rows = [titles, ("Glucose", "104", "91", "mg/dL", "65-99")]
    assert values(draw(tmp_path / "a.pdf", Sheet(rows, columns=FIVE))) == {"Glucose": 91.0}


def test_titles_over_two_lines(tmp_path: Path) -> None:
    rows = [("Test", "Current", "Previous", "", "Reference"), ("", "Result", "Result", "Units", "Interval")]
    rows.append(("TSH", "1.9", "4.8", "uIU/mL", "0.45-4.5"))
    assert values(draw(tmp_path / "a.pdf", Sheet(rows, columns=FIVE))) == {"TSH": 1.9}


def test_two_numbers_without_a_header_are_for_a_person_to_tell_apart(tmp_path: Path) -> None:
    rows = [("Sodium", "139", "141", "mmol/L", "135-145")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=FIVE)))
    assert doubts(result) == {"Sodium": "value_column_unclear"}
    assert printed(result) == {}


def test_one_result_in_two_units(tmp_path: Path) -> None:
    rows = [("HbA1c", "5.1", "%", "32 mmol/mol"), ("25-OH Vitamin D", "21.5", "ng/mL", "54 nmol/L")]
    got = frame(ingest(draw(tmp_path / "a.pdf", Sheet(rows))), "lab_results")
    assert got.sort("row_no").select("raw_name", "value_num", "unit_ucum", "loinc").rows() == [
        ("HbA1c", 5.1, "%", "4548-4"),
        ("HbA1c", 32.0, "mmol/mol", "59261-8"),
        ("25-OH Vitamin D", 21.5, "ng/mL", "62292-8"),
        ("25-OH Vitamin D", 54.0, "nmol/L", None),
    ]
    wrong = ingest(draw(tmp_path / "b.pdf", Sheet([("HbA1c", "5.1", "%", "42 mmol/mol")])))
    assert frame(wrong, "lab_review")["reasons"].to_list() == ["units_disagree"] * 2


def test_a_flag_in_a_column_before_the_result(tmp_path: Path) -> None:
    rows = [("Test", "Flag", "Result", "Units"), ("Hemoglobin", "A", "134", "g/L"), ("MCV", "", "86", "fL")]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))
    assert {n: (r["raw_flag"], r["value_num"]) for n, r in got.items()} == {
        "Hemoglobin": ("A", 134.0),
        "MCV": (None, 86.0),
    }


def test_an_interval_in_the_line_below(tmp_path: Path) -> None:
    rows = [("Glucose", "", "91 mg/dL"), ("Reference range: 65 - 99",), ("Sodium", "", "140 mmol/L")]
    row = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))["Glucose"]
    assert (row["value_num"], row["ref_low"], row["ref_high"]) == (91.0, 65.0, 99.0)


def test_cards_with_the_value_between_name_and_range(tmp_path: Path) -> None:
    rows = [("Glucose",), ("91 mg/dL",), ("Reference range: 65 - 99",), ("Sodium",), ("140 mmol/L",)]
    rows.append(("Reference range: 135 - 146",))
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))
    assert {n: (r["value_num"], r["ref_low"]) for n, r in got.items()} == {
        "Glucose": (91.0, 65.0),
        "Sodium": (140.0, 135.0),
    }


def test_a_german_report(tmp_path: Path) -> None:
    head = (
        "Patientin: Doe, Jane", "Geburtsdatum: 20.05.1980 Geschlecht: weiblich", "Auftragsnummer: X1234",
        "Entnahme: 04.03.2026 08:10 Eingang: 04.03.2026 11:00 Befund: 05.03.2026",
        "Nüchtern: ja Endbefund",
    )  # fmt: skip
    rows = [
        ("Untersuchung", "Ergebnis", "Einheit", "Referenzbereich"),
        ("Hämoglobin", "13,4 -", "g/dl", "13,5 - 17,2"),
        ("Leukozyten", "6.240", "/µl", "3.900 - 10.200"),
        ("CRP", "< 0,5", "mg/l", "bis 5,0"),
        ("Ferritin", "folgt", "µg/l", "30 - 400"),
    ]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows, head=head)))
    assert codes(result) == []
    got = printed(result)
    assert got["Hämoglobin"]["collected_date"] == date(2026, 3, 4)
    assert (got["Hämoglobin"]["value_num"], got["Hämoglobin"]["flag_printed"]) == (13.4, "L")
    assert (got["Leukozyten"]["value_canonical"], got["Leukozyten"]["ref_high"]) == (6.24, 10200.0)
    assert (got["CRP"]["comparator"], got["CRP"]["bound_num"], got["CRP"]["ref_high"]) == ("<", 0.5, 5.0)
    assert (got["Ferritin"]["missing_reason"], got["Ferritin"]["fasting"]) == ("pending", "yes")
    assert frame(result, "lab_files")["report_status"].item() == "final"


def test_sections_of_a_page_have_their_own_collection(tmp_path: Path) -> None:
    rows = [
        ("Collected: 03/14/2026 08:10",), GLUCOSE,
        ("Collected: 03/16/2026 09:00",), ("Sodium", "140", "mmol/L", "135-146"),
    ]  # fmt: skip
    head = (*HEAD[:2], "Reported: 03/17/2026")
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows, head=head))))
    assert {n: r["collected_date"] for n, r in got.items()} == {
        "Glucose": date(2026, 3, 14),
        "Sodium": date(2026, 3, 16),
    }
    together = Sheet([("Collected: 03/14/2026",), ("Collected: 03/16/2026",), GLUCOSE], head=head)
    assert doubts(ingest(draw(tmp_path / "b.pdf", together))) == {"Glucose": "collection_unclear"}


def test_reports_bound_in_one_file_keep_their_own_heads(tmp_path: Path) -> None:
    first = Sheet([GLUCOSE], head=(*HEAD, "Page 1 of 1"))
    head = (
        *HEAD[:1], "DOB: 05/20/1980 Sex: F Specimen: AB 777777C",
        "Collected: 06/01/2026 Reported: 06/02/2026",
        "Report Status: PRELIMINARY", "Page 1 of 1",
    )  # fmt: skip
    second = Sheet([("Insulin", "9", "uIU/mL", "<18.4")], head=head)
    got = printed(ingest(draw(tmp_path / "a.pdf", first, second)))
    told = {n: (r["collected_date"], r["fasting"], r["report_status"]) for n, r in got.items()}
    assert told == {
        "Glucose": (date(2026, 3, 14), "yes", "final"),
        "Insulin": (date(2026, 6, 1), "unknown", "preliminary"),
    }


@pytest.mark.parametrize("specimen", ["Saliva", "Dried Blood Spot", "Cerebrospinal fluid"])
def test_what_is_neither_blood_nor_urine_gets_no_code_of_serum(tmp_path: Path, specimen: str) -> None:
    rows = [(f"Specimen Type: {specimen}",), ("Cortisol", "12", "ug/dL", "5-20")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    assert doubts(result) == {"Cortisol": "analyte_unknown"}

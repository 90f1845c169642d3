"""Reports show what they hold, on pages that each say whose they are. Pages are read by plain words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pdfplumber
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.labs.analytes import __file__ as analytes_module
from schemas.lab_results import LabResults
from synthetic.labs.blood import DECIMALS
from synthetic.labs.catalogue import amount, lines_of
from synthetic.labs.draws import reports_of
from synthetic.labs.files import corrected, lab_file, preliminary, superseding, write_file
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.placing import placed
from synthetic.labs.printing import Interval, Result, Style, interval_of
from synthetic.labs.report import Report
from synthetic.labs.truth import LabFile, published_rows
from synthetic.people.persona import make_person

PEOPLE = [make_person(number, 60, 7) for number in range(4)]
COMPOSED_CATALOGUES = {"us_flowsheet", "nordic", "us_cards", "clinic"}
LINE_POINTS = 4.6
CATALOGUES = sorted({layout.catalogue for layout in LAYOUTS.values()} | COMPOSED_CATALOGUES)


@cache
def demo() -> tuple[Report, ...]:
    return tuple(report for person in PEOPLE for report in reports_of(person, 60, 7))


@cache
def wide() -> tuple[Report, ...]:
    return reports_of(PEOPLE[1], 60, 7, tuple(LAYOUTS), wide=True)


@cache
def files() -> tuple[LabFile, ...]:
    return tuple(lab_file(report) for report in wide())


@cache
def words(number: int) -> list[list[dict[str, Any]]]:
    return words_of(files()[number].content)


def test_intervals_are_read_from_the_catalogue() -> None:
    assert interval_of("65-99") == Interval(Decimal(65), Decimal(99))
    assert interval_of("<200") == Interval(high=Decimal(200), strict=True)
    assert interval_of(">=40") == Interval(low=Decimal(40))
    assert interval_of("Not Estab.") == Interval(words="Not Estab.")
    assert interval_of("") is None


@pytest.mark.parametrize(
    ("interval", "value", "flag"),
    [
        ("65-99", "65", "N"), ("65-99", "64.9", "L"), ("65-99", "100", "H"), ("<200", "199", "N"),
        ("<200", "200", "H"), (">=40", "40", "N"), (">=40", "39", "L"), (">59", "59", "L"),
        ("<=18.4", "18.4", "N"),
    ],
)  # fmt: skip
def test_a_value_is_judged_by_its_interval(interval: str, value: str, flag: str) -> None:
    found = interval_of(interval)
    assert found is not None
    assert found.judge(Decimal(value)) == flag


@pytest.mark.parametrize(
    ("interval", "sign", "bound", "flag"),
    [
        ("<3.0", "<", "0.3", "N"), (">=60", ">", "90", "N"), ("<0.3", "<", "0.3", "N"),
        (">59", ">", "59", "N"),
        ("5-21", "<", "4", "L"), ("0-21", "<", "4", "N"), ("5-21", "<", "6", "indeterminate"),
        ("232-1245", ">", "1000", "indeterminate"), ("20-60", ">", "60", "H"),
    ],
)  # fmt: skip
def test_a_bound_is_judged_by_all_it_allows(interval: str, sign: str, bound: str, flag: str) -> None:
    found = interval_of(interval)
    assert found is not None
    assert found.judge_bound(sign, Decimal(bound)) == flag


@given(
    low=st.integers(0, 50), width=st.integers(0, 50), bound=st.integers(1, 99), below=st.booleans(),
    part=st.fractions(0, 1),
)  # fmt: skip
def test_no_amount_that_a_bound_allows_contradicts_its_flag(
    low: int, width: int, bound: int, below: bool, part: Any
) -> None:
    interval = Interval(Decimal(low), Decimal(low + width))
    flag = interval.judge_bound("<" if below else ">", Decimal(bound))
    inside = Decimal(bound) * Decimal(part.numerator) / Decimal(part.denominator)
    allowed = inside * Decimal("0.999") if below else Decimal(bound) + Decimal("0.001") + 10 * inside
    assert flag in (interval.judge(allowed), "indeterminate")


def test_numbers_and_intervals_are_printed_in_the_style_of_the_place() -> None:
    german, british, american = (
        LAYOUTS[name].style for name in ("decimal_comma", "square_brackets", "analyte_value")
    )
    assert german.number(Decimal("6240.50")) == "6.240,50"
    assert german.interval(Interval(Decimal("4.00"), Decimal("9.50"))) == "4,00 - 9,50"
    assert british.interval(Interval(Decimal("2.5"), Decimal("7.8"))) == "[2.5 - 7.8]"
    assert british.number(Decimal(1102)) == "1,102"
    assert american.interval(Interval(low=Decimal(40))) == "> OR = 40"
    assert american.number(Decimal(3900)) == "3900"
    assert LAYOUTS["methods"].style.interval(Interval(high=Decimal(40))) == "Up to 40"
    assert Style().interval(Interval(high=Decimal(5), strict=True)) == "<5"


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_line_is_drawn_and_its_code_and_unit_are_known_ones(catalogue: str) -> None:
    folder = Path(analytes_module).parent
    known = pl.read_csv(folder / "analytes.csv", infer_schema=False)
    codes = set(zip(known["analyte_key"], known["loinc"], strict=True)) | set(
        zip(known["analyte_key"], known["other_loinc"], strict=True)
    )
    units = {*pl.read_csv(folder / "units.csv", infer_schema=False)["ucum"]}
    for line in lines_of(catalogue):
        if line.key is None:
            assert line.choices
            continue
        assert line.key in DECIMALS
        assert line.ucum in units
        assert (line.key, line.loinc) in codes


def test_amounts_agree_with_the_factors_the_reader_has_for_each_analyte() -> None:
    """Two lines of one analyte in two units are the same amount of substance."""
    by_key = {(line.key, line.ucum): line for name in CATALOGUES for line in lines_of(name)}
    expected = {
        ("glucose", "mmol/L", 90.0): 5.0, ("creatinine", "umol/L", 1.0): 88, ("hba1c", "mmol/mol", 6.5): 48,
        ("urea", "mmol/L", 30.0): 5.0, ("total_cholesterol", "mmol/L", 200.0): 5.2,
        ("leukocytes", "/uL", 6.2): 6200,
        ("platelets", "10*5/uL", 251.0): 2.51, ("hematocrit", "L/L", 44.5): 0.44,
        ("insulin", "pmol/L", 10.0): 60,
        ("hemoglobin", "g/L", 14.2): 142, ("vitamin_d_25oh", "nmol/L", 30.0): 74.9,
        ("free_t4", "pmol/L", 1.2): 15.4, ("urate", "umol/L", 6.0): 357, ("iron", "umol/L", 100.0): 18,
    }  # fmt: skip
    for (key, ucum, value), printed in expected.items():
        assert float(amount(by_key[key, ucum], value)) == pytest.approx(printed, rel=0.012), key


def words_of(content: bytes) -> list[list[dict[str, Any]]]:
    with pdfplumber.open(BytesIO(content)) as document:
        return [page.extract_words(extra_attrs=["size"]) for page in document.pages]


def squeezed(text: str) -> str:
    return re.sub(r"[\s^]", "", text)


@pytest.mark.parametrize("number", range(len(LAYOUTS)), ids=list(LAYOUTS))
def test_every_printed_string_of_the_truth_stands_on_its_line(number: int) -> None:
    check_print(wide()[number], files()[number], words(number))


@pytest.mark.parametrize("number", range(len(LAYOUTS)), ids=list(LAYOUTS))
def test_the_longest_word_for_a_gap_runs_into_no_other_column(number: int) -> None:
    report = wide()[number]
    gaps = LAYOUTS[report.layout].style.gaps
    reason = max(gaps, key=lambda each: len(gaps[each]))
    results = tuple(Result(r.line, r.interval, gaps[reason], missing=reason) for r in report.results)
    file = lab_file(replace(report, results=results))
    assert set(file.rows["missing_reason"]) == {reason}
    check_print(replace(report, results=results), file, words_of(file.content))


def check_print(report: Report, file: LabFile, pages: list[list[dict[str, Any]]]) -> None:
    """Every printed string of every true row stands in the band of its row on its page."""
    layout = LAYOUTS[report.layout]
    rows = file.rows.sort("row_no").to_dicts()
    places = [place for place in placed(report, layout) for _ in range(2 if place.beside else 1)]
    assert len(rows) == len(places) == len(report.results)
    for row, place in zip(rows, places, strict=True):
        assert row["page"] == place.page
        band = shown_in(pages[row["page"] - 1], place.x, place.y, layout.row_height, width_of(layout.columns))
        for column in ("raw_name", "raw_value", "raw_flag", "raw_unit", "raw_reference"):
            if row[column] is not None:
                assert squeezed(row[column]) in band, (row["raw_name"], column, band)


def width_of(columns: Sequence[float]) -> float:
    return columns[1] - columns[0] if len(columns) > 1 else 999.0


def shown_in(words: list[dict[str, Any]], x: float, y: float, height: float, width: float) -> str:
    """The words of a row's band, line by line, without blanks; raised small print belongs to its line."""
    inside = [
        word
        for word in words
        if y - 1 <= (word["top"] + word["bottom"]) / 2 <= y + height + 1 and x <= word["x0"] < x + width
    ]
    lines: list[list[dict[str, Any]]] = []
    for word in sorted(inside, key=lambda word: float(word["bottom"])):
        if not lines or word["bottom"] - lines[-1][0]["bottom"] > LINE_POINTS:
            lines.append([])
        lines[-1].append(word)
    ordered = (sorted(line, key=lambda word: float(word["x0"])) for line in lines)
    return squeezed("|".join("".join(word["text"] for word in line) for line in ordered))


@pytest.mark.parametrize("number", range(len(LAYOUTS)), ids=list(LAYOUTS))
def test_every_page_names_the_person_the_dates_and_that_it_is_made_up(number: int) -> None:
    report, layout = wide()[number], LAYOUTS[wide()[number].layout]
    holder = report.holder(1)
    assert holder is not None
    assert report.collected is not None
    for page in words(number):
        text = " ".join(word["text"] for word in page).casefold()
        assert f"{report.person.birth_date:{layout.day}}" in text
        assert holder.given.casefold() in text
        assert holder.surname.casefold() in text
        assert f"{report.collected:{layout.moment if layout.timed else layout.day}}".casefold() in text
        assert "made-up person" in text


@pytest.mark.parametrize("number", range(len(LAYOUTS)))
def test_true_rows_have_the_form_of_the_table(number: int) -> None:
    truth = files()[number].rows
    _, failures = LabResults.filter(truth.with_columns(reader_version=pl.lit(1, dtype=pl.Int64)))
    assert failures.counts() == {}
    one = pl.sum_horizontal(
        pl.col(name).is_not_null() for name in ("value_num", "bound_num", "value_text", "missing_reason")
    )
    assert truth.select((one == 1).all()).item()
    sided = truth.filter(pl.col("flag_printed").is_in(["L", "H"]))
    assert (sided["flag_printed"] == sided["flag_computed"]).all()
    assert truth.filter(pl.col("flag_computed").is_in(["L", "H"]))["flag_printed"].null_count() == 0


def test_wide_reports_hold_the_vocabulary_of_results() -> None:
    rows = pl.concat([file.rows for file in files()])
    assert {"<", ">"} <= set(rows["comparator"].drop_nulls())
    assert {"not_reported", "haemolysed", "pending"} <= set(rows["missing_reason"].drop_nulls())
    assert {"NEGATIVE"} <= set(rows["value_text"].drop_nulls())
    assert {"L", "H", "A"} <= set(rows["flag_printed"].drop_nulls())
    assert {"mmol/mol", "10*5/uL", "/uL", "umol/L", "meq/L"} <= set(rows["unit_ucum"].drop_nulls())
    assert rows["ref_text"].drop_nulls().to_list().count("Not Estab.") > 5
    assert rows["raw_value"].str.contains(r"^\d,\d{3}$").any()
    assert rows["raw_value"].str.contains(r"^\d\.\d{3}$").any()


def test_a_previous_result_is_printed_but_is_no_result() -> None:
    report = next(report for report in wide() if report.layout == "in_out_of_range")
    assert report.previous_on is not None
    table = next(r for r in reports_of(PEOPLE[1], 60, 7, ("current_previous", "site_last"), wide=True))
    shown = [r for r in table.results if r.previous]
    assert len(shown) > 10
    text = " ".join(w["text"] for page in words_of(lab_file(table).content) for w in page)
    assert f"{shown[0].previous} {table.previous_on:%m/%d/%Y}" in text
    assert f"{table.previous_on:%m/%d/%Y}" != f"{table.drawn:%m/%d/%Y}"


def test_reports_are_equal_byte_for_byte_and_depend_on_no_other_layout() -> None:
    again = reports_of(make_person(1, 60, 7), 60, 7, tuple(LAYOUTS), wide=True)
    assert [lab_file(report).content for report in again] == [
        file.content for file in files()[: len(LAYOUTS)]
    ]
    assert lab_file(reports_of(make_person(1, 60, 8), 60, 8)[0]).content != lab_file(demo()[2]).content


def test_the_demonstration_has_two_reports_of_different_days_and_layouts() -> None:
    first, second = demo()[:2]
    assert (first.layout, second.layout) == ("analyte_value", "current_previous")
    assert second.drawn.date() < first.drawn.date() == first.person.enrolled_on
    assert {file.reason for file in map(lab_file, demo())} == {None}
    assert all(not lab_file(report).doubts for report in demo())


def test_one_person_has_a_critical_potassium_on_one_report() -> None:
    flagged = [
        (report.person.participant_id, result.line.key)
        for report in demo()
        for result in report.results
        if result.flag_meaning == "critical"
    ]
    assert flagged == [("P003", "potassium")]


def rng() -> np.random.Generator:
    return np.random.default_rng(4)


def pair(kind: str, report: Report) -> tuple[LabFile, LabFile]:
    if kind == "corrected":
        return superseding(report, corrected(report, rng()))
    return superseding(preliminary(report, rng()), report)


@pytest.mark.parametrize("layout", ["analyte_value", "square_brackets", "decimal_comma", "round_brackets"])
@pytest.mark.parametrize("kind", ["corrected", "preliminary"])
def test_a_later_report_of_a_specimen_supersedes_what_differs(kind: str, layout: str) -> None:
    report = next(report for report in wide() if report.layout == layout)
    older, newer = pair(kind, report)
    assert older.name != newer.name
    assert 0 < len(older.superseded_by) < older.rows.height
    assert set(older.superseded_by.values()) == {newer.name}
    assert set(older.superseded_by) | older.merged == set(older.rows["row_no"])
    both = older.rows.join(newer.rows, on="row_no", suffix="_new")
    changed = both.filter(pl.col("raw_value") != pl.col("raw_value_new"))["row_no"].to_list()
    assert changed == sorted(older.superseded_by)
    kept = published_rows([older, newer])
    assert set(kept["file_id"]) == {newer.name}
    assert kept.height == newer.rows.height - len(newer.doubts)
    statuses = {older.rows["report_status"][0], newer.rows["report_status"][0]}
    assert statuses == ({"final", "corrected"} if kind == "corrected" else {"preliminary", "final"})


def test_a_correction_says_what_was_reported_before() -> None:
    older, newer = pair("corrected", demo()[0])
    text = " ".join(word["text"] for page in words_of(newer.content) for word in page)
    assert "CORRECTED" in text
    for row in older.superseded_by:
        before = older.rows.filter(pl.col("row_no") == row)["raw_value"].item()
        assert f"Corrected result; previously reported as {before}." in text


def test_a_canary_stands_in_name_page_note_and_metadata(tmp_path: Path) -> None:
    phrase = "zinnober otter 4711"
    person = PEOPLE[0]
    (report,) = reports_of(person, 60, 7, ("site_last",), phrase=phrase)
    file = lab_file(report)
    write_file(file, tmp_path / "P001")
    with pdfplumber.open(tmp_path / "P001" / file.name) as document:
        assert phrase in document.pages[0].extract_text()
        assert document.metadata["Author"] == document.metadata["Keywords"] == phrase
        assert [note["contents"] for note in document.pages[0].annots] == [phrase]
    for part in (phrase, person.name, f"{person.birth_date:%Y-%m-%d}"):
        assert part in file.name
    plain = lab_file(reports_of(person, 60, 7, ("site_last",))[0])
    assert phrase.encode() not in plain.content
    assert plain.rows.drop("file_id", "page").equals(file.rows.drop("file_id", "page"))


def test_the_description_of_a_file_is_plain_data() -> None:
    described = files()[0].described
    assert described["verdict"] == "accepted"
    assert described["rows_printed"] == files()[0].rows.height
    assert set(described["rows_in_doubt"].values()) == {"analyte_unknown"}

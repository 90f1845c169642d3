"""Tables with a moment in their title or below them; cells of two lines, units printed twice, bounds."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from ingest.labs.column_content import form_of
from ingest.labs.grammar import Details, parse_details
from ingest.labs.names import may_be_a_person
from ingest.labs.sections import Section, titled
from tests.ingest.lab_pdfs import Mark, Sheet, codes, doubts, draw, ingest, printed

TITLES = ("Test Name", "Result", "Reference Range")
EDGES = (40, 250, 330)
BORN = "DOB: 05/20/1980"
NEW, OLD = "03/14/2026 8:10 AM EDT", "11/13/2025 9:45 AM EST"


def page(*lines: tuple[str, ...], foot: str = "") -> Sheet:
    return Sheet(lines, head=(BORN,), columns=EDGES, marks=[Mark(foot, 40, 700)] if foot else [])


def dated(path: Path) -> dict[str, object]:
    return {name: row["collected_date"] for name, row in printed(ingest(path)).items()}


def two_draws(path: Path, first: str, second: str, told: Sequence[str] = (NEW, OLD)) -> Path:
    """Two tables, each with its moment of collection in a line below it."""
    return draw(
        path,
        page(
            (first,), TITLES, ("Glucose", "91", "65-99 mg/dL"), (f"Collection Time: {told[0]}",),
            (second,), TITLES, ("Sodium", "140", "135-146 mmol/L"), (f"Collection Time: {told[1]}",),
        ),
    )  # fmt: skip


def test_the_moment_in_a_title_is_that_of_its_table(tmp_path: Path) -> None:
    path = two_draws(tmp_path / "a.pdf", f"Diabetes ({NEW})", f"Electrolytes ({OLD})")
    assert dated(path) == {"Glucose": date(2026, 3, 14), "Sodium": date(2025, 11, 13)}
    assert [row["panel"] for row in printed(ingest(path)).values()] == ["Diabetes", "Electrolytes"]


def test_moments_below_their_tables_are_never_taken_for_those_of_the_next(tmp_path: Path) -> None:
    result = ingest(two_draws(tmp_path / "a.pdf", "Diabetes", "Electrolytes"))
    assert printed(result) == {}
    assert set(doubts(result).values()) == {"collection_unclear"}


def test_a_table_goes_on_over_the_page_under_its_title(tmp_path: Path) -> None:
    path = draw(
        tmp_path / "a.pdf",
        page((f"Diabetes ({NEW})",), TITLES, ("Glucose", "91", "65-99 mg/dL"), foot=f"Collected: {NEW}"),
        page((f"Electrolytes ({OLD})",), TITLES, ("Sodium", "140", "135-146 mmol/L")),
        page(TITLES, ("Potassium", "4.2", "3.5-5.1 mmol/L"), foot=f"Collected: {OLD}"),
    )
    assert dated(path) == {
        "Glucose": date(2026, 3, 14), "Sodium": date(2025, 11, 13), "Potassium": date(2025, 11, 13),
    }  # fmt: skip


def test_a_title_with_a_day_that_nothing_else_tells_leaves_the_day_open(tmp_path: Path) -> None:
    path = draw(
        tmp_path / "a.pdf",
        page((f"Collected: {NEW}",), (f"Diabetes ({OLD})",), TITLES, ("Glucose", "91", "65-99 mg/dL")),
    )
    assert doubts(ingest(path)) == {"Glucose": "collection_unclear"}


def test_a_birth_date_behind_a_name_is_no_day_of_a_table(tmp_path: Path) -> None:
    path = draw(
        tmp_path / "a.pdf",
        page((f"Collected: {NEW}",), ("Jane Doe 05/20/1980",), TITLES, ("Glucose", "91", "65-99 mg/dL")),
    )
    assert dated(path) == {"Glucose": date(2026, 3, 14)}


def test_rows_above_the_first_moment_of_a_page_are_of_the_draw_before(tmp_path: Path) -> None:
    path = draw(
        tmp_path / "a.pdf",
        page((f"Collected: {NEW}",), TITLES, ("Glucose", "91", "65-99 mg/dL")),
        page(
            TITLES, ("Sodium", "140", "135-146 mmol/L"),
            (f"Collected: {OLD}",), ("Potassium", "4.2", "3.5-5.1 mmol/L"),
        ),
    )  # fmt: skip
    assert dated(path) == {"Glucose": date(2026, 3, 14), "Potassium": date(2025, 11, 13)}
    assert doubts(ingest(path)) == {"Sodium": "collection_unclear"}


@pytest.mark.parametrize(
    ("text", "panel", "has_moment"),
    [
        ("Lipid Panel (03/21/2026 7:56 AM EDT)", "Lipid Panel", True),
        ("Lipid Panel - 21 Mar 2026, 07:56", "Lipid Panel", True),
        ("Vitamin B12 [2026-03-21]", "Vitamin B12", True),
        ("Lipid Panel (Fasting)", "Lipid Panel (Fasting)", False),
        ("Reported on 03/22/2026", "Reported on 03/22/2026", False),
    ],
)
def test_titles(text: str, panel: str, has_moment: bool) -> None:
    section = titled(text)
    assert (section.panel, section.moment is not None) == (panel, has_moment)


def test_a_section_goes_on_where_its_title_says_so() -> None:
    lipids = titled("Lipid Panel (03/21/2026 7:56 AM EDT)")
    assert lipids.opened_by(Section("Lipid Panel (continued)")) == lipids
    assert lipids.opened_by(Section()) == lipids
    assert lipids.opened_by(Section("Thyroid")) == Section("Thyroid")


def test_words_over_two_lines_of_a_cell(tmp_path: Path) -> None:
    path = draw(
        tmp_path / "a.pdf",
        Sheet(
            [("Test Name", "Result", "Reference Range", "Laboratory")],
            columns=(40, 250, 330, 430),
            marks=[
                *(
                    Mark(t, x, 300)
                    for t, x in (("Creatinine", 40), ("Test not", 250), ("0.5 - 1.0 mg/dL", 330))
                ),
                *(Mark(t, x, 310) for t, x in (("performed", 250), ("LAB", 430))),
                *(Mark(t, x, 300) for t, x in (("RIVER", 430),)),
                *(Mark(t, x, 330) for t, x in (("Glucose", 40), ("91", 250), ("65 - 99 mg/dL", 330))),
            ],
        ),
    )
    rows = printed(ingest(path))
    assert (rows["Creatinine"]["missing_reason"], rows["Glucose"]["value_num"]) == ("not_performed", 91)


def test_a_number_is_never_put_together_from_two_lines(tmp_path: Path) -> None:
    marks = [
        Mark("Glucose", 40, 300),
        Mark("9x", 250, 300),
        Mark("65 - 99 mg/dL", 330, 300),
        Mark("1", 250, 310),
    ]
    path = draw(
        tmp_path / "a.pdf", Sheet([("Test Name", "Result", "Reference Range")], columns=EDGES, marks=marks)
    )
    assert printed(ingest(path)) == {}


LINES = [("Sodium", "141 mmol/L", "133 - 146 mmol/L"), ("eGFR", "> 90 mL/min/1.73m2", "> 59 mL/min/1.73m2")]


def test_labelled_lines_with_the_unit_in_both(tmp_path: Path) -> None:
    rows = [
        (line,)
        for name, value, interval in LINES
        for line in (name, f"Result: {value}", f"Expected range: {interval}")
    ]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows))))
    assert (got["Sodium"]["value_num"], got["Sodium"]["ref_low"], got["Sodium"]["ref_high"]) == (
        141,
        133,
        146,
    )
    assert (got["eGFR"]["comparator"], got["eGFR"]["bound_num"], got["eGFR"]["ref_low"]) == (">", 90, 59)


def test_an_interval_alone_in_a_block_is_no_result(tmp_path: Path) -> None:
    rows = [("Cholesterol",), ("< 200 mg/dL",), ("Sent to another place",)]
    assert printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows)))) == {}


def test_the_unit_once_more_is_a_detail_and_another_unit_is_none() -> None:
    given = Details(unit="mmol/L")
    again = parse_details("133 - 146 mmol/L", given, False)
    assert again is not None
    assert again.interval is not None
    assert (again.unit, again.interval.high) == ("mmol/L", 146)
    assert parse_details("70 - 99 mg/dL", given, False) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("> 90 mL/min/1.73m2", "bound"),
        ("mL/min/1.73m2", "unit"),
        ("Large", "value"),
        ("Normal range: > 59 g/L", "reference"),
    ],
)
def test_forms(text: str, form: str) -> None:
    assert form_of(text, comma=False) == form


@pytest.mark.parametrize("title", ["Urinalysis, Dipstick", "Differential, Automated", "Chemistry, Random"])
def test_a_title_of_a_table_is_no_person(title: str) -> None:
    assert not may_be_a_person(title)


def test_a_row_of_results_is_no_person_and_another_name_still_is(tmp_path: Path) -> None:
    rows = [TITLES, ("Color, UA", "Straw", "Yellow"), ("Glucose", "91", "65-99 mg/dL")]
    head = (BORN, f"Collected: {NEW}")
    own = ingest(draw(tmp_path / "a.pdf", Sheet(rows, head=head, columns=EDGES)))
    assert codes(own) == ["lab_row_review"]
    other = ingest(draw(tmp_path / "b.pdf", Sheet(rows, head=("ROE, MARY", *head), columns=EDGES)))
    assert codes(other) == ["lab_identity_mismatch"]


def test_a_date_behind_a_name_is_that_of_birth(tmp_path: Path) -> None:
    rows = [TITLES, ("Glucose", "91", "65-99 mg/dL")]
    other = Sheet(rows, head=("Roe, Mary (05/20/1980)", BORN, f"Collected: {NEW}"), columns=EDGES)
    assert codes(ingest(draw(tmp_path / "a.pdf", other))) == ["lab_identity_mismatch"]

"""participants.csv as people really save it."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.registry import check_registry, read_registry
from schemas.errors import PhaError
from schemas.participant import Participant

ZONE = "Europe/Amsterdam"


def write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "participants.csv"
    path.write_bytes(text.encode(encoding))
    return path


def problems_of(folder: Path, text: str) -> list[PhaError]:
    return check_registry(write(folder, text), ZONE)[0]


def test_a_full_row(tmp_path: Path) -> None:
    text = (
        "participant_id,sex,birth_date,enrolled_on,status,aliases,name,results_to,external_model,shoe size\n"
        "P001,female,1980-05-17,2026-01-02,active,old-1|77,Ada Lovelace,participant,yes,38\n"
    )
    registry = read_registry(write(tmp_path, text), ZONE)
    person = registry.participants[0]
    assert person.birth_date == date(1980, 5, 17)
    assert person.birth_year == 1980
    assert person.aliases == ("old-1", "77")
    assert (person.results_to, person.external_model, person.time_zone) == ("participant", True, ZONE)
    assert registry.ignored_columns == ("shoe size",)
    assert "Ada" not in repr(person)


def test_the_defaults_let_nothing_out(tmp_path: Path) -> None:
    person = read_registry(
        write(tmp_path, "participant_id,sex,birth_year\nP1,male,1990\n"), ZONE
    ).participants[0]
    assert (person.status, person.results_to, person.external_model) == ("active", "none", False)
    assert person.age_approximate


def test_excel_leaves_a_mark_semicolons_and_another_code_page(tmp_path: Path) -> None:
    text = "\ufeffparticipant_id;sex;birth_year;site\r\nP1;Female;1990;Z\u00fcrich\r\n;;;\r\n"
    assert read_registry(write(tmp_path, text), ZONE).participants[0].site == "Zürich"
    assert read_registry(write(tmp_path, text[1:], "cp1252"), ZONE).participants[0].site == "Zürich"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("1980-05-17", date(1980, 5, 17)), ("17/5/1980", date(1980, 5, 17)), ("5/17/1980", date(1980, 5, 17)),
     ("17.05.1980", date(1980, 5, 17)), ("05-05-1980", date(1980, 5, 5))],
)  # fmt: skip
def test_dates_that_can_be_read_in_one_way(tmp_path: Path, cell: str, expected: date) -> None:
    text = f"participant_id,sex,birth_date\nP1,male,{cell}\n"
    assert read_registry(write(tmp_path, text), ZONE).participants[0].birth_date == expected


def test_an_ambiguous_date_is_refused_with_its_line_and_without_the_date(tmp_path: Path) -> None:
    (problem, *_) = problems_of(
        tmp_path, "participant_id,sex,birth_date\nP1,male,1980-01-01\nP2,male,3/4/1980\n"
    )
    assert problem.code.name == "registry_ambiguous_date"
    assert "line 3, column birth_date" in str(problem)
    assert "1980" not in str(problem)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("1.00E+05,male,1990,", "participant_id"),
        ("a b,male,1990,", "participant_id"),
        ("-x,male,1990,", "participant_id"),
        ("P1,F,1990,", "sex"),
        ("P1,male,90,", "birth_year"),
        ("P1,male,1990,Mars/Base", "time_zone"),
    ],
)
def test_a_bad_cell_is_named(tmp_path: Path, row: str, column: str) -> None:
    problems = problems_of(tmp_path, f"participant_id,sex,birth_year,time_zone\n{row}\n")
    assert [problem.details["column"] for problem in problems] == [column]


@pytest.mark.parametrize(
    ("header", "column"),
    [("id,sex,birth_year", "participant_id"), ("participant_id,birth_year", "sex"),
     ("participant_id,sex,birthday", "birth_date or birth_year")],
)  # fmt: skip
def test_a_missing_column_is_one_problem_however_many_people_there_are(
    tmp_path: Path, header: str, column: str
) -> None:
    (problem,) = problems_of(tmp_path, f"{header}\nP1,male,1990\nP2,male,1990\n")
    assert (problem.details["line"], problem.details["column"]) == (1, column)
    assert "the first line" in problem.next_step.lower()


@pytest.mark.parametrize("cell", ["3/4/1980", "1980-13-01", "in May"])
def test_a_bad_birth_date_is_one_problem_and_asks_for_no_year(tmp_path: Path, cell: str) -> None:
    for heading, row in (("birth_date", cell), ("birth_date,birth_year", f"{cell},")):
        (problem,) = problems_of(tmp_path, f"participant_id,sex,{heading}\nP1,male,{row}\n")
        assert problem.details["column"] == "birth_date"


def test_without_any_birth_a_year_is_wanted(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, "participant_id,sex,birth_date,birth_year\nP1,male,,\n")
    assert problem.details["column"] == "birth_year"


@pytest.mark.parametrize("name", ["Zoë", "П1", "P 1", "_1", "P" * 33])
def test_an_id_of_other_letters_is_told_which_are_possible(tmp_path: Path, name: str) -> None:
    (problem,) = problems_of(tmp_path, f"participant_id,sex,birth_year\n{name},male,1990\n")
    assert "A-Z, a-z, 0-9" in problem.what
    assert name not in str(problem)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_named_as_what_it_is(tmp_path: Path, encoding: str) -> None:
    text = "participant_id,sex,birth_year\nP1,male,1990\n"
    problems, registry = check_registry(write(tmp_path, text, encoding), ZONE)
    assert [problem.code.name for problem in problems] == ["registry_encoding"]
    assert registry.participants == ()


def test_ids_are_unique_regardless_of_case_and_across_aliases(tmp_path: Path) -> None:
    text = "participant_id,sex,birth_year,aliases\nP1,male,1990,\np1,male,1990,\nP3,male,1990,P1\n"
    assert [(p.details["line"], p.details["other"]) for p in problems_of(tmp_path, text)] == [(3, 2), (4, 2)]


def test_one_bad_row_does_not_hide_the_others(tmp_path: Path) -> None:
    problems, registry = check_registry(
        write(tmp_path, "participant_id,sex,birth_year\nP1,male,1990\nP2,?,1990\nP3,male,1991\n"), ZONE
    )
    assert len(problems) == 1
    assert [person.participant_id for person in registry.participants] == ["P1", "P3"]


@given(
    born=st.dates(date(1930, 1, 1), date(2005, 12, 31)), day=st.dates(date(2026, 1, 1), date(2027, 12, 31))
)
def test_age_is_in_completed_years_and_capped(born: date, day: date) -> None:
    person = Participant("P", "male", born.year, ZONE, birth_date=born)
    year_only = Participant("P", "male", born.year, ZONE)
    assert 0 <= person.age_on(day) <= 90
    assert 0 <= year_only.age_on(day) - person.age_on(day) <= 1

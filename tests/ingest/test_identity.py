"""Whose an export is, and files that lie in the folders of several people."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.identity import Person, compare, shared_files
from ingest.source_file import SourceFile
from schemas.participant import Participant

ANN = Participant("P1", "female", 1990, "UTC", birth_date=date(1990, 1, 2), name="Ann-Béa O'Neil")
ON_FILE = Person("Ann-Béa O'Neil", date(1990, 1, 2), "female")


@pytest.mark.parametrize(
    "name", ["ann-bea o'neil", "O'NEIL Ann Béa", "O’Neil, Ann-Be\u0301a", "  Béa   Ann O'Neil "]
)
def test_case_accents_punctuation_and_order_of_a_name_do_not_matter(name: str) -> None:
    assert compare(replace(ON_FILE, name=name), ANN).outcome == "matched"


@pytest.mark.parametrize(
    ("person", "differing"),
    [
        (replace(ON_FILE, name="Anna Béa O'Neil"), ("name",)),
        (replace(ON_FILE, birth_date=date(1990, 2, 1)), ("birth date",)),
        (replace(ON_FILE, gender="male"), ("gender",)),
        (Person("Bob", date(1950, 1, 1), "male"), ("name", "birth date", "gender")),
    ],
)
def test_one_differing_field_is_a_mismatch_and_only_its_name_is_told(
    person: Person, differing: tuple[str, ...]
) -> None:
    verdict = compare(person, ANN)
    assert (verdict.outcome, verdict.differing) == ("identity_mismatch", differing)


def test_only_what_both_sides_have_is_compared() -> None:
    assert compare(Person(name="Ann Béa O'Neil"), replace(ANN, name=None)).outcome == "unchecked"
    assert compare(Person(birth_date=date(1990, 1, 2)), replace(ANN, name=None)).outcome == "matched"
    assert compare(Person(name="Ann Béa ONeil O"), replace(ANN, name=None)).outcome == "unchecked"
    assert compare(Person(), ANN).outcome == "unchecked"
    assert compare(None, ANN).outcome == "unchecked"


def test_gender_and_birth_year_can_contradict_but_not_prove() -> None:
    registered = replace(ANN, name=None, birth_date=None)
    assert compare(Person(None, date(1990, 5, 5), "female"), registered).outcome == "unchecked"
    assert compare(Person(None, date(1991, 5, 5), "female"), registered).differing == ("birth date",)
    assert compare(Person(None, None, "male"), registered).differing == ("gender",)


def test_the_registered_gender_counts_beside_the_sex() -> None:
    assert compare(replace(ON_FILE, gender="male"), replace(ANN, gender="Male")).outcome == "matched"
    intersex = replace(ANN, sex="intersex")
    assert compare(replace(ON_FILE, gender="male"), intersex).outcome == "matched"


def test_nothing_of_a_person_is_shown() -> None:
    assert "Ann" not in repr(ON_FILE)
    assert "1990" not in repr(compare(replace(ON_FILE, birth_date=date(1980, 1, 1)), ANN))


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_as_a_name_gets_a_verdict_the_same_both_ways(one: str, other: str) -> None:
    there = compare(Person(name=one), replace(ANN, name=other))
    back = compare(Person(name=other), replace(ANN, name=one))
    assert there.outcome == back.outcome


def file(relative: str, sha256: str, size: int = 5000) -> SourceFile:
    return SourceFile(Path("/nowhere") / relative, relative, size, sha256)


def test_equal_bytes_with_two_participants_set_both_aside() -> None:
    found = shared_files(
        {
            "P1": [file("a.zip", "1"), file("b.zip", "2")],
            "P2": [file("other.zip", "1")],
            "P3": [file("c", "3")],
        }
    )
    assert found == {("P1", "1"), ("P2", "1")}


def test_equal_bytes_twice_with_one_participant_are_no_matter() -> None:
    assert shared_files({"P1": [file("a.zip", "1"), file("a (1).zip", "1")], "P2": []}) == set()


def test_small_files_and_readmes_are_equal_among_strangers() -> None:
    same = [file("x/steps-2023-01-01.json", "1", 199), file("Sleep/Sleep README.txt", "2")]
    assert shared_files({"P1": same, "P2": same}) == set()
    assert shared_files({"P1": [file("x", "1", 200)], "P2": [file("y", "1", 200)]}) == {
        ("P1", "1"),
        ("P2", "1"),
    }

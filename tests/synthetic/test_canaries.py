"""Canaries: all that was planted is listed, and the search finds it wherever it may have gone."""

import gzip
import json
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from synthetic.canaries.planted import birth_date_forms, name_forms, planted_canaries
from synthetic.canaries.search import find_canaries
from synthetic.people.persona import make_person
from synthetic.spec import Spec
from synthetic.study import make_study

NAME, BORN = "Solveig Nettlecombe", date(1971, 3, 5)
CANARIES = {
    "name": name_forms(NAME),
    "birth_date": birth_date_forms(BORN),
    "phrase": ('amber gate, "north" ; <b>kettle</b>', "Höchst\u00adleistung über dem Wald"),
}


def found(folder: Path, name: str, content: bytes) -> list[tuple[str, str]]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return find_canaries(folder, CANARIES)


@pytest.mark.parametrize(
    "text",
    [
        "Solveig Nettlecombe", "report of NETTLECOMBE, SOLVEIG", "solveig.nettlecombe@example.org",
        "solveig_nettlecombe", "S. Nettlecombe", "file=Solveig%20Nettlecombe.zip",
    ],
)  # fmt: skip
def test_a_name_is_found_however_it_is_written(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "page.html", f"<p>{text}</p>".encode()) == [("page.html", "name")]


@pytest.mark.parametrize(
    "text",
    [
        "1971-03-05", "05.03.1971", "5.3.1971", "03/05/1971", "3/5/1971", "5/3/1971", "March 5, 1971",
        "19710305", "5 Mar 1971", "05-Mar-1971", "5 march 1971", "1971-03-05T00:00:00",
    ],
)  # fmt: skip
def test_a_birth_date_is_found_however_it_is_written(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "log.txt", f"born {text}".encode()) == [("log.txt", "birth_date")]


@pytest.mark.parametrize(
    "text", ["a19710305b4", "119710305", "Nettlecombes", "1971-03-052", "solveig", "1971"]
)
def test_what_only_contains_it_is_no_find(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "digests.txt", text.encode()) == []


def test_a_phrase_is_found_behind_escapes(tmp_path: Path) -> None:
    plain, soft = CANARIES["phrase"]
    escaped = plain.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    for name, content in {
        "page.html": escaped,
        "data.json": json.dumps({"text": plain}),
        "ascii.json": json.dumps({"text": soft}),
        "inner.json": json.dumps({"text": soft}, ensure_ascii=False),
    }.items():
        (tmp_path / name).write_text(content)
    names = ["ascii.json", "data.json", "inner.json", "page.html"]
    assert find_canaries(tmp_path, CANARIES) == [(name, "phrase") for name in names]


def test_names_of_files_and_folders_are_searched(tmp_path: Path) -> None:
    assert found(tmp_path, "SolveigNettlecombe/x.txt", b"") == []
    (tmp_path / "SolveigNettlecombe" / "x.txt").unlink()
    assert found(tmp_path, "of Nettlecombe/x.txt", b"") == [("of Nettlecombe/x.txt", "name")]


def test_parquet_is_searched_in_text_dates_and_metadata(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "note": [None, f"by {NAME}"], "day": [BORN, None]})
    frame.select("id", "note").write_parquet(tmp_path / "text.parquet")
    frame.select("id", "day").write_parquet(tmp_path / "date.parquet")
    frame.select(pl.col("id").alias(NAME)).write_parquet(tmp_path / "column.parquet")
    frame.select("id").write_parquet(tmp_path / "clean.parquet")
    assert find_canaries(tmp_path, CANARIES) == [
        ("column.parquet", "name"), ("date.parquet", "birth_date"), ("text.parquet", "name"),
    ]  # fmt: skip


def test_bytes_that_are_no_text_are_searched_as_they_are(tmp_path: Path) -> None:
    assert found(tmp_path, "picture.png", b"\x89PNG\xff\xfe" + NAME.encode() + b"\x00") == [
        ("picture.png", "name")
    ]
    assert found(tmp_path, "picture.png", gzip.compress(b"nothing", mtime=0)) == []


def test_all_of_a_person_is_listed_by_kind() -> None:
    person = make_person(4, 30, 7)
    listed = planted_canaries([person], ["a.pdf"], [("activity_name", "a made activity")])
    assert person.name in listed["name"]
    assert person.birth_date.isoformat() in listed["birth_date"]
    assert listed["e_mail"] == [person.name.lower().replace(" ", ".") + "@example.org"]
    assert listed["archive_root"] == [person.name.replace(" ", "")]
    assert (listed["pdf_name"], listed["activity_name"]) == (["a.pdf"], ["a made activity"])
    assert all(len(text) >= 5 for texts in listed.values() for text in texts)


def test_a_made_study_lists_what_its_files_hold(tmp_path: Path) -> None:
    make_study(tmp_path, Spec(2, 12, 7))
    canaries = json.loads((tmp_path / "truth" / "canaries.json").read_text())
    held = {kind for _, kind in find_canaries(tmp_path / "study", canaries)}
    assert {"name", "birth_date", "e_mail", "survey_text", "pdf_name"} <= held

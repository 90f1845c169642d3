"""Heads nobody described: labels above, beside or before their values, in any words and order."""

from datetime import date, datetime
from pathlib import Path

import pytest

from ingest.labs.labels import kind_of
from tests.ingest.lab_pdfs import Mark, Sheet, codes, draw, ingest, printed, status

ROWS = [("Test Name", "Result", "Units", "Reference Range"), ("Glucose", "91", "mg/dL", "65-99")]
ABOVE = [
    Mark("Client", 40, 40, 7), Mark("Birth date", 200, 40, 7), Mark("Gender", 320, 40, 7),
    Mark("Jane Doe", 40, 51), Mark("05/20/1980", 200, 51), Mark("Female", 320, 51),
    Mark("Specimen taken", 40, 70, 7), Mark("Date received", 200, 70, 7), Mark("Issued", 320, 70, 7),
    Mark("03/14/2026 08:10", 40, 81), Mark("03/14/2026 11:00", 200, 81), Mark("03/15/2026", 320, 81),
]  # fmt: skip
BESIDE = [
    Mark("Full name", 40, 40), Mark("Jane Doe", 150, 40), Mark("Drawn", 310, 40),
    Mark("14 Mar 2026", 420, 40),
    Mark("D.O.B.", 40, 53), Mark("20 May 1980", 150, 53), Mark("Released", 310, 53),
    Mark("15 Mar 2026", 420, 53), Mark("Sex at birth", 40, 66), Mark("Female", 150, 66),
]  # fmt: skip


def test_labels_above_their_values(tmp_path: Path) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet(ROWS, head=(), marks=ABOVE)))
    row = printed(result)["Glucose"]
    assert status(result) == [("accepted", None, "matched")]
    assert (row["collected_at"], row["reported_at"]) == (datetime.fromisoformat("2026-03-14T08:10"), None)
    assert row["received_at"] == datetime.fromisoformat("2026-03-14T11:00")


def test_labels_without_colons_beside_their_values(tmp_path: Path) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet(ROWS, head=(), marks=BESIDE)))
    assert status(result) == [("accepted", None, "matched")]
    assert printed(result)["Glucose"]["collected_date"] == date(2026, 3, 14)


@pytest.mark.parametrize("marks", [ABOVE, BESIDE])
@pytest.mark.parametrize(
    ("right", "wrong"), [("Jane Doe", "Mary Roe"), ("Female", "Male"), ("05/20/1980", "05/21/1980")]
)
def test_another_person_is_seen_wherever_the_labels_stand(
    tmp_path: Path, marks: list[Mark], right: str, wrong: str
) -> None:
    if right == "05/20/1980" and marks is BESIDE:
        right, wrong = "20 May 1980", "21 May 1980"
    other = [Mark(wrong if m.text == right else m.text, m.x, m.top, m.size) for m in marks]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(ROWS, head=(), marks=other)))
    assert codes(result) == ["lab_identity_mismatch"]
    assert printed(result) == {}


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Date/time of collection", "collected"),
        ("Sample date", "collected"),
        ("Specimen taken on", "collected"),
        ("Draw date:", "collected"),
        ("Date received in lab", "received"),
        ("Sample received", "received"),
        ("Result date", "reported"),
        ("Released", "reported"),
        ("D.O.B.", "birth"),
        ("Patient's birth date", "birth"),
        ("DOB (dd/mm/yyyy)", "birth"),
        ("Age / Sex", "age_sex"),
        ("Biological sex", "sex"),
        ("Client", "name"),
        ("Patient ID", "other"),
        ("Ordered", "other"),
        ("Accession #", "specimen"),
        ("Family name", "surname"),
    ],
)  # fmt: skip
def test_labels_are_known_by_their_words(label: str, kind: str) -> None:
    assert kind_of(label) == kind


@pytest.mark.parametrize(
    "text",
    [
        "Jane Doe",
        "Last taken",
        "Date",
        "Visit date",
        "Test name",
        "Previously collected",
        "Sex F",
        "14 Mar 2026",
    ],
)
def test_what_is_no_label_of_a_head(text: str) -> None:
    assert kind_of(text) is None


@pytest.mark.parametrize(
    "line",
    ["Ordered: 03/14/2026", "Printed: 03/14/2026", "Reported: 03/14/2026", "Last collected: 03/14/2026"],
)
def test_another_date_is_never_taken_for_that_of_collection(tmp_path: Path, line: str) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet(ROWS, head=("Name: Jane Doe", line))))
    assert codes(result) == ["lab_no_collection_date"]


@pytest.mark.parametrize(
    "words", ["14th March 2026", "March 14th, 2026", "14-Mar-26", "Mar 14 2026", "2026-03-14", "14.03.2026"]
)
def test_forms_of_a_date(tmp_path: Path, words: str) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet(ROWS, head=("Name: Jane Doe", f"Collected: {words}"))))
    assert printed(result)["Glucose"]["collected_date"] == date(2026, 3, 14)

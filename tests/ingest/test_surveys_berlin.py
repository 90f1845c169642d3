"""Berlin questionnaire: three categories by the published rule, with values worked out by hand."""

from pathlib import Path

import pytest

from ingest.surveys.instruments import scored_item
from tests.ingest.survey_files import TITLES, field, frame, ingest, write_csv

UNSURE = "1, A | 2, B | 3, C"
LOUD = "1, A | 2, B | 3, C | 4, D"
OFTEN = f"{LOUD} | 5, E"
CHOICES = (UNSURE, LOUD, OFTEN, UNSURE, OFTEN, OFTEN, OFTEN, UNSURE, OFTEN, UNSURE)
BODY = (field("height_cm", "body", validation="number"), field("weight_kg", "body", validation="number"))
# Codes of items 1 to 10 of somebody without any sign.
NOTHING = "2---5552-2"


def score(
    folder: Path, items: str, height: str = "180", weight: str = "75", choices: tuple[str, ...] = CHOICES
) -> tuple[object, ...]:
    """Score, category and missing items; empty where no score was made."""
    fields = [field(f"berlin_{n}", "sleep", "radio", each) for n, each in enumerate(choices, 1)]
    book = write_csv(folder / "book.csv", TITLES, field("record_id", "body"), *BODY, *fields)
    titles = ("record_id", "height_cm", "weight_kg", *(f"berlin_{n}" for n in range(1, len(choices) + 1)))
    row = ("P1", height, weight, *(code.strip("-") for code in items))
    found = frame(ingest(book, write_csv(folder / "data.csv", titles, row)), "survey_scores")
    return found.select("score", "category", "items_missing").row(0) if found.height else ()


@pytest.mark.parametrize(
    ("items", "positive"),
    [
        (NOTHING, 0),
        ("1---5552-2", None),
        ("12355552-2", None),
        ("1153555292", 0),
        ("1253555292", 0),
        ("1353555292", 1),
        ("1322555292", 1),
        ("1251555292", 1),
        ("2---2552-2", 1),
        ("2---3552-2", 0),
        ("3111555252", 0),
        ("2---5122-2", 1),
        ("2---5152-2", 0),
        ("2---52511" + "2", 1),
        ("2---5533-2", 0),
        ("2---5552-1", 1),
        ("2---5552-3", 0),
        ("1411111111", 3),
    ],
)
def test_positive_categories(tmp_path: Path, items: str, positive: int | None) -> None:
    found = score(tmp_path, items)
    if positive is None:
        assert found[:2] == (None, None)
    else:
        assert found == (float(positive), "high_risk" if positive >= 2 else "low_risk", 0)


@pytest.mark.parametrize(
    ("height", "weight", "found"),
    [
        ("180", "97.3", (1.0, "low_risk", 0)),
        ("180", "97.2", (0.0, "low_risk", 0)),
        ("180", "", (None, None, 0)),
        ("", "97.3", (None, None, 0)),
        ("1.80", "97.3", (None, None, 0)),
    ],
)
def test_above_thirty_is_the_third_category_and_an_impossible_index_is_unknown(
    tmp_path: Path, height: str, weight: str, found: tuple[object, ...]
) -> None:
    assert score(tmp_path, NOTHING, height, weight) == found


def test_high_blood_pressure_decides_without_height_and_weight(tmp_path: Path) -> None:
    assert score(tmp_path, "1411111111", "", "") == (3.0, "high_risk", 0)


@pytest.mark.parametrize(("items", "missing"), [("2---5-52-2", 1), ("1---5552-2", 3), ("-3225552-2", 1)])
def test_a_missing_item_leaves_no_score(tmp_path: Path, items: str, missing: int) -> None:
    assert score(tmp_path, items) == (None, None, missing)


def test_another_number_of_answers_is_another_coding(tmp_path: Path) -> None:
    assert score(tmp_path, NOTHING, choices=(*CHOICES[:4], LOUD, *CHOICES[5:])) == ()
    from_zero = "0, A | 1, B | 2, C | 3, D | 4, E"
    assert score(tmp_path, "2---4552-2", choices=(*CHOICES[:4], from_zero, *CHOICES[5:])) == ()
    assert score(tmp_path, NOTHING[:9], choices=CHOICES[:9]) == ()


def test_items_are_recognised_by_name() -> None:
    assert scored_item("Berlin_10") == ("berlin", "berlin_10")
    assert scored_item("berlin_11") is None

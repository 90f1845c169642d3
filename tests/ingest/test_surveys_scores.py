"""Scores by the published rules, at their limits."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.surveys.instruments import INSTRUMENTS
from ingest.surveys.ipaq import ITEMS
from tests.ingest.survey_files import dictionary, field, frame, ingest, write_csv


def scored(
    folder: Path, name: str, items: list[str], who: str = "P1", coding: str | None = None
) -> dict[str, object] | None:
    """The row of survey_scores of one person's answers."""
    instrument = INSTRUMENTS[name]
    choices = coding or " | ".join(f"{n}, Label {n}" for n in range(instrument.highest + 1))
    names = [f"{name}_{n}" for n in range(1, instrument.items + 1)]
    book = dictionary(folder, *(field(item, "form", "radio", choices) for item in names))
    data = write_csv(folder / "data.csv", ("record_id", *names, "form_complete"), (who, *items, "2"))
    rows = frame(ingest(book, data), "survey_scores").rows(named=True)
    return rows[0] if rows else None


@pytest.mark.parametrize(
    ("name", "total", "category"),
    [
        ("phq9", 0, "minimal"), ("phq9", 4, "minimal"), ("phq9", 5, "mild"), ("phq9", 9, "mild"),
        ("phq9", 10, "moderate"), ("phq9", 14, "moderate"), ("phq9", 15, "moderately_severe"),
        ("phq9", 19, "moderately_severe"), ("phq9", 20, "severe"), ("phq9", 27, "severe"),
        ("phq8", 10, "moderate"), ("phq8", 24, "severe"), ("gad7", 4, "minimal"), ("gad7", 5, "mild"),
        ("gad7", 10, "moderate"), ("gad7", 15, "severe"), ("gad7", 21, "severe"),
    ],
)  # fmt: skip
def test_cut_offs(tmp_path: Path, name: str, total: int, category: str) -> None:
    count = INSTRUMENTS[name].items
    items = [str(min(3, max(0, total - 3 * n))) for n in range(count)]
    row = scored(tmp_path, name, items)
    assert row is not None
    assert (row["score"], row["category"], row["items_missing"]) == (float(total), category, 0)
    assert str(row["rule"]).startswith("sum of items; up to 2 missing")


@pytest.mark.parametrize(
    ("items", "missing", "score"),
    [
        (["2"] * 8 + [""], 1, 18.0),
        (["1"] * 7 + ["", ""], 2, 9.0),
        (["1", "1", "1", "1", "1", "1", "2", "", ""], 2, 10.0),
        (["3"] * 6 + ["", "", ""], 3, None),
    ],
)
def test_missing_items_take_the_mean_of_the_others_up_to_two(
    tmp_path: Path, items: list[str], missing: int, score: float | None
) -> None:
    row = scored(tmp_path, "phq9", items)
    assert row is not None
    assert (row["items_missing"], row["score"]) == (missing, score)
    assert (row["category"] is None) == (score is None)


def test_nothing_answered_is_no_score(tmp_path: Path) -> None:
    assert scored(tmp_path, "phq9", [""] * 9) is None


@pytest.mark.parametrize(
    ("who", "items", "score", "category"),
    [
        ("P1", ["1", "1", "1"], 3.0, "positive"),
        ("P2", ["1", "1", "1"], 3.0, "negative"),
        ("P3", ["1", "1", "1"], 3.0, None),
        ("P2", ["2", "1", "1"], 4.0, "positive"),
        ("P3", ["2", "1", "1"], 4.0, "positive"),
        ("P3", ["1", "1", "0"], 2.0, "negative"),
        ("P1", ["4", "4", ""], None, None),
    ],
)
def test_audit_c_by_sex(
    tmp_path: Path, who: str, items: list[str], score: float | None, category: str | None
) -> None:
    row = scored(tmp_path, "auditc", items, who)
    assert row is not None
    assert (row["score"], row["category"]) == (score, category)


@pytest.mark.parametrize(
    ("items", "score", "category"),
    [("22233", 48.0, "low"), ("22333", 52.0, "not_low"), ("55555", 100.0, "not_low")],
)
def test_who_5_is_a_percentage(tmp_path: Path, items: str, score: float, category: str) -> None:
    row = scored(tmp_path, "who5", list(items))
    assert row is not None
    assert (row["score"], row["category"]) == (score, category)


@pytest.mark.parametrize(
    ("items", "score", "missing"),
    [
        ("0000000000", 16.0, 0),
        ("4440040044", 40.0, 0),
        ("0004404400", 0.0, 0),
        ("1111111111", 18.0, 0),
        ("3231121132", 27.0, 0),
        ("111111111-", None, 1),
    ],
)
def test_pss_10_reverses_four_items_and_has_no_category(
    tmp_path: Path, items: str, score: float | None, missing: int
) -> None:
    row = scored(tmp_path, "pss10", [item.strip("-") for item in items])
    assert row is not None
    assert (row["score"], row["category"], row["items_missing"]) == (score, None, missing)
    assert "items 4, 5, 7, 8 reversed" in str(row["rule"])


def active(folder: Path, told: tuple[str, ...], names: tuple[str, ...] = ITEMS) -> dict[str, object] | None:
    """The row of survey_scores of days and minutes of vigorous, moderate and walking activity."""
    book = dictionary(folder, *(field(name, "activity", validation="integer") for name in names))
    data = write_csv(folder / "data.csv", ("record_id", *names, "activity_complete"), ("P1", *told, "2"))
    rows = frame(ingest(book, data), "survey_scores").rows(named=True)
    return rows[0] if rows else None


@pytest.mark.parametrize(
    ("told", "score", "category", "missing"),
    [
        (("3", "20", "0", "", "0", ""), 480.0, "moderate", 0),
        (("2", "20", "0", "", "0", ""), 320.0, "low", 0),
        (("3", "65", "0", "", "0", ""), 1560.0, "high", 0),
        (("0", "", "0", "", "5", "30"), 495.0, "moderate", 0),
        (("0", "", "0", "", "5", "29"), 478.5, "low", 0),
        (("0", "", "3", "30", "2", "30"), 558.0, "moderate", 0),
        (("1", "30", "2", "29", "2", "29"), 663.4, "moderate", 0),
        (("0", "", "0", "", "7", "130"), 3003.0, "high", 0),
        (("5", "9", "0", "", "0", ""), 0.0, "low", 0),
        (("0", "", "0", "", "7", "600"), 4158.0, "high", 0),
        (("1", "400", "1", "400", "1", "160"), 2688.0, "low", 0),
        (("1", "400", "1", "400", "1", "161"), None, None, 0),
        (("2", "UNK", "0", "", "0", ""), None, None, 1),
        (("", "", "0", "", "5", "30"), None, None, 2),
        (("8", "20", "0", "", "0", ""), None, None, 1),
        (("2", "30", "3", "40", "5", "20"), 1290.0, "moderate", 0),
        (("0", "", "1", "720", "6", "10"), 918.0, "moderate", 0),
    ],
)
def test_ipaq(
    tmp_path: Path, told: tuple[str, ...], score: float | None, category: str | None, missing: int
) -> None:
    row = active(tmp_path, told)
    assert row is not None
    assert (row["score"], row["category"], row["items_missing"]) == (score, category, missing)


def test_ipaq_needs_names_that_say_the_unit(tmp_path: Path) -> None:
    assert active(tmp_path, ("3", "20", "0", "", "0", ""), tuple(f"ipaq_{n}" for n in range(1, 7))) is None
    assert active(tmp_path, ("", "", "", "", "", "")) is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(10, 180)), min_size=3, max_size=3))
def test_ipaq_within_the_protocols_limits_is_a_weighted_sum(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[int, int]]
) -> None:
    row = active(tmp_path_factory.mktemp("ipaq"), tuple(str(n) for pair in told for n in pair))
    assert row is not None
    tenths = sum(met * days * minutes for met, (days, minutes) in zip((80, 40, 33), told, strict=True))
    assert row["score"] == tenths / 10


def test_other_codes_are_not_scored(tmp_path: Path) -> None:
    coding = "1, Not at all | 2, Several days | 3, More than half the days | 4, Nearly every day"
    assert scored(tmp_path, "phq9", ["1"] * 9, coding=coding) is None


def test_a_declared_no_answer_is_a_missing_item(tmp_path: Path) -> None:
    coding = "0, a | 1, b | 2, c | 3, d | -99, No answer"
    row = scored(tmp_path, "phq9", ["1"] * 8 + ["-99"], coding=coding)
    assert row is not None
    assert (row["score"], row["items_missing"]) == (9.0, 1)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_a_full_score_is_the_sum(tmp_path_factory: pytest.TempPathFactory, items: list[int]) -> None:
    row = scored(tmp_path_factory.mktemp("phq"), "phq9", [str(item) for item in items])
    assert row is not None
    assert row["score"] == sum(items)

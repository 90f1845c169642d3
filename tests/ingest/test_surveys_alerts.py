"""PHQ-9 item 9: every answer above 0 is told, whatever answer is settled on."""

from pathlib import Path

import pytest

from outputs.alerts import find_alerts
from outputs.stage_problems import StageProblem
from outputs.store import Result
from schemas.lab_results import LabResults
from schemas.lab_review import LabReview
from schemas.settings import AlertsSection
from schemas.table import empty
from tests.ingest.survey_files import OFTEN, answers, dictionary, field, frame, ingest, write_csv

NO_LABS = (empty(LabResults).lazy(), empty(LabReview).lazy())
ITEM = field("phq9_9", "mood", "radio", OFTEN)
TITLES = ("record_id", "mood_timestamp", "phq9_9", "mood_complete")


def told(result: Result) -> list[tuple[str, str]]:
    return [
        (problem["participant_id"], problem["subject"])
        for problem in result.document["problems"]
        if problem["code"] == "survey_alert_answer"
    ]


@pytest.mark.parametrize(
    ("first", "second", "settled", "days"),
    [
        (("2026-03-14 10:00", "1"), ("2026-03-20 09:00", "0"), "0", ["2026-03-14"]),
        (("2026-03-14 10:00", "3"), ("2026-03-14 11:00", "0"), "0", ["2026-03-14"]),
        (("2026-03-14", "2"), ("2026-03-14", "0"), None, ["2026-03-14"]),
        (("2026-03-14", "0"), ("2026-03-20", "1"), "1", ["2026-03-20"]),
        (("2026-03-14", "1"), ("2026-03-20", "2"), "2", ["2026-03-14", "2026-03-20"]),
        (("2026-03-14", "1"), ("2026-03-20", "NI"), "(coded:NI)", ["2026-03-14"]),
        (("2026-03-14", "0"), ("2026-03-20", ""), "(not_answered)", []),
        (("[not completed]", "1"), ("2026-03-20", "0"), "0", ["None"]),
    ],
)
def test_an_answer_above_zero_is_told_even_where_another_one_counts(
    tmp_path: Path, first: tuple[str, str], second: tuple[str, str], settled: str | None, days: list[str]
) -> None:
    book = dictionary(tmp_path, ITEM)
    files = [
        write_csv(tmp_path / f"{name}.csv", TITLES, ("P1", *said, "2"))
        for name, said in (("a", first), ("b", second))
    ]
    for order in (files, files[::-1]):
        result = ingest(book, *order)
        assert answers(result).get(("P1", "phq9_9")) == settled
        assert told(result) == [("P1", f"phq9_9::1:{day}") for day in days]


def test_nobodys_answer_and_other_items_are_not_told(tmp_path: Path) -> None:
    book = dictionary(tmp_path, ITEM, field("phq9_1", "mood", "radio", OFTEN))
    titles = ("record_id", "phq9_1", "phq9_9", "mood_complete")
    rows = (("P1", "3", "0", "2"), ("P9", "3", "3", "2"), ("P2", "3", "-99", "2"))
    result = ingest(book, write_csv(tmp_path / "a.csv", titles, *rows))
    assert told(result) == []


def test_a_number_above_zero_that_is_no_code_is_told(tmp_path: Path) -> None:
    book = dictionary(tmp_path, ITEM)
    result = ingest(book, write_csv(tmp_path / "a.csv", TITLES, ("P2", "2026-03-14", "7", "2")))
    assert frame(result, "survey_answers").is_empty()
    assert told(result) == [("P2", "phq9_9::1:2026-03-14")]


def test_a_told_answer_is_the_alert_of_the_published_one(tmp_path: Path) -> None:
    book = dictionary(tmp_path, ITEM)
    file = write_csv(tmp_path / "a.csv", TITLES, ("P1", "2026-03-14 10:00", "2", "2"))
    result = ingest(book, file)
    problems = [
        StageProblem(p["participant_id"], "surveys", p["code"], p["subject"], p["what"])
        for p in result.document["problems"]
    ]
    settings = AlertsSection()  # pyright: ignore[reportCallIssue]
    published = frame(result, "survey_answers").lazy()
    alerts = find_alerts(*NO_LABS, published, problems, settings)
    assert alerts == find_alerts(*NO_LABS, published, [], settings)
    assert len(alerts) == 1

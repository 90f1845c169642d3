"""The coordinator's page: what arrived, what is missing, what to do; from tables, without a value."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from made_pages import LAST, PEOPLE, made_tables, settings, write_release
from page_parser import Page

from outputs.reports import write_reports
from outputs.reports.arrivals import answered, arrived, missing

PERSON = {"has_wearable": True, "has_labs": True, "has_surveys": True, "days_behind": 0, "data_through": LAST}


def file(**fields: Any) -> dict[str, Any]:
    return {
        "source": "fitbit",
        "form": "folder",
        "identity": "matched",
        "error_code": None,
        "first_day": None,
        "last_day": None,
        "rows_staged": 0,
        "rows_read": 0,
    } | fields


def day(number: int, state: str = "worn", **fields: Any) -> dict[str, Any]:
    values = {"resting_heart_rate": 60.0, "heart_rate_variability": 40.0, "steps": 9000, "sleep_minutes": 400}
    return {"date": date(2026, 6, 1) + timedelta(days=number), "day_state": state} | values | fields


def test_an_unpacked_export_of_thousands_of_files_is_one_line() -> None:
    files = [
        file(first_day=date(2026, 6, n), last_day=date(2026, 6, n + 1), rows_staged=n, rows_read=2 * n)
        for n in range(1, 29)
    ]
    (line,) = arrived([*files, file()])
    assert (line.source, line.form, line.identity) == ("Wearable", "unpacked files", "is this participant's")
    assert (line.files, line.first_day, line.last_day) == (29, date(2026, 6, 1), date(2026, 6, 29))
    assert (line.rows_staged, line.rows_read, line.code) == (406, 812, None)


def test_what_differs_in_kind_verdict_or_fault_has_a_line_of_its_own() -> None:
    files = [
        file(form="zip"),
        file(form="zip", error_code="zip_truncated"),
        file(form="set_aside", identity="account_shared", error_code="account_shared"),
        file(source="labs", form="lab_pdf", identity=None),
    ]
    lines = arrived(files)
    assert [line.source for line in lines] == ["Laboratory report", *["Wearable"] * 3]
    assert {line.code for line in lines} == {None, "zip_truncated", "account_shared"}
    assert arrived(list(reversed(files))) == lines
    assert arrived([]) == []


def test_nothing_is_missing_where_all_is_there() -> None:
    assert list(missing(PERSON, [day(n) for n in range(30)])) == []


@pytest.mark.parametrize(
    ("person", "sentence"),
    [
        ({"has_wearable": False}, "No wearable data that can be used."),
        ({"days_behind": 15}, "The newest wearable data are of 28 Jun 2026: 15 days behind."),
        ({"has_labs": False}, "No laboratory result that can be used."),
        ({"has_surveys": False}, "No answer to a questionnaire."),
    ],
)
def test_what_is_missing_as_a_whole(person: dict[str, Any], sentence: str) -> None:
    (lack,) = missing(PERSON | person, [day(n) for n in range(3)])
    assert lack.what == sentence
    assert lack.next_step


def test_a_delay_of_two_weeks_is_none() -> None:
    assert list(missing(PERSON | {"days_behind": 14}, [day(0)])) == []


def test_long_times_without_wear_are_told_short_ones_are_not() -> None:
    off = {*range(3, 9), *range(12, 19), 22}
    days = [day(n, "not_worn" if n in off else "worn") for n in range(30)]
    assert [lack.what for lack in missing(PERSON, days)] == [
        "Not worn from 13 Jun 2026 to 19 Jun 2026 (7 days)."
    ]


def test_days_set_aside_and_measures_that_never_came() -> None:
    days = [day(0, "set_aside"), *(day(n, heart_rate_variability=None) for n in range(1, 4))]
    assert [lack.what for lack in missing(PERSON, days)] == [
        "1 day set aside: their clock is unclear.",
        "On no worn day: heart rate variability.",
    ]


def test_questionnaires_are_named_with_their_newest_day() -> None:
    scores = [
        {"instrument": "phq9", "answered_on": date(2026, 6, 1)},
        {"instrument": "gad7", "answered_on": None},
        {"instrument": "phq9", "answered_on": date(2026, 6, 20)},
    ]
    assert answered(scores) == ["gad7", "phq9 (20 Jun 2026)"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    folder = tmp_path_factory.mktemp("release")
    write_release(folder, made_tables("<script>x</script>"), "core")
    write_reports(folder, settings(), {})
    return {p.relative_to(folder).as_posix(): Page(p.read_text()) for p in folder.rglob("*.html")}


def test_everybody_has_a_page_that_the_board_leads_to(pages: dict[str, Page]) -> None:
    links = {attrs.get("href") for tag, attrs in pages["reports/index.html"].elements if tag == "a"}
    for name in PEOPLE:
        assert f"coordinator/{name}.html" in links
        read = pages[f"reports/coordinator/{name}.html"]
        assert read.faults == []
        assert f"{name}: what arrived, what is missing" in read.words
        assert "script" not in {tag for tag, _ in read.elements}


def test_a_page_says_what_to_do_and_what_is_missing(pages: dict[str, Page]) -> None:
    late = pages["reports/coordinator/P003.html"].words
    assert "20 days behind" in late
    assert "171,000 of 172,800" in late
    absent = pages["reports/coordinator/P004.html"].words
    assert "No wearable data that can be used." in absent
    assert "Nothing yet." in absent


def test_no_measured_value_stands_on_it(pages: dict[str, Page]) -> None:
    words = pages["reports/coordinator/P001.html"].words
    for value in ("bpm", "HbA1c was", "8,412", "5.9 %", "6.8"):
        assert value not in words


def test_who_withdrew_has_no_page(tmp_path: Path) -> None:
    tables = made_tables()
    tables["participants"][1]["status"] = "withdrawn"
    write_release(tmp_path, tables, "core")
    write_reports(tmp_path, settings(), {})
    found = {path.stem for path in (tmp_path / "reports" / "coordinator").glob("*.html")}
    assert found == set(PEOPLE) - {"P002"}


@pytest.mark.parametrize(("not_whole", "told"), [(True, True), (False, False)])
def test_a_newest_day_that_is_not_whole_is_told_beside_the_whole_ones(
    tmp_path: Path, not_whole: bool, told: bool
) -> None:
    tables = made_tables()
    owner = "P003"
    (last,) = {
        f["last_day"] for f in tables["source_files"] if f["participant_id"] == owner and f["last_day"]
    }
    for row in tables["daily_summary"]:
        row["is_partial"] = not_whole and (row["participant_id"], row["date"]) == (owner, last)
    write_release(tmp_path, tables, "core")
    write_reports(tmp_path, settings(), {})
    words = Page((tmp_path / "reports" / "coordinator" / f"{owner}.html").read_text()).words
    assert "whole days of wearable data through" in words
    assert ("a day that is not whole" in words) is told


def test_the_board_says_of_which_days_the_share_worn_is(pages: dict[str, Page]) -> None:
    assert "Worn, of all days" in pages["reports/index.html"].words

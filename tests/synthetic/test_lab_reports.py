"""Reports show what they hold, on pages that each say whose they are."""

from io import BytesIO
from pathlib import Path

import pdfplumber
import polars as pl
import pytest

from schemas.lab_results import LabResults
from synthetic.labs.draws import reports_of, write_report
from synthetic.labs.layouts import Interval, Report, Result, above, below, between
from synthetic.labs.pdf import lab_pdf
from synthetic.people.persona import make_person

REPORTS = [report for number in range(4) for report in reports_of(make_person(number, 60, 7), 60, 7)]


@pytest.mark.parametrize(
    ("interval", "value", "flag"),
    [
        (between("65", "99"), 65, "N"),
        (between("65", "99"), 64.9, "L"),
        (between("65", "99"), 100, "H"),
        (below("200"), 199, "N"),
        (below("200"), 200, "H"),
        (Interval("40"), 40, "N"),
        (Interval("40"), 39, "L"),
        (above("59"), 59, "L"),
        (Interval(None, "18.4"), 18.4, "N"),
    ],
)
def test_a_value_is_judged_by_its_interval(interval: Interval, value: float, flag: str) -> None:
    assert interval.judge(value) == flag


def test_intervals_are_printed_as_each_family_does() -> None:
    assert between("65", "99").printed("quest") == "65-99"
    assert below("200").printed("quest") == "<200"
    assert Interval("40").printed("quest") == "> OR = 40"
    assert Interval(None, "18.4").printed("quest") == "< OR = 18.4"
    assert above("59").printed("labcorp") == ">59"


@pytest.mark.parametrize("report", REPORTS, ids=lambda r: f"{r.family}-{r.person.participant_id}")
def test_every_page_names_the_person_and_every_result_stands_on_its_page(report: Report) -> None:
    content, pages = lab_pdf(report)
    last, first = report.person.name.split(" ", 1)[::-1]
    with pdfplumber.open(BytesIO(content)) as document:
        texts = [page.extract_text() for page in document.pages]
    for text in texts:
        assert f"{last}, {first}".upper() in text
        assert f"{report.person.birth_date:%m/%d/%Y}" in text
        assert report.specimen in text
        assert f"{report.collected:%m/%d/%Y}" in text
    for result, page in zip(report.results, pages, strict=True):
        line = next(line for line in texts[page - 1].splitlines() if line.startswith(_shown(report, result)))
        assert result.raw_value in line
    assert len(report.results) == len(pages)


def _shown(report: Report, result: Result) -> str:
    mark = "! " if report.family == "labcorp" and result.flag else ""
    return f"{mark}{result.line.name}{'01' if report.family == 'labcorp' else ' '}"


def test_reports_are_equal_byte_for_byte() -> None:
    assert lab_pdf(REPORTS[0]) == lab_pdf(reports_of(make_person(0, 60, 7), 60, 7)[0])


def test_the_two_reports_of_a_person_are_of_different_days_and_families() -> None:
    quest, labcorp = REPORTS[:2]
    assert (quest.family, labcorp.family) == ("quest", "labcorp")
    assert labcorp.collected.date() < quest.collected.date() == quest.person.enrolled_on


def test_one_person_has_a_critical_potassium_on_one_report() -> None:
    flagged = [
        (report.person.participant_id, result.line.key)
        for report in REPORTS
        for result in report.results
        if result.flag == "Critical"
    ]
    assert flagged == [("P003", "potassium")]


def test_true_results_have_the_form_of_the_table(tmp_path: Path) -> None:
    truth = pl.concat([write_report(report, tmp_path) for report in REPORTS])
    _, failures = LabResults.filter(truth.with_columns(reader_version=pl.lit(1, dtype=pl.Int64)))
    assert failures.counts() == {}
    printed = truth.filter(pl.col("flag_printed").is_in(["L", "H"]))
    assert (printed["flag_printed"] == printed["flag_computed"]).all()

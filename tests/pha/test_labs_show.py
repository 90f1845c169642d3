"""pha labs show: the report with what was read drawn on it, one private file, all text escaped."""

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.labs.shown import ShownReading, show_report, source_of
from pha.cli import cli
from pha.lab_labels import place_labels
from pha.lab_page import lab_page, write_private
from schemas.errors import PhaError
from tests.ingest.lab_pdfs import HEAD, JANE, SECRET, Sheet, draw

TITLES = ("Test Name", "Result", "Units", "Reference Range")
ROWS = (TITLES, ("Glucose", "91", "mg/dL", "65-99"), ("Sodium", "1390 H", "mmol/L", "135-146"))


def test_readings_with_their_boxes_and_reasons(tmp_path: Path) -> None:
    report = show_report(source_of(draw(tmp_path / "a.pdf", Sheet(ROWS))), JANE, SECRET)
    glucose, sodium = report.readings
    assert (glucose.printed, glucose.in_doubt, glucose.target) == ("Glucose: 91 mg/dL", False, None)
    assert glucose.meaning == "glucose · 91 mg/dL · 2345-7 · N · 2026-03-14"
    assert (sodium.printed, sodium.reasons) == ("Sodium: 1390 mmol/L", ("implausible",))
    assert sodium.target is not None
    assert sodium.target.endswith(":2")
    assert 39 < glucose.box[0] < 41
    assert 130 < glucose.box[1] < glucose.box[3] < 150
    (problem,) = report.problems
    assert (problem.code.name, problem.what) == ("lab_row_review", "Readings of a lab report in doubt: 1.")
    (page,) = report.pages
    assert page.png.startswith(b"\x89PNG")
    assert (page.width, page.height) == (612.0, 792.0)


def test_without_a_study_a_report_is_read_as_of_whom_it_names(tmp_path: Path) -> None:
    report = show_report(source_of(draw(tmp_path / "a.pdf", Sheet(ROWS))), None, b"")
    assert [reading.in_doubt for reading in report.readings] == [False, True]
    assert {reading.target for reading in report.readings} == {None}


def test_a_report_that_is_set_aside_shows_why_and_what_is_printed(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", Sheet(ROWS, head=("ROE, MARY", *HEAD[1:])))
    report = show_report(source_of(path), JANE, SECRET)
    assert len(report.problems) == 1
    assert [reading.reasons for reading in report.readings] == [("report_set_aside",)] * 2
    assert len(report.pages) == 1


@pytest.mark.parametrize("content", [b"", b"no PDF", b"%PDF-1.4 torn"])
def test_a_file_that_cannot_be_opened_shows_its_fault(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    report = show_report(source_of(tmp_path / "a.pdf"), JANE, SECRET)
    assert (report.pages, report.readings, len(report.problems)) == ((), (), 1)
    assert "No page can be shown" in lab_page(report)


def test_text_of_the_report_is_escaped_and_nothing_is_loaded(tmp_path: Path) -> None:
    row = ("X<script>alert(1)</script>", "5", "mg/dL", "1-9")
    page = lab_page(show_report(source_of(draw(tmp_path / "a.pdf", Sheet([TITLES, row]))), JANE, SECRET))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script" not in page
    assert "http:" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page


def test_the_page_can_be_opened_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "private" / "shown" / "a.html"
    for text in ("one", "two"):
        write_private(path, text)
        assert path.read_text() == text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_command_finds_whose_report_it_is(tmp_path: Path) -> None:
    study = tmp_path / "study"
    (study / "labs" / "P1").mkdir(parents=True)
    (study / "study.toml").write_text('[study]\nname = "Walk"\ntime_zone = "UTC"\n')
    people = "participant_id,sex,birth_date,name\nP1,female,1980-05-20,Jane Doe\n"
    (study / "participants.csv").write_text(people)
    (study / ".pha-secret").write_text("0" * 64 + "\n")
    path = draw(study / "labs" / "P1" / "a.pdf", Sheet(ROWS))
    words = ["labs", "show", str(path), "--study", str(study), "--out", str(tmp_path / "out")]
    told = CliRunner().invoke(cli, words, standalone_mode=False)
    assert told.exception is None
    assert told.output.startswith("2 readings, 1 in doubt")
    assert "lab_row_review: Readings of a lab report in doubt: 1.\n  next (" in told.output
    (page,) = (tmp_path / "out" / "private" / "shown").iterdir()
    assert ":2</code>" in page.read_text()
    elsewhere = draw(tmp_path / "b.pdf", Sheet(ROWS))
    words[2] = str(elsewhere)
    fault = CliRunner().invoke(cli, words, standalone_mode=False).exception
    assert isinstance(fault, PhaError)
    assert fault.code.name == "report_not_in_study"


def test_what_is_no_report_says_so_and_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("no report")
    words = ["labs", "show", str(tmp_path / "note.txt"), "--to", str(tmp_path / "note.html")]
    told = CliRunner().invoke(cli, words, standalone_mode=False)
    assert told.return_value == 1
    assert "lab_not_pdf: A lab report is no PDF, or is damaged.\n  next (coordinator): " in told.output


def shown(row_no: int, box: tuple[float, float, float, float]) -> ShownReading:
    return ShownReading(1, box, row_no, "a", "b", (), in_doubt=False, target=None)


places = st.lists(
    st.tuples(st.integers(10, 400), st.integers(10, 700)).map(lambda p: (p[0], p[1], p[0] + 150, p[1] + 9)),
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(places)
def test_no_number_is_drawn_over_another(boxes: list[tuple[int, int, int, int]]) -> None:
    labels = place_labels([shown(n, box) for n, box in enumerate(boxes, 1)], 612.0)
    assert sorted(label.row_no for label in labels) == list(range(1, len(boxes) + 1))
    for place, one in enumerate(labels):
        assert not any(one.touches(other) for other in labels[:place])


def test_a_computed_value_has_its_number_beside_that_of_its_input() -> None:
    box = (40.0, 100.0, 580.0, 109.0)
    first, second, third, fourth = place_labels([shown(n, box) for n in (1, 49, 50, 51)], 612.0)
    assert (first.x, first.y) == (583.0, 108.0)
    assert first.right < second.x < second.right < third.x < third.right <= 612.0
    assert fourth.right < 40.0

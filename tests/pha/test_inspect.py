"""pha inspect: what an export or report is, in plain words, of any form, and nothing personal."""

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from fitbit_files import beats, minutes, profile, trackers, write_loose, write_zip
from lab_pdfs import Sheet, draw

from pha.cli import cli

# ruff: noqa: DTZ001 - digits in files carry no zone
GLOBAL = "Global Export Data"
MIDNIGHT = datetime(2026, 1, 5, 5, 0)


def days(*numbers: int) -> dict[str, str]:
    """Heart rate and steps of days in January 2026, in New York."""
    members = {}
    for number in numbers:
        start = MIDNIGHT + timedelta(days=number - 5)
        members[f"{GLOBAL}/heart_rate-2026-01-{number:02d}.json"] = beats(start, 1440)
        members[f"{GLOBAL}/steps-2026-01-{number:02d}.json"] = minutes(start, [3] * 30)
    return members


def told(path: Path) -> str:
    result = CliRunner().invoke(cli, ["inspect", str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def as_json(path: Path) -> dict[str, object]:
    result = CliRunner().invoke(cli, ["inspect", str(path), "--json"], catch_exceptions=False)
    return json.loads(result.output)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    devices = trackers(("T1", "2025-12-24", "2026-01-09T12:00:00", "Charge 6"))
    junk = {"Social/friends.csv": "x", "Sleep/Sleep README.txt": "x", "Other/unheard_of.json": "[]"}
    folder = tmp_path_factory.mktemp("Ann Smith")
    return write_zip(
        folder / "takeout-20260201T103201Z-001.zip", profile() | devices | days(5, 6, 9, 10) | junk
    )


def test_a_whole_export(whole: Path) -> None:
    text = told(whole)
    for expected in (
        "Export 1 of 1: a Google Takeout archive",
        "made 2026-02-01 10:32 UTC",
        "layout of 2023 and 2024 (B)",
        "13 files in it: 10 read, 3 not read, 0 refused",
        "Read: heart rate 4, profile 1, steps 4, trackers 1",
        "1 never read (location, messages, account and other personal files)",
        "1 of no kind known here",
        "It has a profile",
        "Heart rate: 2026-01-05 to 2026-01-10, 4 days; 2 days missing in 1 gap, ",
        "the longest 2026-01-07 to 2026-01-08",
        "America/New_York, named by the profile; agreed to by",
        "Devices: Charge 6, added 2025-12-24",
        "Nothing looks wrong.",
    ):
        assert expected in text


def test_nothing_personal_is_printed(whole: Path) -> None:
    for text in (told(whole.parent), json.dumps(as_json(whole.parent))):
        for word in ("Ann", "Smith", "1990", "ACC1", "T1", "example.org", "FEMALE"):
            assert word not in text


def test_the_same_as_data(whole: Path) -> None:
    found = as_json(whole)
    (export,) = found["exports"]  # pyright: ignore[reportGeneralTypeIssues]
    assert (export["form"], export["generation"], export["has_profile"]) == ("takeout_zip", "B", True)
    assert found["accounts"] == 1
    assert found["faults"] == []


def test_a_folder_with_parts_a_page_and_a_report(tmp_path: Path) -> None:
    write_zip(tmp_path / "takeout-20260201T103201Z-001.zip", days(5))
    write_zip(tmp_path / "takeout-20260201T103201Z-003.zip", days(6))
    (tmp_path / "sent.zip").write_text("<html>Sign in</html>")
    draw(tmp_path / "labs.pdf", Sheet([("Glucose", "91")]))
    text = told(tmp_path)
    assert "a Google Takeout archive in parts, 2 files" in text
    assert "Part 2 is missing." in text
    assert "(zip_part_missing)" in text
    assert "A file with the ending of an archive is no archive. (not_a_zip)" in text
    assert "UTC-05:00, shown by the files' own offsets" in text
    assert "Lab report, " in text
    assert "1 page, text" in text


def test_an_unpacked_export_and_what_is_no_export(tmp_path: Path) -> None:
    write_loose(tmp_path / "mine", days(5))
    assert "unpacked files, 2 files" in told(tmp_path / "mine")
    (tmp_path / "notes.txt").write_text("hello")
    text = told(tmp_path / "notes.txt")
    assert "Nothing in it is a file this program reads. (no_known_files)" in text
    assert "no day with heart rate, steps or sleep" in text
    assert "No file names a zone" in text
    (tmp_path / "empty").mkdir()
    assert told(tmp_path / "empty") == "There is nothing here.\n"


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "lab_pdf_empty"), (b"%PDF-1.7 and then noise", "lab_not_pdf")]
)
def test_a_report_that_can_not_be_read_is_told_by_its_code(tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    text = told(tmp_path / "a.pdf")
    assert code in text
    assert "next: " in text


def test_a_locked_report(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", Sheet([("Glucose", "91")]), password="x")
    assert "lab_encrypted" in told(path)


def test_a_path_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    assert CliRunner().invoke(cli, ["inspect", str(tmp_path / "gone")]).exit_code == 2


@pytest.mark.timeout(20)
def test_what_is_no_ordinary_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    for name in ("pipe", "pipe.pdf"):
        os.mkfifo(tmp_path / name)
    told = CliRunner().invoke(cli, ["inspect", str(tmp_path)], catch_exceptions=False).output
    assert "(file_unreadable)" in told

"""pha inspect: what an export or report is, in plain words, of any form, and nothing personal."""

import json
import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from click.testing import CliRunner
from fitbit_files import beats, minutes, profile, trackers, write_loose, write_zip
from hostile_zips import raw_zip
from lab_pdfs import Sheet, draw

from ingest.clocks.false_z import Verdict
from ingest.clocks.sightings import Source
from ingest.fitbit.measures import MEASURES as DECLARED
from pha.cli import cli
from pha.export_words import MEASURES, SIGNS, TOLD_BY
from synthetic.spec import Spec
from synthetic.study import make_study

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


def inspected(path: Path, *options: str) -> tuple[int, str]:
    """The exit code as the command line gives it, and the output as one line."""
    result = CliRunner().invoke(
        cli, ["inspect", str(path), *options], catch_exceptions=False, standalone_mode=False
    )
    return result.return_value, " ".join(result.output.split())


def told(path: Path) -> str:
    """What is said of something in which nothing looks wrong."""
    code, text = inspected(path)
    assert code == 0
    assert "WHAT LOOKS WRONG" not in text
    return text


def wrong(path: Path) -> str:
    """What is said of something in which something looks wrong."""
    code, text = inspected(path)
    assert code == 3
    assert "Nothing looks wrong." not in text
    return text


def as_json(path: Path) -> dict[str, Any]:
    return json.loads(inspected(path, "--json")[1])


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
        "Export: a Google Takeout archive",
        "made 2026-02-01 10:32 UTC",
        "Days: 2026-01-05 to 2026-01-10, heart rate on 4 of 6 days",
        "It has a profile.",
        "Nothing looks wrong. Next: put it into fitbit/<id>/ of the study and run.",
        "Heart rate, steps: 2026-01-05 to 2026-01-10, 4 of 6 days; missing 2026-01-07 to 2026-01-08",
        "On no day: sleep, resting heart rate",
        "America/New_York, named by the profile; 8 beginnings and ends of daily heart-rate files agree",
        "Devices: Charge 6, added 2025-12-24",
        "Files: 13, of which 10 will be read, 3 not, 0 refused",
        "layout of 2023 and 2024 (B)",
        "Will be read: heart rate 4, steps 4, profile 1, trackers 1",
        "1 personal and never opened",
        "1 of no kind known here",
    ):
        assert expected in text


def test_nothing_personal_is_printed(whole: Path) -> None:
    for text in (told(whole.parent), json.dumps(as_json(whole.parent))):
        for word in ("Ann", "Smith", "1990", "ACC1", "T1", "example.org", "FEMALE"):
            assert word not in text


def test_the_same_as_data(whole: Path) -> None:
    found = as_json(whole)
    (look,) = found["looks"]
    (export,) = look["exports"]
    assert (found["kind"], found["looks_wrong"]) == ("files", False)
    assert (export["form"], export["generation"], export["has_profile"]) == ("takeout_zip", "B", True)
    assert look["accounts"] == 1
    assert look["days"]["steps"]["gaps"] == [["2026-01-07", "2026-01-08"]]


def test_a_folder_with_parts_a_page_and_a_report(tmp_path: Path) -> None:
    write_zip(tmp_path / "takeout-20260201T103201Z-001.zip", days(5))
    write_zip(tmp_path / "takeout-20260201T103201Z-003.zip", days(6))
    (tmp_path / "sent.zip").write_text("<html>Sign in</html>")
    draw(tmp_path / "labs.pdf", Sheet([("Glucose", "91")]))
    text = wrong(tmp_path)
    for expected in (
        "a Google Takeout archive in parts (2 files)",
        "Part 2 of a split export is missing. (zip_part_missing)",
        "A file with the ending of an archive is no archive. (not_a_zip)",
        "“One part of your export did not reach us.",
        "UTC-05:00, shown by the files' own offsets",
        "Lab report, ",
        "1 page, ",
    ):
        assert expected in text


def test_an_unpacked_export_and_what_is_no_export(tmp_path: Path) -> None:
    write_loose(tmp_path / "mine", days(5))
    assert "unpacked files (2 files)" in told(tmp_path / "mine")
    (tmp_path / "notes.txt").write_text("hello")
    text = wrong(tmp_path / "notes.txt")
    assert "Nothing in it is a file this program reads. (no_known_files)" in text
    assert "no day with heart rate, steps or sleep" in text
    (tmp_path / "empty").mkdir()
    assert wrong(tmp_path / "empty").startswith("There is nothing here.")


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "lab_pdf_empty"), (b"%PDF-1.7 and then noise", "lab_not_pdf")]
)
def test_a_report_that_can_not_be_read_is_told_by_its_code(tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    text = wrong(tmp_path / "a.pdf")
    assert code in text
    assert "next: " in text


def test_a_locked_report(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", Sheet([("Glucose", "91")]), password="x")
    assert "Could you send us one without?" in wrong(path)


def test_a_path_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    assert CliRunner().invoke(cli, ["inspect", str(tmp_path / "gone")]).exit_code == 2


@pytest.mark.timeout(20)
def test_what_is_no_ordinary_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    for name in ("pipe", "pipe.pdf"):
        os.mkfifo(tmp_path / name)
    assert "(file_unreadable)" in wrong(tmp_path)


def test_a_long_gap_and_a_late_sync_are_asked_about(tmp_path: Path) -> None:
    text = told(write_zip(tmp_path / "takeout-20260201T103201Z-001.zip", days(5, 20)))
    assert "From 2026-01-06 to 2026-01-19 we have no heart rate of you. Did you wear your device then" in text
    assert "Your export of 2026-02-01 holds data up to 2026-01-20 only." in text


def test_a_locked_archive_and_one_of_photographs(tmp_path: Path) -> None:
    locked = tmp_path / "a.zip"
    locked.write_bytes(raw_zip([(b"steps-2026-01-05.json", b"scrambled", -1)], flags=1))
    assert "locked by a password. Could you send it once more without one?" in wrong(locked)
    photographs = write_zip(tmp_path / "b.zip", {"IMG_1.jpg": "x" * 300, "IMG_2.jpg": "y" * 300})
    text = wrong(photographs)
    assert "We found no Fitbit data in what you sent." in text
    assert "Clock" not in text


def test_two_peoples_exports_in_one_folder_are_told(tmp_path: Path) -> None:
    for number, name in enumerate(("Ann Smith", "Bea Jones")):
        person = profile(f"ACC{number}", name)
        write_zip(tmp_path / f"takeout-2026020{number + 1}T103201Z-001.zip", person | days(5 + number))
    text = wrong(tmp_path)
    assert "Exports here are of different people; not the same: name. (people_mixed)" in text
    assert "Ann" not in text


def test_several_peoples_folders_are_told_one_by_one(tmp_path: Path) -> None:
    for number, name in enumerate(("Ann", "Bea")):
        (tmp_path / name).mkdir()
        write_zip(tmp_path / name / "sent.zip", profile(f"ACC{number}") | days(5 + number))
    (tmp_path / "Cleo").mkdir()
    (tmp_path / "Cleo" / "sent.zip").write_bytes(b"")
    text = wrong(tmp_path)
    assert "3 folders of different people, in the order of their names. Something looks wrong in 1." in text
    assert "Folder 1: 1 export, 2026-01-05 to 2026-01-05, heart rate on 1 of 1 day Folder 2:" in text
    assert "A file has no content: 0 bytes. (file_empty)" in text
    assert not {"Ann", "Bea", "Cleo"} & set(text.replace(":", " ").split())


# --- within a study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two made people over four days, with reports and surveys."""
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, Spec(2, 4, 7, "demo"))
    return folder / "study"


def test_a_study_is_counted_and_its_surveys_are_read(study: Path) -> None:
    text = told(study)
    assert "A study folder: 2 participants registered" in text
    assert "Exports: 2 files of 2 of 2 participants" in text
    assert "Lab reports: 4 files of 2 of 2 participants" in text
    assert "a REDCap export with raw values: 2 records, " in text
    assert "scored: auditc, gad7, ipaq, phq9, pss10" in text


def test_its_exports_are_told_person_by_person(study: Path) -> None:
    text = told(study / "fitbit")
    assert "2 folders of different people" in text
    assert "P001: 1 export, " in text
    assert "P002: 2 lab reports, " in told(study / "labs")


def test_whose_an_export_is_is_told_in_its_owners_folder(study: Path) -> None:
    assert "This participant's: name or birth date agree with participants.csv." in told(
        study / "fitbit" / "P001"
    )
    (own,) = (study / "fitbit" / "P001").iterdir()
    assert "This participant's" in told(own)


def test_an_export_and_a_report_of_another_person(study: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(study, tmp_path / "study")
    for source in ("fitbit", "labs"):
        shutil.rmtree(copy / source / "P001")
        (copy / source / "P002").rename(copy / source / "P001")
    text = wrong(copy / "fitbit" / "P001")
    assert "Another person's: a run uses nothing of it." in text
    assert "not the same: name, birth date" in text
    assert "no day with heart rate, steps or sleep" in text
    assert "(lab_identity_mismatch)" in wrong(copy / "labs" / "P001")
    (copy / "fitbit" / "P001").rename(copy / "fitbit" / "Somebody")
    text = wrong(copy / "fitbit" / "Somebody")
    assert "The folder belongs to nobody in participants.csv. (folder_unregistered)" in text
    assert "1 folder of nobody registered" in wrong(copy)


def test_files_beside_the_folders_of_people_are_told(study: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(study, tmp_path / "study")
    assert "file_of_nobody" not in told(copy) + told(copy / "labs")
    (report, *_) = (copy / "labs" / "P001").iterdir()
    for name in ("one.pdf", "two.pdf"):
        shutil.copy(report, copy / "labs" / name)
    said = "A file lies in nobody's folder: a run does not read it."
    assert f"{said} (2 times) (file_of_nobody)" in wrong(copy)
    assert f"{said} (2 times) (file_of_nobody)" in wrong(copy / "labs")
    assert f"{said} (file_of_nobody)" in wrong(copy / "labs" / "one.pdf")
    assert "folder_unregistered" not in wrong(copy / "labs" / "one.pdf")
    assert "file_of_nobody" not in told(report)


def test_survey_files_are_read_wherever_they_lie(study: Path, tmp_path: Path) -> None:
    export, dictionary = (
        study / "surveys" / name for name in ("questionnaires.csv", "questionnaires_dictionary.csv")
    )
    assert "a REDCap data dictionary of 77 fields" in told(dictionary)
    (tmp_path / "mail").mkdir()
    for path in (export, dictionary):
        shutil.copy(path, tmp_path / "mail" / path.name)
    text = told(tmp_path / "mail" / export.name)
    assert "2 records, " in text
    assert "data dictionary" not in text
    assert "data dictionary" in told(tmp_path / "mail")
    (tmp_path / "mail" / dictionary.name).unlink()
    assert "A survey file has no data dictionary beside it. (survey_no_dictionary)" in wrong(
        tmp_path / "mail" / export.name
    )


def test_records_of_nobody_are_told_within_a_study(study: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(study, tmp_path / "study")
    registry = copy / "participants.csv"
    registry.write_text("\n".join(registry.read_text().splitlines()[:-1]))
    assert "Records of a survey file that belong to nobody in participants.csv: 1." in wrong(copy / "surveys")


def test_every_verdict_evidence_rule_and_form_has_words() -> None:
    assert set(SIGNS) == {source.value for source in Source}
    assert set(TOLD_BY) == set(get_args(get_type_hints(Verdict)["told_by"]))
    assert set(MEASURES) <= {measure.name for measure in DECLARED}


def test_an_unreadable_registry_is_told_and_blames_no_folder(study: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(study, tmp_path / "study")
    (copy / "participants.csv").unlink()
    shutil.rmtree(copy / "surveys")
    text = wrong(copy)
    assert "participants.csv is missing. (registry_missing)" in text
    assert "folder_unregistered" not in text
    assert "Surveys: none" in text
    assert "(registry_missing)" in wrong(copy / "fitbit")

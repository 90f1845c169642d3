"""OUT belongs to one study, a dry run writes nothing, and whose file is whose."""

from pathlib import Path

import pytest
from small_study import PEOPLE, TOML, send, write_study

from schemas.errors import PhaError
from schemas.participant import Participant
from tasks.workspace import (
    counts_in_population,
    folder_problems,
    open_workspace,
    path_mark,
)


def test_the_same_study_finds_its_out_again(study: Path, tmp_path: Path) -> None:
    open_workspace(study, tmp_path / "out")
    assert open_workspace(study, tmp_path / "out").out == tmp_path / "out"


def test_another_study_is_refused(study: Path, tmp_path: Path) -> None:
    open_workspace(study, tmp_path / "out")
    other = write_study(tmp_path / "other", TOML.replace("Walk", "Run"))
    with pytest.raises(PhaError, match="out_belongs_to_other_study"):
        open_workspace(other, tmp_path / "out")


def test_the_mark_of_a_study_does_not_tell_its_name(study: Path, tmp_path: Path) -> None:
    open_workspace(study, tmp_path / "out")
    assert "Walk" not in (tmp_path / "out" / "study-mark").read_text()


def test_only_its_owner_can_read_out(study: Path, tmp_path: Path) -> None:
    open_workspace(study, tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


def test_a_dry_run_writes_nothing(study: Path, tmp_path: Path) -> None:
    send(study, "fitbit/P1/a.zip", b"x")
    before = sorted(tmp_path.rglob("*"))
    workspace = open_workspace(study, tmp_path / "out", make=False)
    assert len(workspace.files("fitbit", "P1", [])) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_files_lie_under_id_or_alias(study: Path, tmp_path: Path) -> None:
    send(study, "fitbit/P1/b.zip", b"1")
    send(study, "fitbit/OLD1/a.zip", b"2")
    files = open_workspace(study, tmp_path / "out").files("fitbit", "P1", [])
    assert [file.relative for file in files] == ["a.zip", "b.zip"]


def test_equal_files_of_two_people_are_found_and_set_aside_for_both(study: Path, tmp_path: Path) -> None:
    for place in ("fitbit/P1/a.zip", "fitbit/P2/other name.zip"):
        send(study, place, b"the same" * 1_000)
    send(study, "fitbit/P2/own.zip", b"own")
    workspace = open_workspace(study, tmp_path / "out")
    shared = workspace.shared
    assert [owner for owner, _, _ in shared] == ["P1", "P2"]
    verdicts = {file.relative: file.set_aside for file in workspace.files("fitbit", "P2", shared)}
    assert verdicts == {"other name.zip": "same_bytes", "own.zip": None}


def test_equal_files_of_one_person_are_no_matter(study: Path, tmp_path: Path) -> None:
    for place in ("fitbit/P1/a.zip", "fitbit/P1/b.zip"):
        send(study, place, b"the same" * 1_000)
    assert open_workspace(study, tmp_path / "out").shared == []


def test_a_folder_of_nobody_is_a_matter_of_the_study_without_its_name(study: Path, tmp_path: Path) -> None:
    send(study, "labs/Grace Hopper/report.pdf", b"x")
    (problem,) = folder_problems(open_workspace(study, tmp_path / "out"))
    assert (problem.participant_id, problem.code) == (None, "folder_unregistered")
    assert "Hopper" not in repr(problem)


def test_files_of_nobody_are_one_matter_of_the_study_until_another_comes(study: Path, tmp_path: Path) -> None:
    send(study, "labs/Grace Hopper.pdf", b"x")
    send(study, "labs/b.pdf", b"y")
    (problem,) = folder_problems(open_workspace(study, tmp_path / "out"))
    assert (problem.participant_id, problem.code) == (None, "file_of_nobody")
    assert problem.what == "Files directly under labs/, in nobody's folder, which are not read: 2."
    assert "Hopper" not in repr(problem)
    send(study, "labs/c.pdf", b"z")
    send(study, "fitbit/takeout.zip", b"z")
    export, report = folder_problems(open_workspace(study, tmp_path / "out"))
    assert (export.stage, report.stage) == ("fitbit", "labs")
    assert report.subject != problem.subject


def test_an_empty_folder_is_a_matter_of_its_person(study: Path, tmp_path: Path) -> None:
    (study / "fitbit" / "P2").mkdir(parents=True)
    (problem,) = folder_problems(open_workspace(study, tmp_path / "out"))
    assert (problem.participant_id, problem.code) == ("P2", "folder_empty")


def test_marks_of_folders_are_keyed_by_the_secret_of_the_study(study: Path, tmp_path: Path) -> None:
    other = write_study(tmp_path / "other")
    (other / ".pha-secret").write_text("1" * 64)
    one, two = open_workspace(study, tmp_path / "a"), open_workspace(other, tmp_path / "b")
    assert path_mark(one, Path("Grace")) != path_mark(two, Path("Grace"))


@pytest.mark.parametrize(
    ("status", "counts"), [("active", True), ("completed", True), ("withdrawn", False), ("excluded", False)]
)
def test_who_makes_up_the_population(status: str, counts: bool) -> None:
    assert counts_in_population(Participant("P1", "female", 1990, "UTC", status=status)) is counts  # pyright: ignore[reportArgumentType]


def test_reprs_hold_nobody(study: Path, tmp_path: Path) -> None:
    assert "Ada" in PEOPLE
    assert "Ada" not in repr(open_workspace(study, tmp_path / "out"))

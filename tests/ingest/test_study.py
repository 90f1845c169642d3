"""A study folder: whose folders are whose, and files known by their content."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ingest.fingerprint import fingerprint
from ingest.fitbit import ingest_fitbit
from ingest.identity import shared_files
from ingest.quick_look import first_problem
from ingest.study import SECRET_FILE, Study, find_folders, load_study
from schemas.errors import PhaError
from schemas.participant import Participant
from tests.ingest.lab_pdfs import Sheet, draw

TOML = '[study]\nname = "Walk"\ntime_zone = "UTC"\n'
PEOPLE = "participant_id,sex,birth_year,aliases\n007,female,1990,old7\nP2,male,1980,\n"

NOBODY = 65534


@pytest.fixture
def study(tmp_path: Path) -> Study:
    root = tmp_path / "study"
    root.mkdir()
    (root / "study.toml").write_text(TOML)
    (root / "participants.csv").write_text(PEOPLE)
    return load_study(root, {}, make_secret=True)


def test_the_secret_is_made_once_and_only_for_its_owner(study: Study) -> None:
    path = study.root / SECRET_FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_study(study.root, {}, make_secret=True).secret == study.secret
    assert load_study(study.root, {"PHA_SECRET": "given"}, make_secret=True).secret == b"given"


def test_a_check_leaves_no_secret_behind(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(TOML)
    (tmp_path / "participants.csv").write_text(PEOPLE)
    load_study(tmp_path, {}, make_secret=False)
    assert not (tmp_path / SECRET_FILE).exists()


def test_folders_belong_by_id_or_alias_regardless_of_case(study: Study) -> None:
    for name in ("007", "OLD7", "p2"):
        (study.root / "fitbit" / name).mkdir(parents=True)
    folders = find_folders(study, "fitbit")
    assert {owner: len(paths) for owner, paths in folders.by_participant.items()} == {"007": 2, "P2": 1}
    assert folders.problems == ()


def test_a_folder_whose_zeros_a_spreadsheet_ate_gets_a_hint(study: Study) -> None:
    (study.root / "labs" / "7").mkdir(parents=True)
    (problem,) = find_folders(study, "labs").problems
    assert problem.code.name == "folder_spoilt_id"
    assert "007" in str(problem)
    assert find_folders(study, "labs").meant == ("007",)


def test_a_folder_that_may_be_of_two_people_is_of_neither(study: Study) -> None:
    people = [replace(study.participants[0], participant_id=name) for name in ("007", "07")]
    (study.root / "labs" / "7").mkdir(parents=True)
    folders = find_folders(replace(study, participants=tuple(people)), "labs")
    assert folders.meant == (None,)
    assert "007 or 07" in str(folders.problems[0])


def test_a_folder_nobody_registered_is_named_by_digest_only(study: Study) -> None:
    (study.root / "fitbit" / "Grace Hopper").mkdir(parents=True)
    folders = find_folders(study, "fitbit")
    assert folders.problems[0].code.name == "folder_unregistered"
    assert "Hopper" not in str(folders.problems[0])
    assert folders.stray[0].name == "Grace Hopper"


def test_files_beside_the_folders_are_of_nobody(study: Study) -> None:
    (study.root / "labs").mkdir(exist_ok=True)
    for name in ("Grace Hopper.pdf", "a.pdf", ".DS_Store", "Thumbs.db"):
        (study.root / "labs" / name).write_bytes(b"x")
    folders = find_folders(study, "labs")
    assert [path.name for path in folders.loose] == ["Grace Hopper.pdf", "a.pdf"]
    assert folders.stray == ()
    assert find_folders(study, "fitbit").loose == ()


def test_an_unknown_participant_is_a_wrong_use(study: Study) -> None:
    with pytest.raises(PhaError, match="participant_unknown"):
        study.participant("P9")


def test_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    folder, cache = tmp_path / "P1", tmp_path / "cache.json"
    folder.mkdir()
    (folder / "a.zip").write_bytes(b"one")
    first = fingerprint([folder], cache, b"s")
    (folder / "a.zip").chmod(0o644)
    kept = cache.read_text()
    assert fingerprint([folder], cache, b"s") == first
    assert cache.read_text() == kept
    assert "a.zip" not in kept


def test_a_change_that_keeps_size_and_time_is_seen_in_the_tail(tmp_path: Path) -> None:
    folder, cache = tmp_path / "P1", tmp_path / "cache.json"
    folder.mkdir()
    path = folder / "a.zip"
    path.write_bytes(b"one")
    before = path.stat()
    first = fingerprint([folder], cache, b"s")
    path.write_bytes(b"two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert fingerprint([folder], cache, b"s")[0].sha256 != first[0].sha256


@contextmanager
def without_rights(*paths: Path, mode: int = 0o000) -> Generator[None]:
    """Nobody may read the files, not even the superuser, who steps down meanwhile."""
    for path in paths:
        path.chmod(mode)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_file_without_the_right_to_read_it_is_listed_and_equals_no_other() -> None:
    with TemporaryDirectory(prefix="pha-test") as made:
        root = Path(made)
        root.chmod(0o755)
        for person in ("P1", "P2"):
            (root / person).mkdir()
            (root / person / "a.zip").write_bytes(b"one" * 200)
        (root / "P1" / "b.zip").write_bytes(b"two")
        path, other = root / "P1" / "a.zip", root / "P2" / "a.zip"
        readable = fingerprint([root / "P1"], root / "cache.json", b"s")
        with without_rights(path, other):
            files = {
                name: fingerprint([root / name], root / "none", b"s", remember=False) for name in ("P1", "P2")
            }
            problem = first_problem(path, "fitbit")
        assert problem is not None
        assert problem.code.name == "file_unreadable"
        assert [file.relative for file in files["P1"]] == ["a.zip", "b.zip"]
        assert files["P1"][0].sha256 != readable[0].sha256
        assert files["P1"][1] == readable[1]
        assert shared_files(files) == set()


@pytest.mark.parametrize(("mode", "listed"), [(0o000, "closed"), (0o444, "closed/a.zip")])
def test_a_folder_that_can_not_be_opened_is_listed_and_told(mode: int, listed: str) -> None:
    with TemporaryDirectory(prefix="pha-test") as made:
        root = Path(made)
        root.chmod(0o755)
        closed = root / "P1" / "closed"
        closed.mkdir(parents=True)
        (closed / "a.zip").write_bytes(b"one")
        (root / "P1" / "b.json").write_bytes(b"[]")
        person = Participant("P1", "female", 1990, "UTC")
        ingest_fitbit(person, [], b"s")  # What is imported late must be loaded before the rights are gone.
        with without_rights(closed, mode=mode):
            files = fingerprint([root / "P1"], root / "none", b"s", remember=False)
            result = ingest_fitbit(person, files, b"s")
        closed.chmod(0o755)
    assert [file.relative for file in files] == ["b.json", listed]
    assert "file_unreadable" in {problem["code"] for problem in result.document["problems"]}


def test_a_pipe_is_listed_and_does_not_hold_up_the_run(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "steps.json")
    (file,) = fingerprint([tmp_path], tmp_path / "none", b"s", remember=False)
    assert file.sha256.startswith("unreadable")


@pytest.mark.parametrize(
    ("password", "owner_only", "code"),
    [("x", False, "lab_encrypted"), ("x", True, None), (None, False, None)],
)
def test_a_locked_report_is_seen_at_first_sight(
    tmp_path: Path, password: str | None, owner_only: bool, code: str | None
) -> None:
    path = draw(tmp_path / "a.pdf", Sheet([("Glucose", "91")]), password=password, owner_only=owner_only)
    problem = first_problem(path, "labs")
    assert (problem and problem.code.name) == code


def test_a_damaged_report_that_speaks_of_encryption_is_left_to_ingest(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\ntrailer << /Encrypt 13 0 R >>\n%%EOF")
    assert first_problem(tmp_path / "a.pdf", "labs") is None


@pytest.mark.samples
@pytest.mark.parametrize(
    ("name", "code"), [("h3_encrypted_user_password", "lab_encrypted"), ("h3b_encrypted_owner_only", None)]
)
def test_sample_reports_with_passwords(samples: Path, name: str, code: str | None) -> None:
    problem = first_problem(samples / "labs" / "synthetic" / f"{name}.pdf", "labs")
    assert (problem and problem.code.name) == code


def test_links_and_droppings_are_left_out_and_order_is_by_path(tmp_path: Path) -> None:
    folder = tmp_path / "P1"
    (folder / "b").mkdir(parents=True)
    (folder / "b" / "2.zip").write_bytes(b"2")
    (folder / "a.zip").write_bytes(b"1")
    (folder / ".DS_Store").write_bytes(b"x")
    (folder / "link").symlink_to("/etc/passwd")
    files = fingerprint([folder], tmp_path / "cache.json", b"s")
    assert [file.relative for file in files] == ["a.zip", "b/2.zip"]
    assert "a.zip" not in repr(files[0])
    shutil.move(folder / "a.zip", folder / "c.zip")
    again = fingerprint([folder], tmp_path / "cache.json", b"s")
    assert again[1].file_id(b"s", "P1") != files[0].file_id(b"s", "P1")
    assert again[1].content_digest(b"s") == files[0].content_digest(b"s")

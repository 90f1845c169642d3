"""What lies in the folder: archives whole, split, partial, nested, re-zipped, unpacked, with junk, twice."""

import io
import re
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from synthetic.exports.members import Request
from synthetic.exports.takeout.containers import Container
from synthetic.exports.takeout.export import morning_after
from synthetic.exports.takeout.write import takeout_members, write_takeout
from synthetic.life.recording import Recording, record
from synthetic.people.persona import make_person

TAKEOUT_NAME = r"takeout-\d{8}T\d{6}Z(-\d+)?-\d{3}\.(zip|tgz)"
ASKED = datetime(2026, 6, 29, 10, 41, 37, tzinfo=UTC)

Pack = Callable[[Container], Path]


@pytest.fixture(scope="module")
def few_days() -> Recording:
    return record(make_person(21, 3, 29), 29)


@pytest.fixture(scope="module")
def whole(few_days: Recording) -> dict[str, bytes]:
    return {member.path: member.content for member in takeout_members(few_days, Request(ASKED, "D"))}


@pytest.fixture
def pack(few_days: Recording, tmp_path: Path) -> Pack:
    def packed(container: Container) -> Path:
        folder = tmp_path / container
        names = write_takeout(few_days, Request(ASKED, "D"), folder, container)
        assert sorted(names) == sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        )
        return folder

    return packed


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def union(folder: Path) -> dict[str, bytes]:
    return {
        name: content for path in sorted(folder.glob("*.zip")) for name, content in contents(path).items()
    }


def test_one_zip_is_named_by_the_second_of_the_request(pack: Pack, whole: dict[str, bytes]) -> None:
    folder = pack("zip")
    assert [path.name for path in folder.iterdir()] == ["takeout-20260629T104137Z-001.zip"]
    assert union(folder) == whole


@pytest.mark.parametrize(
    ("container", "stem"),
    [("split", "takeout-20260629T104137Z-"), ("numbered_split", "takeout-20260629T104137Z-3-")],
)
def test_parts_share_time_and_root_and_their_union_is_the_whole(
    pack: Pack, whole: dict[str, bytes], container: Container, stem: str
) -> None:
    folder = pack(container)
    parts = {path.name: contents(path) for path in folder.iterdir()}
    assert sorted(parts) == [f"{stem}{number:03d}.zip" for number in (1, 2, 3)]
    assert all(re.fullmatch(TAKEOUT_NAME, name) for name in parts)
    assert all(any(name.startswith("Takeout/Fitbit/") for name in part) for part in parts.values())
    assert sum(map(len, parts.values())) == len(whole)
    assert union(folder) == whole


def test_a_partial_export_lacks_its_second_part(pack: Pack, whole: dict[str, bytes]) -> None:
    there, all_parts = pack("partial"), pack("split")
    assert [path.name[-7:-4] for path in sorted(there.iterdir())] == ["001", "003"]
    missing = contents(all_parts / "takeout-20260629T104137Z-002.zip")
    assert missing
    assert union(there) == {name: content for name, content in whole.items() if name not in missing}


def test_a_tgz_holds_the_same_members(pack: Pack, whole: dict[str, bytes]) -> None:
    (path,) = pack("tgz").iterdir()
    assert re.fullmatch(TAKEOUT_NAME, path.name)
    with tarfile.open(path) as archive:
        found = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        assert {name: stream.read() for name, stream in found.items() if stream} == whole


def test_a_rezipped_folder_has_lost_what_was_above_it(pack: Pack, whole: dict[str, bytes]) -> None:
    (path,) = pack("rezipped").iterdir()
    found = contents(path)
    assert all(name.startswith(("Fitbit/", "Tasks/")) for name in found)
    assert found == {name.removeprefix("Takeout/"): whole[name] for name in whole if name.count("/") > 1}


def test_a_nested_archive_is_the_single_one_within_another(pack: Pack) -> None:
    (outer,) = pack("nested").iterdir()
    ((name, inner),) = contents(outer).items()
    assert name.endswith("/takeout-20260629T104137Z-001.zip")
    assert inner == next(pack("zip").iterdir()).read_bytes()
    assert zipfile.is_zipfile(io.BytesIO(inner))


def test_an_unpacked_folder_holds_the_files(pack: Pack, whole: dict[str, bytes]) -> None:
    folder = pack("folder")
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    assert found == whole


def test_junk_and_other_products_lie_beside_untouched_data(pack: Pack, whole: dict[str, bytes]) -> None:
    (path,) = pack("with_junk").iterdir()
    found = contents(path)
    beside = {name: content for name, content in found.items() if name not in whole}
    assert {name: found[name] for name in whole} == whole
    assert {".DS_Store", "__MACOSX/._Takeout"} <= set(beside)
    assert any(name.startswith("Takeout/Fit/Alle gegevens/") for name in beside)
    assert not any(name.startswith("Takeout/Fitbit/") for name in beside)


def test_a_browsers_second_copy_is_the_same_file(pack: Pack) -> None:
    one, other = sorted(pack("twice").iterdir())
    assert other.name == "takeout-20260629T104137Z-001.zip"
    assert one.name == "takeout-20260629T104137Z-001 (1).zip"
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("container", get_args(Container))
def test_bytes_depend_on_the_request_alone(few_days: Recording, tmp_path: Path, container: Container) -> None:
    written = []
    for place in ("one", "two"):
        folder = tmp_path / place
        names = write_takeout(few_days, Request(ASKED, "A1"), folder, container)
        written.append({name: (folder / name).read_bytes() for name in names})
    assert written[0] == written[1]
    assert written[0]


@pytest.mark.parametrize(("form", "name"), [("A0", "MyFitbitData.zip"), ("A2", "MyFitbitData.zip")])
def test_the_first_site_named_its_archive_once_for_all(
    few_days: Recording, tmp_path: Path, form: str, name: str
) -> None:
    assert write_takeout(few_days, Request(ASKED, form), tmp_path) == [name]


def test_a_german_account_names_exercises_zones_and_the_index_in_german() -> None:
    recording = record(make_person(21, 12, 29), 29)
    english, german = (
        {
            member.path: member.content
            for member in takeout_members(recording, Request(ASKED, "B", 60, language))
        }
        for language in ("en_US", "de_DE")
    )
    changed = {path.rsplit("/", 1)[-1] for path in set(english) ^ set(german)}
    assert changed == {"archive_browser.html", "Archiv_Übersicht.html"}
    differing = {
        path.rsplit("/", 1)[-1] for path in set(english) & set(german) if english[path] != german[path]
    }
    assert differing == {"exercise-0.json", "Profile.csv"}
    (exercises,) = (content.decode() for path, content in german.items() if path.endswith("exercise-0.json"))
    assert "Fett\u00adverbrennung" in exercises
    assert '"Gehen"' in exercises
    assert '"type" : "FAT_BURN"' in exercises


def test_members_are_made_one_by_one(few_days: Recording) -> None:
    """The first is there before anything else was written: nothing is collected ahead."""
    members = takeout_members(few_days, Request(ASKED, "D"))
    assert next(members).path.endswith(".json")
    paths = [member.path for member in members]
    assert len(paths) == len(set(paths))


@pytest.mark.proof
@pytest.mark.parametrize("form", ["B", "D", "F"])
def test_memory_holds_a_few_members_however_many_there_are(form: str) -> None:
    recording = record(make_person(21, 60, 29), 29)
    tracemalloc.start()
    try:
        before, most, largest, total = tracemalloc.get_traced_memory()[0], 0, 0, 0
        for member in takeout_members(recording, Request(ASKED, form, 30)):
            most = max(most, tracemalloc.get_traced_memory()[0] - before)
            largest, total = max(largest, len(member.content)), total + len(member.content)
    finally:
        tracemalloc.stop()
    assert most < 4 * largest + 12_000_000
    assert total > 2 * most


@pytest.mark.parametrize("number", [12, 15])
def test_who_asks_the_morning_after_names_the_archive_so(number: int, tmp_path: Path) -> None:
    recording = record(make_person(number, 2, 29), 29)
    asked = morning_after(recording)
    (name,) = write_takeout(recording, Request(asked, "E"), tmp_path)
    assert name == f"takeout-{asked:%Y%m%dT%H%M%SZ}-001.zip"
    assert asked.tzinfo is UTC

"""Readings kept from run to run: what did not change is not read again, and no result depends on it."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import shutil
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import ANN, SECRET, beats, minutes, profile, sources, table, write_loose, write_zip
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.fitbit import ingest_fitbit
from ingest.fitbit.exports import read_exports
from ingest.fitbit.kept_readings import KeptReadings, ReadingKey
from ingest.fitbit.readers_version import PROJECT, readers_version
from ingest.fitbit.reading import Reading, Rejected
from outputs.store import Result

GLOBAL = "Global Export Data"
A, B, C = (ReadingKey("sleep", name, "1:2") for name in "abc")
READING = Reading(
    pl.DataFrame({"utc": [datetime(2026, 1, 5)], "parts": [[{"after": 1, "stage": "deep"}]]}),
    5,
    (Rejected(2, "outside_limits", "steps"), Rejected(3, "value_missing", None, 2)),
    {"placeholder_zero": 1},
    1,
)


def month(number: int, steps: int = 10) -> dict[str, str]:
    start = datetime(2026, number, 5, 5, 0)
    return {
        f"{GLOBAL}/steps-2026-{number:02d}-05.json": minutes(start, [steps] * 90),
        f"{GLOBAL}/heart_rate-2026-{number:02d}-05.json": beats(start, 300),
    }


def read(folder: Path, kept: Path | None) -> Result:
    return ingest_fitbit(ANN, sources(folder), SECRET, kept)


def same(one: Result, other: Result) -> bool:
    tables = all(table(one, name).equals(table(other, name)) for name in one.tables)
    return tables and one.document == other.document and one.private == other.private


def told(folder: Path, kept: Path | None) -> list[tuple[object, ...]]:
    """All that reading a folder tells of its members."""
    files = sources(folder)
    readings = KeptReadings(kept, "1", {file.sha256 for file in files})
    exports = read_exports(ANN, files, SECRET, readings)
    readings.save()
    return [
        (
            file.id,
            file.errors,
            member.id,
            member.fault,
            member.reading.frame.rows(),
            tuple(member.reading.rejected),
        )
        for export in exports
        for file, member in export.readings
    ]


def packs(kept: Path) -> list[Path]:
    return sorted(kept.glob("*.json"))


def keys(folder: Path) -> set[str]:
    """What is known of all packs of a folder."""
    return {path.stem for path in packs(folder)}


def test_a_reading_comes_back_as_it_was_also_one_without_rows(tmp_path: Path) -> None:
    first = KeptReadings(tmp_path, "1", {"s"})
    empty = Reading(READING.frame.clear(), 0)
    first.keep(A, "s", READING)
    first.keep(B, "s", empty)
    first.save()
    again = KeptReadings(tmp_path, "1", {"s"})
    for key, expected in ((A, READING), (B, empty)):
        found = again.find(key)
        assert found is not None
        assert found.frame.equals(expected.frame)
        assert found.frame.schema == expected.frame.schema
        assert (found.rows, found.merged, found.ignored) == (expected.rows, expected.merged, expected.ignored)
        assert tuple(found.rejected) == tuple(expected.rejected)
    assert again.find(C) is None


def test_a_reading_counts_only_while_a_file_it_was_read_from_is_there(tmp_path: Path) -> None:
    kept = KeptReadings(tmp_path, "1", {"s"})
    kept.keep(A, "s", READING)
    kept.save()
    assert KeptReadings(tmp_path, "1", {"other"}).find(A) is None
    assert KeptReadings(tmp_path, "1", {"other", "s"}).find(A) is not None


@pytest.mark.parametrize(
    "changed", ["ingest/fitbit/json_rows.py", "ingest/archive/form.py", "schemas/columns.py"]
)
def test_any_change_of_a_reader_is_another_version(changed: str, tmp_path: Path) -> None:
    for folder in ("ingest/fitbit", "ingest/archive", "schemas"):
        shutil.copytree(PROJECT / folder, tmp_path / folder)
    readers_version.cache_clear()
    assert readers_version(tmp_path) == readers_version()
    path = tmp_path / changed
    path.write_text(path.read_text().replace("return", "return  ", 1))
    readers_version.cache_clear()
    assert readers_version(tmp_path) != readers_version()


def test_a_new_version_reads_anew_and_drops_the_old_packs(tmp_path: Path) -> None:
    kept = KeptReadings(tmp_path, "1", {"s"})
    kept.keep(A, "s", READING)
    kept.save()
    newer = KeptReadings(tmp_path, "2", {"s"})
    assert newer.find(A) is None
    newer.keep(B, "s", READING)
    newer.save()
    assert len(list(tmp_path.iterdir())) == 2
    assert KeptReadings(tmp_path, "2", {"s"}).find(B) is not None


@pytest.mark.parametrize("fault", ["index", "rows", "missing", "form"])
def test_a_broken_pack_is_no_pack(tmp_path: Path, fault: str) -> None:
    kept = KeptReadings(tmp_path, "1", {"s"})
    kept.keep(A, "s", READING)
    kept.save()
    (index,), (rows,) = packs(tmp_path), list(tmp_path.glob("*.arrow"))
    if fault == "index":
        index.write_bytes(index.read_bytes()[:-3])
    elif fault == "rows":
        rows.write_bytes(rows.read_bytes()[:-3])
    elif fault == "missing":
        rows.unlink()
    else:
        index.write_text("[]")
    assert KeptReadings(tmp_path, "1", {"s"}).find(A) is None


def test_keys_tell_no_names_and_part_what_differs() -> None:
    known = {
        ReadingKey(*parts).digest
        for parts in (("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("y", "b", "c"))
    }
    assert len(known) == 4
    assert "Ann" not in ReadingKey("steps", "Ann.json", "1:2").digest


def test_a_new_export_with_the_old_members_reads_only_the_new_ones(tmp_path: Path) -> None:
    folder, kept = tmp_path / "sent", tmp_path / "kept"
    write_zip(folder / "takeout-20260201T103201Z-001.zip", profile() | month(1))
    read(folder, kept)
    first = keys(kept)
    write_zip(folder / "takeout-20260301T103201Z-001.zip", profile() | month(1) | month(2))
    result = read(folder, kept)
    (new,) = keys(kept) - first
    index = (kept / f"{new}.json").read_text()
    assert index.count('["') >= 1
    assert len(KeptReadings(kept, "-1", set())._kept) == 0  # pyright: ignore[reportPrivateUsage]
    rows = {path.name.split(".")[1]: pl.read_ipc(path).height for path in kept.glob(f"{new}.*.arrow")}
    assert rows == {"steps": 90, "heart_rate": 300}
    assert same(result, read(folder, None))


def test_a_second_reading_keeps_nothing_more(tmp_path: Path) -> None:
    write_zip(tmp_path / "sent" / "export.zip", profile() | month(1))
    first = read(tmp_path / "sent", tmp_path / "kept")
    before = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert same(first, read(tmp_path / "sent", tmp_path / "kept"))
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == before


def test_names_of_people_and_files_are_in_no_pack(tmp_path: Path) -> None:
    write_loose(tmp_path / "sent" / "AnnSmith", profile() | month(1))
    read(tmp_path / "sent", tmp_path / "kept")
    for path in (tmp_path / "kept").iterdir():
        assert b"Smith" not in path.read_bytes()
        assert b"2026-01-05.json" not in path.read_bytes()


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_whatever_was_read_before_the_result_is_that_of_a_first_reading(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("history")
    made = [
        write_zip(folder / "made" / f"{n}.zip", profile() | month(1 + n % 2, 10 + n // 2)) for n in range(4)
    ]
    cut = folder / "made" / "cut.zip"
    cut.write_bytes(made[0].read_bytes()[:-400])
    made.append(cut)
    for step in range(3):
        sent = folder / f"sent{step}"
        sent.mkdir()
        for path in data.draw(st.lists(st.sampled_from(made), unique=True)):
            shutil.copy(path, sent / path.name)
        assert told(sent, folder / "kept") == told(sent, None)

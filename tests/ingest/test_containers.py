"""What belongs together: parts, copies, archives within archives, several accounts; and what heals what."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import io
import json
import random
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from fitbit_files import (
    ANN,
    SECRET,
    beats,
    codes,
    day_of,
    ingest,
    minutes,
    profile,
    sleep_log,
    sources,
    table,
    timed,
    trackers,
    write_loose,
    write_zip,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.fitbit import ingest_fitbit
from ingest.fitbit.container import container_of, generation_of, missing_parts
from schemas.table import key_of
from schemas.tables import TABLES

GLOBAL = "Global Export Data"
MIDNIGHT = datetime(2026, 1, 5, 5, 0)
MONDAY = "2026-01-05"
NAMELESS = replace(ANN, name=None, birth_date=None)


def steps(count: int = 10, day: int = 5, hours: int = 1) -> dict[str, str]:
    """Steps from local midnight of a day in January 2026 on."""
    start = MIDNIGHT.replace(day=day)
    return {f"{GLOBAL}/steps-2026-01-{day:02d}.json": minutes(start, [count] * 60 * hours)}


def inner(members: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"Takeout/Fitbit/{name}", content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "group", "part"),
    [
        ("takeout-20260310T172133Z-001.zip", "20260310T172133Z", 1),
        ("sent in May/takeout-20260310T172133Z-3-002.zip", "20260310T172133Z", 2),
        ("TAKEOUT-20260310T172133Z-012 (1).ZIP", "20260310T172133Z", 12),
        ("takeout-20260310T172133Z-001.tgz", "20260310T172133Z", 1),
        ("takeout-20269910T992133Z-001.zip", "20269910T992133Z", 1),
    ],
)
def test_parts_share_the_time_in_their_names_wherever_they_lie(name: str, group: str, part: int) -> None:
    found = container_of(name, None)
    assert (found.group, found.part) == (("takeout", group), part)
    assert container_of("mine.zip", name).group == ("takeout", group)


def test_other_archives_stand_for_themselves_and_product_folders_are_one_download() -> None:
    assert container_of("a.zip", None) != container_of("b.zip", None)
    assert container_of("a.zip", "x.zip") != container_of("a.zip", None)
    assert container_of("Sleep Score/sleep_score.csv", None) == container_of("Temperature/x.csv", None)
    assert container_of("Ann 2025/Sleep/x.json", None) != container_of("Ann 2026/Sleep/x.json", None)


def test_numbers_below_the_highest_part_are_missing() -> None:
    assert missing_parts([3, 1, 3]) == (2,)
    assert missing_parts([2]) == (1,)
    assert missing_parts([]) == ()


@pytest.mark.parametrize(
    ("path", "recorders", "generation"),
    [
        ("Takeout/Fitbit/Physical Activity_GoogleData/steps_2025-07-01.csv", False, "C"),
        ("Takeout/Fitbit/Physical Activity_GoogleData/steps_2026-04-01.csv", True, "D"),
        ("Takeout/Google Health/Physical Activity_GoogleData/steps_2026-05-01.csv", True, "E"),
        ("Takeout/Google Health/Physical Activity_GoogleData/Steps/steps_2026-10-01.csv", True, "F"),
        ("AnnB/Google Data/Physical Activity/steps_2026-02-01.csv", False, "A2"),
        ("holiday.json", False, None),
    ],
)
def test_the_generation_by_folders_and_columns(path: str, recorders: bool, generation: str | None) -> None:
    assert generation_of([path], names_recorders=recorders) == generation


def test_parts_within_one_archive_are_one_export_and_a_gap_is_told(tmp_path: Path) -> None:
    one, three = "takeout-20260201T103201Z-001.zip", "takeout-20260201T103201Z-003.zip"
    content = {one: inner(profile() | steps()), three: inner(steps(20, 6))}
    write_zip(tmp_path / "for the study.zip", content, root="")
    result = ingest(tmp_path)
    assert codes(result) == ["zip_part_missing"]
    assert (day_of(result, MONDAY)["steps"], day_of(result, "2026-01-06")["steps"]) == (600, 1200)
    row = table(result, "source_files").row(0, named=True)
    assert (row["identity"], row["form"], row["rows_staged"]) == ("matched", "zip", 120)


def test_of_two_exports_within_one_archive_the_newer_wins(tmp_path: Path) -> None:
    content = {
        "b/old.zip": inner(profile() | steps(10)),
        "a/new.zip": inner(profile() | steps(30) | steps(1, 7)),
    }
    write_zip(tmp_path / "both.zip", content, root="")
    assert day_of(ingest(tmp_path), MONDAY)["steps"] == 1800


def test_a_browsers_copy_is_not_read_and_changes_nothing(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "once" / "export.zip", profile() | steps())
    once = ingest(tmp_path / "once")
    (tmp_path / "once" / "export (1).zip").write_bytes(path.read_bytes())
    twice = ingest(tmp_path / "once")
    assert table(once, "daily_summary").equals(table(twice, "daily_summary"))
    assert sorted(table(twice, "source_files")["form"]) == ["repeat", "zip"]
    assert codes(twice) == []


def test_another_persons_archive_within_an_archive_is_kept_apart(tmp_path: Path) -> None:
    content = {
        "mine.zip": inner(profile() | steps(10)),
        "husband.zip": inner(
            profile("ACC2", "Bob Smith", "1980-01-01", gender="MALE") | steps(99) | steps(1, 7)
        ),
    }
    write_zip(tmp_path / "both.zip", content, root="")
    result = ingest(tmp_path)
    assert codes(result) == ["identity_mismatch"]
    assert day_of(result, MONDAY)["steps"] == 600
    row = table(result, "source_files").row(0, named=True)
    assert (row["identity"], row["rows_read"]) == ("identity_mismatch", 60)
    assert '"other_person":3' in row["members_json"]


# Who, where the registry can't tell -------------------------------------------------------------------------


def test_two_accounts_that_contradict_each_other_are_both_refused_where_nobody_is_known(
    tmp_path: Path,
) -> None:
    write_zip(tmp_path / "a.zip", profile() | steps(10))
    write_zip(tmp_path / "b.zip", profile("ACC2", "Beth Jones", "1990-03-03") | steps(30) | steps(1, 7))
    result = ingest(tmp_path, NAMELESS)
    assert codes(result) == ["identity_mismatch", "identity_mismatch"]
    assert table(result, "steps_minutes").is_empty()
    assert "Beth" not in str(result.document)


def test_one_that_contradicts_a_matched_profile_is_refused_though_the_registry_knows_too_little(
    tmp_path: Path,
) -> None:
    write_zip(tmp_path / "a.zip", profile() | steps(10))
    write_zip(tmp_path / "b.zip", profile("ACC2", "Beth Jones", "null") | steps(30) | steps(1, 7))
    result = ingest(tmp_path, replace(ANN, name=None))
    assert codes(result) == ["identity_mismatch"]
    assert day_of(result, MONDAY)["steps"] == 600


def test_two_accounts_of_one_person_are_used_and_told(tmp_path: Path) -> None:
    write_zip(
        tmp_path / "a.zip",
        profile("ACC1") | {f"{GLOBAL}/heart_rate-2026-01-04.json": beats(MIDNIGHT.replace(day=4), 60)},
    )
    write_zip(
        tmp_path / "b.zip", profile("ACC2") | {f"{GLOBAL}/heart_rate-{MONDAY}.json": beats(MIDNIGHT, 60)}
    )
    result = ingest(tmp_path)
    assert codes(result) == ["accounts_several"]
    assert table(result, "heart_rate_minutes").height == 120


def test_two_profiles_in_one_folder_of_loose_files_are_both_looked_at(tmp_path: Path) -> None:
    write_loose(tmp_path / "all", profile() | steps())
    other = profile("ACC2", "Bob Jones", "1970-05-05")["Your Profile/Profile.csv"]
    write_loose(tmp_path / "all", {"Your Profile/Profile (1).csv": other})
    result = ingest(tmp_path)
    assert set(codes(result)) == {"identity_mismatch"}
    assert table(result, "steps_minutes").is_empty()


@pytest.mark.parametrize("shared", ["log", "device"])
def test_an_export_without_a_profile_is_its_owners_by_a_log_or_device_of_a_matched_one(
    tmp_path: Path, shared: str
) -> None:
    log = {
        f"{GLOBAL}/sleep-2026-01-01.json": "["
        + json.dumps(sleep_log(77, "2026-01-04T23:00:00", "2026-01-05T07:00:00"))
        + "]"
    }
    common = log if shared == "log" else trackers(("T1", "2025-01-01", "2026-01-05T12:00:00", "Charge 6"))
    write_zip(tmp_path / "a.zip", profile() | steps() | common)
    write_zip(tmp_path / "b.zip", steps(10, 6) | common)
    assert codes(ingest(tmp_path)) == []
    write_zip(tmp_path / "b.zip", steps(10, 6))
    assert codes(ingest(tmp_path)) == ["identity_unchecked"]


# What is damaged here and whole there -----------------------------------------------------------------------


def damaged(path: Path) -> None:
    """Change a byte in the middle of the first member."""
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 3] ^= 0xFF
    path.write_bytes(bytes(raw))


def noisy_day() -> dict[str, str]:
    draw = random.Random(5)
    rows = [(f"01/05/26 {n // 60:02d}:{n % 60:02d}:00", str(draw.randrange(200))) for n in range(1000)]
    return {f"{GLOBAL}/steps-2026-01-05.json": timed(rows)}


def test_a_damaged_member_is_taken_from_another_file_in_whatever_order_they_are_read(tmp_path: Path) -> None:
    whole = write_zip(tmp_path / "m" / "m.zip", noisy_day())
    expected = table(ingest(tmp_path / "m"), "steps_minutes")
    for name in ("a.zip", "z.zip"):
        broken = tmp_path / "m" / name
        broken.write_bytes(whole.read_bytes())
        damaged(broken)
        result = ingest(tmp_path / "m")
        assert codes(result) == ["identity_unchecked"] * 2
        assert table(result, "steps_minutes").equals(expected)
        broken.unlink()
    damaged(whole)
    assert "member_damaged" in codes(ingest(tmp_path / "m"))


# Any split, any order ---------------------------------------------------------------------------------------


@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_any_split_into_parts_gives_the_same_tables(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    members = profile() | steps(10) | steps(20, 6) | steps(30, 7)
    folder = tmp_path_factory.mktemp("split")
    parts: dict[int, dict[str, str]] = {}
    for name, content in members.items():
        parts.setdefault(data.draw(st.integers(1, 3)), {})[name] = content
    for part in range(1, max(parts) + 1):
        write_zip(folder / f"takeout-20260201T103201Z-{part:03d}.zip", parts.get(part, {"x README.txt": "x"}))
    result = ingest(folder)
    whole = write_zip(tmp_path_factory.mktemp("whole") / "takeout-20260201T103201Z-001.zip", members)
    expected = ingest(whole.parent)
    for name in ("daily_summary", "steps_minutes"):
        key = key_of(TABLES[name])
        assert table(result, name).sort(key).equals(table(expected, name).sort(key))
    shuffled = data.draw(st.permutations(sources(folder)))
    again = ingest_fitbit(ANN, shuffled, SECRET)
    assert all(table(again, name).equals(table(result, name)) for name in result.tables)

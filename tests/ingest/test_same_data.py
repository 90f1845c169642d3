"""Exports of different participants that hold the same data: found by their marks, whatever their order."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import ANN, SECRET, ingest, profile, stamp, table, timed, write_zip
from hypothesis import given
from hypothesis import strategies as st

from ingest.fitbit.marks import ONE_OF_RUNS, RUNS_A_DAY
from ingest.same_data import conflicts
from schemas.identity_marks import IdentityMarks
from schemas.table import polars_schema
from tests.yardstick import within

Row = tuple[str, str, str, str]
GLOBAL = "Global Export Data"


def export(person: str, name: str, *marks: tuple[str, str]) -> list[Row]:
    return [(person, name, "file", f"{name}-content"), *((person, name, kind, mark) for kind, mark in marks)]


def runs(first: int, count: int) -> list[tuple[str, str]]:
    return [("run", f"r{n}") for n in range(first, first + count)]


def found(rows: Sequence[Row]) -> list[tuple[str, str, str]]:
    marks = pl.LazyFrame(rows, schema=polars_schema(IdentityMarks), orient="row")
    return list(conflicts(marks).iter_rows())


def test_one_account_in_two_folders_sets_both_aside() -> None:
    rows = (
        export("P1", "a", ("account", "X"))
        + export("P2", "b", ("account", "X"))
        + export("P3", "c", ("account", "Y"))
    )
    assert found(rows) == [("P1", "a-content", "account_shared"), ("P2", "b-content", "account_shared")]


def test_one_account_twice_in_one_folder_is_no_matter() -> None:
    assert (
        found(export("P1", "a", ("account", "X")) + export("P1", "b", ("account", "X"), ("log", "1"))) == []
    )


def test_only_the_exports_that_share_a_log_are_set_aside_not_their_owners_others() -> None:
    rows = (
        export("P1", "a", ("log", "1"))
        + export("P1", "own", ("log", "2"))
        + export("P2", "b", ("log", "1"), ("log", "3"))
    )
    assert found(rows) == [("P1", "a-content", "overlap_conflict"), ("P2", "b-content", "overlap_conflict")]


def test_the_account_says_more_than_the_overlap() -> None:
    rows = export("P1", "a", ("account", "X"), ("log", "1")) + export(
        "P2", "b", ("account", "X"), ("log", "1")
    )
    assert {verdict for _, _, verdict in found(rows)} == {"account_shared"}


@pytest.mark.parametrize(("equal", "is_conflict"), [(0, False), (1, False), (2, True), (100, True)])
def test_more_than_one_percent_of_the_shorter_ones_runs(equal: int, is_conflict: bool) -> None:
    rows = export("P1", "a", *runs(0, 5000)) + export("P2", "b", *runs(5000 - equal, 100))
    assert bool(found(rows)) is is_conflict


def test_all_files_of_an_export_go_with_it() -> None:
    rows = [*export("P1", "a", ("log", "1")), ("P1", "a", "file", "second"), *export("P2", "b", ("log", "1"))]
    assert [(person, content) for person, content, _ in found(rows)] == [
        ("P1", "a-content"),
        ("P1", "second"),
        ("P2", "b-content"),
    ]


def test_nobody_at_all() -> None:
    assert found([]) == []


@given(
    st.permutations(
        export("P1", "a", ("log", "1"), *runs(0, 9))
        + export("P2", "b", ("log", "1"))
        + export("P3", "c", *runs(5, 9))
        + export("P4", "d", ("account", "Z"))
    )
)
def test_the_order_of_people_and_marks_plays_no_part(rows: list[Row]) -> None:
    assert found(rows) == [
        ("P1", "a-content", "overlap_conflict"),
        ("P2", "b-content", "overlap_conflict"),
        ("P3", "c-content", "overlap_conflict"),
    ]


def test_a_thousand_people_are_compared_in_seconds() -> None:
    people = pl.DataFrame({"participant_id": [f"P{n}" for n in range(1165)]})
    marks = people.join(pl.DataFrame({"n": range(300)}), how="cross").select(
        "participant_id",
        pl.format("{}-x", "participant_id").alias("export"),
        pl.lit("run").alias("kind"),
        pl.format("{}/{}", "participant_id", "n").alias("mark"),
    )
    with within(25):
        assert conflicts(marks.lazy()).is_empty()


# The marks themselves ---------------------------------------------------------------------------------------


def heart_rate(days: int, shift: int = 0, *, skip: int = 1) -> dict[str, str]:
    """A few samples a minute that no two people share, unless ``shift`` is the same."""
    start = datetime(2026, 1, 5, 5, 0)
    members = {}
    for day in range(days):
        first = start + timedelta(days=day)
        rows = [
            (
                stamp(first + timedelta(minutes=n)),
                {"bpm": 60 + (n * 7919 + shift * 31 + day) % 37, "confidence": 3},
            )
            for n in range(0, 1440, skip)
        ]
        members[f"{GLOBAL}/heart_rate-{first:%Y-%m-%d}.json"] = timed(rows)
    return members


def marks_of(folder: Path, kind: str) -> set[str]:
    marks = table(ingest(folder), "identity_marks")
    return set(marks.filter(pl.col("kind") == kind)["mark"])


def test_heart_rate_is_marked_alike_however_it_is_packed_and_otherwise_for_others(tmp_path: Path) -> None:
    write_zip(tmp_path / "a" / "takeout-20260201T103201Z-001.zip", profile() | heart_rate(3))
    write_zip(tmp_path / "b" / "mine.zip", heart_rate(3), root="")
    write_zip(tmp_path / "c" / "other.zip", heart_rate(3, shift=1))
    own = marks_of(tmp_path / "a", "run")
    assert abs(len(own) - 3 * RUNS_A_DAY // ONE_OF_RUNS) <= 1
    assert marks_of(tmp_path / "b", "run") == own
    assert not marks_of(tmp_path / "c", "run") & own


def test_a_sensor_at_rest_and_a_few_minutes_mark_nobody(tmp_path: Path) -> None:
    write_zip(tmp_path / "a.zip", heart_rate(2, skip=3))
    flat = [
        (stamp(datetime(2026, 1, 5, 5) + timedelta(minutes=n)), {"bpm": 70, "confidence": 3})
        for n in range(1440)
    ]
    write_zip(tmp_path / "b.zip", {f"{GLOBAL}/heart_rate-2026-01-05.json": timed(flat)})
    assert marks_of(tmp_path, "run") == set()


def test_another_persons_export_leaves_no_marks(tmp_path: Path) -> None:
    write_zip(tmp_path / "a.zip", profile("ACC2", "Bob Jones", "1970-01-01", gender="MALE") | heart_rate(1))
    assert table(ingest(tmp_path), "identity_marks").is_empty()


def test_marks_are_keyed_digests(tmp_path: Path) -> None:
    write_zip(tmp_path / "a.zip", profile() | heart_rate(1))
    marks = table(ingest(tmp_path), "identity_marks")
    assert marks["mark"].str.contains(r"^[0-9a-f]{20}$").all()
    assert "ACC1" not in str(marks.rows())
    assert marks["participant_id"].unique().to_list() == [ANN.participant_id]
    assert SECRET.decode() not in str(marks.rows())

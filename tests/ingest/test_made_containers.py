"""One made export in every container people send it in: the same tables, and what is amiss is told."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import get_args

import polars as pl
import pytest
from fitbit_files import codes, ingest, table
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from outputs.store import Result
from schemas.participant import Participant
from schemas.table import key_of
from schemas.tables import TABLES
from synthetic.exports.members import Request
from synthetic.exports.takeout.containers import Container
from synthetic.exports.takeout.write import write_takeout
from synthetic.life.recording import Recording, record
from synthetic.people.persona import Person, make_person

pytestmark = pytest.mark.slow

DAYS, SEED = 4, 29
ASKED = datetime(2026, 6, 29, 10, 41, 37, tzinfo=UTC)
SAME = ("daily_summary", "sleep_sessions", "activities", "steps_minutes", "heart_rate_minutes")
IN_EVERY_RUN: tuple[Container, ...] = ("split", "tgz", "folder", "partial")
CONTAINERS = [
    pytest.param(name, marks=() if name in IN_EVERY_RUN else (pytest.mark.proof,))
    for name in get_args(Container)
]


@pytest.fixture(scope="module")
def life() -> Recording:
    return record(make_person(21, DAYS, SEED), SEED)


@pytest.fixture(scope="module")
def whole(life: Recording, tmp_path_factory: pytest.TempPathFactory) -> Result:
    folder = tmp_path_factory.mktemp("whole")
    write_takeout(life, Request(ASKED, "D"), folder, "zip")
    return ingest(folder, registered(life.person))


def registered(person: Person) -> Participant:
    return Participant(
        "P1",
        person.sex,
        person.birth_date.year,
        person.time_zone,
        birth_date=person.birth_date,
        name=person.name,
    )


def rows(result: Result, name: str) -> list[tuple[object, ...]]:
    """Rows in the order of their key, without what names the file they came from."""
    frame = table(result, name)
    return frame.select(c for c in frame.columns if c != "file_id").sort(key_of(TABLES[name])).rows()


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_tables(
    life: Recording, whole: Result, container: Container, tmp_path: Path
) -> None:
    write_takeout(life, Request(ASKED, "D"), tmp_path, container)
    result = ingest(tmp_path, registered(life.person))
    if container == "partial":
        assert "zip_part_missing" in codes(result)
        return
    assert codes(result) == []
    assert set(table(result, "source_files")["generation"].drop_nulls()) <= {"B", "C", "D"}
    for name in SAME:
        assert rows(result, name) == rows(whole, name), name


def test_junk_and_other_products_are_counted_and_never_read(life: Recording, tmp_path: Path) -> None:
    write_takeout(life, Request(ASKED, "D"), tmp_path, "with_junk")
    text = table(ingest(tmp_path, registered(life.person)), "source_files")["members_json"][0]
    assert '"never_read":' in text
    assert '"not_data":' in text
    assert '"unknown_kind":' in text


def test_a_later_export_beside_the_first_adds_its_days_and_counts_nothing_twice(
    life: Recording, whole: Result, tmp_path: Path
) -> None:
    early = ASKED - timedelta(days=2)
    write_takeout(life, Request(early, "D"), tmp_path, "zip")
    write_takeout(life, Request(ASKED, "D"), tmp_path, "zip")
    both = ingest(tmp_path, registered(life.person))
    assert table(both, "source_files").height == 2
    steps = ["date", "steps", "sleep_minutes", "wear_minutes"]
    assert (
        table(both, "daily_summary").select(steps).rows()
        == table(whole, "daily_summary").select(steps).rows()
    )


@settings(max_examples=3, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(data=st.data())
def test_any_harm_to_one_file_never_stops_the_others_nor_changes_their_rows(
    life: Recording, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """The same rows of the others are accepted, but for heart-rate CSVs: these are read where the JSON that
    tells their days is harmed, and left out where it is whole.
    """
    folder = tmp_path_factory.mktemp("harm")
    write_takeout(life, Request(ASKED, "D"), folder, "split")
    harmed, *others = sorted(folder.iterdir())
    raw = bytearray(harmed.read_bytes())
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw)))]
    for _ in range(data.draw(st.integers(0, 20))):
        if raw:
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    harmed.write_bytes(bytes(raw))
    result = ingest(folder, registered(life.person))
    harmed.unlink()
    alone = ingest(folder, registered(life.person))
    assert members_read(alone, skipping="heart_rate_csv") <= members_read(result, skipping="heart_rate_csv")
    assert table(result, "source_files").height == len(others) + 1
    minutes = table(result, "heart_rate_minutes")["minute_utc"]
    assert set(table(alone, "heart_rate_minutes")["minute_utc"]) <= set(minutes)
    assert table(alone, "daily_summary").filter(pl.col("date") > date(2026, 6, 29)).is_empty()


def members_read(result: Result, skipping: str) -> set[tuple[object, str, int]]:
    """By file, how many members of each kind but one were read."""
    rows = table(result, "source_files").select("content_digest", "members_json").iter_rows()
    return {
        (digest, kind, count)
        for digest, members in rows
        for kind, count in json.loads(members)["read"].items()
        if kind != skipping
    }

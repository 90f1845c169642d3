"""Made travellers over the date line and changes of clocks: every day true, whatever machine and packing."""

import os
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import SECRET, codes, sources, table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.fitbit import ingest_fitbit
from outputs.store import Result
from schemas.participant import Participant
from schemas.table import key_of
from schemas.tables import TABLES
from synthetic.exports.forms import write_export
from synthetic.exports.knowable import seen_through
from synthetic.exports.takeout.export import morning_after
from synthetic.life.recording import Recording, record
from synthetic.local_days import Trip
from synthetic.people.devices import Device
from synthetic.people.persona import make_person
from synthetic.truth.wearable import activities, daily_summary

SEED = 12
OURS = ("study_day", "resting_heart_rate_method", "heart_rate_variability_method")
# Ids of files differ with the files themselves, and so does what is told of them.
OF_THE_FILES = ("source_files", "value_sources", "rejected_rows", "identity_marks")
LIVES = {
    # Summer time ends in Auckland on 5 April.
    "westward": ("America/Los_Angeles", Trip("Pacific/Auckland", date(2026, 4, 2), date(2026, 4, 7))),
    # Summer time ends at home while it begins nowhere else.
    "eastward": ("Pacific/Auckland", Trip("America/Los_Angeles", date(2026, 4, 2), date(2026, 4, 7))),
    # Both change clocks within a week of each other.
    "atlantic": ("Europe/London", Trip("Asia/Tokyo", date(2026, 3, 26), date(2026, 4, 1))),
}


def living(name: str) -> Recording:
    zone, trip = LIVES[name]
    first, last = trip.out - timedelta(days=3), trip.back + timedelta(days=3)
    person = make_person(3, 30, SEED)
    watch = Device("Sense 2", "7300000000", first, None, 5, "watch")
    return record(
        replace(
            person,
            time_zone=zone,
            trips=(trip,),
            first_day=first,
            last_day=last,
            devices=(watch,),
            planted=replace(person.planted, stops_early=False),
            has_scale=False,
            work="days",
        ),
        SEED,
    )


def ingested(life: Recording, folder: Path) -> Result:
    person = life.person
    participant = Participant(
        person.participant_id,
        person.sex,
        person.birth_date.year,
        "UTC",
        birth_date=person.birth_date,
        name=person.name,
    )
    return ingest_fitbit(participant, sources(folder), SECRET)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("westward", "B"),
        pytest.param("eastward", "D", marks=pytest.mark.proof),
        pytest.param("atlantic", "A1", marks=pytest.mark.proof),
    ],
)
def test_every_column_of_every_day_is_true(name: str, form: str, tmp_path: Path) -> None:
    life = living(name)
    write_export(life, form, tmp_path, morning_after(life))
    result = ingested(life, tmp_path)
    got = table(result, "daily_summary").sort("date").drop(OURS)
    true = seen_through(daily_summary(life), form).sort("date").drop(OURS)
    assert got["date"].equals(true["date"])
    assert [column for column in true.columns if not got[column].equals(true[column])] == []
    exercises = ["activity_id", "start_time", "start_utc", "utc_offset_minutes"]
    expected = activities(life, "").select(exercises).sort("activity_id")
    assert table(result, "activities").select(exercises).sort("activity_id").equals(expected)
    assert codes(result) == []


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recording, dict[str, bytes], Result]:
    """A life, the members of its export, and what the reader gets from them in one archive."""
    life, folder = living("westward"), tmp_path_factory.mktemp("journey")
    (name,) = write_export(life, "D", folder, morning_after(life))
    with zipfile.ZipFile(folder / name) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    return life, members, ingested(life, folder)


@pytest.fixture
def machine_zone() -> Iterator[None]:
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_packing_order_and_the_machines_zone_change_nothing(
    journey: tuple[Recording, dict[str, bytes], Result],
    machine_zone: None,
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
) -> None:
    life, members, expected = journey
    os.environ["TZ"] = data.draw(st.sampled_from(["Pacific/Auckland", "America/St_Johns", "Asia/Kathmandu"]))
    time.tzset()
    folder = tmp_path_factory.mktemp("parts")
    names = data.draw(st.permutations(sorted(members)))
    cuts = sorted(data.draw(st.lists(st.integers(1, len(names) - 1), min_size=2, max_size=2, unique=True)))
    for part, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(names)], strict=True), start=1):
        with zipfile.ZipFile(folder / f"takeout-20260501T103201Z-{part:03d}.zip", "w") as archive:
            for name in names[start:end]:
                archive.writestr(name, members[name])
    got = ingested(life, folder)
    assert got.document["problems"] == expected.document["problems"] == []
    for name in sorted(expected.tables.keys() - set(OF_THE_FILES)):
        assert in_order(got, name).equals(in_order(expected, name)), name


def in_order(result: Result, name: str) -> pl.DataFrame:
    return table(result, name).drop("file_id", strict=False).sort(key_of(TABLES[name]))

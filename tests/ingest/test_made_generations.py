"""The reader gets the days of the truth from every generation and every container of a made export.

Reader and writer were written apart from each other, from the description of the forms: where both are right
they meet. Which offset travellers had is the clocks' own subject: this person stays at home.
"""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import get_args

import polars as pl
import pytest
from fitbit_files import SECRET, codes, sources, table

from ingest.fitbit import ingest_fitbit
from outputs.store import Result
from schemas.participant import Participant
from synthetic.exports.knowable import seen_through
from synthetic.exports.members import Request
from synthetic.exports.takeout.containers import Container
from synthetic.exports.takeout.export import morning_after
from synthetic.exports.takeout.write import write_takeout
from synthetic.life.recording import Recording, record
from synthetic.people.devices import Device
from synthetic.people.persona import make_person
from synthetic.truth.wearable import daily_summary, sleep_sessions

SEED = 40
# The others differ from these by folders, which the proofs read too.
GENERATIONS = (
    "A0",
    "B",
    "C",
    "F",
    *(pytest.param(name, marks=pytest.mark.proof) for name in ("A1", "A2", "D", "E")),
)
OURS = ("study_day", "resting_heart_rate_method", "heart_rate_variability_method")


@pytest.fixture(scope="module")
def life() -> Recording:
    """Nine days in Sydney, in which summer time ends."""
    first = date(2026, 3, 30)
    person = make_person(3, 30, SEED)
    person = replace(
        person,
        time_zone="Australia/Sydney",
        trips=(),
        first_day=first,
        last_day=date(2026, 4, 7),
        devices=(Device("Sense 2", "7300000000", first, None, 5, "watch"),),
        planted=replace(person.planted, stops_early=False),
        has_scale=False,
    )
    return record(person, SEED)


def ingested(life: Recording, form: str, folder: Path, container: Container, language: str) -> Result:
    """What the program reads from the life's export."""
    request = Request(morning_after(life), form, 60, language)
    write_takeout(life, request, folder, container)
    person = life.person
    participant = Participant(
        person.participant_id,
        "female" if person.sex == "female" else "male",
        person.birth_date.year,
        person.time_zone,
        birth_date=person.birth_date,
        name=person.name,
    )
    return ingest_fitbit(participant, sources(folder), SECRET)


def differing(result: Result, life: Recording, form: str) -> list[str]:
    """Columns of daily_summary that are not the truth's as far as the form can know."""
    got = table(result, "daily_summary").sort("date")
    true = seen_through(daily_summary(life), form).sort("date").drop(OURS)
    assert got["date"].equals(true["date"])
    return [name for name in true.columns if not got[name].equals(true[name])]


@pytest.mark.parametrize("form", GENERATIONS)
def test_every_generation_gives_the_days_of_the_truth(life: Recording, form: str, tmp_path: Path) -> None:
    result = ingested(life, form, tmp_path, "zip", "en_US")
    assert differing(result, life, form) == []
    instants = ["sleep_id", "date", "start_time", "start_utc", "end_utc", "utc_offset_minutes"]
    true = sleep_sessions(life, "").select(instants).sort("sleep_id")
    assert table(result, "sleep_sessions").select(instants).sort("sleep_id").equals(true)
    assert codes(result) == []
    assert table(result, "source_files").select(pl.col("rows_rejected").sum()).item() == 0


@pytest.mark.proof
@pytest.mark.parametrize(
    "container", [name for name in get_args(Container) if name not in ("zip", "partial")]
)
def test_every_container_gives_the_days_of_the_truth(
    life: Recording, container: Container, tmp_path: Path
) -> None:
    result = ingested(life, "C", tmp_path, container, "de_DE")
    assert differing(result, life, "C") == []
    assert codes(result) == []


def test_a_missing_part_is_told(life: Recording, tmp_path: Path) -> None:
    assert codes(ingested(life, "C", tmp_path, "partial", "en_US")) == ["zip_part_missing"]

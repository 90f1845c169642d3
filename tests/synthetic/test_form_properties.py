"""What holds of every form: same bytes again, one file in memory, nothing but what the form can know."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from form_checks import ASKED, SEED, exported, northerner, southerner

from schemas.daily_summary import DailySummary
from schemas.table import polars_schema
from synthetic.exports.forms import FORMS, write_export
from synthetic.exports.knowable import KNOWABLE, WITH_PHONE, seen_through
from synthetic.exports.members import Member, write_loose
from synthetic.life.recording import record
from synthetic.truth.wearable import daily_summary

OURS = ("fitabase", "fitabase_merged", "monthly_csv", "web_api", "health_api")
EACH = pytest.mark.parametrize("form", OURS)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@EACH
def test_a_recording_made_again_is_written_in_the_same_bytes(tmp_path: Path, form: str) -> None:
    person = southerner().person
    once = contents(exported(southerner(), form, tmp_path / "once"))
    again = contents(exported(record(person, SEED), form, tmp_path / "again"))
    assert once
    assert once == again


@EACH
def test_an_export_names_the_files_it_wrote(tmp_path: Path, form: str) -> None:
    names = write_export(southerner(), form, tmp_path, ASKED)
    assert sorted(names) == sorted(path.name for path in tmp_path.iterdir())
    assert len(set(names)) == len(names)


def test_members_keep_their_folders(tmp_path: Path) -> None:
    members = iter([Member("a/b.json", b"{}"), Member("c.csv", b"x\n")])
    assert write_loose(members, tmp_path) == ["a/b.json", "c.csv"]
    assert (tmp_path / "a" / "b.json").read_bytes() == b"{}"


def test_every_form_of_ours_can_be_asked_for_and_has_its_columns() -> None:
    assert set(OURS) <= set(FORMS)
    assert set(OURS) <= set(KNOWABLE)
    columns = set(polars_schema(DailySummary))
    for form, known in KNOWABLE.items():
        assert set(known) <= columns, form
        assert all(tolerance >= 0 for tolerance in known.values())


@EACH
def test_what_a_form_cannot_know_is_null(form: str) -> None:
    truth = daily_summary(northerner())
    seen = seen_through(truth, form)
    assert seen.schema == truth.schema
    for column in set(truth.columns) - set(KNOWABLE[form]):
        if truth.schema[column] != pl.Boolean and column not in ("participant_id", "date", "day_state"):
            assert seen[column].null_count() == seen.height, column
    # Days that the phone alone counted are told by forms that hold its rows.
    by_phone = (pl.col("day_state") == "not_worn") & pl.lit(form not in WITH_PHONE)
    for column in set(KNOWABLE[form]):
        told = pl.when(~by_phone).then(column) if column in ("steps", "distance_m") else pl.col(column)
        assert seen[column].to_list() == truth.select(told).to_series().to_list(), column


def test_without_heart_rate_steps_judge_a_day() -> None:
    truth = daily_summary(northerner())
    seen = seen_through(truth, "monthly_csv")
    for row in seen.iter_rows(named=True):
        steps = row["steps"] or 0
        state = "worn" if steps >= 1000 else "partly_worn" if steps else "not_worn"
        assert (row["day_state"], row["wear_from_steps"]) == (state, steps > 0)
        assert row["wear_minutes"] is None
    assert seen_through(truth, "web_api")["day_state"].to_list() == truth["day_state"].to_list()


@pytest.mark.parametrize("form", OURS)
def test_a_life_without_one_worn_minute_still_has_an_export(tmp_path: Path, form: str) -> None:
    life = southerner()
    nothing = record(life.person, SEED)
    empty = {
        name: pl.lit(None, kind).alias(name)
        for name, kind in nothing.nightly.schema.items()
        if name != "date"
    }
    off = replace(
        nothing,
        minutes=replace(nothing.minutes, worn=nothing.minutes.worn & False, steps=nothing.minutes.steps * 0),
        measures=replace(
            nothing.measures,
            zone=nothing.measures.zone * 0,
            distance_cm=nothing.measures.distance_cm * 0,
            floors=nothing.measures.floors * 0,
        ),
        phone_steps=nothing.phone_steps * 0,
        sleeps=(),
        sleep_ids=(),
        exercises=(),
        wear=nothing.wear * 0,
        nightly=nothing.nightly.with_columns(**empty),
    )
    assert contents(exported(off, form, tmp_path))


MEASURED = """
import resource, sys
from datetime import UTC, datetime
from synthetic.exports import monthly_csv
from synthetic.exports.fitabase import files as fitabase
from synthetic.exports.health_api import pages as health_api
from synthetic.exports.members import Request
from synthetic.exports.web_api import answers as web_api
from synthetic.life.recording import record
from synthetic.people.persona import make_person

form, days = sys.argv[1], int(sys.argv[2])
makers = {
    "fitabase": fitabase.batch,
    "monthly_csv": monthly_csv.members,
    "web_api": web_api.members,
    "health_api": health_api.members,
}
recording = record(make_person(0, days, 43), 43)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
total = sum(
    len(member.content)
    for member in makers[form](recording, Request(datetime(2026, 7, 1, tzinfo=UTC), form, 60, "en_US"))
)
print(total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def grown(form: str, days: int) -> tuple[float, float]:
    """Megabytes of all files of a life of so many days, and by how much making them raised the peak."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, form, str(days)],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True,
    )  # fmt: skip
    total, rise = map(int, done.stdout.split())
    unit = 1 if sys.platform == "darwin" else 1024
    return total / 1e6, rise * unit / 1e6


@pytest.mark.slow
@pytest.mark.proof
@pytest.mark.parametrize(
    ("form", "limit"), [("fitabase", 160), ("monthly_csv", 20), ("web_api", 80), ("health_api", 80)]
)
def test_a_year_is_made_one_file_at_a_time(form: str, limit: float) -> None:
    """Making all files of 365 days takes no more than a few of them do, however much they hold together."""
    total, rise = grown(form, 365)
    assert total > 0
    assert rise < limit, (total, rise)

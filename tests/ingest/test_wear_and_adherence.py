"""Wear, valid days, weeks and adherence against plain counts that share no code with the readers."""

import json
import zipfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from fitbit_files import ANN, beats, ingest, minutes, profile, table, write_zip
from trap_answers import registered

from outputs.observation import Ingested, observe
from outputs.store import Result
from schemas.participant import Participant
from schemas.settings import Settings, StudySection
from synthetic.traps.catalogue import TRAPS
from synthetic.traps.planting import Planted, plant

# ruff: noqa: DTZ001 - digits in files carry no zone
NEW_YORK = ZoneInfo("America/New_York")
SETTINGS = Settings(study=StudySection(name="Wear", time_zone="America/New_York"))
MONDAY = date(2026, 1, 5)
# Minutes of heart rate on each day of three weeks: on both sides of every limit.
WORN = (1440, 600, 599, 1440, 0, 700, 1, 600, 600, 600, 600, 600, 599, 0, 0, 0, 0, 0, 0, 0, 900)
GLOBAL = "Global Export Data"
ACTIVITY = ("sedentary_minutes", "lightly_active_minutes", "fairly_active_minutes", "very_active_minutes")


def observed(person: Participant, result: Result, as_of: date) -> dict[str, pl.DataFrame]:
    tables = {name: table(result, name).lazy() for name in result.tables}
    arrived = result.document["arrived_through"]
    assert isinstance(arrived, date)
    seen = observe(person, Ingested(tables, arrived), as_of, SETTINGS)
    return {name: table(seen, name) for name in ("daily_summary", "participant_weeks", "participants")}


def plain_weeks(valid: Mapping[date, bool]) -> list[tuple[date, int, int, bool]]:
    """Monday, days, valid days, at least 3 of every 4; by counting."""
    weeks: dict[date, list[bool]] = defaultdict(list)
    for day, is_valid in valid.items():
        weeks[day - timedelta(days=day.weekday())].append(is_valid)
    return [
        (week, len(days), sum(days), 4 * sum(days) >= 3 * len(days)) for week, days in sorted(weeks.items())
    ]


def assert_counts(seen: Mapping[str, pl.DataFrame], valid: Mapping[date, bool]) -> None:
    weeks = seen["participant_weeks"].select("week_start", "days_observed", "valid_days", "adherent")
    assert weeks.rows() == plain_weeks(valid)
    (person,) = seen["participants"].select("days_observed", "valid_days", "adherence").rows()
    assert person[:2] == (len(valid), sum(valid.values()))
    assert person[2] == pytest.approx(sum(valid.values()) / len(valid), abs=1e-4)


def test_three_weeks_on_both_sides_of_every_limit(tmp_path: Path) -> None:
    members = profile()
    for number, worn in enumerate(WORN):
        day = MONDAY + timedelta(days=number)
        midnight = datetime(day.year, day.month, day.day, 5)
        if worn:
            members |= {f"{GLOBAL}/heart_rate-{day}.json": beats(midnight, worn)}
            members |= {f"{GLOBAL}/steps-{day}.json": minutes(midnight, [3] * 20)}
    after = MONDAY + timedelta(days=len(WORN))
    members |= {
        f"{GLOBAL}/heart_rate-{after}.json": beats(datetime(after.year, after.month, after.day, 5), 60)
    }
    write_zip(tmp_path / "takeout-20260201T103201Z-001.zip", members)
    days = [MONDAY + timedelta(days=number) for number in range(len(WORN))]
    seen = observed(ANN, ingest(tmp_path), days[-1])
    daily = seen["daily_summary"].filter(pl.col("date") >= MONDAY)
    assert daily.select("date", pl.col("wear_minutes").fill_null(0)).rows() == list(
        zip(days, WORN, strict=True)
    )
    assert daily["valid_day"].to_list() == [worn >= 600 for worn in WORN]
    states = {True: "worn", False: "partly_worn"}
    assert daily["day_state"].to_list() == [states[worn >= 600] if worn else "not_worn" for worn in WORN]
    assert_counts(seen, dict(zip(days, [worn >= 600 for worn in WORN], strict=True)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Planted, Path, Result]:
    """A made person with days without the device, and what is read of their archive."""
    study = tmp_path_factory.mktemp("made")
    planted = plant(TRAPS["not_worn"], 7, study)
    folder = study / "fitbit" / "not_worn"
    return planted, folder, ingest(folder, registered(planted.people[0]))


def plain_wear(folder: Path) -> Counter[date]:
    """Minutes of each local day with a sample of confidence, from the bytes of the archive."""
    seen: set[datetime] = set()
    for path in folder.glob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if "/heart_rate-" in name:
                    seen |= {
                        datetime.strptime(row["dateTime"][:14], "%m/%d/%y %H:%M").replace(tzinfo=UTC)
                        for row in json.loads(archive.read(name))
                        if row["value"]["confidence"] > 0
                    }
    return Counter(moment.astimezone(NEW_YORK).date() for moment in seen)


def test_wear_of_a_made_person_is_what_the_bytes_say_and_true(made: tuple[Planted, Path, Result]) -> None:
    planted, folder, result = made
    person = registered(planted.people[0])
    arrived = result.document["arrived_through"]
    assert isinstance(arrived, date)
    seen = observed(person, result, arrived)
    counted = plain_wear(folder)
    days = seen["daily_summary"]["date"].to_list()
    truth = dict(planted.frames["not_worn"]["daily_summary"].select("date", "wear_minutes").iter_rows())
    got = dict(seen["daily_summary"].select("date", "wear_minutes").iter_rows())
    assert {day: got[day] or 0 for day in days} == {day: counted[day] for day in days}
    assert {day: counted[day] for day in days} == {day: truth.get(day) or 0 for day in days}
    assert 0 < sum(counted[day] == 0 for day in days) < len(days)
    assert_counts(seen, {day: counted[day] >= 600 for day in days})


def test_cross_checks_count_what_the_truth_says(made: tuple[Planted, Path, Result]) -> None:
    planted, _, result = made
    truth = planted.frames["not_worn"]["daily_summary"]
    whole = truth.filter(~pl.col("is_partial")).drop_nulls(list(ACTIVITY))
    sums = [
        sum(row) for row in whole.select(*ACTIVITY, pl.col("time_in_bed_minutes").fill_null(0)).iter_rows()
    ]
    checks = {row["check"]: row for row in table(result, "quality_checks").to_dicts()}
    made_a_day = checks["activity_minutes_and_bed_make_a_day"]
    assert (made_a_day["checked"], made_a_day["differing"]) == (len(sums), sum(each != 1440 for each in sums))
    assert checks["daily_values_within_limits"]["differing"] == 0
    logs = planted.frames["not_worn"]["sleep_sessions"]
    assert checks["sleep_logs_overlap"]["checked"] == logs.height
    assert {row["outcome"] for row in checks.values()} <= {"ok", "not_checked"}

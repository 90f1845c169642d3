"""The reader against the whole truth of a made study, and against public exports with known values."""

import csv
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import SECRET, check_table, codes, day_of, sources, table

from ingest.fitbit import ingest_fitbit
from outputs.store import Result
from schemas.participant import Participant
from synthetic.spec import Spec
from synthetic.study import make_study

PEOPLE, DAYS, SEED = 3, 40, 11
# Ours alone: ids made with the study's secret, names of our methods, and what needs the registry.
pytestmark = pytest.mark.slow

NOT_IN_TRUTH = {"file_id", "study_day", "resting_heart_rate_method", "heart_rate_variability_method"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Result]]:
    """A made study and what the reader gets from each participant's folder."""
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, Spec(PEOPLE, DAYS, SEED))
    with (folder / "study" / "participants.csv").open(newline="") as stream:
        people = [registered(row) for row in csv.DictReader(stream)]
    read = {
        person.participant_id: ingest_fitbit(
            person, sources(folder / "study" / "fitbit" / person.participant_id), SECRET
        )
        for person in people
    }
    return folder / "truth", read


def registered(row: dict[str, str]) -> Participant:
    born = date.fromisoformat(row["birth_date"])
    return Participant(
        row["participant_id"],
        "female" if row["sex"] == "female" else "male",
        born.year,
        row["time_zone"] or "America/New_York",
        birth_date=born,
        name=row["name"],
    )


@pytest.mark.parametrize("name", ["daily_summary", "sleep_sessions", "activities"])
def test_every_value_of_the_truth_is_read_and_none_more(
    made: tuple[Path, dict[str, Result]], name: str
) -> None:
    truth, read = made
    expected = pl.read_parquet(truth / f"{name}.parquet").drop(NOT_IN_TRUTH, strict=False)
    got = pl.concat([table(result, name) for result in read.values()]).drop(NOT_IN_TRUTH, strict=False)
    keys = expected.columns[:2]
    expected, got = expected.sort(keys), got.sort(keys)
    assert got.select(keys).equals(expected.select(keys))
    differing = [column for column in expected.columns if not got[column].equals(expected[column])]
    assert not differing
    assert expected.height > PEOPLE


def test_made_exports_are_matched_whole_and_without_a_problem(made: tuple[Path, dict[str, Result]]) -> None:
    for result in made[1].values():
        row = table(result, "source_files").row(0, named=True)
        assert (row["form"], row["identity"], row["rows_rejected"]) == ("takeout_zip", "matched", 0)
        assert codes(result) == []
        assert set(table(result, "quality_checks")["outcome"]) == {"ok", "not_checked"}
        for name in result.tables:
            check_table(name, table(result, name))


def test_every_daily_value_has_a_source(made: tuple[Path, dict[str, Result]]) -> None:
    unsourced = {"participant_id", "date", "study_day", "day_state", "utc_offset_minutes", "device"}
    unsourced |= {"wear_from_steps", "valid_day", "break_before", "tz_change", "is_partial", "wear_minutes"}
    unsourced |= NOT_IN_TRUTH
    for result in made[1].values():
        daily = table(result, "daily_summary")
        metrics = [column for column in daily.columns if column not in unsourced]
        values = daily.select("date", pl.col(metrics).is_not_null()).unpivot(
            index="date", variable_name="metric"
        )
        published = values.filter(pl.col("value")).drop("value").sort("date", "metric")
        named = table(result, "value_sources").select("date", "metric").unique()
        named = named.filter(pl.col("metric").is_in(metrics)).sort("date", "metric")
        assert published.equals(named)


@pytest.mark.samples
def test_a_real_takeout_of_december_2023(samples: Path) -> None:
    result = read_sample(samples / "fitbit" / "takeout_2023-12_en", "Europe/Amsterdam")
    steps = {"2023-11-29": 11833, "2023-12-06": 23283, "2023-12-13": 14814}
    assert {day: day_of(result, day)["steps"] for day in steps} == steps
    night = day_of(result, "2023-12-14")
    assert (night["sleep_minutes"], night["time_in_bed_minutes"], night["sleep_score"]) == (541, 629, 88)
    assert day_of(result, "2023-12-01")["resting_heart_rate"] == 58.09
    assert day_of(result, "2023-12-12")["heart_rate_variability"] == 62.1
    assert day_of(result, "2023-12-10")["wear_minutes"] == 1234
    assert set(table(result, "daily_summary")["device"]) == {"Charge 3"}
    assert set(table(result, "activities")["activity_name"]) == {"Walk", "Run", "Aerobic Workout"}
    differing = dict(table(result, "quality_checks").select("check", "differing").iter_rows())
    # The sample lacks the sleep log of its last whole day.
    assert {name for name, count in differing.items() if count} == {"activity_minutes_and_bed_make_a_day"}
    assert differing["activity_minutes_and_bed_make_a_day"] == 1


@pytest.mark.samples
def test_a_real_flat_folder_of_2020_has_no_profile(samples: Path) -> None:
    result = read_sample(samples / "fitbit" / "user-site-export_2020", "Australia/Melbourne")
    assert set(table(result, "source_files")["identity"]) == {"unchecked"}
    assert set(table(result, "source_files")["generation"].drop_nulls()) == {"A0"}
    assert result.document["time_zone"] == "Australia/Melbourne"
    assert day_of(result, "2020-04-05")["tz_change"]
    assert day_of(result, "2020-04-10")["sleep_minutes"] == 542


@pytest.mark.samples
def test_the_2020_heart_rates_contradict_a_wrong_zone(samples: Path) -> None:
    result = read_sample(samples / "fitbit" / "user-site-export_2020", "Europe/London")
    assert "clock_unclear" in codes(result)
    assert day_of(result, "2020-04-03")["day_state"] == "set_aside"


@pytest.mark.samples
def test_real_files_of_2019_without_dates_in_their_names(samples: Path) -> None:
    result = read_sample(samples / "fitbit" / "myfitbitdata_2019_fixture", "America/New_York")
    assert day_of(result, "2018-01-01")["sedentary_minutes"] == 600
    assert day_of(result, "2018-02-03")["deep_sleep_minutes"] is None
    assert table(result, "rejected_rows").is_empty()


def read_sample(folder: Path, zone: str) -> Result:
    if not folder.is_dir():
        pytest.skip("this sample is not on this machine")
    result = ingest_fitbit(Participant("S1", "male", 1990, zone), sources(folder), SECRET)
    for name in result.tables:
        check_table(name, table(result, name))
    return result

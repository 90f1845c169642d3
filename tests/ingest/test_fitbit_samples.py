"""Public exports of five forms: every value of every day against a reading by the standard library."""
# ruff: noqa: DTZ007 - digits in files carry no zone

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import polars as pl
import pytest
from fitbit_files import SECRET, check_table, sources, table
from plain_fitbit import Days, PlainArchive, table_of

from ingest.fitbit import ingest_fitbit
from outputs.store import Result
from schemas.participant import Participant

pytestmark = pytest.mark.samples

ARCHIVES = {
    "takeout_2023-12_en": "Europe/Amsterdam",
    "user-site-export_2020": "Australia/Melbourne",
    "myfitbitdata_2019_fixture": "America/New_York",
}
# Published to a tenth; all else to a hundredth at least.
TENTHS = ("distance_m", "calories_kcal", "vo2max", "heart_rate_variability", "respiratory_rate")
# Told by minutes or the day's own files; of other columns see the tests of their rules.
COUNTED = ("steps", "distance_m", "calories_kcal")
STATED = (
    "resting_heart_rate",
    "vo2max",
    "weight_kg",
    "heart_rate_variability",
    "respiratory_rate",
    "sleep_score",
)
NIGHT = (
    "sleep_minutes", "nap_minutes", "time_in_bed_minutes", "awake_minutes", "bed_time", "wake_up_time",
    "deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes",
)  # fmt: skip
ACTIVE = ("sedentary_minutes", "lightly_active_minutes", "fairly_active_minutes", "very_active_minutes")
# No file of the samples tells these; and what is worked out from other columns.
UNTOLD = (
    "active_zone_minutes", "fatburn_active_zone_minutes", "cardio_active_zone_minutes",
    "peak_active_zone_minutes", "spo2_avg", "spo2_min", "spo2_max", "skin_temperature_variation",
    "stress_management_score", "readiness_score",
)  # fmt: skip


@cache
def read(folder: Path, zone: str, participant_id: str = "S1") -> Result:
    if not folder.is_dir():
        pytest.skip("this sample is not on this machine")
    result = ingest_fitbit(Participant(participant_id, "male", 1990, zone), sources(folder), SECRET)
    for name in result.tables:
        check_table(name, table(result, name))
    return result


@cache
def plain(folder: Path, zone: str) -> PlainArchive:
    return PlainArchive(folder, zone)


def told(result: Result, column: str) -> dict[date, Any]:
    rows = table(result, "daily_summary").select("date", column).drop_nulls(column)
    return dict(rows.iter_rows())


def assert_equal(got: Mapping[date, Any], true: Mapping[date, Any], column: str) -> None:
    """The same days, each with the value to the decimals of the table."""
    assert sorted(got) == sorted(true), column
    half = 0.0501 if column in TENTHS else 0.00501
    for day, value in true.items():
        expected = value if isinstance(value, datetime | int) else pytest.approx(value, abs=half)
        assert got[day] == expected, (column, day)


@pytest.fixture(params=ARCHIVES)
def archive(request: pytest.FixtureRequest, samples: Path) -> tuple[Result, PlainArchive]:
    folder, zone = samples / "fitbit" / request.param, ARCHIVES[request.param]
    return read(folder, zone), plain(folder, zone)


def test_sums_statements_and_nights_of_every_day(archive: tuple[Result, PlainArchive]) -> None:
    result, true = archive
    for column in (*COUNTED, *STATED, *NIGHT):
        assert_equal(told(result, column), true.days[column], column)
    for column in UNTOLD:
        assert not told(result, column), column


def test_activity_minutes_of_every_day_on_which_something_happened(
    archive: tuple[Result, PlainArchive],
) -> None:
    result, true = archive
    signs = [true.days["wear_minutes"], true.days["sleep_minutes"]]
    signs += [{d: v for d, v in true.days[c].items() if v > 0} for c in ("steps", *ACTIVE[1:])]
    happened = {day for sign in signs for day in sign}
    for column in ACTIVE:
        assert_equal(
            told(result, column), {d: v for d, v in true.days[column].items() if d in happened}, column
        )


def test_floors_are_those_of_the_altitude_and_else_zero_on_worn_days(
    archive: tuple[Result, PlainArchive],
) -> None:
    result, true = archive
    got, climbed = told(result, "floors"), true.days["floors"]
    assert_equal({day: got[day] for day in climbed}, {d: round(v) for d, v in climbed.items()}, "floors")
    assert {value for day, value in got.items() if day not in climbed} <= {0}


def test_minutes_of_heart_rate_and_wear(archive: tuple[Result, PlainArchive]) -> None:
    result, true = archive
    minutes = table(result, "heart_rate_minutes").filter(pl.col("samples") > 0)
    got = {
        at.replace(tzinfo=None): (bpm, n)
        for at, bpm, n in minutes.select("minute_utc", "heart_rate", "samples").iter_rows()
    }
    assert sorted(got) == sorted(true.heart)
    for minute, beats in true.heart.items():
        assert got[minute] == (pytest.approx(mean(beats), abs=0.0501), len(beats)), minute
    wear = told(result, "wear_minutes")
    assert {day: wear[day] for day in true.days["wear_minutes"]} == true.days["wear_minutes"]
    assert {value for day, value in wear.items() if day not in true.days["wear_minutes"]} <= {0}


def test_every_log_of_sleep_and_exercise(archive: tuple[Result, PlainArchive]) -> None:
    result, true = archive
    nights = table(result, "sleep_sessions").select(
        "sleep_id", "start_time", "end_time", "minutes_asleep", "minutes_awake", "efficiency", "is_main"
    )
    assert sorted(nights.rows()) == sorted(
        (
            str(log["logId"]),
            *(datetime.fromisoformat(log[end]) for end in ("startTime", "endTime")),
            log["minutesAsleep"], log["minutesAwake"], log["efficiency"], log["mainSleep"],
        )
        for log in true.logs
    )  # fmt: skip
    logs = table(result, "activities").select(
        "activity_id", "start_utc", "duration_minutes", "calories_kcal", "steps", "average_heart_rate"
    )
    assert sorted(logs.rows()) == sorted(
        (
            str(log["logId"]), true.local(log["startTime"]).astimezone(UTC),
            pytest.approx(log["duration"] / 60_000, abs=0.0051), pytest.approx(log["calories"], abs=0.051),
            log.get("steps"), log.get("averageHeartRate"),
        )
        for log in true.exercises
    )  # fmt: skip


def test_every_row_is_read_and_none_is_rejected(archive: tuple[Result, PlainArchive]) -> None:
    result, true = archive
    files = table(result, "source_files")
    assert files["rows_rejected"].sum() == 0
    assert files["rows_read"].sum() == true.records()
    unknown = Counter[str]()
    for text in files["members_json"]:
        unknown.update(json.loads(text)["ignored"])
    assert unknown["unknown_kind"] == 1, "SOURCE.md of the sample alone"


def test_every_day_of_the_daily_table_of_lifesnaps(samples: Path) -> None:
    folder = samples / "fitbit" / "lifesnaps_2021"
    path = folder / "daily_fitbit_sema_df_unprocessed.csv"
    with path.open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    (person,) = {line["id"] for line in lines}
    result = read(folder, "Europe/Athens", person)
    columns = {
        "steps": ("steps", 1), "distance_m": ("distance", 1), "calories_kcal": ("calories", 1),
        "sedentary_minutes": ("sedentary_minutes", 1), "very_active_minutes": ("very_active_minutes", 1),
        "lightly_active_minutes": ("lightly_active_minutes", 1),
        "fairly_active_minutes": ("moderately_active_minutes", 1),
        "resting_heart_rate": ("resting_hr", 1),
        "heart_rate_variability": ("rmssd", 1), "respiratory_rate": ("full_sleep_breathing_rate", 1),
        "spo2_avg": ("spo2", 1), "vo2max": ("filteredDemographicVO2Max", 1),
        "stress_management_score": ("stress_score", 1), "sleep_minutes": ("minutesAsleep", 1),
        "awake_minutes": ("minutesAwake", 1), "time_in_bed_minutes": ("sleep_duration", 1 / 60_000),
    }  # fmt: skip
    true = table_of(path, lambda line: date.fromisoformat(line["date"]), columns)
    for column in columns:
        positive = {
            d: v
            for d, v in true[column].items()
            if v > 0 or column not in ("stress_management_score", "resting_heart_rate")
        }
        got = told(result, column)
        assert {d: v for d, v in got.items() if v} == {
            d: pytest.approx(v, abs=0.051) for d, v in positive.items() if v
        }, column
    row = table(result, "source_files").filter(pl.col("rows_read") > 0).row(0, named=True)
    assert (row["rows_read"], row["rows_rejected"]) == (len(lines), 0)


FURBERG = {
    "steps": ("TotalSteps", 1), "distance_m": ("TotalDistance", 1000), "calories_kcal": ("Calories", 1),
    "sedentary_minutes": ("SedentaryMinutes", 1), "lightly_active_minutes": ("LightlyActiveMinutes", 1),
    "fairly_active_minutes": ("FairlyActiveMinutes", 1), "very_active_minutes": ("VeryActiveMinutes", 1),
}  # fmt: skip


def by_person(path: Path) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    with path.open(newline="") as stream:
        for line in csv.DictReader(stream):
            found[line.get("Id") or line["Customer Id"]].append(line)
    return found


def american(text: str) -> date:
    return datetime.strptime(text.split()[0], "%m/%d/%Y").date()


def test_every_person_and_day_of_the_merged_files_of_2016(samples: Path, tmp_path: Path) -> None:
    folder = samples / "fitbit" / "fitabase_2016_furberg"
    activity = by_person(folder / "dailyActivity_merged.csv")
    sleep = by_person(folder / "sleepDay_merged.csv")
    beats = by_person(folder / "heartrate_seconds_merged.csv")
    for name in ("dailyActivity", "sleepDay", "heartrate_seconds"):
        (tmp_path / f"{name}_merged.csv").symlink_to(folder / f"{name}_merged.csv")
    for person in {*activity, *beats}:
        result = read(tmp_path, "America/Chicago", person)
        nights = {american(line["SleepDay"]): line for line in sleep[person]}
        true: Days = defaultdict(dict)
        for line in activity[person]:
            day = american(line["ActivityDate"])
            worn = float(line["TotalSteps"]) > 0 or day in nights
            for ours, (theirs, factor) in FURBERG.items():
                if worn or ours == "calories_kcal":
                    true[ours][day] = float(line[theirs]) * factor
        for day, line in nights.items():
            asleep, in_bed = int(line["TotalMinutesAsleep"]), int(line["TotalTimeInBed"])
            true["sleep_minutes"][day], true["time_in_bed_minutes"][day] = asleep, in_bed
            true["awake_minutes"][day] = in_bed - asleep
        for column in (*FURBERG, "sleep_minutes", "time_in_bed_minutes", "awake_minutes"):
            got, expected = told(result, column), true[column]
            assert sorted(got) == sorted(expected), (person, column)
            assert got == {d: pytest.approx(v, abs=0.051) for d, v in expected.items()}, (person, column)
        samples_read = table(result, "heart_rate_minutes")["samples"].sum()
        assert samples_read == len(beats[person])
        assert table(result, "source_files")["rows_rejected"].sum() == 0


DMY: Callable[[str], date] = lambda text: datetime.strptime(text, "%d/%m/%Y").date()  # noqa: E731
SAVED_AGAIN = {
    "dailyActivity_merged.customer_id.csv": ("ActivityDate", american, FURBERG),
    "dailyActivity_merged.ddmmyyyy.csv": ("ActivityDate", DMY, FURBERG),
    "dailyActivity_merged.iso.csv": ("ActivityDate", date.fromisoformat, FURBERG),
    "dailyCalories_merged.ddmmyyyy.csv": ("ActivityDay", DMY, {"calories_kcal": ("Calories", 1)}),
    "dailyIntensities_merged.ddmmyyyy.csv": (
        "ActivityDay", DMY, {ours: theirs for ours, theirs in FURBERG.items() if ours in ACTIVE},
    ),
    "dailySteps_merged.ddmmyyyy.csv": ("ActivityDay", DMY, {"steps": ("StepTotal", 1)}),
    "sleepDay_merged.split_date_time.csv": (
        "SleepDate", american,
        {"sleep_minutes": ("TotalMinutesAsleep", 1), "time_in_bed_minutes": ("TotalTimeInBed", 1)},
    ),
    "weightLogInfo_merged.blank_header_sci_logid.csv": ("Date", american, {"weight_kg": ("WeightKg", 1)}),
    "weightLogInfo_merged.sci_logid.csv": ("Date", american, {"weight_kg": ("WeightKg", 1)}),
}  # fmt: skip


@pytest.mark.parametrize("name", SAVED_AGAIN)
def test_every_value_of_a_file_saved_again(samples: Path, tmp_path: Path, name: str) -> None:
    path = samples / "fitbit" / "fitabase_2016_furberg" / "variants_resaved" / name
    (tmp_path / name).symlink_to(path)
    column_of_day, day_of, columns = SAVED_AGAIN[name]
    person = "1503960366"
    result = read(tmp_path, "America/Chicago", person)
    for ours, (theirs, factor) in columns.items():
        true: dict[date, float] = defaultdict(float)
        for line in by_person(path)[person]:
            day = day_of(line[column_of_day])
            value = float(line[theirs]) * factor
            true[day] = value if ours == "weight_kg" else true[day] + value
        assert told(result, ours) == {d: pytest.approx(v, abs=0.051) for d, v in true.items()}, ours
    assert table(result, "source_files")["rows_rejected"].sum() == 0


def test_intensities_by_the_hour_are_of_no_use(samples: Path, tmp_path: Path) -> None:
    name = "hourlyIntensities_merged.ddmmyyyy.csv"
    (tmp_path / name).symlink_to(samples / "fitbit" / "fitabase_2016_furberg" / "variants_resaved" / name)
    result = read(tmp_path, "America/Chicago", "1503960366")
    (text,) = table(result, "source_files")["members_json"]
    assert json.loads(text)["ignored"] == {"no_result": 1}


@pytest.mark.parametrize(
    ("name", "theirs", "ours"),
    [
        ("hourlyCalories_merged.ddmmyyyy.csv", "Calories", "calories_kcal"),
        ("hourlySteps_merged.split_date_time.csv", "StepTotal", "steps"),
    ],
)
def test_hours_of_one_day_alone_may_be_of_two_dates(
    samples: Path, tmp_path: Path, name: str, theirs: str, ours: str
) -> None:
    """The cut sample holds the 12th of April alone, or the 4th of December; one more day decides."""
    path = samples / "fitbit" / "fitabase_2016_furberg" / "variants_resaved" / name
    person, text = "1503960366", path.read_text()
    for folder, added in (("cut", ""), ("whole", f"{person},13/04/2016,00:00:00,1\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text.rstrip("\n") + "\n" + added)
    lines = by_person(path)[person]
    cut = read(tmp_path / "cut", "America/Chicago", person)
    assert told(cut, ours) == {}
    assert table(cut, "source_files")["rows_rejected"].to_list() == [len(lines)]
    whole = read(tmp_path / "whole", "America/Chicago", person)
    assert told(whole, ours)[date(2016, 4, 12)] == sum(int(line[theirs]) for line in lines)
    assert table(whole, "source_files")["rows_rejected"].to_list() == [0]

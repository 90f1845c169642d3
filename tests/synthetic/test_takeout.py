"""The export's files, read back by plain code of this test, say what the truth says.

The code here knows the forms from their description alone: it shares nothing with synthetic/ or ingest/.
"""

import csv
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest

pytestmark = pytest.mark.slow

ZONES = {"P001": "America/New_York", "P002": "America/New_York", "P003": "America/Los_Angeles"}
LAST_DAY = date(2026, 6, 28)
PEOPLE = sorted(ZONES)


class Export:
    """One participant's zip."""

    def __init__(self, made: Path, participant_id: str) -> None:
        (path,) = (made / "study" / "fitbit" / participant_id).iterdir()
        self.participant_id = participant_id
        self.archive = zipfile.ZipFile(path)
        self.zone = ZoneInfo(ZONES[participant_id])
        self.truth = pl.read_parquet(made / "truth" / "daily_summary.parquet").filter(
            participant_id=participant_id
        )

    def texts(self, pattern: str) -> Iterator[tuple[str, str]]:
        for name in self.archive.namelist():
            if re.fullmatch(pattern, name.rsplit("/", 1)[-1]):
                yield name, self.archive.read(name).decode()

    def json(self, stem: str) -> list[dict[str, Any]]:
        return [row for _, text in self.texts(rf"{stem}-[\d-]+\.json") for row in json.loads(text)]

    def csv(self, pattern: str) -> list[dict[str, str]]:
        return [row for _, text in self.texts(pattern) for row in csv.DictReader(StringIO(text))]

    def local_day(self, utc: str) -> date:
        return parsed(utc).replace(tzinfo=UTC).astimezone(self.zone).date()

    def true(self, column: str) -> dict[date, Any]:
        return {
            day: value for day, value in self.truth.select("date", column).iter_rows() if value is not None
        }


def parsed(stamp: str) -> datetime:
    return datetime.strptime(stamp, "%m/%d/%y %H:%M:%S")  # noqa: DTZ007 - the clock depends on the kind


@pytest.fixture(scope="module", params=PEOPLE)
def export(made: Path, request: pytest.FixtureRequest) -> Export:
    return Export(made, request.param)


@pytest.mark.parametrize(
    ("stem", "column", "factor"), [("steps", "steps", 1), ("distance", "distance_m", 0.01)]
)
def test_minutes_in_utc_add_up_to_local_days(export: Export, stem: str, column: str, factor: float) -> None:
    total: dict[date, int] = defaultdict(int)
    for row in export.json(stem):
        total[export.local_day(row["dateTime"])] += int(row["value"])
    assert {day: pytest.approx(value * factor) for day, value in total.items()} == export.true(column)


def test_calories_have_1440_local_minutes_a_day_and_stop_at_the_last_sync(export: Export) -> None:
    total: dict[date, int] = defaultdict(int)
    rows: dict[date, int] = defaultdict(int)
    for row in export.json("calories"):
        day = parsed(row["dateTime"]).date()
        total[day] += round(float(row["value"]) * 10)
        rows[day] += 1
    assert {day: pytest.approx(tenths / 10) for day, tenths in total.items()} == export.true("calories_kcal")
    assert set(rows.values()) - {rows[max(rows)]} == {1440}
    assert rows[max(rows)] == 21 * 60 + 40


def test_floors_are_feet_by_local_minute(export: Export) -> None:
    total: dict[date, int] = defaultdict(int)
    for row in export.json("altitude"):
        total[parsed(row["dateTime"]).date()] += int(row["value"])
    assert {day: feet // 10 for day, feet in total.items()} == export.true("floors")


def test_heart_rate_files_hold_a_local_day_in_utc_with_a_sample_a_minute(export: Export) -> None:
    worn: dict[date, set[datetime]] = defaultdict(set)
    for name, text in export.texts(r"heart_rate-.*\.json"):
        day = date.fromisoformat(name[-15:-5])
        for row in json.loads(text):
            local = parsed(row["dateTime"]).replace(tzinfo=UTC).astimezone(export.zone)
            assert local.date() == day
            if row["value"]["confidence"] >= 1:
                worn[day].add(local.replace(second=0, tzinfo=None))
            else:
                assert row["value"] == {"bpm": 70, "confidence": 0}
    wear = {day: len(minutes) for day, minutes in worn.items()}
    assert wear == {day: minutes for day, minutes in export.true("wear_minutes").items() if minutes}


def test_there_are_samples_without_contact(export: Export) -> None:
    confidences = [row["value"]["confidence"] for row in export.json("heart_rate")]
    assert 0 in confidences
    assert {1, 2, 3} <= set(confidences)


def test_resting_heart_rate_is_padded_for_a_year_with_null(export: Export) -> None:
    rows = export.json("resting_heart_rate")
    assert len(rows) == 365
    known = {
        parsed(row["dateTime"]).date(): row["value"]["value"]
        for row in rows
        if row["value"]["date"] is not None
    }
    assert {day: pytest.approx(value, abs=0.005) for day, value in known.items()} == export.true(
        "resting_heart_rate"
    )
    assert {row["value"]["value"] for row in rows if row["value"]["date"] is None} == {0.0}
    assert parsed(rows[-1]["dateTime"]).date() > LAST_DAY + timedelta(days=200)


@pytest.mark.parametrize(
    ("stem", "column"),
    [
        ("sedentary_minutes", "sedentary_minutes"),
        ("lightly_active_minutes", "lightly_active_minutes"),
        ("moderately_active_minutes", "fairly_active_minutes"),
        ("very_active_minutes", "very_active_minutes"),
    ],
)
def test_minutes_by_intensity_are_padded_beyond_the_last_day(export: Export, stem: str, column: str) -> None:
    values = {parsed(row["dateTime"]).date(): int(row["value"]) for row in export.json(stem)}
    true = export.true(column)
    padding = 1440 if stem.startswith("sedentary") else 0
    assert {day: value for day, value in values.items() if day in true} == true
    assert {value for day, value in values.items() if day not in true} == {padding}
    assert max(values) > LAST_DAY
    assert min(values) < min(true)


def test_four_intensities_and_the_time_in_bed_make_a_day(export: Export) -> None:
    whole = export.truth.filter(pl.col("sleep_minutes").is_not_null() & ~pl.col("is_partial"))
    total = whole.select(
        pl.sum_horizontal(
            "sedentary_minutes", "lightly_active_minutes", "fairly_active_minutes", "very_active_minutes",
            "time_in_bed_minutes",
        ).alias("minutes")
    )  # fmt: skip
    assert total["minutes"].unique().to_list() == [1440]


def test_sleep_logs_repeat_at_the_border_of_files_with_an_average_of_zero(export: Export) -> None:
    copies: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in export.json("sleep"):
        copies[row["logId"]].append(row)
    twice = [rows for rows in copies.values() if len(rows) > 1]
    assert twice
    for rows in twice:
        averages = [row["levels"]["summary"]["light"]["thirtyDayAvgMinutes"] for row in rows]
        assert sorted(average > 0 for average in averages) == [False, True]
    asleep: dict[date, int] = defaultdict(int)
    for row in (rows[0] for rows in copies.values()):
        asleep[date.fromisoformat(row["dateOfSleep"])] += row["minutesAsleep"]
    assert asleep == export.true("sleep_minutes")


def test_a_sleep_log_holds_together(export: Export) -> None:
    for row in export.json("sleep"):
        start, end = (datetime.fromisoformat(row[name]) for name in ("startTime", "endTime"))
        assert (end - start) // timedelta(milliseconds=1) == row["duration"]
        assert end.date().isoformat() == row["dateOfSleep"]
        assert row["timeInBed"] == row["minutesAsleep"] + row["minutesAwake"] == row["duration"] // 60_000
        assert sum(piece["seconds"] for piece in row["levels"]["data"]) * 1000 == row["duration"]
        places = [piece["dateTime"] for piece in row["levels"]["data"]]
        assert places == sorted(places)
        assert places[0] == row["startTime"]
        if row["type"] == "stages":
            assert row["levels"]["summary"]["wake"]["minutes"] == row["minutesAwake"]
            assert all(piece["seconds"] <= 180 for piece in row["levels"]["shortData"])


def test_sleep_scores_carry_the_local_end_with_a_false_z(export: Export) -> None:
    ends = {str(row["logId"]): row for row in export.json("sleep")}
    rows = export.csv(r"sleep_score\.csv")
    scores: dict[date, int] = {}
    for row in rows:
        log = ends[row["sleep_log_entry_id"]]
        assert row["timestamp"] == log["endTime"].removesuffix(".000") + "Z"
        scores[date.fromisoformat(log["dateOfSleep"])] = int(row["overall_score"])
    assert scores == export.true("sleep_score")
    assert [row["timestamp"] for row in rows] == sorted((row["timestamp"] for row in rows), reverse=True)


def test_active_zone_minutes_by_local_minute_and_month(export: Export) -> None:
    earned: dict[date, int] = defaultdict(int)
    for name, text in export.texts(r"Active Zone Minutes - .*\.csv"):
        for row in csv.DictReader(StringIO(text)):
            assert row["total_minutes"] == {"FAT_BURN": "1"}.get(row["heart_zone_id"], "2")
            assert row["date_time"][:7] == name[-14:-7]
            earned[date.fromisoformat(row["date_time"][:10])] += int(row["total_minutes"])
    true = export.true("active_zone_minutes")
    assert dict(earned) == {day: minutes for day, minutes in true.items() if minutes}


@pytest.mark.parametrize(
    ("pattern", "field", "column"),
    [
        (r"Daily Heart Rate Variability Summary - .*\.csv", "rmssd", "heart_rate_variability"),
        (r"Daily Respiratory Rate Summary - .*\.csv", "daily_respiratory_rate", "respiratory_rate"),
        (r"Daily SpO2 - .*\.csv", "average_value", "spo2_avg"),
        (r"Daily SpO2 - .*\.csv", "lower_bound", "spo2_min"),
        (r"Daily SpO2 - .*\.csv", "upper_bound", "spo2_max"),
    ],
)
def test_nightly_files_are_by_day_label(export: Export, pattern: str, field: str, column: str) -> None:
    values = {date.fromisoformat(row["timestamp"][:10]): float(row[field]) for row in export.csv(pattern)}
    assert {day: pytest.approx(value, abs=0.0051) for day, value in values.items()} == export.true(column)


def test_stress_scores_say_when_there_is_none(export: Export) -> None:
    rows = export.csv(r"Stress Score\.csv")
    scores = {
        date.fromisoformat(row["DATE"][:10]): int(row["STRESS_SCORE"])
        for row in rows
        if row["CALCULATION_FAILED"] == "false"
    }
    assert scores == export.true("stress_management_score")
    assert {row["STRESS_SCORE"] for row in rows if row["STATUS"] == "NO_DATA"} <= {"0"}


def test_weight_is_in_pounds_and_fits_the_bmi(export: Export) -> None:
    rows = export.json("weight")
    (profile,) = export.csv(r"Profile\.csv")
    for row in rows:
        kilograms = row["weight"] * 0.45359237
        assert row["bmi"] == pytest.approx(kilograms / (float(profile["height"]) / 100) ** 2, abs=0.1)
    values = {parsed(f"{row['date']} {row['time']}").date(): row["weight"] * 0.45359237 for row in rows}
    assert {day: pytest.approx(value, abs=0.0051) for day, value in values.items()} == export.true(
        "weight_kg"
    )


def test_exercises_start_in_utc_and_their_zone_minutes_are_weighted(export: Export, made: Path) -> None:
    truth = pl.read_parquet(made / "truth" / "activities.parquet").filter(
        participant_id=export.participant_id
    )
    starts = dict(truth.select("activity_id", "start_utc").iter_rows())
    rows = export.json("exercise")
    assert {str(row["logId"]) for row in rows} == set(starts)
    for row in rows:
        assert parsed(row["startTime"]).replace(tzinfo=UTC) == starts[str(row["logId"])]
        zones = row["activeZoneMinutes"]["minutesInHeartRateZones"]
        weighted = sum(zone["minutes"] * zone["minuteMultiplier"] for zone in zones)
        assert weighted == row["activeZoneMinutes"]["totalMinutes"]


def test_the_profile_is_the_registered_person(export: Export, made: Path) -> None:
    (profile,) = export.csv(r"Profile\.csv")
    registry = csv.DictReader(StringIO((made / "study" / "participants.csv").read_text()))
    person = next(row for row in registry if row["participant_id"] == export.participant_id)
    assert profile["full_name"] == person["name"]
    assert profile["date_of_birth"] == person["birth_date"]
    assert profile["gender"].lower() == person["sex"]
    assert profile["timezone"] == ZONES[export.participant_id]


def test_the_layout_of_the_vendor(export: Export) -> None:
    (_, steps), *_ = export.texts(r"steps-.*\.json")
    assert re.match(r'\[\{\n  "dateTime" : "\d\d/\d\d/\d\d \d\d:\d\d:00",\n  "value" : "\d+"\n\},\{\n', steps)
    assert steps.endswith("\n}]")
    (_, rates), *_ = export.texts(r"heart_rate-.*\.json")
    assert '"value" : {\n    "bpm" : ' in rates
    names = export.archive.namelist()
    assert "Takeout/archive_browser.html" in names
    assert any(not name.startswith("Takeout/Fitbit/") for name in names[1:])
    assert any("README" in name for name in names)


def test_thirty_day_files_step_by_thirty_days_from_the_account(export: Export) -> None:
    starts = [date.fromisoformat(name[-15:-5]) for name, _ in export.texts(r"calories-.*\.json")]
    (profile,) = export.csv(r"Profile\.csv")
    created = date.fromisoformat(profile["member_since"])
    assert all((start - created).days % 30 == 0 for start in starts)


def test_no_row_is_later_than_the_last_sync(export: Export) -> None:
    (tracker,) = export.csv(r"Trackers\.csv")
    synced = datetime.fromisoformat(tracker["last_sync_date_time"])
    for kind in ("steps", "heart_rate", "distance"):
        newest = max(parsed(row["dateTime"]) for row in export.json(kind))
        assert newest.replace(tzinfo=UTC) <= synced

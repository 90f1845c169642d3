"""Journeys and false ``Z`` through the whole reader."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import (
    beats,
    codes,
    day_of,
    file_row,
    ingest,
    minutes,
    pretty,
    profile,
    sleep_log,
    table,
    write_zip,
)

GLOBAL = "Global Export Data"
FAMILIES = "Physical Activity_GoogleData"
HRV = "Heart Rate Variability"
TAKEOUT = "takeout-20260601T103201Z-001.zip"
RMSSD = "root mean square of successive differences milliseconds,standard deviation milliseconds"


def worn_day(day: str, first: datetime, hours: int) -> dict[str, str]:
    """Heart rate and ten steps a minute from one local midnight to the next."""
    return {f"{GLOBAL}/heart_rate-{day}.json": beats(first, hours * 60)}


def a_journey_to_los_angeles() -> dict[str, str]:
    """Two days in New York (UTC-4), 27 hours of the day of the flight, two days in Los Angeles (UTC-7)."""
    days = [
        ("2026-05-04", datetime(2026, 5, 4, 4), 24),
        ("2026-05-05", datetime(2026, 5, 5, 4), 24),
        ("2026-05-06", datetime(2026, 5, 6, 4), 27),
        ("2026-05-07", datetime(2026, 5, 7, 7), 24),
        ("2026-05-08", datetime(2026, 5, 8, 7), 24),
    ]
    members = {name: text for day in days for name, text in worn_day(*day).items()}
    return members | {f"{GLOBAL}/steps-2026-05-04.json": minutes(days[0][1], [1] * 123 * 60)}


def test_every_minute_of_a_journey_counts_for_its_day(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles())
    result = ingest(tmp_path)
    lengths = {4: 1440, 5: 1440, 6: 1620, 7: 1440, 8: 1440}
    for day, length in lengths.items():
        row = day_of(result, f"2026-05-0{day}")
        assert (row["wear_minutes"], row["steps"], row["day_state"]) == (length, length, "worn")
        assert row["tz_change"] == (day == 6)
    offsets = table(result, "daily_summary").sort("date")["utc_offset_minutes"].to_list()
    assert offsets == [-240, -240, None, -420, -420]
    assert codes(result) == []
    assert result.document["time_zone"] == "UTC-07:00"
    clocks = json.loads(str(file_row(result)["clocks_json"]))
    assert [(stay["zone"], stay["named_by"]) for stay in clocks["stays"]] == [
        ("America/New_York", "profile"),
        ("UTC-07:00", "offsets"),
    ]


def test_minutes_within_the_move_have_their_day_and_no_offset(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles())
    rows = table(ingest(tmp_path), "steps_minutes")
    unknown = rows.filter(pl.col("utc_offset_minutes").is_null())["minute_utc"].dt.replace_time_zone(None)
    assert unknown.len() > 0
    assert unknown.is_between(datetime(2026, 5, 6, 4), datetime(2026, 5, 7, 7)).all()


def test_sleeps_before_and_after_a_journey_have_the_instants_of_their_clock(tmp_path: Path) -> None:
    logs = [
        sleep_log(1, "2026-05-04T23:00:00", "2026-05-05T07:00:00"),
        sleep_log(2, "2026-05-07T23:00:00", "2026-05-08T07:00:00"),
    ]
    sleeps = {f"{GLOBAL}/sleep-2026-05-04.json": pretty(logs)}
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles() | sleeps)
    sessions = table(ingest(tmp_path), "sleep_sessions").sort("start_utc")
    assert sessions["utc_offset_minutes"].to_list() == [-240, -420]
    assert sessions["start_utc"].dt.replace_time_zone(None).to_list() == [
        datetime(2026, 5, 5, 3),
        datetime(2026, 5, 8, 6),
    ]


ON_THE_WAY = "2026-05-06T09:00:00", "2026-05-06T10:00:00"
SLEEP_HEAD = (
    "sleep_id,sleep_type,minutes_in_sleep_period,minutes_asleep,minutes_awake,minutes_to_fall_asleep,"
    "start_utc_offset,sleep_start,sleep_end\n"
)


def test_a_sleep_within_the_move_is_published_without_instants(tmp_path: Path) -> None:
    sleeps = {f"{GLOBAL}/sleep-2026-05-04.json": pretty([sleep_log(1, *ON_THE_WAY)])}
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles() | sleeps)
    result = ingest(tmp_path)
    (nap,) = table(result, "sleep_sessions").iter_rows(named=True)
    assert (nap["date"], nap["start_time"]) == (date(2026, 5, 6), datetime(2026, 5, 6, 9))
    assert (nap["start_utc"], nap["end_utc"], nap["utc_offset_minutes"]) == (None, None, None)


@pytest.mark.parametrize(("offset", "start"), [("-07:00", 16), ("-04:00", 13)])
def test_a_sleep_within_the_move_has_the_offset_stated_for_it(
    offset: str, start: int, tmp_path: Path
) -> None:
    row = f"9,STAGES,60,50,10,0,{offset},2026-05-06 {start}:00:00+0000,2026-05-06 {start + 1}:00:00+0000\n"
    sleeps = {
        f"{GLOBAL}/sleep-2026-05-04.json": pretty([sleep_log(1, *ON_THE_WAY)]),
        "Health Fitness Data_GoogleData/UserSleeps_2026-05-01.csv": SLEEP_HEAD + row,
    }
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles() | sleeps)
    (nap,) = table(ingest(tmp_path), "sleep_sessions").iter_rows(named=True)
    assert nap["start_utc"] == datetime(2026, 5, 6, start, tzinfo=UTC)
    assert nap["utc_offset_minutes"] == int(offset[:3]) * 60


def test_an_exercise_within_the_move_is_published_without_its_local_start(tmp_path: Path) -> None:
    walk = {
        "logId": 7,
        "activityName": "Walk",
        "activityTypeId": 90013,
        "calories": 80,
        "duration": 1_800_000,
        "activeDuration": 1_800_000,
        "steps": 3000,
        "logType": "auto_detected",
        "startTime": "05/06/26 18:00:00",
    }
    members = profile() | a_journey_to_los_angeles() | {f"{GLOBAL}/exercise-0.json": pretty([walk])}
    write_zip(tmp_path / TAKEOUT, members)
    (row,) = table(ingest(tmp_path), "activities").iter_rows(named=True)
    assert (row["start_utc"], row["steps"]) == (datetime(2026, 5, 6, 18, tzinfo=UTC), 3000)
    assert (row["start_time"], row["utc_offset_minutes"]) == (None, None)


def night_of_hrv(hours: int, values: int = 60) -> dict[str, str]:
    """Details on the wall clock from 23:30 on, and the family's stamps so many hours later."""
    start = datetime(2026, 5, 4, 23, 30)
    times = [(start + timedelta(minutes=5 * n), 30 + n / 10) for n in range(values)]
    details = "".join(f"{t:%Y-%m-%dT%H:%M:%S},{value},0.9\n" for t, value in times)
    stamps = "".join(
        f"{t + timedelta(hours=hours):%Y-%m-%dT%H:%M:%S}Z,{value},0.0,Fitbit App\n" for t, value in times
    )
    return {
        f"{HRV}/{HRV} Details - 2026-05-05.csv": f"timestamp,rmssd,coverage\n{details}",
        f"{FAMILIES}/heart_rate_variability_2026-05-01.csv": f"timestamp,{RMSSD},data source\n{stamps}",
    }


@pytest.mark.parametrize(("hours", "clock"), [(0, "local_with_false_z"), (4, "utc")])
def test_a_false_and_a_true_z_are_told_apart_and_kept_as_evidence(
    tmp_path: Path, hours: int, clock: str
) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles() | night_of_hrv(hours))
    result = ingest(tmp_path)
    verdicts = json.loads(str(file_row(result)["clocks_json"]))["verdicts"]["hrv_minutes_csv"]
    assert verdicts["members"] == {f"{clock} (twins)": 1}
    assert verdicts["twins"]["as_local" if hours == 0 else "as_utc"] == 60
    assert codes(result) == []


def test_a_file_whose_z_cannot_be_judged_is_set_aside_and_told(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | a_journey_to_los_angeles() | night_of_hrv(4, values=12))
    result = ingest(tmp_path)
    assert codes(result) == ["clock_unclear"]
    ignored = json.loads(str(file_row(result)["ignored_json"]))
    assert ignored["clock_unclear"] == 12


def test_the_same_night_from_a_local_and_a_utc_export_is_one(tmp_path: Path) -> None:
    log = sleep_log(1, "2026-05-04T23:00:00", "2026-05-05T07:00:00")
    shared = profile() | a_journey_to_los_angeles() | {f"{GLOBAL}/sleep-2026-05-04.json": pretty([log])}
    write_zip(tmp_path / "takeout-20260515T103201Z-001.zip", shared | night_of_hrv(0))
    write_zip(tmp_path / TAKEOUT, shared | night_of_hrv(4))
    result = ingest(tmp_path)
    files = table(result, "source_files")
    found = {
        kind
        for text in files["clocks_json"]
        for kind in json.loads(text)["verdicts"]["hrv_minutes_csv"]["members"]
    }
    assert {kind.split()[0] for kind in found} == {"local_with_false_z", "utc"}
    # 60 rows of each export: one set is merged into the other, and so are the 60 details of the older.
    assert day_of(result, "2026-05-05")["heart_rate_variability"] == pytest.approx(32.95, abs=0.01)
    assert set(table(result, "daily_summary")["date"]) == {date(2026, 5, n) for n in range(4, 9)}

"""Weak evidence of the offset: exercises, sleeps and settings that agree, disagree, or are out of date."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import beats, codes, day_of, file_row, ingest, pretty, profile, table, write_zip

from ingest.archive import Content
from ingest.clocks.inference import Candidate, infer_history
from ingest.clocks.sightings import Source, day_runs, of_day_files, of_stated_offsets
from ingest.clocks.zone_history import ZoneHistory
from ingest.fitbit.offset_evidence import sightings
from ingest.fitbit.zone_settings import read_zone_settings

NEW_YORK = Candidate("America/New_York", "profile")
GLOBAL = "Global Export Data"
TAKEOUT = "takeout-20260601T103201Z-001.zip"
HEALTH = "Health Fitness Data_GoogleData"


def day_files(first: date, days: int, offset: int) -> pl.DataFrame:
    """Sightings of days worn without a break at one offset."""
    start = datetime.combine(first, datetime.min.time()) - timedelta(minutes=offset)
    utc = pl.datetime_range(start, start + timedelta(days=days), "5m", closed="left", eager=True)
    local = utc.dt.offset_by(f"{offset}m") if offset >= 0 else utc + timedelta(minutes=offset)
    return pl.DataFrame({"utc": utc, "file_day": local.dt.date()})


def stated(source: Source, *rows: tuple[datetime, int]) -> pl.DataFrame:
    schema = {"utc": pl.Datetime("us"), "offset_minutes": pl.Int64()}
    return of_stated_offsets(pl.DataFrame(rows, schema, orient="row"), source)


def history(rows: pl.DataFrame, *weak: pl.DataFrame) -> ZoneHistory:
    runs = day_runs(rows)
    return infer_history([NEW_YORK], pl.concat([of_day_files(runs), *weak]), runs)


def test_exercises_that_agree_count_as_evidence() -> None:
    runs = [(datetime(2026, 4, day, 21), -240) for day in (7, 8, 9)]
    found = history(day_files(date(2026, 4, 6), 6, -240), stated(Source.EXERCISE_OFFSETS, *runs))
    assert [stay.clock for stay in found.stays] == ["America/New_York"]
    assert found.stays[0].agree["exercise_offsets"] == 3
    assert found.evidence["overruled"] == {}


def test_one_wrong_offset_between_day_files_makes_no_journey() -> None:
    """Seen in an account: +07:00 beside -06:00 on one day, the rest of the files prove one of them."""
    runs = [(datetime(2026, 4, day, 21), -240) for day in (6, 7, 8, 9, 10)]
    found = history(
        day_files(date(2026, 4, 6), 6, -240),
        stated(Source.EXERCISE_OFFSETS, *runs, (datetime(2026, 4, 8, 12), 420)),
    )
    assert [stay.clock for stay in found.stays] == ["America/New_York"]
    assert (found.evidence["overruled"], found.evidence["contradict"]) == ({"exercise_offsets": 1}, {})
    assert found.contradicted_days == frozenset()


def test_offsets_of_another_time_beside_all_rows_are_not_believed_where_nothing_else_is_either() -> None:
    """All exercises bear the account's newest offset, also those before the first day file."""
    old = [(datetime(2026, 3, day, 21), 420) for day in (1, 2)]
    runs = [(datetime(2026, 4, day, 21), 420) for day in (6, 7, 8)]
    found = history(day_files(date(2026, 4, 6), 6, -240), stated(Source.EXERCISE_OFFSETS, *old, *runs))
    assert [stay.clock for stay in found.stays] == ["America/New_York"]
    assert found.evidence["overruled"] == {"exercise_offsets": 5}


def test_far_from_other_evidence_a_stated_offset_shows_a_journey() -> None:
    away = [(datetime(2026, 4, day, 2), 540) for day in (20, 21)]
    home = day_files(date(2026, 4, 6), 6, -240)
    rows = pl.concat([home, day_files(date(2026, 5, 6), 3, -240)])
    found = history(rows, stated(Source.SLEEP_OFFSETS, *away))
    assert [stay.clock for stay in found.stays] == ["America/New_York", 540, "America/New_York"]


def test_exercises_alone_show_no_offset_that_nobody_names_and_no_other_file_shows() -> None:
    away = [(datetime(2026, 4, day, 2), 540) for day in (20, 21)]
    found = infer_history([NEW_YORK], stated(Source.EXERCISE_OFFSETS, *away))
    assert [stay.clock for stay in found.stays] == ["America/New_York"]
    assert found.evidence["overruled"] == {"exercise_offsets": 2}
    tokyo = Candidate("Asia/Tokyo", "settings")
    named = infer_history([NEW_YORK, tokyo], stated(Source.EXERCISE_OFFSETS, *away))
    assert [stay.clock for stay in named.stays] == ["Asia/Tokyo"]


def test_exercises_found_by_a_device_and_those_at_zero_say_nothing() -> None:
    rows = pl.DataFrame(
        {
            "utc": [datetime(2026, 4, n, 12) for n in (6, 7, 8)],
            "offset": [420, 0, -240],
            "log_type": ["auto_detected", "tracker", "tracker"],
        }
    )
    nothing = day_runs(pl.DataFrame(schema={"utc": pl.Datetime("us"), "file_day": pl.Date()}))
    seen = sightings({"user_exercises": rows}, nothing)
    assert seen.select("source", "low").rows() == [("exercise_offsets", -240)]


# Settings of the account ------------------------------------------------------------------------------------

SETTINGS = "value_time,setting_name,setting_value\n"


def test_of_the_settings_only_zones_are_read() -> None:
    reading = read_zone_settings(
        Content(
            f"{SETTINGS}2019-03-02 10:00:00+0000,timezone,America/New_York\n"
            "2019-03-02 10:00:00+0000,gender,FEMALE\n"
            "2026-04-02T10:00:00Z,timezone,Asia/Tokyo\n"
            "2026-04-03T10:00:00Z,timezone,Atlantis/Capital\n"
            "never,timezone,Asia/Tokyo\n".encode()
        ),
        "",
    )
    assert reading.frame.rows() == [
        (datetime(2019, 3, 2, 10), "America/New_York"),
        (datetime(2026, 4, 2, 10), "Asia/Tokyo"),
    ]
    assert reading.rows == 5
    assert dict(reading.ignored) == {"other_setting": 1, "unknown_zone": 1}
    assert [rejected.rule for rejected in reading.rejected] == ["value_missing"]


def settings(*rows: tuple[str, str]) -> dict[str, str]:
    told = "".join(f"{moment},timezone,{zone}\n" for moment, zone in rows)
    return {f"{HEALTH}/UserDemographicData.csv": f"{SETTINGS}{told}2020-01-01 00:00:00+0000,gender,MALE\n"}


def steps(*utc: datetime) -> dict[str, str]:
    rows = [{"dateTime": f"{moment:%m/%d/%y %H:%M:%S}", "value": "40"} for moment in utc]
    return {f"{GLOBAL}/steps-2026-04-01.json": pretty(rows)}


def test_a_dated_change_of_zone_places_the_rows_on_both_sides_of_it(tmp_path: Path) -> None:
    """A profile says today's zone alone: what was before it, only the dated setting tells."""
    walks = steps(datetime(2026, 4, 5, 3), datetime(2026, 4, 25, 16))
    moved = settings(
        ("2019-03-02 10:00:00+0000", "America/New_York"), ("2026-04-15 10:00:00+0000", "Asia/Tokyo")
    )
    write_zip(tmp_path / TAKEOUT, profile(zone="Asia/Tokyo") | walks | moved)
    result = ingest(tmp_path)
    days = table(result, "daily_summary").drop_nulls("steps")
    assert days.select("date", "utc_offset_minutes").rows() == [
        (date(2026, 4, 4), -240),
        (date(2026, 4, 26), 540),
    ]
    clocks = json.loads(str(file_row(result)["clocks_json"]))
    assert [(stay["zone"], stay["named_by"], stay["agree"]) for stay in clocks["stays"]] == [
        ("America/New_York", "settings", {"zone_settings": 1}),
        ("Asia/Tokyo", "profile", {"zone_settings": 1}),
    ]
    assert clocks["stays"][1]["since_utc"] == clocks["stays"][1]["proven_from_utc"] == "2026-04-15T10:00:00Z"


def test_a_profile_without_dated_settings_holds_for_all_as_nothing_else_is_known(tmp_path: Path) -> None:
    only = settings(("2019-03-02 10:00:00+0000", "Asia/Tokyo"))
    write_zip(tmp_path / TAKEOUT, profile(zone="Asia/Tokyo") | steps(datetime(2026, 4, 5, 16)) | only)
    assert day_of(ingest(tmp_path), "2026-04-06")["utc_offset_minutes"] == 540


def test_a_zone_set_late_does_not_move_days_that_day_files_prove(tmp_path: Path) -> None:
    """The account was set to Tokyo while the person slept in New York; nothing is set aside for it."""
    days = {
        f"{GLOBAL}/heart_rate-2026-04-{day:02}.json": beats(datetime(2026, 4, day, 4), 1440)
        for day in (6, 7, 8)
    }
    moved = settings(
        ("2019-03-02 10:00:00+0000", "America/New_York"), ("2026-04-07 10:00:00+0000", "Asia/Tokyo")
    )
    write_zip(tmp_path / TAKEOUT, profile() | days | moved)
    result = ingest(tmp_path)
    assert codes(result) == []
    assert set(table(result, "daily_summary")["utc_offset_minutes"]) == {-240}
    clocks = json.loads(str(file_row(result)["clocks_json"]))
    assert [stay["zone"] for stay in clocks["stays"]] == ["America/New_York"]
    assert clocks["overruled"] == {"zone_settings": 2}
    assert file_row(result)["ignored_json"] == '{"other_setting":1}'


@pytest.mark.parametrize("zones", [("Asia/Tokyo", "Asia/Tokyo"), ("Asia/Tokyo", "Asia/Seoul")])
def test_settings_that_change_no_offset_are_no_move(zones: tuple[str, str], tmp_path: Path) -> None:
    first, second = zones
    told = settings(("2019-03-02 10:00:00+0000", first), ("2026-04-15 10:00:00+0000", second))
    write_zip(tmp_path / TAKEOUT, profile(zone=second) | steps(datetime(2026, 4, 25, 16)) | told)
    clocks = json.loads(str(file_row(ingest(tmp_path))["clocks_json"]))
    assert [stay["zone"] for stay in clocks["stays"]] == [second]

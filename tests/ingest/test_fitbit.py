"""Exports through the whole reader: containers, clocks, merging, daily rules, provenance."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import io
import json
import tarfile
import zipfile
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import (
    ANN,
    beats,
    codes,
    day_of,
    file_row,
    ingest,
    minutes,
    pretty,
    profile,
    sleep_log,
    sources,
    table,
    timed,
    trackers,
    write_loose,
    write_zip,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.fitbit import ingest_fitbit
from ingest.fitbit.daily import with_day_state
from ingest.source_file import SourceFile

pytestmark = pytest.mark.slow

GLOBAL = "Global Export Data"
MONDAY = "2026-01-05"
# 00:00 of that Monday in New York.
MIDNIGHT = datetime(2026, 1, 5, 5, 0)
TAKEOUT = "takeout-20260201T103201Z-001.zip"


def worn_monday(steps: int = 10) -> dict[str, str]:
    """A day of heart rate and a first hour of steps in New York."""
    return {
        f"{GLOBAL}/heart_rate-{MONDAY}.json": beats(MIDNIGHT, 1440),
        f"{GLOBAL}/steps-2026-01-01.json": minutes(MIDNIGHT, [steps] * 60),
    }


def day_values(column: str, **values: object) -> dict[str, str]:
    rows = [(f"{day[1:].replace('_', '/')} 00:00:00", value) for day, value in values.items()]
    return {f"{GLOBAL}/{column}-2026-01-01.json": timed(rows)}


# Whose, and in what container -------------------------------------------------------------------------------


def test_an_empty_folder_gives_empty_tables(tmp_path: Path) -> None:
    result = ingest(tmp_path)
    assert table(result, "daily_summary").is_empty()
    assert result.document["arrived_through"] is None
    assert codes(result) == []


def test_days_of_a_file_are_days_with_data(tmp_path: Path) -> None:
    """Calories run to the minute of the export, a height stands at the day it was entered."""
    calories = minutes(MIDNIGHT, ["1.2"] * 60), minutes(MIDNIGHT + timedelta(days=9), ["1.2"] * 60)
    filled = {
        f"{GLOBAL}/calories-2026-01-{day:02}.json": text for day, text in zip((5, 14), calories, strict=True)
    }
    entered = {f"{GLOBAL}/height-2025-12-01.json": timed([("12/20/25 05:00:00", "1650")])}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | filled | entered)
    row = file_row(ingest(tmp_path))
    assert json.loads(str(row["members_json"]))["read"]["height"] == 1
    assert (row["first_day"], row["last_day"]) == (date(2026, 1, 5), date(2026, 1, 5))


def test_a_whole_takeout(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday())
    result = ingest(tmp_path)
    row = file_row(result)
    assert (row["form"], row["generation"], row["identity"]) == ("takeout_zip", "B", "matched")
    assert (row["rows_read"], row["rows_staged"]) == (1500, 1500)
    assert (row["first_day"], row["last_day"]) == (date(2026, 1, 5), date(2026, 1, 5))
    monday = day_of(result, MONDAY)
    assert (monday["steps"], monday["wear_minutes"], monday["day_state"]) == (600, 1440, "worn")
    assert codes(result) == []


@pytest.mark.parametrize(
    ("root", "generation"),
    [
        ("Takeout/Fitbit/Global Export Data", "B"),
        ("Takeout/Google Health/Global Export Data", "E"),
        ("Takeout/Fitbit/Globale Exportdaten", None),
        ("MyFitbitData/AnnB/Physical Activity", "A1"),
        ("AnnB/user-site-export", "A0"),
        ("", None),
    ],
)
def test_any_root_folder_gives_the_same_values(tmp_path: Path, root: str, generation: str | None) -> None:
    files = {name.split("/")[-1]: content for name, content in worn_monday().items()}
    write_zip(tmp_path / "export.zip", files, root)
    result = ingest(tmp_path)
    assert day_of(result, MONDAY)["steps"] == 600
    assert (file_row(result)["generation"], file_row(result)["form"]) == (generation, "zip")


def test_loose_files_of_one_folder_are_one_export_with_a_row_a_file(tmp_path: Path) -> None:
    write_loose(tmp_path / "Takeout" / "Fitbit", profile() | worn_monday())
    result = ingest(tmp_path)
    files = table(result, "source_files")
    assert files["identity"].to_list() == ["matched"] * 3
    assert files["form"].unique().to_list() == ["folder"]
    assert sorted(files["rows_read"]) == [0, 60, 1440]
    assert codes(result) == []


def test_product_folders_side_by_side_are_one_export(tmp_path: Path) -> None:
    write_loose(tmp_path, profile() | worn_monday() | {"Sleep Score/sleep_score.csv": "no data"})
    assert set(table(ingest(tmp_path), "source_files")["identity"]) == {"matched"}


def test_no_profile_means_unchecked_and_the_data_are_used(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, worn_monday())
    result = ingest(tmp_path)
    assert file_row(result)["identity"] == "unchecked"
    assert codes(result) == ["identity_unchecked"]
    assert day_of(result, MONDAY)["steps"] == 600


def test_nothing_of_another_persons_export_is_used_or_shown(tmp_path: Path) -> None:
    write_zip(
        tmp_path / TAKEOUT, profile(name="Robert Jones", born="1950-03-04", account="BOB1") | worn_monday()
    )
    result = ingest(tmp_path)
    row = file_row(result)
    assert (row["identity"], row["error_code"], row["rows_read"]) == (
        "identity_mismatch",
        "identity_mismatch",
        0,
    )
    assert all(table(result, name).is_empty() for name in ("daily_summary", "value_sources", "steps_minutes"))
    (problem,) = result.document["problems"]
    assert problem["what"].endswith("not the same: name, birth date.")
    assert result.document["account"] is None
    assert "Robert" not in str(result.document)


def test_a_file_set_aside_is_not_read(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday())
    (file,) = sources(tmp_path)
    aside = SourceFile(tmp_path / "gone.zip", file.relative, file.size, file.sha256, set_aside="same_bytes")
    result = ingest_fitbit(ANN, [aside], b"s")
    row = file_row(result)
    assert (row["identity"], row["rows_read"]) == ("same_bytes", 0)
    assert table(result, "daily_summary").is_empty()


def test_parts_of_a_split_takeout_are_one_export_and_a_gap_is_reported(tmp_path: Path) -> None:
    heart_rate, steps = worn_monday().items()
    write_zip(tmp_path / "takeout-20260310T172133Z-3-001.zip", profile() | dict([heart_rate]))
    write_zip(tmp_path / "takeout-20260310T172133Z-3-003.zip", dict([steps]))
    result = ingest(tmp_path)
    files = table(result, "source_files")
    assert files["identity"].to_list() == ["matched", "matched"]
    assert files["form"].to_list() == ["takeout_part", "takeout_part"]
    assert codes(result) == ["zip_part_missing"]
    assert "Part 2" in result.document["problems"][0]["what"]
    assert day_of(result, MONDAY)["steps"] == 600


def test_a_bad_file_beside_a_good_one_is_a_problem_of_its_own(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday())
    (tmp_path / "page.zip").write_text("<html></html>")
    cut = write_zip(tmp_path / "cut.zip", worn_monday())
    cut.write_bytes(cut.read_bytes()[:-40])
    result = ingest(tmp_path)
    assert sorted(codes(result)) == ["identity_unchecked", "not_a_zip", "zip_truncated"]
    assert day_of(result, MONDAY)["steps"] == 600
    assert table(result, "source_files")["error_code"].drop_nulls().sort().to_list() == [
        "not_a_zip",
        "zip_truncated",
    ]


def test_a_file_that_cannot_be_opened_has_a_code_of_its_own(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday())
    files = [*sources(tmp_path), SourceFile(tmp_path / "gone.zip", "gone.zip", 9, "c" * 64)]
    result = ingest_fitbit(ANN, files, b"secret")
    assert codes(result) == ["file_unreadable"]
    assert day_of(result, MONDAY)["steps"] == 600
    assert table(result, "source_files").select("form", "error_code", "rows_read").sort("form").rows() == [
        ("takeout_zip", None, 1500),
        ("unreadable", "file_unreadable", 0),
    ]


def test_an_archive_of_another_product_has_nothing_known(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, {"Tasks/Tasks.json": "{}"}, root="Takeout")
    assert codes(ingest(tmp_path)) == ["no_known_files"]


def test_members_are_counted_as_read_ignored_by_rule_or_refused(tmp_path: Path) -> None:
    other = {"Social/badge.json": "[]", "Stress Score/Stress Score Readme.txt": "x", "a/b.bin": "x"}
    path = write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | other)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../steps-2020-01-01.json", "[]")
    result = ingest(tmp_path)
    assert file_row(result)["members_json"] == (
        '{"ignored":{"never_read":1,"not_data":1,"unknown_kind":1},"members":7,'
        '"read":{"heart_rate":1,"profile":1,"steps":1},"refused":{"zip_unsafe_path":1}}'
    )
    assert codes(result) == ["zip_unsafe_path"]


def test_a_member_of_another_form_is_one_rejected_row_and_a_problem(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | {f"{GLOBAL}/sleep-2026-01-01.json": "{}"})
    result = ingest(tmp_path)
    assert codes(result) == ["member_unreadable"]
    rejected = table(result, "rejected_rows").row(0, named=True)
    assert (rejected["table"], rejected["rule"], rejected["rows"]) == (
        "sleep_sessions",
        "member_unreadable",
        1,
    )


def test_a_damaged_member_keeps_its_good_rows(tmp_path: Path) -> None:
    text = worn_monday()[f"{GLOBAL}/steps-2026-01-01.json"]
    write_loose(tmp_path / "x", {"steps-2026-01-01.json": text[: len(text) // 2]})
    result = ingest(tmp_path)
    assert "member_damaged" in codes(result)
    row = file_row(result)
    assert (row["rows_rejected"], row["rows_staged"]) == (1, table(result, "steps_minutes").height)
    assert 25 < table(result, "steps_minutes").height < 35


def test_no_name_of_a_person_or_path_reaches_tables_or_document(tmp_path: Path) -> None:
    write_zip(tmp_path / "ann smith.zip", profile() | worn_monday(), root="AnnSmith/user-site-export")
    result = ingest(tmp_path)
    shown = str(result.document) + "".join(table(result, name).write_csv() for name in result.tables)
    for secret in ("Ann", "Smith", "smith", "1990-01-02", "ACC1", "user-site-export", "example.org"):
        assert secret not in shown
    assert "ann smith.zip" in result.private.values()


def test_the_order_of_files_never_matters(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday())
    write_zip(tmp_path / "old.zip", profile() | worn_monday(steps=3))
    write_loose(tmp_path / "x", day_values("resting_heart_rate"))
    files = sources(tmp_path)
    there, back = ingest_fitbit(ANN, files, b"s"), ingest_fitbit(ANN, files[::-1], b"s")
    assert there.document == back.document
    for name in there.tables:
        one, other = table(there, name), table(back, name)
        assert one.sort(pl.all()).equals(other.sort(pl.all())), name


# Clocks -----------------------------------------------------------------------------------------------------


def test_steps_are_utc_and_belong_to_the_local_day(tmp_path: Path) -> None:
    write_zip(
        tmp_path / TAKEOUT, {f"{GLOBAL}/steps-2025-01-01.json": minutes(datetime(2025, 1, 1, 13, 30), [500])}
    )
    result = ingest(tmp_path, replace(ANN, time_zone="Australia/Sydney"))
    assert table(result, "daily_summary")["date"].to_list() == [date(2025, 1, 2)]
    assert day_of(result, "2025-01-02")["utc_offset_minutes"] == 660
    assert table(result, "steps_minutes")["utc_offset_minutes"].to_list() == [660]


@pytest.mark.parametrize(
    ("zone", "day", "first_utc", "length"),
    [
        ("America/New_York", "2026-03-08", datetime(2026, 3, 8, 5, 0), 23 * 60),
        ("America/New_York", "2026-11-01", datetime(2026, 11, 1, 4, 0), 25 * 60),
        ("Australia/Sydney", "2026-04-05", datetime(2026, 4, 4, 13, 0), 25 * 60),
        ("Australia/Sydney", "2026-10-04", datetime(2026, 10, 3, 14, 0), 23 * 60),
    ],
)
def test_days_on_which_clocks_change_have_all_their_minutes(
    tmp_path: Path, zone: str, day: str, first_utc: datetime, length: int
) -> None:
    members = {
        f"{GLOBAL}/heart_rate-{day}.json": beats(first_utc, length),
        f"{GLOBAL}/steps-2026-01-01.json": minutes(first_utc, [1] * length),
        f"{GLOBAL}/calories-2026-01-01.json": minutes(datetime.fromisoformat(day), [1] * 1440),
    }
    write_zip(tmp_path / TAKEOUT, profile(zone=zone) | members)
    result = ingest(tmp_path)
    row = day_of(result, day)
    assert (row["steps"], row["wear_minutes"], row["calories_kcal"]) == (length, length, 1440)
    assert row["tz_change"]
    assert table(result, "daily_summary").height == 1


def test_the_profile_zone_comes_before_the_registry(tmp_path: Path) -> None:
    first = datetime(2026, 1, 5, 8, 0)
    write_zip(
        tmp_path / TAKEOUT,
        profile(zone="America/Los_Angeles") | {f"{GLOBAL}/heart_rate-{MONDAY}.json": beats(first, 1440)},
    )
    result = ingest(tmp_path)
    assert result.document["time_zone"] == "America/Los_Angeles"
    assert '"named_by":"profile"' in str(file_row(result)["clocks_json"])


def test_files_that_contradict_the_profile_turn_to_the_registry(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile(zone="Asia/Tokyo") | worn_monday())
    result = ingest(tmp_path)
    assert result.document["time_zone"] == "America/New_York"
    assert day_of(result, MONDAY)["wear_minutes"] == 1440


def test_a_journey_that_heart_rate_files_show_is_placed_by_its_own_offset(tmp_path: Path) -> None:
    tokyo = datetime(2026, 1, 19, 15, 0)
    members = worn_monday() | {f"{GLOBAL}/heart_rate-2026-01-20.json": beats(tokyo, 1440)}
    write_zip(tmp_path / TAKEOUT, profile() | members)
    away = day_of(ingest(tmp_path), "2026-01-20")
    assert (away["day_state"], away["wear_minutes"], away["utc_offset_minutes"]) == ("worn", 1440, 540)


def test_a_day_whose_clock_is_unknown_is_set_aside_and_never_guessed(tmp_path: Path) -> None:
    nowhere = datetime(2026, 1, 20, 22, 0)
    members = worn_monday() | {f"{GLOBAL}/heart_rate-2026-01-20.json": beats(nowhere, 1440)}
    members |= day_values("resting_heart_rate", _01_20_26={"date": "01/20/26", "value": 55.0})
    write_zip(tmp_path / TAKEOUT, profile() | members)
    result = ingest(tmp_path)
    away = day_of(result, "2026-01-20")
    assert (away["day_state"], away["valid_day"], away["wear_minutes"]) == ("set_aside", None, None)
    assert away["resting_heart_rate"] == 55.0
    assert codes(result) == ["clock_unclear"]
    assert file_row(result)["ignored_json"] == '{"clock_unclear":1440}'
    assert day_of(result, MONDAY)["wear_minutes"] == 1440


def test_a_night_over_a_clock_change_keeps_the_offset_of_its_start(tmp_path: Path) -> None:
    log = sleep_log(1, "2026-03-07T23:00:00", "2026-03-08T07:00:00")
    write_zip(tmp_path / TAKEOUT, {f"{GLOBAL}/sleep-2026-03-01.json": pretty([log])})
    night = table(ingest(tmp_path), "sleep_sessions").row(0, named=True)
    assert night["utc_offset_minutes"] == -300
    assert night["start_utc"].replace(tzinfo=None) == datetime(2026, 3, 8, 4, 0)
    assert night["end_utc"].replace(tzinfo=None) == datetime(2026, 3, 8, 12, 0)
    assert night["date"] == date(2026, 3, 8)


def test_a_night_that_begins_at_a_time_that_never_was_counts_for_its_date_without_an_instant(
    tmp_path: Path,
) -> None:
    log = sleep_log(1, "2026-03-08T02:30:00", "2026-03-08T10:00:00")
    write_zip(tmp_path / TAKEOUT, {f"{GLOBAL}/sleep-2026-03-01.json": pretty([log])})
    result = ingest(tmp_path)
    assert day_of(result, "2026-03-08")["sleep_minutes"] == 430
    night = table(result, "sleep_sessions").row(0, named=True)
    assert (night["start_time"], night["start_utc"], night["end_utc"]) == (
        datetime(2026, 3, 8, 2, 30),
        None,
        None,
    )
    assert table(result, "sleep_stages").is_empty()
    assert (file_row(result)["rows_staged"], file_row(result)["rows_rejected"]) == (1, 0)


# Sleep ------------------------------------------------------------------------------------------------------


def sleep_days(tmp_path: Path, *logs: dict[str, object], more: dict[str, str] | None = None):
    members = {f"{GLOBAL}/sleep-2026-01-01.json": pretty(list(logs))} | (more or {})
    write_zip(tmp_path / TAKEOUT, members)
    return ingest(tmp_path)


def test_sleep_counts_for_the_wake_date_over_night_and_naps(tmp_path: Path) -> None:
    night = sleep_log(1, "2026-01-04T22:45:30", "2026-01-05T06:45:30")
    nap = sleep_log(
        2,
        "2026-01-05T14:00:00",
        "2026-01-05T15:00:00",
        type="classic",
        mainSleep=False,
        minutesAsleep=50,
        minutesAwake=10,
        levels={"summary": {"asleep": {"count": 0, "minutes": 50}}, "data": []},
    )
    row = day_of(sleep_days(tmp_path, nap, night), MONDAY)
    assert (row["sleep_minutes"], row["nap_minutes"], row["time_in_bed_minutes"]) == (510, 50, 540)
    assert (row["deep_sleep_minutes"], row["rem_sleep_minutes"], row["light_sleep_minutes"]) == (60, 80, 200)
    assert (row["awake_minutes"], row["bed_minute"], row["wake_up_minute"]) == (30, -75, 405)
    assert row["bed_time"] == datetime(2026, 1, 4, 22, 45, 30)


def test_sleep_begun_after_midnight_stays_on_the_date_the_vendor_states(tmp_path: Path) -> None:
    first = sleep_log(1, "2025-05-02T00:40:00", "2025-05-02T07:00:00")
    second = sleep_log(2, "2025-05-02T23:20:00", "2025-05-03T07:00:00")
    result = sleep_days(tmp_path, first, second)
    assert table(result, "daily_summary")["date"].to_list() == [date(2025, 5, 2), date(2025, 5, 3)]
    assert day_of(result, "2025-05-02")["bed_minute"] == 40


def test_a_classic_night_has_no_stages(tmp_path: Path) -> None:
    levels = {"summary": {"asleep": {"count": 0, "minutes": 400}}, "data": []}
    row = day_of(
        sleep_days(
            tmp_path,
            sleep_log(1, "2026-01-04T23:00:00", "2026-01-05T07:00:00", type="classic", levels=levels),
        ),
        MONDAY,
    )
    assert row["sleep_minutes"] == 460
    assert [row[f"{stage}_sleep_minutes"] for stage in ("deep", "rem", "light")] == [None, None, None]


def test_the_copy_of_a_log_at_a_chunk_border_is_merged_into_the_whole_one(tmp_path: Path) -> None:
    whole = sleep_log(1, "2026-01-30T23:00:00", "2026-01-31T07:00:00")
    levels = {"summary": {"deep": {"count": 1, "minutes": 1, "thirtyDayAvgMinutes": 0}}, "data": []}
    border = whole | {"levels": levels, "minutesAsleep": 1}
    result = sleep_days(tmp_path, border, more={f"{GLOBAL}/sleep-2026-01-31.json": pretty([whole])})
    assert day_of(result, "2026-01-31")["deep_sleep_minutes"] == 60
    assert day_of(result, "2026-01-31")["sleep_minutes"] == 460
    assert file_row(result)["rows_merged"] == 1


def test_the_flagged_log_is_the_main_sleep_and_without_a_flag_the_longest(tmp_path: Path) -> None:
    short = sleep_log(1, "2026-01-05T01:00:00", "2026-01-05T04:00:00", mainSleep=True)
    long = sleep_log(2, "2026-01-05T05:00:00", "2026-01-05T11:00:00", mainSleep=False)
    assert day_of(sleep_days(tmp_path, short, long), MONDAY)["bed_minute"] == 60
    unflagged = short | {"mainSleep": False}
    assert day_of(sleep_days(tmp_path, unflagged, long), MONDAY)["bed_minute"] == 300


def test_a_sleep_score_stands_on_the_wake_date_of_its_log(tmp_path: Path) -> None:
    night = sleep_log(1, "2025-07-05T23:00:00", "2025-07-06T08:10:30")
    nap = sleep_log(2, "2025-07-06T14:00:00", "2025-07-06T15:00:00", mainSleep=False)
    scores = (
        "sleep_log_entry_id,timestamp,overall_score\n"
        "2,2025-07-06T15:00:00Z,40\n1,2025-07-06T08:10:30Z,80\n9,2025-07-07T00:30:00Z,70\n"
    )
    result = sleep_days(tmp_path, night, nap, more={"Sleep Score/sleep_score.csv": scores})
    assert day_of(result, "2025-07-06")["sleep_score"] == 80
    assert day_of(result, "2025-07-07")["sleep_score"] == 70
    assert file_row(result)["ignored_json"] == '{"score_of_nap":1}'


# Days -------------------------------------------------------------------------------------------------------


def test_future_padding_is_dropped_by_name(tmp_path: Path) -> None:
    padded = {
        f"{GLOBAL}/{name}-2026-01-01.json": timed(
            [("01/05/26 00:00:00", real), ("01/06/26 00:00:00", pad), ("12/31/26 00:00:00", pad)]
        )
        for name, real, pad in (
            ("sedentary_minutes", "700", "1440"),
            ("lightly_active_minutes", "200", "0"),
            ("moderately_active_minutes", "20", "0"),
            ("very_active_minutes", "40", "0"),
        )
    }
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | padded)
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["date"].to_list() == [date(2026, 1, 5)]
    assert day_of(result, MONDAY)["fairly_active_minutes"] == 20
    assert file_row(result)["ignored_json"] == '{"padding_day":8}'


@pytest.mark.parametrize(
    ("worn", "no_contact", "steps", "state", "from_steps", "wear"),
    [
        (600, 0, 0, "worn", False, 600),
        (599, 0, 4000, "partly_worn", False, 599),
        (1, 0, 0, "partly_worn", False, 1),
        (0, 5, 4000, "not_worn", False, 0),
        (0, 0, 1000, "worn", True, None),
        (0, 0, 999, "partly_worn", True, None),
        (0, 0, 0, "not_worn", False, 0),
    ],
)
def test_wear_is_judged_by_heart_rate_and_by_steps_only_without_one_row(
    tmp_path: Path, worn: int, no_contact: int, steps: int, state: str, from_steps: bool, wear: int | None
) -> None:
    noon = MIDNIGHT + timedelta(hours=5)
    heart_rate = (
        beats(noon, worn)[:-1] + "," * bool(worn and no_contact) + beats(MIDNIGHT, no_contact, 70, 0)[1:]
    )
    shared = [steps // 5] * 4 + [steps - steps // 5 * 4]
    members = {f"{GLOBAL}/steps-2026-01-01.json": minutes(noon, shared)}
    if worn or no_contact:
        members[f"{GLOBAL}/heart_rate-{MONDAY}.json"] = heart_rate
    write_zip(tmp_path / TAKEOUT, members)
    row = day_of(ingest(tmp_path), MONDAY)
    assert (row["day_state"], row["wear_from_steps"], row["wear_minutes"]) == (state, from_steps, wear)
    assert row["valid_day"] == (state == "worn")
    assert row["steps"] == steps


@pytest.mark.parametrize(
    ("steps", "kind", "active", "valid", "wear"),
    [
        (None, "very_active_minutes", 20, None, None),
        (None, "lightly_active_minutes", 1, None, None),
        (0, "very_active_minutes", 20, False, 0),
    ],
)
def test_active_minutes_alone_leave_wear_unknown(
    tmp_path: Path, steps: int | None, kind: str, active: int, valid: bool | None, wear: int | None
) -> None:
    noon = MIDNIGHT + timedelta(hours=5)
    members = {f"{GLOBAL}/{kind}-2026-01-01.json": minutes(noon, [active])}
    if steps is not None:
        members[f"{GLOBAL}/steps-2026-01-01.json"] = minutes(noon, [steps])
    write_zip(tmp_path / TAKEOUT, members)
    row = day_of(ingest(tmp_path), MONDAY)
    assert (row["day_state"], row["valid_day"], row["wear_minutes"]) == ("not_worn", valid, wear)
    assert not row["wear_from_steps"]


def test_minutes_of_rest_are_no_sign_of_wear() -> None:
    minutes_of = {"lightly_active_minutes": 0, "fairly_active_minutes": None, "very_active_minutes": 0}
    none = {"wear_minutes": None, "steps": None, "sedentary_minutes": 1440}
    rest = minutes_of | none | {"date": date(2026, 1, 5)}
    day = pl.LazyFrame([rest], infer_schema_length=None).pipe(with_day_state).collect()
    assert day.select("day_state", "valid_day", "wear_minutes").row(0) == ("not_worn", False, 0)


def test_zero_is_kept_where_it_is_a_value(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday(steps=0))
    assert day_of(ingest(tmp_path), MONDAY)["steps"] == 0


def test_steps_repeated_within_a_file_count_once_at_their_highest(tmp_path: Path) -> None:
    rows = [("01/05/26 15:00:00", "20"), ("01/05/26 15:00:00", "30"), ("01/05/26 14:59:00", "5")]
    write_zip(tmp_path / TAKEOUT, {f"{GLOBAL}/steps-2026-01-01.json": timed(rows)})
    result = ingest(tmp_path)
    assert day_of(result, MONDAY)["steps"] == 35
    assert file_row(result)["rows_merged"] == 1


def test_active_zone_minutes_by_zone_and_zero_on_worn_days_the_file_covers(tmp_path: Path) -> None:
    zones = "date_time,heart_zone_id,total_minutes\n2026-01-05T23:59,FAT_BURN,1\n2026-01-05T12:00,PEAK,2\n"
    tuesday = {f"{GLOBAL}/heart_rate-2026-01-06.json": beats(MIDNIGHT + timedelta(days=1), 1440)}
    azm = {"Active Zone Minutes (AZM)/Active Zone Minutes - 2026-01-01.csv": zones}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | tuesday | azm)
    result = ingest(tmp_path)
    columns = [f"{zone}active_zone_minutes" for zone in ("", "fatburn_", "cardio_", "peak_")]
    assert [day_of(result, MONDAY)[name] for name in columns] == [3, 1, 0, 2]
    assert [day_of(result, "2026-01-06")[name] for name in columns] == [0, 0, 0, 0]
    rule = pl.col("date") == date(2026, 1, 6), pl.col("metric") == "active_zone_minutes"
    assert table(result, "value_sources").filter(*rule)["rule"].to_list() == [
        "covered_day_without_row_is_zero"
    ]


def test_without_a_covering_file_active_zone_minutes_and_floors_stay_unknown(tmp_path: Path) -> None:
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday())
    row = day_of(ingest(tmp_path), MONDAY)
    assert (row["active_zone_minutes"], row["floors"]) == (None, None)


def test_floors_are_ten_feet_by_the_local_clock(tmp_path: Path) -> None:
    feet = {f"{GLOBAL}/altitude-2026-01-01.json": minutes(datetime(2026, 1, 5, 23, 58), [10, 20, 30])}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | feet)
    result = ingest(tmp_path)
    assert (day_of(result, MONDAY)["floors"], day_of(result, "2026-01-06")["floors"]) == (3, 3)


def test_the_last_weight_of_a_day_counts(tmp_path: Path) -> None:
    entries = [
        {"logId": 2, "weight": 150.0, "date": "01/05/26", "time": "20:00:00"},
        {"logId": 1, "weight": 152.0, "date": "01/05/26", "time": "07:00:00"},
    ]
    write_zip(tmp_path / TAKEOUT, {f"{GLOBAL}/weight-2026-01-01.json": pretty(entries)})
    assert day_of(ingest(tmp_path), MONDAY)["weight_kg"] == 68.04


def test_devices_change_with_the_day_they_were_added_and_break_the_series(tmp_path: Path) -> None:
    days = {
        f"{GLOBAL}/heart_rate-2026-01-0{5 + n}.json": beats(MIDNIGHT + timedelta(days=n), 1440)
        for n in range(4)
    }
    devices = trackers(
        ("1", "2025-01-01", "2026-01-06T12:00:00.000Z", "Charge 3"),
        ("2", "2026-01-06", "2026-01-06T12:00:00.000Z", "MobileTrack"),
        ("3", "2026-01-07", "2026-01-08T12:00:00.000Z", "Charge 6"),
    )
    write_zip(tmp_path / TAKEOUT, profile() | days | devices)
    result = ingest(tmp_path)
    frame = table(result, "daily_summary").sort("date")
    assert frame["device"].to_list() == ["Charge 3", "Charge 3", "Charge 6", "Charge 6"]
    assert frame["break_before"].to_list() == [False, False, True, False]
    assert len(result.document["devices"]) == 2


def test_the_newest_day_is_partial_and_has_not_arrived_whole(tmp_path: Path) -> None:
    tuesday = {f"{GLOBAL}/heart_rate-2026-01-06.json": beats(MIDNIGHT + timedelta(days=1), 300)}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | tuesday)
    result = ingest(tmp_path)
    assert result.document["arrived_through"] == date(2026, 1, 5)
    assert (day_of(result, MONDAY)["is_partial"], day_of(result, "2026-01-06")["is_partial"]) == (False, True)


def test_a_device_synced_later_but_not_worn_has_arrived(tmp_path: Path) -> None:
    synced = trackers(("1", "2025-01-01", "2026-01-09T20:00:00.000Z", "Charge 6"))
    calories = {f"{GLOBAL}/calories-2026-01-01.json": minutes(datetime(2026, 1, 7), [1] * 60)}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | synced | calories)
    result = ingest(tmp_path)
    assert result.document["arrived_through"] == date(2026, 1, 8)
    assert not day_of(result, MONDAY)["is_partial"]
    assert day_of(result, "2026-01-07")["day_state"] == "not_worn"


def test_calories_alone_do_not_say_that_a_device_delivered(tmp_path: Path) -> None:
    calories = {f"{GLOBAL}/calories-2026-01-01.json": minutes(datetime(2026, 1, 7), [1] * 60)}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | calories)
    assert ingest(tmp_path).document["arrived_through"] == date(2026, 1, 4)


# Several exports --------------------------------------------------------------------------------------------


def test_the_newer_export_wins_row_by_row_and_nothing_is_added_up(tmp_path: Path) -> None:
    older = (
        profile()
        | worn_monday(steps=10)
        | day_values("resting_heart_rate", _01_05_26={"date": "x", "value": 60.0})
    )
    newer_steps = {f"{GLOBAL}/steps-2026-01-01.json": minutes(MIDNIGHT + timedelta(minutes=30), [20] * 2880)}
    newer = profile() | newer_steps | day_values("resting_heart_rate", _01_05_26={"date": "x", "value": 61.5})
    write_zip(tmp_path / "z.zip", older)
    write_zip(tmp_path / "a.zip", newer)
    result = ingest(tmp_path)
    monday = day_of(result, MONDAY)
    assert monday["steps"] == 30 * 10 + 1410 * 20
    assert monday["resting_heart_rate"] == 61.5
    assert not monday["is_partial"]
    files = table(result, "source_files")
    assert sorted(files["rows_merged"]) == [0, 31]
    sources_of = table(result, "value_sources").filter(
        pl.col("metric") == "steps", pl.col("date") == date(2026, 1, 5)
    )
    assert sources_of["file_id"].n_unique() == 2


def test_the_same_export_twice_changes_nothing(tmp_path: Path) -> None:
    members = profile() | worn_monday() | {f"{GLOBAL}/exercise-0.json": "[]"}
    write_zip(tmp_path / "once" / TAKEOUT, members)
    write_zip(tmp_path / "twice" / TAKEOUT, members)
    write_zip(tmp_path / "twice" / TAKEOUT.replace(".zip", " (1).zip"), members)
    once, twice = ingest(tmp_path / "once"), ingest(tmp_path / "twice")
    for name in ("daily_summary", "heart_rate_minutes", "steps_minutes"):
        assert table(once, name).equals(table(twice, name)), name
    files = table(twice, "source_files").sort("form")
    assert files["form"].to_list() == ["repeat", "takeout_zip"]
    assert files["rows_read"].to_list() == [0, table(once, "source_files")["rows_read"].sum()]


def test_accounts_are_never_mixed_within_a_day(tmp_path: Path) -> None:
    tuesday = MIDNIGHT + timedelta(days=1)
    old = {f"{GLOBAL}/steps-2026-01-01.json": minutes(MIDNIGHT, [1] * 1460)}
    new = {f"{GLOBAL}/steps-2026-01-06.json": minutes(tuesday + timedelta(hours=1), [5] * 1500)}
    write_zip(tmp_path / "old.zip", profile(account="OLD") | old)
    write_zip(tmp_path / "new.zip", profile(account="NEW") | new)
    result = ingest(tmp_path)
    assert day_of(result, MONDAY)["steps"] == 1440
    assert day_of(result, "2026-01-06")["steps"] == 1380 * 5
    ignored = table(result, "source_files")["ignored_json"].to_list()
    assert sorted(ignored) == ['{"older_account":20}', "{}"]


# Checks -----------------------------------------------------------------------------------------------------


def check(result: object, name: str) -> tuple[str, int, int]:
    frame = table(result, "quality_checks")  # type: ignore[arg-type]
    row = frame.row(by_predicate=pl.col("check") == name, named=True)
    return row["outcome"], row["checked"], row["differing"]


def test_the_day_sum_is_checked_on_whole_days(tmp_path: Path) -> None:
    days = {
        f"{GLOBAL}/{name}-2026-01-01.json": timed([("01/05/26 00:00:00", one), ("01/06/26 00:00:00", two)])
        for name, one, two in (
            ("sedentary_minutes", "700", "900"),
            ("lightly_active_minutes", "200", "300"),
            ("moderately_active_minutes", "20", "100"),
            ("very_active_minutes", "40", "99"),
        )
    }
    night = {
        f"{GLOBAL}/sleep-2026-01-01.json": pretty(
            [sleep_log(1, "2026-01-04T23:00:00", "2026-01-05T07:00:00")]
        )
    }
    later = {
        f"{GLOBAL}/heart_rate-2026-01-07.json": beats(MIDNIGHT + timedelta(days=2), 10),
        f"{GLOBAL}/heart_rate-2026-01-06.json": beats(MIDNIGHT + timedelta(days=1), 10),
    }
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | days | night | later)
    assert check(ingest(tmp_path), "activity_minutes_and_bed_make_a_day") == ("differs", 2, 1)


def test_a_day_after_the_export_is_found(tmp_path: Path) -> None:
    late = day_values("resting_heart_rate", _03_05_26={"date": "03/05/26", "value": 60.0})
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | late)
    outcome, checked, differing = check(ingest(tmp_path), "no_day_after_the_export")
    assert (outcome, checked > 1, differing) == ("differs", True, 1)


def test_values_no_day_can_have_become_null_and_are_counted(tmp_path: Path) -> None:
    steps = {f"{GLOBAL}/steps-2026-01-01.json": minutes(MIDNIGHT, [900] * 300)}
    write_zip(tmp_path / TAKEOUT, profile() | worn_monday() | steps)
    result = ingest(tmp_path)
    assert day_of(result, MONDAY)["steps"] is None
    assert check(result, "daily_values_within_limits") == ("differs", 1, 1)


# Damage -----------------------------------------------------------------------------------------------------


def test_a_tgz_is_read_like_a_zip(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "takeout-20260201T103201Z-001.tgz", "w:gz") as archive:
        for name, text in (profile() | worn_monday()).items():
            info = tarfile.TarInfo(f"Takeout/Fitbit/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    result = ingest(tmp_path)
    assert (file_row(result)["identity"], file_row(result)["form"]) == ("matched", "takeout_zip")
    assert day_of(result, MONDAY)["steps"] == 600


@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6), st.integers(0, 400))
def test_whatever_breaks_in_an_archive_the_counts_close_and_no_value_is_made_up(
    tmp_path_factory: pytest.TempPathFactory, flips: list[tuple[int, int]], cut: int
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    night = sleep_log(1, "2026-01-04T23:00:00", "2026-01-05T07:00:00")
    members = worn_monday() | {f"{GLOBAL}/sleep-2026-01-01.json": pretty([night])}
    path = write_zip(folder / TAKEOUT, members)
    raw = bytearray(path.read_bytes())
    for place, value in flips:
        raw[place % len(raw)] = value
    path.write_bytes(bytes(raw[: len(raw) - cut] if cut > 300 else raw))
    result = ingest(folder)
    assert set(table(result, "steps_minutes")["steps"]) <= {10}
    assert set(table(result, "heart_rate_minutes")["heart_rate"].drop_nulls()) <= {60.0}
    assert set(table(result, "sleep_sessions")["minutes_asleep"]) <= {460}

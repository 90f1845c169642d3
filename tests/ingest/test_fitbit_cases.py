"""Public fault reports on reading these exports, each with a small input and the right answer.

Numbers are those of the project's list of fault reports; names say what went wrong elsewhere.
"""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

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
    sleep_log,
    table,
    timed,
    write_loose,
    write_zip,
)

from outputs.store import Result

GLOBAL = "Global Export Data"
FAMILIES = "Physical Activity_GoogleData"
HEALTH = "Health Fitness Data_GoogleData"
TAKEOUT = "takeout-20260201T103201Z-001.zip"
SLEEPS = (
    "sleep_id,sleep_type,minutes_in_sleep_period,minutes_after_wake_up,minutes_to_fall_asleep,minutes_asleep,"
    "minutes_awake,minutes_longest_awakening,minutes_to_persistent_sleep,start_utc_offset,sleep_start,"
    "end_utc_offset,sleep_end,data_source,algorithm_version,sleep_created,sleep_last_updated\n"
)


def read(folder: Path, members: dict[str, str], zone: str = "America/New_York") -> Result:
    write_zip(folder / TAKEOUT, members)
    return ingest(folder, replace(ANN, time_zone=zone))


def days_of(result: Result) -> list[date]:
    return table(result, "daily_summary")["date"].to_list()


def ignored(result: Result) -> dict[str, int]:
    return json.loads(str(file_row(result)["ignored_json"]))


def test_case_2_a_stages_log_without_short_data(tmp_path: Path) -> None:
    log = sleep_log(1, "2025-01-01T23:00:00", "2025-01-02T05:00:00")
    assert "shortData" not in str(log)
    result = read(tmp_path, {f"{GLOBAL}/sleep-2025-01-01.json": pretty([log])})
    assert table(result, "sleep_stages")["seconds"].to_list() == [21600]
    row = day_of(result, "2025-01-02")
    stages = [row[f"{stage}_sleep_minutes"] for stage in ("deep", "light", "rem")]
    assert stages == [60, 200, 80]


def test_case_3_sleep_after_midnight_stays_on_the_date_the_vendor_states(tmp_path: Path) -> None:
    logs = [
        sleep_log(1, "2025-05-02T00:40:00", "2025-05-02T07:00:00"),
        sleep_log(2, "2025-05-02T23:20:00", "2025-05-03T07:00:00"),
    ]
    result = read(tmp_path, {f"{GLOBAL}/sleep-2025-05-01.json": pretty(logs)})
    assert days_of(result) == [date(2025, 5, 2), date(2025, 5, 3)]


def test_case_5_an_exercise_of_the_evening_keeps_its_local_date(tmp_path: Path) -> None:
    walk = {"logId": 7, "startTime": "07/22/23 05:00:00", "duration": 1_800_000, "activityTypeId": 90013}
    result = read(tmp_path, {f"{GLOBAL}/exercise-0.json": pretty([walk])}, "America/Vancouver")
    assert table(result, "activities")["start_time"].to_list() == [datetime(2023, 7, 21, 22, 0)]


def test_case_6_an_exercise_before_a_move_is_on_the_clock_of_before(tmp_path: Path) -> None:
    walk = {"logId": 7, "startTime": "05/13/25 01:00:00", "duration": 1_800_000, "activityTypeId": 90013}
    chance, local, utc = Random(6), list[str](), list[str]()
    for day, offset in ((11, -5), (12, -5), (14, 7), (15, 7)):
        for minute in sorted(chance.sample(range(24 * 60), 60)):
            moment = datetime(2025, 5, day) + timedelta(minutes=minute)
            zone = chance.choice(("FAT_BURN", "CARDIO", "PEAK"))
            earned = 1 if zone == "FAT_BURN" else 2
            local.append(f"{moment:%Y-%m-%dT%H:%M},{zone},{earned}")
            utc.append(f"{moment - timedelta(hours=offset):%Y-%m-%dT%H:%M:00Z},{zone},{earned},Charge 6")
    result = read(
        tmp_path,
        {
            f"{GLOBAL}/exercise-0.json": pretty([walk]),
            "Active Zone Minutes (AZM)/Active Zone Minutes - 2025-05-01.csv": "\n".join(
                ["date_time,heart_zone_id,total_minutes", *local]
            ),
            f"{FAMILIES}/active_zone_minutes_2025-05-01.csv": "\n".join(
                ["timestamp,heart rate zone,total minutes,data source", *utc]
            ),
        },
        "America/Bogota",
    )
    assert table(result, "activities")["start_time"].to_list() == [datetime(2025, 5, 12, 20, 0)]
    assert day_of(result, "2025-05-15")["utc_offset_minutes"] == 420


def test_case_7_minutes_asked_for_in_another_zone_are_not_used(tmp_path: Path) -> None:
    answer = {
        "activities-heart": [{"dateTime": "2025-03-01", "value": {"heartRateZones": []}}],
        "activities-heart-intraday": {
            "dataset": [{"time": "05:00:00", "value": 60}, {"time": "04:59:00", "value": 61}]
        },
    }
    write_loose(tmp_path, {"activities_heart_2025-03-01.json": json.dumps(answer)})
    result = ingest(tmp_path)
    assert table(result, "heart_rate_minutes").is_empty()
    assert days_of(result) == []
    assert table(result, "rejected_rows")["rule"].to_list() == ["clock_unclear", "clock_unclear"]


@pytest.mark.parametrize("recorder", ["", ",Inspire 3"])
def test_cases_8_9_and_28_steps_are_utc_with_and_without_a_recorder(tmp_path: Path, recorder: str) -> None:
    header = "timestamp,steps" + (",data source" if recorder else "")
    families = {f"{FAMILIES}/steps_2025-01-01.csv": f"{header}\n2025-01-01T13:30:00Z,500{recorder}\n"}
    for name, members in (
        ("json", {f"{GLOBAL}/steps-2025-01-01.json": timed([("01/01/25 13:30:00", "500")])}),
        ("csv", families),
    ):
        result = read(tmp_path / name, members, "Australia/Sydney")
        assert days_of(result) == [date(2025, 1, 2)]
        assert day_of(result, "2025-01-02")["steps"] == 500


def test_case_11_a_midnight_of_a_daily_family_is_a_label(tmp_path: Path) -> None:
    text = "timestamp,beats per minute,data source\n2026-06-10T00:00:00Z,66.876,Fitbit App\n"
    result = read(tmp_path, {f"{FAMILIES}/daily_resting_heart_rate.csv": text})
    assert day_of(result, "2026-06-10")["resting_heart_rate"] == 66.88


def test_case_12_another_time_of_a_daily_family_is_a_local_midnight(tmp_path: Path) -> None:
    text = "timestamp,beats per minute,data source\n2026-03-31T16:00:00Z,61,Garmin Connect™ Health Kit\n"
    result = read(tmp_path, {f"{FAMILIES}/daily_resting_heart_rate.csv": text}, "Asia/Singapore")
    assert days_of(result) == [date(2026, 4, 1)]


def test_case_13_the_z_of_a_sleep_score_is_false(tmp_path: Path) -> None:
    members = {
        f"{GLOBAL}/sleep-2025-07-01.json": pretty(
            [sleep_log(1, "2025-07-05T23:40:00", "2025-07-06T08:10:30")]
        ),
        "Sleep Score/sleep_score.csv": (
            "sleep_log_entry_id,timestamp,overall_score,composition_score,revitalization_score,duration_score,"
            "deep_sleep_in_minutes,resting_heart_rate,restlessness\n1,2025-07-06T08:10:30Z,80,,80,,60,62,0.1\n"
        ),
    }
    result = read(tmp_path, members, "America/Los_Angeles")
    assert day_of(result, "2025-07-06")["sleep_score"] == 80
    (end,) = table(result, "sleep_sessions")["end_utc"].to_list()
    assert end.replace(tzinfo=None) == datetime(2025, 7, 6, 15, 10, 30)


@pytest.mark.parametrize(("shift", "clock"), [(0, "local_with_false_z"), (4, "utc")])
def test_case_14_the_z_of_variability_is_judged_by_its_twin(tmp_path: Path, shift: int, clock: str) -> None:
    night = datetime(2025, 7, 6, 2, 0)
    stamps = [night + timedelta(minutes=5 * n) for n in range(40)]
    values = [30 + n * 7 % 40 + n / 10 for n in range(40)]
    details = [f"{at:%Y-%m-%dT%H:%M:%S},{v:.1f},0.9,1,1" for at, v in zip(stamps, values, strict=True)]
    twin = [
        f"{at + timedelta(hours=shift):%Y-%m-%dT%H:%M:%SZ},{v:.1f},0.0"
        for at, v in zip(stamps, values, strict=True)
    ]
    header = (
        "timestamp,root mean square of successive differences milliseconds,standard deviation milliseconds"
    )
    folder = "Heart Rate Variability"
    result = read(
        tmp_path,
        {
            f"{GLOBAL}/sleep-2025-07-01.json": pretty(
                [sleep_log(1, "2025-07-06T01:00:00", "2025-07-06T08:00:00")]
            ),
            f"{folder}/Heart Rate Variability Details - 2025-07-06.csv": "\n".join(
                ["timestamp,rmssd,coverage,low_frequency,high_frequency", *details]
            ),
            f"{FAMILIES}/heart_rate_variability_2025-07-01.csv": "\n".join([header, *twin]),
        },
    )
    verdict = json.loads(str(file_row(result)["clocks_json"]))["verdicts"]["hrv_minutes_csv"]
    assert [told.split(" ")[0] for told in verdict["members"]] == [clock]
    day = day_of(result, "2025-07-06")
    assert day["heart_rate_variability"] == round(sum(values) / len(values), 2)
    assert day["heart_rate_variability_method"] == "mean_of_five_minutes"


def test_case_17_a_day_without_a_resting_heart_rate_is_null_and_no_fault(tmp_path: Path) -> None:
    value = {"customHeartRateZones": [], "heartRateZones": []}
    answers = {
        "activities_heart.json": {"activities-heart": [{"dateTime": "2025-01-01", "value": value}]},
        "activities_steps.json": {"activities-steps": [{"dateTime": "2025-01-01", "value": "8112"}]},
    }
    write_loose(tmp_path, {name: json.dumps(answer) for name, answer in answers.items()})
    result = ingest(tmp_path)
    row = day_of(result, "2025-01-01")
    assert (row["steps"], row["resting_heart_rate"]) == (8112, None)
    assert codes(result) == ["identity_unchecked"]


@pytest.mark.parametrize(("missing", "wear"), [(1, 1439), (30, 1410)])
def test_case_19_missing_minutes_of_heart_rate_stay_missing(tmp_path: Path, missing: int, wear: int) -> None:
    midnight = datetime(2026, 1, 5, 5, 0)
    first, rest = beats(midnight, 67), beats(midnight + timedelta(minutes=67 + missing), 1373 - missing)
    result = read(tmp_path, {f"{GLOBAL}/heart_rate-2026-01-05.json": f"{first[:-1]},{rest[1:]}"})
    assert day_of(result, "2026-01-05")["wear_minutes"] == wear
    told = table(result, "heart_rate_minutes")["minute_utc"].dt.replace_time_zone(None).to_list()
    assert len(told) == wear
    assert midnight + timedelta(minutes=67) not in told


def test_case_20_a_missing_count_is_no_day_of_zero_steps(tmp_path: Path) -> None:
    write_loose(tmp_path, {"activities_steps.json": '{"activities-steps":[{"dateTime":"2025-01-01"}]}'})
    result = ingest(tmp_path)
    assert days_of(result) == []
    assert table(result, "rejected_rows")["rule"].to_list() == ["value_missing"]


def test_case_21_zero_is_no_heart_rate_but_it_is_a_count_of_steps(tmp_path: Path) -> None:
    members = {
        f"{GLOBAL}/resting_heart_rate-2025-01-01.json": timed(
            [("01/01/25 00:00:00", {"date": None, "value": 0.0, "error": 0.0})]
        ),
        f"{GLOBAL}/steps-2025-01-01.json": timed([("01/01/25 17:00:00", "0")]),
        f"{FAMILIES}/daily_heart_rate_variability.csv": (
            "timestamp,average heart rate variability milliseconds\n2025-01-01T00:00:00Z,0.0\n"
        ),
    }
    result = read(tmp_path, members)
    row = day_of(result, "2025-01-01")
    assert (row["steps"], row["resting_heart_rate"], row["heart_rate_variability"]) == (0, None, None)
    assert ignored(result) == {"no_value": 1, "placeholder_zero": 1}


def test_case_22_days_after_the_export_are_padding(tmp_path: Path) -> None:
    write_zip(
        tmp_path / "takeout-20261006T130645Z-1-001.zip",
        {f"{GLOBAL}/sedentary_minutes-2026-10-05.json": timed([("11/02/26 00:00:00", "1440")])},
    )
    result = ingest(tmp_path)
    assert days_of(result) == []
    assert ignored(result) == {"padding_day": 1}


@pytest.mark.parametrize(
    ("name", "header", "recorder"),
    [
        ("Oxygen Saturation (SpO2)/Minute SpO2 - 2025-07-06.csv", "timestamp,value", ""),
        (
            f"{FAMILIES}/oxygen_saturation_2025-07-01.csv",
            "timestamp,oxygen saturation percentage,data source",
            ",Inspire 3",
        ),
    ],
)
def test_case_23_a_saturation_of_50_is_invalid(tmp_path: Path, name: str, header: str, recorder: str) -> None:
    log = sleep_log(1, "2025-07-06T01:00:00", "2025-07-06T08:00:00")
    rows = f"2025-07-06T08:00:03Z,95.1{recorder}\n2025-07-06T08:01:03Z,50.0{recorder}\n"
    result = read(tmp_path, {f"{GLOBAL}/sleep-2025-07-01.json": pretty([log]), name: f"{header}\n{rows}"})
    row = day_of(result, "2025-07-06")
    assert (row["spo2_avg"], row["spo2_min"]) == (95.1, None)
    assert ignored(result) == {"no_value": 1}


def test_case_25_an_edited_log_without_stages_keeps_its_minutes(tmp_path: Path) -> None:
    log = sleep_log(
        1,
        "2025-07-05T23:00:00",
        "2025-07-06T07:00:00",
        type="classic",
        logType="manual",
        levels={"summary": {"asleep": {"count": 0, "minutes": 460}}, "data": []},
    )
    row = day_of(read(tmp_path, {f"{GLOBAL}/sleep-2025-07-01.json": pretty([log])}), "2025-07-06")
    assert (row["sleep_minutes"], row["deep_sleep_minutes"]) == (460, None)


def test_case_26_no_data_and_nan_are_no_errors(tmp_path: Path) -> None:
    members = {
        "Biometrics/Glucose 202601.csv": "no data",
        "Stress Score/Stress Score.csv": "no data",
        "Temperature/Computed Temperature - 2025-04-01.csv": (
            "type,sleep_start,sleep_end,temperature_samples,nightly_temperature,baseline_relative_sample_sum\n"
            "IDT,2025-04-07T04:19:30,2025-04-07T09:18,NaN,NaN,NaN\n"
        ),
    }
    result = read(tmp_path, members)
    assert codes(result) == ["identity_unchecked"]
    assert ignored(result) == {"no_baseline": 1}


@pytest.mark.parametrize(
    "root",
    [
        "Takeout/Fitbit/Global Export Data",
        "Takeout/Google Health/Global Export Data",
        "MyFitbitData/AnnB/Physical Activity",
        "AnnB/user-site-export",
        "",
    ],
)
def test_case_27_a_file_is_known_wherever_it_lies(tmp_path: Path, root: str) -> None:
    write_loose(tmp_path / root, {"steps-2025-01-01.json": timed([("01/01/25 17:00:00", "500")])})
    assert day_of(ingest(tmp_path), "2025-01-01")["steps"] == 500


def test_case_29_one_folder_level_more(tmp_path: Path) -> None:
    text = "timestamp,steps,data source\n2026-10-01T17:00:00Z,500,Google Fitbit Air\n"
    write_zip(tmp_path / TAKEOUT, {f"{FAMILIES}/Steps/steps_2026-10-01.csv": text}, "Takeout/Google Health")
    result = ingest(tmp_path)
    assert day_of(result, "2026-10-01")["steps"] == 500
    assert file_row(result)["generation"] == "F"


ACTIVITIES = (
    "Activities\nDate,Calories Burned,Steps,Distance,Floors,Minutes Sedentary,Minutes Lightly Active,"
    "Minutes Fairly Active,Minutes Very Active,Activity Calories\n"
)


def test_case_31_separators_and_the_order_of_days_are_decided_from_the_whole_file(tmp_path: Path) -> None:
    rows = (
        '"01-02-2025","2.948","13,845","7.92","11","600","250","30","60","1.200"\n'
        '"13-02-2025","2,100","9.110","5.20","3","700","250","10","5","900"\n'
    )
    write_loose(tmp_path, {"fitbit_export_20250301.csv": ACTIVITIES + rows})
    row = day_of(ingest(tmp_path), "2025-02-01")
    assert (row["steps"], row["calories_kcal"]) == (13845, 2948.0)


def test_case_32_two_styles_of_times_in_one_file(tmp_path: Path) -> None:
    head = "Sleep\nStart Time,End Time,Minutes Asleep,Minutes Awake,Number of Awakenings,Time in Bed\n"
    text = (
        f'{head}"2010-10-13 11:12PM","2010-10-14 6:10AM","390","28","N/A","418"\n\n'
        f'{head}"11-10-2010 9:10 pm","12-10-2010 1:50 pm","900","100","20","1,000"\n'
    )
    write_loose(tmp_path, {"fitbit_export_20101031.csv": text})
    nights = table(ingest(tmp_path), "daily_summary").select(
        "bed_time", "sleep_minutes", "time_in_bed_minutes"
    )
    assert nights.rows() == [
        (datetime(2010, 10, 11, 21, 10), 900, 1000),
        (datetime(2010, 10, 13, 23, 12), 390, 418),
    ]


def test_case_35_the_parts_around_a_missing_one_are_read_and_the_gap_told(tmp_path: Path) -> None:
    for part, chunk, hour in (("001", "2024-12-15", 17), ("003", "2025-01-14", 18)):
        text = timed([(f"01/01/25 {hour}:00:00", "250")])
        write_zip(tmp_path / f"takeout-20260310T172133Z-3-{part}.zip", {f"{GLOBAL}/steps-{chunk}.json": text})
    result = ingest(tmp_path)
    assert day_of(result, "2025-01-01")["steps"] == 500
    told = [p["what"] for p in result.document["problems"] if p["code"] == "zip_part_missing"]
    assert len(told) == 1
    assert "2" in told[0]


def test_case_37_a_log_in_the_answers_of_two_days_is_one_night(tmp_path: Path) -> None:
    log = {**sleep_log(7, "2018-03-19T23:00:00", "2018-03-20T07:00:00"), "isMainSleep": True}
    answer = json.dumps({"sleep": [log], "summary": {"stages": {"deep": 60, "light": 200, "rem": 80}}})
    write_loose(tmp_path, {"sleep_2018-03-20.json": answer, "sleep_2018-03-21.json": answer})
    result = ingest(tmp_path)
    assert days_of(result) == [date(2018, 3, 20)]
    assert day_of(result, "2018-03-20")["sleep_minutes"] == 460
    assert table(result, "sleep_sessions").height == 1


@pytest.mark.parametrize("nap_date", ["2025-07-04"])
def test_cases_38_and_39_all_logs_of_a_date_are_one_day(tmp_path: Path, nap_date: str) -> None:
    nap = sleep_log(
        2,
        f"{nap_date}T14:00:00",
        f"{nap_date}T15:00:00",
        type="classic",
        mainSleep=False,
        levels={"summary": {"asleep": {"count": 0, "minutes": 40}}, "data": []},
    )
    night = sleep_log(1, "2025-07-03T23:00:00", "2025-07-04T07:00:00")
    result = read(tmp_path, {f"{GLOBAL}/sleep-2025-07-01.json": pretty([nap, night])})
    assert days_of(result) == [date(2025, 7, 4)]
    row = day_of(result, "2025-07-04")
    assert (row["sleep_minutes"], row["nap_minutes"], row["bed_minute"]) == (500, 40, -60)
    assert table(result, "sleep_sessions").sort("sleep_id")["is_main"].to_list() == [True, False]


def test_case_41_two_algorithms_tell_one_night(tmp_path: Path) -> None:
    rows = (
        "1,STAGES,303,0,0,288,15,0,0,-04:00,2026-04-06 08:19:30+0000,-04:00,2026-04-06 13:22:30+0000,"
        "DERIVED,sleep_session_v1,x,x\n"
        "2,STAGES,300,0,0,284,16,0,0,-04:00,2026-04-06 08:18:00+0000,-04:00,2026-04-06 13:18:00+0000,"
        "DERIVED,sleep_session_v2,x,x\n"
    )
    result = read(tmp_path, {f"{HEALTH}/UserSleeps_2026-04-01.csv": SLEEPS + rows})
    session = table(result, "sleep_sessions").row(0, named=True)
    assert table(result, "sleep_sessions").height == 1
    assert (session["sleep_id"], session["start_time"]) == ("2", datetime(2026, 4, 6, 4, 18))
    assert day_of(result, "2026-04-06")["sleep_minutes"] == 284
    assert ignored(result) == {"older_algorithm": 1}


def test_case_42_the_border_copy_of_a_log_gives_way_to_the_whole_one(tmp_path: Path) -> None:
    def night(average: int) -> str:
        summary = {"deep": {"count": 1, "minutes": 60 + average, "thirtyDayAvgMinutes": average}}
        return pretty(
            [sleep_log(1, "2025-01-30T23:00:00", "2025-01-31T07:00:00", levels={"summary": summary})]
        )

    members = {f"{GLOBAL}/sleep-2025-01-01.json": night(76), f"{GLOBAL}/sleep-2025-01-31.json": night(0)}
    result = read(tmp_path, members)
    assert table(result, "sleep_sessions")["deep_minutes"].to_list() == [136]
    assert file_row(result)["rows_merged"] == 1


def test_case_43_phone_and_watch_are_never_added_up(tmp_path: Path) -> None:
    """Of 3000, 2800 and 3000 steps told by phone, watch and another app 2800, never 8800."""
    recorders = {"MobileTrack": 150, "Google Fitbit Air": 140, "Fit Health Connect": 150}
    rows = [
        f"2026-09-12T05:{minute:02d}:00Z,{steps},{recorder}"
        for recorder, steps in recorders.items()
        for minute in range(20)
    ]
    text = "\n".join(["timestamp,steps,data source", *rows])
    result = read(tmp_path, {f"{FAMILIES}/steps_2026-09-01.csv": text})
    row = day_of(result, "2026-09-12")
    assert (row["steps"], row["device"]) == (2800, "Google Fitbit Air")
    assert ignored(result) == {"other_recorder": 40}
    check = table(result, "quality_checks").row(
        by_predicate=pl.col("check") == "other_recorders_have_fewer_steps", named=True
    )
    assert (check["outcome"], check["checked"], check["differing"]) == ("differs", 1, 1)


def test_case_43_the_reconciled_json_wins_over_all_recorders(tmp_path: Path) -> None:
    text = "timestamp,steps,data source\n2026-09-12T05:00:00Z,800,MobileTrack\n"
    members = {
        f"{GLOBAL}/steps-2026-09-01.json": timed([("09/12/26 05:00:00", "750")]),
        f"{FAMILIES}/steps_2026-09-01.csv": text,
    }
    result = read(tmp_path, members)
    assert day_of(result, "2026-09-12")["steps"] == 750
    roles = table(result, "value_sources").filter(pl.col("metric") == "steps").sort("role")
    assert roles["role"].to_list() == ["alternate", "published"]
    assert roles["rule"].to_list() == ["other_source", "newer_export"]


def test_case_44_one_value_in_two_files_is_one(tmp_path: Path) -> None:
    members = {
        f"{FAMILIES}/resting_heart_rate_2026-06-01.csv": (
            "timestamp,beats per minute\n2026-06-10T00:00:00Z,51\n"
        ),
        f"{FAMILIES}/daily_resting_heart_rate.csv": (
            "timestamp,beats per minute\n2026-06-10T00:00:00Z,51.0\n"
        ),
    }
    result = read(tmp_path, members)
    assert days_of(result) == [date(2026, 6, 10)]
    assert day_of(result, "2026-06-10")["resting_heart_rate"] == 51.0
    assert file_row(result)["rows_merged"] == 1


def test_case_46_grams_are_preferred_to_cut_pounds(tmp_path: Path) -> None:
    weight = {
        "logId": 1773964799000,
        "weight": 104.9,
        "bmi": 20.51,
        "date": "03/19/26",
        "time": "23:59:59",
    }
    members = {
        f"{GLOBAL}/weight-2026-03-01.json": pretty([weight]),
        f"{GLOBAL}/height-2026-03-01.json": timed([("03/01/26 00:00:00", "1524")]),
        f"{FAMILIES}/weight.csv": (
            "timestamp,weight grams,data source\n2026-03-20T03:59:59.602062Z,47627,Fitbit App\n"
        ),
    }
    result = read(tmp_path, members)
    assert day_of(result, "2026-03-19")["weight_kg"] == 47.63
    checks = {row["check"]: row["outcome"] for row in table(result, "quality_checks").iter_rows(named=True)}
    assert checks["weight_kg_sources_agree"] == "ok"
    assert checks["body_mass_index_of_weights"] == "ok"


def test_case_48_distance_is_in_centimetres(tmp_path: Path) -> None:
    midday = datetime(2025, 1, 1, 17, 0)
    members = {
        f"{GLOBAL}/distance-2025-01-01.json": minutes(midday, [820]),
        f"{GLOBAL}/steps-2025-01-01.json": minutes(midday, [13]),
    }
    assert day_of(read(tmp_path, members), "2025-01-01")["distance_m"] == 8.2


LISTED = (
    *(2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 19, 20, 21, 22, 23, 25, 26),
    *(27, 28, 29, 31, 32, 35, 37, 38, 39, 41, 42, 43, 44, 46, 48),
)


def test_every_listed_report_has_its_test() -> None:
    names = [name for name in globals() if name.startswith(("test_case_", "test_cases_"))]
    numbers = {int(number) for name in names for number in re.findall(r"(?<=_)\d+(?=_)", name)}
    assert set(LISTED) <= numbers

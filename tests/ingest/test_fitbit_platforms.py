"""Forms of platforms and public sets, fall-backs of Fitabase, and forms that are known but not read."""

import csv
import io
import json
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import ANN, codes, day_of, file_row, ingest, sleep_log, table, write_loose

from ingest.archive import Content
from ingest.fitbit.kinds import KIND_BY_NAME, kinds_of
from ingest.fitbit.reading import OtherForm, Reading

HOURS = "Id,ActivityHour,StepTotal\nP1,4/13/2016 9:00:00 AM,700\nP1,4/13/2016 10:00:00 PM,801\n"
LIFESNAPS = (
    ",id,date,rmssd,spo2,full_sleep_breathing_rate,stress_score,daily_temperature_variation,calories,"
    "filteredDemographicVO2Max,distance,lightly_active_minutes,moderately_active_minutes,very_active_minutes,"
    "sedentary_minutes,resting_hr,sleep_duration,minutesAsleep,minutesAwake,steps,gender\n"
)
LIFESNAPS_ROW = (
    "0,P1,2021-05-24,89.603,96.0,14.8,78.0,-1.78,2351.59,62.79,6517.5,149,24,33,713,62.07,31260000.0,445.0,"
    "76.0,8833.0,M\n"
)


def read_kind(kind: str, text: str, name: str) -> Reading:
    return KIND_BY_NAME[kind].read(Content(text.encode()), name)


def minute_sleep(log_id: str, levels: str, start: str = "4/12/2016 11:58:30 PM") -> str:
    moment = datetime.strptime(start, "%m/%d/%Y %I:%M:%S %p")  # noqa: DTZ007
    minutes = pl.datetime_range(moment, moment.replace(year=2017), "1m", eager=True).head(len(levels))
    rows = [
        f"P1,{at.month}/{at.day}/{at.year} {at:%I:%M:%S %p},{level},{log_id}"
        for at, level in zip(minutes, levels, strict=True)
    ]
    return "\n".join(["Id,date,value,logId", *rows]) + "\n"


def test_steps_by_the_hour_count_where_nothing_finer_is_there(tmp_path: Path) -> None:
    write_loose(tmp_path, {"hourlySteps_merged.csv": HOURS})
    result = ingest(tmp_path)
    assert (day_of(result, "2016-04-13")["steps"], day_of(result, "2016-04-13")["valid_day"]) == (1501, True)
    sources = table(result, "value_sources").filter(pl.col("metric") == "steps")
    assert sources["rule"].to_list() == ["fallback_source"]
    assert table(result, "steps_minutes").is_empty()


def test_hours_give_way_to_minutes_and_to_the_stated_day(tmp_path: Path) -> None:
    minutes = "Id,ActivityMinute,Steps\nP1,4/13/2016 9:01:00 AM,33\n"
    day = "Id,ActivityDay,StepTotal\nP1,4/13/2016,1500\n"
    write_loose(tmp_path / "a", {"hourlySteps_merged.csv": HOURS, "minuteStepsNarrow_merged.csv": minutes})
    write_loose(tmp_path / "b", {"hourlySteps_merged.csv": HOURS, "dailySteps_merged.csv": day})
    assert day_of(ingest(tmp_path / "a"), "2016-04-13")["steps"] == 33
    result = ingest(tmp_path / "b")
    assert day_of(result, "2016-04-13")["steps"] == 1500
    ignored = table(result, "source_files").filter(pl.col("rows_read") == 2)["ignored_json"].item()
    assert json.loads(ignored) == {"other_source": 2}


def test_hours_of_a_day_without_the_device_are_padding(tmp_path: Path) -> None:
    text = HOURS + "".join(f"P1,4/14/2016 {hour}:00:00 AM,0\n" for hour in range(1, 12))
    write_loose(tmp_path, {"hourlySteps_merged.csv": text})
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["date"].to_list() == [date(2016, 4, 13)]
    assert json.loads(str(file_row(result)["ignored_json"])) == {"padding_day": 11}


def test_energy_by_the_hour(tmp_path: Path) -> None:
    text = "Id,ActivityDate,ActivityTime,Calories\nP1,13/04/2016,00:00:00,81\nP1,13/04/2016,01:00:00,61\n"
    write_loose(tmp_path, {"hourlyCalories_merged.csv": text})
    day = day_of(ingest(tmp_path), "2016-04-13")
    assert (day["calories_kcal"], day["day_state"]) == (142.0, "not_worn")


def test_minutes_of_sleep_without_a_log_are_one(tmp_path: Path) -> None:
    write_loose(tmp_path, {"minuteSleep_merged.csv": minute_sleep("11380564589", "1112311")})
    result = ingest(tmp_path)
    night = day_of(result, "2016-04-13")
    assert (night["sleep_minutes"], night["awake_minutes"], night["time_in_bed_minutes"]) == (5, 2, 7)
    assert night["bed_time"] == datetime(2016, 4, 12, 23, 58, 30)  # noqa: DTZ001
    assert (night["bed_minute"], night["wake_up_minute"], night["deep_sleep_minutes"]) == (-2, 5, None)
    session = table(result, "sleep_sessions").row(0, named=True)
    assert (session["sleep_id"], session["kind"], session["is_main"]) == ("11380564589", "classic", True)
    stages = table(result, "sleep_stages").sort("start_utc").select("stage", "seconds").rows()
    assert stages == [("asleep", 180), ("restless", 60), ("awake", 60), ("asleep", 120)]
    assert file_row(result)["rows_staged"] == 7


def test_the_stated_sum_of_a_night_stands_before_its_counted_minutes(tmp_path: Path) -> None:
    day = "Id,SleepDay,TotalSleepRecords,TotalMinutesAsleep,TotalTimeInBed\nP1,4/13/2016 12:00:00 AM,1,6,7\n"
    write_loose(
        tmp_path,
        {"minuteSleep_merged.csv": minute_sleep("11380564589", "1112311"), "sleepDay_merged.csv": day},
    )
    night = day_of(ingest(tmp_path), "2016-04-13")
    assert (night["sleep_minutes"], night["awake_minutes"], night["bed_minute"]) == (6, 1, -2)


def test_minutes_of_an_id_that_a_spreadsheet_cut_make_no_night(tmp_path: Path) -> None:
    write_loose(tmp_path, {"minuteSleep_merged.csv": minute_sleep("1.13806E+10", "111")})
    result = ingest(tmp_path)
    assert table(result, "sleep_sessions").is_empty()
    assert json.loads(str(file_row(result)["ignored_json"])) == {"other_source": 3}


def test_a_day_of_the_public_set_of_2021(tmp_path: Path) -> None:
    write_loose(tmp_path, {"daily_fitbit_sema_df_unprocessed.csv": LIFESNAPS + LIFESNAPS_ROW})
    result = ingest(tmp_path)
    day = day_of(result, "2021-05-24")
    assert (day["steps"], day["distance_m"], day["calories_kcal"]) == (8833, 6517.5, 2351.6)
    assert (day["sleep_minutes"], day["awake_minutes"], day["time_in_bed_minutes"]) == (445, 76, 521)
    assert (day["heart_rate_variability"], day["heart_rate_variability_method"]) == (
        89.6,
        "vendor_daily_rmssd",
    )
    assert (day["stress_management_score"], day["spo2_avg"], day["vo2max"]) == (78, 96.0, 62.8)
    assert day["skin_temperature_variation"] is None
    row = file_row(result)
    assert (row["generation"], row["identity"]) == ("lifesnaps", "matched")


@pytest.mark.parametrize(
    ("cells", "rule"),
    [("78.0,x", "value_missing"), ("78.0,99", None), ("78.0,NaN", None), ("7800,1", "outside_limits")],
)
def test_a_garbled_cell_of_the_public_set_rejects_its_row(cells: str, rule: str | None) -> None:
    text = "id,date,resting_hr,stress_score,calories\nP1,2021-05-24,62," + cells + "\n"
    reading = read_kind("lifesnaps_days", text, "daily_fitbit_sema_df_unprocessed.csv")
    assert [entry.rule for entry in reading.rejected] == ([rule] if rule else [])


def rapids(*answers: object, owner: str = "P1") -> str:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["device_id", "fitbit_data"])
    writer.writerows([owner, a if isinstance(a, str) else json.dumps(a)] for a in answers)
    return stream.getvalue()


def steps_answer(day: str, *minutes: tuple[str, int]) -> dict[str, object]:
    return {
        "activities-steps": [{"dateTime": day, "value": str(sum(count for _, count in minutes))}],
        "activities-steps-intraday": {
            "dataset": [{"time": time, "value": count} for time, count in minutes],
            "datasetInterval": 1,
            "datasetType": "minute",
        },
    }


def test_answers_in_a_column_are_read_as_answers(tmp_path: Path) -> None:
    log = {**sleep_log(7, "2020-10-06T23:00:00", "2020-10-07T06:00:00"), "isMainSleep": True}
    heart = {
        "activities-heart": [{"dateTime": "2020-10-07", "value": {"restingHeartRate": 61}}],
        "activities-heart-intraday": {"dataset": [{"time": "07:00:00", "value": 71}]},
    }
    write_loose(
        tmp_path,
        {
            "fitbit_steps.csv": rapids(
                steps_answer("2020-10-07", ("07:00:00", 40), ("07:01:00", 2)),
                steps_answer("2020-10-08", ("07:00:00", 5)),
            ),
            "fitbit_other.csv": rapids({"sleep": [log]}, heart),
        },
    )
    result = ingest(tmp_path)
    day = day_of(result, "2020-10-07")
    assert (day["steps"], day["resting_heart_rate"], day["wear_minutes"]) == (42, 61.0, 1)
    assert (day["sleep_minutes"], day["deep_sleep_minutes"]) == (400, 60)
    assert day_of(result, "2020-10-08")["steps"] == 5
    files = table(result, "source_files")
    assert set(files["generation"]) == {"rapids"}
    assert files["rows_rejected"].sum() == 0
    assert set(files["identity"]) == {"matched"}


def test_an_answer_nobody_knows_is_rejected_by_its_line(tmp_path: Path) -> None:
    text = rapids(steps_answer("2020-10-07", ("07:00:00", 40)), '{"activi', {"foods": []})
    write_loose(tmp_path, {"fitbit_data.csv": text})
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["steps"].to_list() == [40]
    rejected = table(result, "rejected_rows").sort("place")
    assert [(row["place"], row["rule"]) for row in rejected.iter_rows(named=True)] == [
        (place, "record_of_other_form") for place in sorted(rejected["place"])
    ]
    assert rejected.height == 2


def test_a_line_that_fails_for_several_values_and_tables_is_told_once(tmp_path: Path) -> None:
    samples = [{"time": "07:00:00", "value": 60}, {"time": "7 o'clock", "value": 60}, {"time": "08:00:00"}]
    heart = {"activities-heart": [{"dateTime": "2020-10-07", "value": {}}]}
    heart["activities-heart-intraday"] = {"dataset": samples}  # pyright: ignore[reportArgumentType]
    text = rapids(steps_answer("2020-10-07", ("07:00:00", 40)), heart, steps_answer("none", ("07:00:00", 4)))
    write_loose(tmp_path, {"fitbit_data.csv": text})
    rejected = table(ingest(tmp_path), "rejected_rows").sort("place")
    assert rejected.select("rule", "table", "column", "rows").rows() == [
        ("value_missing", "heart_rate_minutes", "heart_rate", 2),
        ("value_missing", "daily_summary", "date", 2),
    ]


def test_answers_of_others_in_the_same_table_are_left_out(tmp_path: Path) -> None:
    both = rapids(steps_answer("2020-10-07", ("07:00:00", 40)))
    other = rapids(steps_answer("2020-10-07", ("07:00:00", 999)), owner="P2").partition("\n")[2]
    write_loose(tmp_path, {"fitbit_data.csv": both + other})
    assert table(ingest(tmp_path), "daily_summary")["steps"].to_list() == [40]
    assert codes(ingest(tmp_path, replace(ANN, participant_id="P3"))) == ["identity_mismatch"]


def test_parsed_samples_of_heart_rate(tmp_path: Path) -> None:
    text = (
        "device_id,local_date_time,heartrate,heartrate_zone\n"
        "P1,2020-10-07 00:04:00,68,outofrange\nP1,2020-10-07 00:04:10,70,outofrange\n"
    )
    write_loose(tmp_path, {"fitbit_heartrate_intraday.csv": text})
    minute = table(ingest(tmp_path), "heart_rate_minutes").row(0, named=True)
    assert (minute["heart_rate"], minute["samples"]) == (69.0, 2)
    assert minute["minute_utc"].isoformat() == "2020-10-07T04:04:00+00:00"


NOT_READ = {
    "P1_activitylogs_20200101_20200131.csv": "Date,StartTime,Duration\n1/1/2020,1/1/2020 7:00:00 AM,600000\n",
    "hourly_fitbit_sema_df_unprocessed.csv": ",id,date,hour\n0,P1,2021-05-24,1\n",
    "connect_fitbit_intraday_heart_rate.csv": "key.userId,value.time,value.heartRate\nP1,1580000000,60\n",
    "20200101_0000.csv": "key.userId,value.timeReceived\nP1,1580000000\n",
    "fitbit_sleep_summary.csv": "device_id,local_start_date_time,minutes_asleep\nP1,2020-01-01 23:00,1\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_READ)
def test_a_known_form_that_is_not_read_is_told_and_counted(tmp_path: Path, name: str) -> None:
    write_loose(tmp_path, {name: NOT_READ[name]})
    result = ingest(tmp_path)
    row = file_row(result)
    assert row["error_code"] == "form_not_read"
    assert json.loads(str(row["members_json"]))["ignored"] == {"form_not_read": 1}
    assert "form_not_read" in codes(result)
    assert table(result, "daily_summary").is_empty()


def night_answers() -> dict[str, str]:
    stamps = [f"2025-03-02T0{hour}:{minute:02d}:00.000" for hour in (1, 2) for minute in range(0, 60, 5)]
    values = [30.0 + place for place in range(len(stamps))]
    hrv = [
        {"minute": at, "value": {"rmssd": v, "coverage": 0.9}} for at, v in zip(stamps, values, strict=True)
    ]
    spo2 = [{"minute": at[:-4], "value": v} for at, v in zip(stamps, [50.0] + [96.0] * 23, strict=True)]
    log = {**sleep_log(7, "2025-03-01T23:00:00", "2025-03-02T06:00:00"), "isMainSleep": True}
    return {
        "sleep_2025-03-02.json": json.dumps({"sleep": [log]}),
        "hrv_all_2025-03-02.json": json.dumps({"hrv": [{"dateTime": "2025-03-02", "minutes": hrv}]}),
        "spo2_all_2025-03-02.json": json.dumps({"dateTime": "2025-03-02", "minutes": spo2}),
    }


def test_minutes_of_a_night_tell_it_where_no_daily_value_does(tmp_path: Path) -> None:
    write_loose(tmp_path, night_answers())
    result = ingest(tmp_path)
    night = day_of(result, "2025-03-02")
    assert (night["heart_rate_variability"], night["heart_rate_variability_method"]) == (
        41.5,
        "mean_of_five_minutes",
    )
    assert (night["spo2_avg"], night["spo2_min"]) == (96.0, None)
    assert set(table(result, "source_files")["generation"]) == {"web_api"}


def test_the_daily_value_of_a_night_stands_before_its_minutes(tmp_path: Path) -> None:
    daily = {"hrv": [{"dateTime": "2025-03-02", "value": {"dailyRmssd": 44.4, "deepRmssd": 40.0}}]}
    write_loose(tmp_path, night_answers() | {"hrv_2025-03-02.json": json.dumps(daily)})
    night = day_of(ingest(tmp_path), "2025-03-02")
    assert (night["heart_rate_variability"], night["heart_rate_variability_method"]) == (
        44.4,
        "vendor_daily_rmssd",
    )


def test_points_within_a_night_of_the_health_api(tmp_path: Path) -> None:
    def point(key: str, hour: int, value: dict[str, object]) -> dict[str, object]:
        time = {"physicalTime": f"2026-03-02T0{hour}:00:00Z", "utcOffset": "-18000s"}
        return {"dataSource": {"device": {"displayName": "Charge 6"}}, key: {"sampleTime": time, **value}}

    interval = {
        "startTime": "2026-03-02T04:00:00Z", "startUtcOffset": "-18000s", "endTime": "2026-03-02T11:00:00Z",
    }  # fmt: skip
    summary = {"minutesInSleepPeriod": "420", "minutesAsleep": "400"}
    sleep = {"name": "x/y/9", "sleep": {"interval": interval, "type": "CLASSIC", "summary": summary}}
    rmssd = "rootMeanSquareOfSuccessiveDifferencesMilliseconds"
    write_loose(
        tmp_path,
        {
            "sleep_list.json": json.dumps({"dataPoints": [sleep]}),
            "heart-rate-variability_list.json": json.dumps(
                {"dataPoints": [point("heartRateVariability", h, {rmssd: 30 + h}) for h in (6, 7, 3)]}
            ),
            "oxygen-saturation_list.json": json.dumps(
                {"dataPoints": [point("oxygenSaturation", h, {"percentage": 95.5}) for h in (6, 7)]}
            ),
        },
    )
    result = ingest(tmp_path)
    night = day_of(result, "2026-03-02")
    assert (night["heart_rate_variability"], night["spo2_avg"]) == (36.5, 95.5)
    ignored = [json.loads(text) for text in table(result, "source_files")["ignored_json"]]
    assert {"outside_main_sleep": 1} in ignored


@pytest.mark.parametrize("name", ["web_hrv_minutes", "web_spo2_minutes", "rapids_steps", "rapids_sleep"])
def test_a_file_of_another_form_is_none_of_these(name: str) -> None:
    for text in (
        '{"activities-steps": []}',
        "a,b\n1,2\n",
        '{"hrv": [{"dateTime": "2025-01-01", "value": {}}]}',
    ):
        with pytest.raises(OtherForm):
            read_kind(name, text, "hrv_x.json")


def test_names_of_these_forms_are_of_their_kinds() -> None:
    assert [kind.name for kind in kinds_of("daily_fitbit_sema_df_unprocessed.csv")] == ["lifesnaps_days"]
    assert {kind.name for kind in kinds_of("fitbit_export_20250301.csv")} == {"monthly_days", "monthly_sleep"}
    assert kinds_of("fitbitWearTimeViaHR_merged.csv")[0].name == "fitabase_days"


def test_files_of_the_archive_that_were_saved_again_with_whole_years(tmp_path: Path) -> None:
    """As in the public set PMData: one file a kind, without a date in its name, in a folder a person."""
    noon = "2019-11-08 12:00:00"
    heart = {"dateTime": noon, "value": {"bpm": 60, "confidence": 3}}
    resting = {"dateTime": "2019-11-08 00:00:00", "value": {"date": "11/08/19", "value": 53.5, "error": 6.8}}
    walk = {"logId": 7, "startTime": noon, "duration": 600_000, "activityTypeId": 90013}
    members = {
        "steps": [{"dateTime": noon, "value": "14"}, {"dateTime": "soon", "value": "9"}],
        "distance": [{"dateTime": noon, "value": "820"}],
        "calories": [{"dateTime": noon, "value": 1.14}, {"dateTime": "2019-11-08 12:01:00", "value": "2"}],
        "heart_rate": [heart],
        "resting_heart_rate": [resting],
        "exercise": [walk],
    }
    write_loose(tmp_path / "p01" / "fitbit", {f"{kind}.json": json.dumps(m) for kind, m in members.items()})
    result = ingest(tmp_path)
    day = day_of(result, "2019-11-08")
    assert (day["steps"], day["distance_m"], day["calories_kcal"]) == (14, 8.2, 3.1)
    assert (day["resting_heart_rate"], day["wear_minutes"]) == (53.5, 1)
    minute = table(result, "heart_rate_minutes")["minute_utc"].item()
    assert minute.isoformat() == "2019-11-08T12:00:00+00:00"
    assert table(result, "activities")["start_utc"].item() == minute
    assert table(result, "rejected_rows")["rule"].to_list() == ["value_missing"]

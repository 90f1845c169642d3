"""Answers of the Web API and the Google Health API, as scripts keep them under names of their own."""

import json
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import (
    ANN,
    codes,
    day_of,
    file_row,
    ingest,
    minutes,
    profile,
    sources,
    table,
    write_loose,
    write_zip,
)
from form_checks import exported, northerner, southerner
from hypothesis import given, settings
from hypothesis import strategies as st
from test_fitbit_outside import differing, owner

from ingest.archive import Content
from ingest.fitbit import ingest_fitbit
from ingest.fitbit.kinds import KINDS, kinds_of
from ingest.fitbit.reading import OtherForm, Reading
from synthetic.exports.knowable import seen_through
from synthetic.truth.wearable import daily_summary


def read_kind(kind: str, content: object, name: str = "x.json", *, damaged: bool = False) -> Reading:
    found = next(one for one in KINDS if one.name == kind)
    text = content if isinstance(content, str) else json.dumps(content)
    return found.read(Content(text.encode(), damaged), name)


def intraday(day: str, rows: list[tuple[str, object]], what: str = "steps") -> dict[str, object]:
    return {
        f"activities-{what}": [{"dateTime": day, "value": "0"}],
        f"activities-{what}-intraday": {
            "dataset": [{"time": time, "value": value} for time, value in rows],
            "datasetInterval": 1,
            "datasetType": "minute",
        },
    }


@pytest.mark.parametrize("language", ["en_GB", "fr_FR"])
def test_no_answer_names_its_unit_and_each_is_found(language: str) -> None:
    """Stone and kilometres, kilograms and kilometres; en_US has pounds and miles."""
    assert differing(northerner, "web_api", language) == set()


@pytest.mark.parametrize("language", ["en_GB", "en_CA", "de_DE"])
def test_languages_of_the_monthly_file(language: str) -> None:
    assert differing(northerner, "monthly_csv", language) == set()
    assert differing(southerner, "monthly_csv", language) == set()


def test_a_day_without_resting_heart_rate_is_no_fault() -> None:
    answer = {"activities-heart": [{"dateTime": "2025-01-01", "value": {"heartRateZones": []}}]}
    reading = read_kind("web_days", answer)
    assert (reading.frame.height, dict(reading.ignored), list(reading.rejected)) == (0, {"no_value": 1}, [])


def test_a_missing_count_is_rejected_and_no_day_of_zero_steps() -> None:
    reading = read_kind("web_days", {"activities-steps": [{"dateTime": "2025-01-01"}]})
    assert reading.frame.is_empty()
    assert [entry.rule for entry in reading.rejected] == ["value_missing"]


def test_minutes_that_do_not_go_forward_are_of_another_zone_and_not_used() -> None:
    rows: list[tuple[str, object]] = [("05:00:00", 60), ("04:59:00", 61)]
    reading = read_kind("web_heart_rate", intraday("2025-03-01", rows, "heart"))
    assert reading.frame.is_empty()
    assert [entry.rule for entry in reading.rejected] == ["clock_unclear"] * 2


def test_minutes_of_several_days_belong_to_none() -> None:
    answer = intraday("2025-03-01", [("05:00:00", 60)])
    answer["activities-steps"] = [{"dateTime": f"2025-03-0{n}", "value": "0"} for n in (1, 2)]
    assert [entry.rule for entry in read_kind("web_steps", answer).rejected] == ["value_missing"]


@pytest.mark.parametrize(("told", "middle"), [("44-48", 46.0), ("44", 44.0), (45.5, 45.5), ("high", None)])
def test_a_range_of_cardio_fitness_stands_for_its_middle(told: object, middle: float | None) -> None:
    answer = {"cardioScore": [{"dateTime": "2025-01-01", "value": {"vo2Max": told}}]}
    assert read_kind("web_days", answer).frame["vo2max"].to_list() == ([] if middle is None else [middle])


def test_oxygen_is_a_bare_list_or_one_entry() -> None:
    entry = {"dateTime": "2025-01-01", "value": {"avg": 95.5, "min": 91.0, "max": 98.0}}
    for answer in ([entry], entry, {"spo2": [entry]}):
        reading = read_kind("web_days", answer, "spo2_2025-01-01.json")
        assert reading.frame.select("spo2_avg", "spo2_min", "spo2_max").rows() == [(95.5, 91.0, 98.0)]
    with pytest.raises(OtherForm):
        read_kind("web_days", [entry], "steps_2025-01-01.json")


def test_version_1_of_sleep_has_minutes_and_no_levels(tmp_path: Path) -> None:
    log = {
        "logId": 7, "dateOfSleep": "2025-03-02", "startTime": "2025-03-01T23:50:00.000", "duration": 240_000,
        "minutesAsleep": 3, "minutesAwake": 1, "timeInBed": 4, "isMainSleep": True, "efficiency": 75,
        "minuteData": [{"dateTime": f"23:5{n}:00", "value": value} for n, value in enumerate("1123")],
    }  # fmt: skip
    write_loose(tmp_path, {"sleep_2025-03-02.json": json.dumps({"sleep": [log], "summary": {}})})
    result = ingest(tmp_path)
    day = day_of(result, "2025-03-02")
    assert (day["sleep_minutes"], day["awake_minutes"], day["deep_sleep_minutes"]) == (3, 1, None)
    stages = table(result, "sleep_stages").sort("start_utc").select("stage", "seconds").rows()
    assert stages == [("asleep", 120), ("restless", 60), ("awake", 60)]


def test_a_log_in_the_answers_of_two_days_counts_once(tmp_path: Path) -> None:
    log = {
        "logId": 7, "dateOfSleep": "2025-03-02", "startTime": "2025-03-01T23:00:00.000",
        "endTime": "2025-03-02T06:00:00.000", "duration": 25_200_000, "minutesAsleep": 400,
        "minutesAwake": 20, "timeInBed": 420, "isMainSleep": True, "type": "stages",
        "levels": {"summary": {"deep": {"minutes": 60}, "light": {"minutes": 260}, "rem": {"minutes": 80}}},
    }  # fmt: skip
    answer = json.dumps({"sleep": [log]})
    write_loose(tmp_path, {"sleep_2025-03-01.json": answer, "sleep_2025-03-02.json": answer})
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["sleep_minutes"].to_list() == [400]
    assert table(result, "source_files")["rows_merged"].sum() == 1


def test_a_weight_whose_unit_nothing_proves_is_not_used(tmp_path: Path) -> None:
    def weights(bmi: object) -> str:
        return json.dumps({"weight": [{"logId": 1, "date": "2025-03-02", "weight": 150, "bmi": bmi}]})

    write_loose(tmp_path / "clear", {"weight_2025-03.json": weights(24.2)})
    assert day_of(ingest(tmp_path / "clear"), "2025-03-02")["weight_kg"] == 68.04
    write_loose(tmp_path / "unclear", {"weight_2025-03.json": weights(None)})
    result = ingest(tmp_path / "unclear")
    assert table(result, "daily_summary").is_empty()
    assert file_row(result)["ignored_json"] == '{"unit_unclear":1}'


def test_the_archive_stands_before_every_answer(tmp_path: Path) -> None:
    steps = minutes(datetime.fromisoformat("2025-03-01T17:00:00"), [100, 20])
    write_zip(tmp_path / "takeout-20250401T100000Z-001.zip", profile() | {"steps-2025-02-20.json": steps})
    answer = json.dumps({"activities-steps": [{"dateTime": f"2025-03-0{n}", "value": "9"} for n in (1, 2)]})
    write_loose(tmp_path, {"answers/activities_steps.json": answer})
    daily = table(ingest(tmp_path), "daily_summary").select("date", "steps").rows()
    assert [(str(day), count) for day, count in daily] == [("2025-03-01", 120), ("2025-03-02", 9)]


def test_an_answer_saved_under_a_name_of_the_archive_is_read(tmp_path: Path) -> None:
    write_loose(tmp_path, {"steps-2025-03-01.json": json.dumps(intraday("2025-03-01", [("10:00:00", 7)]))})
    result = ingest(tmp_path)
    assert day_of(result, "2025-03-01")["steps"] == 7
    assert codes(result) == ["identity_unchecked"]


def test_a_file_that_only_sounds_like_an_answer_is_none(tmp_path: Path) -> None:
    write_loose(tmp_path, {"my_steps_plan.json": '{"goal": 10000}'})
    result = ingest(tmp_path)
    assert json.loads(str(file_row(result)["members_json"]))["ignored"] == {"unknown_kind": 1}
    assert file_row(result)["error_code"] is None


def test_of_an_answer_that_ends_early_the_whole_records_are_kept() -> None:
    text = json.dumps(
        {"activities-steps": [{"dateTime": f"2025-01-0{n}", "value": "5"} for n in range(1, 6)]}
    )
    reading = read_kind("web_days", text[:-20])
    assert reading.frame["steps"].to_list() == [5] * 4
    assert (reading.damaged_from, [entry.rule for entry in reading.rejected]) == (5, ["member_damaged"])


def point(at: str, count: str, device: str | None = "Charge 6") -> dict[str, object]:
    interval = {"startTime": at, "startUtcOffset": "-18000s", "endTime": at.replace(":00Z", ":59Z")}
    source = {"dataSource": {"device": {"displayName": device}}} if device else {}
    return {**source, "steps": {"interval": interval, "count": count}}


def test_recorders_are_never_added_up(tmp_path: Path) -> None:
    points = [
        point("2026-03-01T15:00:00Z", "280"),
        point("2026-03-01T15:00:00Z", "300", "MobileTrack"),
        point("2026-03-01T15:01:00Z", "300", "Fit Health Connect"),
    ]
    write_loose(tmp_path, {"steps_list_001.json": json.dumps({"dataPoints": points})})
    result = ingest(tmp_path)
    assert day_of(result, "2026-03-01")["steps"] == 280
    assert day_of(result, "2026-03-01")["device"] == "Charge 6"


def test_the_apps_view_stands_before_its_recorders(tmp_path: Path) -> None:
    of_recorders = [point(f"2026-03-0{n}T15:00:00Z", "280") for n in (1, 2)]
    of_recorders.append(point("2026-03-02T16:00:00Z", "99", "MobileTrack"))
    of_app = [point(f"2026-03-0{n}T15:00:00Z", "250", None) for n in (1, 3)]
    write_loose(
        tmp_path,
        {
            "steps_list_001.json": json.dumps({"dataPoints": of_recorders}),
            "steps_reconcile_001.json": json.dumps({"dataPoints": of_app}),
        },
    )
    daily = table(ingest(tmp_path), "daily_summary").select("date", "steps").rows()
    assert [(str(day), count) for day, count in daily] == [("2026-03-01", 250), ("2026-03-03", 250)]


def of_phone(at: str, count: str) -> dict[str, object]:
    """A point of a phone, which the service calls by its model."""
    phone = {"device": {"displayName": "Pixel 9", "formFactor": "PHONE"}}
    return {**point(at, count, None), "dataSource": phone}


@pytest.mark.parametrize("with_app_view", [False, True])
def test_who_has_a_phone_alone_has_its_steps_and_wore_nothing(tmp_path: Path, with_app_view: bool) -> None:
    times = [f"2026-03-0{day}T15:{minute:02d}:00Z" for day in (1, 2) for minute in range(20)]
    pages = {"steps_list_001.json": [of_phone(at, "90") for at in times]}
    if with_app_view:
        pages["steps_reconcile_001.json"] = [point(at, "90", None) for at in times]
    write_loose(tmp_path, {name: json.dumps({"dataPoints": points}) for name, points in pages.items()})
    rows = table(ingest(tmp_path), "daily_summary").select(
        "steps", "day_state", "valid_day", "wear_from_steps", "wear_minutes", "device"
    )
    assert rows.rows() == [(1800, "not_worn", False, False, 0, None)] * 2


def test_a_day_with_the_watch_beside_the_phone_is_worn(tmp_path: Path) -> None:
    times = [f"2026-03-01T15:{minute:02d}:00Z" for minute in range(20)]
    points = [of_phone(at, "90") for at in times] + [point(at, "80") for at in times]
    app = [point(at, "80", None) for at in times]
    write_loose(
        tmp_path,
        {
            "steps_list_001.json": json.dumps({"dataPoints": points}),
            "steps_reconcile_001.json": json.dumps({"dataPoints": app}),
        },
    )
    row = day_of(ingest(tmp_path), "2026-03-01")
    assert (row["steps"], row["day_state"], row["wear_from_steps"]) == (1600, "worn", True)


def test_the_truth_of_who_has_a_phone_alone_is_its_steps() -> None:
    whole = daily_summary(northerner()).with_columns(
        day_state=pl.lit("not_worn"), valid_day=pl.lit(value=False), wear_from_steps=pl.lit(value=False)
    )
    seen = seen_through(whole, "health_api")
    assert seen["steps"].equals(whole["steps"])
    assert seen["distance_m"].null_count() == whole.height
    assert seen_through(whole, "web_api")["steps"].null_count() == whole.height


def test_a_point_lies_on_the_day_its_own_offset_shows(tmp_path: Path) -> None:
    write_loose(
        tmp_path, {"steps_list.json": json.dumps({"dataPoints": [point("2026-03-02T03:00:00Z", "7")]})}
    )
    assert day_of(ingest(tmp_path), "2026-03-01")["steps"] == 7


def test_pages_without_points_are_read_and_hold_nothing(tmp_path: Path) -> None:
    write_loose(tmp_path, {"daily-vo2-max_list_001.json": "{}"})
    row = file_row(ingest(tmp_path))
    assert json.loads(str(row["members_json"]))["read"] == {"health_days": 1}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    for form in ("web_api", "health_api", "monthly_csv"):
        exported(southerner(), form, folder / form)
    return folder


@pytest.mark.parametrize("form", ["web_api", "health_api", "monthly_csv"])
def test_the_order_of_files_changes_nothing(answers: Path, form: str) -> None:
    there = sources(answers / form)
    one, other = (ingest_fitbit(owner(southerner()), o, b"secret") for o in (there, there[::-1]))
    assert all(table(one, name).equals(table(other, name)) for name in one.tables)


@pytest.mark.parametrize("form", ["web_api", "health_api"])
def test_a_spoilt_file_changes_no_row_of_the_others(answers: Path, tmp_path: Path, form: str) -> None:
    files = {path.name: path.read_bytes() for path in (answers / form).iterdir()}
    spoilt = "br_2026-04-01_2026-04-09.json" if form == "web_api" else "daily-respiratory-rate_list_001.json"
    write_loose(tmp_path / "without", {name: data for name, data in files.items() if name != spoilt})
    write_loose(tmp_path / "spoilt", files | {spoilt: files[spoilt][:-30] + b"\xff\x00"})
    without, harmed = (ingest(tmp_path / part, owner(southerner())) for part in ("without", "spoilt"))
    assert codes(harmed).count("member_damaged") == 1
    other = [c for c in table(without, "daily_summary").columns if c != "respiratory_rate"]
    assert table(without, "daily_summary").select(other).equals(table(harmed, "daily_summary").select(other))
    for name in ("heart_rate_minutes", "steps_minutes", "sleep_stages"):
        assert table(without, name).equals(table(harmed, name))


NAMES = (
    "web_api/activities_steps_2026-04-02.json",
    "web_api/activities_heart_2026-04-02.json",
    "web_api/sleep_2026-04-02.json",
    "web_api/hrv_2026-04-01_2026-04-09.json",
    "health_api/sleep_list_001.json",
    "health_api/exercise_list_001.json",
    "health_api/active-minutes_list_001.json",
    "health_api/daily-oxygen-saturation_list_001.json",
    "monthly_csv/fitbit_export_20260701.csv",
)


@settings(max_examples=40)
@given(name=st.sampled_from(NAMES), place=st.integers(0, 3000), junk=st.binary(max_size=8), cut=st.booleans())
def test_changed_bytes_never_break_a_reader_and_its_counts_close(
    answers: Path, name: str, place: int, junk: bytes, cut: bool
) -> None:
    content = (answers / name).read_bytes()[:40_000]
    spoilt = content[:place] + junk + (b"" if cut else content[place + len(junk) :])
    for kind in kinds_of(Path(name).name):
        try:
            reading = kind.read(Content(spoilt), Path(name).name)
        except OtherForm:
            continue
        frame = reading.frame
        accepted = int(frame["rows"].sum()) if "rows" in frame.columns else frame.height
        rejected = sum(entry.rows for entry in reading.rejected)
        assert reading.rows == accepted + rejected + sum(reading.ignored.values()) + reading.merged


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


def swapped(node: object, path: list[int], junk: object) -> object:
    """A document with one node, found by places, replaced."""
    if not path or not isinstance(node, list | dict) or not node:
        return junk
    keys = range(len(node)) if isinstance(node, list) else sorted(node)
    chosen = list(keys)[path[0] % len(keys)]
    items = enumerate(node) if isinstance(node, list) else node.items()
    whole = [(key, swapped(value, path[1:], junk) if key == chosen else value) for key, value in items]
    return [value for _, value in whole] if isinstance(node, list) else dict(whole)


@settings(max_examples=60)
@given(
    name=st.sampled_from([name for name in NAMES if name.endswith("json")]),
    path=st.lists(st.integers(0, 40), min_size=1, max_size=7),
    junk=JUNK,
)
def test_a_value_of_any_other_form_rejects_its_record_alone(
    answers: Path, name: str, path: list[int], junk: object
) -> None:
    whole = json.loads((answers / name).read_bytes())
    short = {key: value[:30] if isinstance(value, list) else value for key, value in whole.items()}
    text = json.dumps(swapped(short, path, junk))
    for kind in kinds_of(Path(name).name):
        try:
            reading = kind.read(Content(text.encode(errors="replace")), Path(name).name)
        except OtherForm:
            continue
        assert reading.frame.height <= reading.rows


MONTH = """Body
Date,Weight,BMI,Fat
"01-02-2025","72.5","23.7","0"

Activities
Date,Calories Burned,Steps,Distance,Floors,Minutes Sedentary,Minutes Lightly Active,Minutes Fairly Active,\
Minutes Very Active,Activity Calories
"01-02-2025","2.948","13,845","9.92","11","600","250","30","60","1.200"
"02-02-2025","2,100","9.110","6.44","3","700","250","10","5","900"
"03-02-2025","1.800","0","0","0","1.440","0","0","0","0"

Sleep
Start Time,End Time,Minutes Asleep,Minutes Awake,Number of Awakenings,Time in Bed,Minutes REM Sleep,\
Minutes Light Sleep,Minutes Deep Sleep
"02-02-2025 11:12PM","03-02-2025 6:10 am","390","28","20","418","N/A","N/A","N/A"
"""


def test_a_monthly_file_is_read_as_its_numbers_as_a_whole_show(tmp_path: Path) -> None:
    write_loose(tmp_path, {"fitbit_export_20250301.csv": MONTH})
    result = ingest(tmp_path)
    first = day_of(result, "2025-02-01")
    assert (first["steps"], first["calories_kcal"], first["distance_m"]) == (13845, 2948.0, 9920.0)
    assert first["weight_kg"] is None
    night = day_of(result, "2025-02-03")
    assert (night["sleep_minutes"], night["deep_sleep_minutes"]) == (390, None)
    assert json.loads(str(file_row(result)["ignored_json"])) == {"interpolated": 1}


def test_a_monthly_file_in_miles(tmp_path: Path) -> None:
    write_loose(
        tmp_path, {"fitbit_export_20250301.csv": MONTH.replace("9.92", "6.16").replace("6.44", "4.00")}
    )
    assert day_of(ingest(tmp_path), "2025-02-01")["distance_m"] == pytest.approx(9913.6, abs=0.1)


def test_a_distance_that_fits_no_unit_is_not_told(tmp_path: Path) -> None:
    write_loose(
        tmp_path, {"fitbit_export_20250301.csv": MONTH.replace("9.92", "99.2").replace("6.44", "64.4")}
    )
    day = day_of(ingest(tmp_path), "2025-02-01")
    assert (day["steps"], day["distance_m"]) == (13845, None)


def test_an_answer_on_the_profile_says_whose_it_is(tmp_path: Path) -> None:
    user = {
        "encodedId": "ACC1",
        "fullName": "Ann Bea Smith",
        "dateOfBirth": "1990-01-02",
        "timezone": "Asia/Tokyo",
    }
    steps = json.dumps({"activities-steps": [{"dateTime": "2025-03-01", "value": "9"}]})
    write_loose(tmp_path, {"profile.json": json.dumps({"user": user}), "activities_steps.json": steps})
    result = ingest(tmp_path, ANN)
    assert set(table(result, "source_files")["identity"]) == {"matched"}
    assert result.document["time_zone"] == "Asia/Tokyo"
    user["fullName"] = "Ben Jones"
    write_loose(tmp_path, {"profile.json": json.dumps({"user": user})})
    assert codes(ingest(tmp_path, ANN)) == ["identity_mismatch"]

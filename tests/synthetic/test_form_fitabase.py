"""Fitabase files, read by csv and datetime alone: columns, clocks, units, and the life behind the values."""

import csv
import re
from collections import defaultdict
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from form_checks import (
    assert_tells_the_truth,
    by_wall_minute,
    exported,
    northerner,
    southerner,
    traveller,
    worn_places,
)

from synthetic.exports.fitabase.files import merged
from synthetic.life.recording import Recording

STAGE_LOG = (
    "LogId,StartTime,Duration,Efficiency,IsMainSleep,SleepDataType,MinutesAfterWakeUp,MinutesAsleep,"
    "MinutesToFallAsleep,TimeInBed,ClassicAsleepCount,ClassicAsleepDuration,ClassicAwakeCount,"
    "ClassicAwakeDuration,ClassicRestlessCount,ClassicRestlessDuration,StagesWakeCount,StagesWakeDuration,"
    "StagesWakeThirtyDayAvg,StagesLightCount,StagesLightDuration,StagesLightThirtyDayAvg,StagesDeepCount,"
    "StagesDeepDuration,StagesDeepThirtyDayAvg,StagesREMCount,StagesREMDuration,StagesREMThirtyDayAvg"
)
ACTIVITY_2016 = (
    "ActivityDate,TotalSteps,TotalDistance,TrackerDistance,LoggedActivitiesDistance,VeryActiveDistance,"
    "ModeratelyActiveDistance,LightActiveDistance,SedentaryActiveDistance,VeryActiveMinutes,"
    "FairlyActiveMinutes,LightlyActiveMinutes,SedentaryMinutes,Calories"
)
COLUMNS = {
    "dailyActivity": ACTIVITY_2016 + ",Floors,CaloriesBMR,MarginalCalories,RestingHeartRate",
    "dailySteps": "ActivityDay,StepTotal",
    "dailyCalories": "ActivityDay,Calories",
    "dailyIntensities": "ActivityDay,SedentaryMinutes,LightlyActiveMinutes,FairlyActiveMinutes,"
    "VeryActiveMinutes,SedentaryActiveDistance,LightActiveDistance,ModeratelyActiveDistance,VeryActiveDistance",
    "hourlySteps": "ActivityHour,StepTotal",
    "hourlyCalories": "ActivityHour,Calories",
    "hourlyIntensities": "ActivityHour,TotalIntensity,AverageIntensity",
    "minuteStepsNarrow": "ActivityMinute,Steps",
    "minuteCaloriesNarrow": "ActivityMinute,Calories",
    "minuteIntensitiesNarrow": "ActivityMinute,Intensity",
    "minuteMETsNarrow": "ActivityMinute,METs",
    "minuteSleep": "date,value,logId",
    "sleepDay": "SleepDay,TotalSleepRecords,TotalMinutesAsleep,TotalTimeInBed",
    "sleepStagesDay": "SleepDay,TotalSleepRecords,TotalMinutesAsleep,TotalTimeInBed,TotalTimeAwake,"
    "TotalMinutesLight,TotalMinutesDeep,TotalMinutesREM",
    "sleepLogInfo": "LogId,StartTime,Duration,Efficiency,IsMainSleep,MinutesAfterWakeup,MinutesAsleep,"
    "MinutesToFallAsleep,TimeInBed,AwakeCount,AwakeDuration,RestlessCount,RestlessDuration",
    "sleepStageLogInfo": STAGE_LOG,
    "30secondSleepStages": "LogId,Time,Level,ShortWakes,SleepStage",
    "heartrate_1min": "Time,Value",
    "heartrate_seconds": "Time,Value",
    "weightLogInfo": "Date,WeightKg,WeightPounds,Fat,BMI,IsManualReport,LogId",
    "activitylogs": "Date,StartTime,Duration,Activity,ActivityType,LogType,Steps,Distance,ElevationGain,"
    "Calories,SedentaryMinutes,LightlyActiveMinutes,FairlyActiveMinutes,VeryActiveMinutes,AverageHeartRate,"
    "OutOfRangeHeartRateMinutes,FatBurnHeartRateMinutes,CardioHeartRateMinutes,PeakHeartRateMinutes",
    "fitbitWearTimeViaHR": "Day,TotalMinutesWearTime",
    "syncEvents": "DateTime,SyncDateUTC,Provider,DeviceName",
}
NOT_DOWNLOADED = {"heartrate_seconds"}
WIDE = {"Steps": "Steps", "Calories": "Calories", "Intensities": "Intensity"}
SOME = pytest.mark.parametrize("life", [northerner, southerner], ids=["northern", "southern"])

Rows = dict[str, list[dict[str, str]]]
Life = Callable[[], Recording]


def files_of(folder: Path) -> Rows:
    """Rows of every kind of a batch export, over its periods."""
    found: Rows = defaultdict(list)
    for path in sorted(folder.iterdir()):
        name = re.fullmatch(r"P004_(\w+)_(\d{8})_(\d{8})\.csv", path.name)
        assert name, path.name
        kind, first, last = name.groups()
        assert date.fromisoformat(first) <= date.fromisoformat(last)
        text = path.read_text()
        assert text.splitlines()[0] == COLUMNS[kind], kind
        assert text.endswith("\n")
        assert "\r" not in text
        found[kind] += csv.DictReader(StringIO(text))
    return found


@cache
def at(text: str) -> datetime:
    """A time as the service writes it: no leading zeros, twelve hours."""
    moment = datetime.strptime(text, "%m/%d/%Y %I:%M:%S %p")  # noqa: DTZ007 - wall clock
    hour = moment.hour % 12 or 12
    half = "PM" if moment.hour >= 12 else "AM"
    day = f"{moment.month}/{moment.day}/{moment.year}"
    assert text == f"{day} {hour}:{moment.minute:02d}:{moment.second:02d} {half}"
    return moment


def on(text: str) -> date:
    day = datetime.strptime(text, "%m/%d/%Y").date()  # noqa: DTZ007 - a label
    assert text == f"{day.month}/{day.day}/{day.year}"
    return day


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> dict[Life, Rows]:
    return {
        life: files_of(exported(life(), "fitabase", tmp_path_factory.mktemp("fitabase")))
        for life in (northerner, southerner, traveller)
    }


def told(rows: Rows) -> dict[date, dict[str, Any]]:
    days: dict[date, dict[str, Any]] = defaultdict(dict)
    worn = {on(row["Day"]): int(row["TotalMinutesWearTime"]) for row in rows["fitbitWearTimeViaHR"]}
    for row in rows["dailyActivity"]:
        day, wear = on(row["ActivityDate"]), worn[on(row["ActivityDate"])]
        days[day] = {"calories_kcal": int(row["Calories"]), "wear_minutes": wear}
        if wear:
            days[day] |= {
                "steps": int(row["TotalSteps"]),
                "distance_m": 1000 * float(row["TotalDistance"]),
                "floors": int(row["Floors"]),
                "sedentary_minutes": int(row["SedentaryMinutes"]),
                "lightly_active_minutes": int(row["LightlyActiveMinutes"]),
                "fairly_active_minutes": int(row["FairlyActiveMinutes"]),
                "very_active_minutes": int(row["VeryActiveMinutes"]),
            }
        if row["RestingHeartRate"]:
            days[day]["resting_heart_rate"] = int(row["RestingHeartRate"])
    for row in rows["weightLogInfo"]:
        days[at(row["Date"]).date()]["weight_kg"] = float(row["WeightKg"])
    _tell_sleep(days, rows)
    _tell_offsets(days, rows)
    return days


def _tell_sleep(days: dict[date, dict[str, Any]], rows: Rows) -> None:
    for row in rows["sleepStageLogInfo"]:
        start = at(row["StartTime"])
        end = start + timedelta(milliseconds=int(row["Duration"]))
        day, midnight = days[end.date()], datetime.combine(end.date(), datetime.min.time())
        asleep, in_bed = int(row["MinutesAsleep"]), int(row["TimeInBed"])
        add(day, "sleep_minutes", asleep)
        add(day, "time_in_bed_minutes", in_bed)
        add(day, "awake_minutes", in_bed - asleep)
        add(day, "nap_minutes", 0 if row["IsMainSleep"] == "True" else asleep)
        if row["SleepDataType"] == "stages":
            for stage, title in (("deep", "Deep"), ("rem", "REM"), ("light", "Light")):
                add(day, f"{stage}_sleep_minutes", int(row[f"Stages{title}Duration"]))
        if row["IsMainSleep"] == "True":
            day |= {"bed_time": start, "wake_up_time": end}
            day["bed_minute"] = (start - midnight) // timedelta(minutes=1)
            day["wake_up_minute"] = (end - midnight) // timedelta(minutes=1)


def add(day: dict[str, Any], column: str, minutes: int) -> None:
    day[column] = day.get(column, 0) + minutes


def _tell_offsets(days: dict[date, dict[str, Any]], rows: Rows) -> None:
    before: dict[str, Any] = {}
    for row in rows["syncEvents"]:
        local, utc = at(row["DateTime"]), at(row["SyncDateUTC"])
        offset = (local - utc) // timedelta(minutes=1)
        days[local.date()] |= {"utc_offset_minutes": offset, "device": row["DeviceName"]}
        days[local.date()]["tz_change"] = before.get("offset", offset) != offset
        days[local.date()]["break_before"] = before.get("device", row["DeviceName"]) != row["DeviceName"]
        before = {"offset": offset, "device": row["DeviceName"]}


def test_every_kind_is_there_and_no_other(batches: dict[Life, Rows]) -> None:
    assert set(batches[northerner]) == set(COLUMNS) - NOT_DOWNLOADED
    assert set(batches[southerner]) == set(COLUMNS) - NOT_DOWNLOADED - {"weightLogInfo"}


def test_days_tell_the_truth(batches: dict[Life, Rows]) -> None:
    assert_tells_the_truth(northerner(), "fitabase", told(batches[northerner]))


@SOME
def test_minutes_are_the_life_on_the_wall_clock(batches: dict[Life, Rows], life: Life) -> None:
    recording, rows = life(), batches[life]
    steps = {at(row["ActivityMinute"]): int(row["Steps"]) for row in rows["minuteStepsNarrow"]}
    lived = by_wall_minute(recording, recording.minutes.steps.tolist())
    assert {minute: count for minute, count in steps.items() if count} == {
        minute: sum(counts) for minute, counts in lived.items() if sum(counts)
    }
    assert len(steps) == len(rows["minuteStepsNarrow"]) == 1440 * (len(recording.days.dates) - 1) + 1300


@SOME
def test_heart_rate_is_there_for_worn_minutes_alone(batches: dict[Life, Rows], life: Life) -> None:
    recording, rows = life(), batches[life]
    lived = by_wall_minute(recording, recording.minutes.heart_rate.tolist())
    worn = by_wall_minute(recording, recording.minutes.worn.tolist())
    expected = {
        minute: sum(pairs) // len(pairs)
        for minute, both in lived.items()
        if (pairs := [bpm for bpm, on_wrist in zip(both, worn[minute], strict=True) if on_wrist])
    }
    assert {at(row["Time"]): int(row["Value"]) for row in rows["heartrate_1min"]} == expected


@SOME
def test_hours_and_days_are_sums_of_minutes(batches: dict[Life, Rows], life: Life) -> None:
    rows = batches[life]
    by_hour: dict[datetime, int] = defaultdict(int)
    by_day: dict[date, int] = defaultdict(int)
    for row in rows["minuteStepsNarrow"]:
        by_hour[at(row["ActivityMinute"]).replace(minute=0)] += int(row["Steps"])
        by_day[at(row["ActivityMinute"]).date()] += int(row["Steps"])
    assert {at(row["ActivityHour"]): int(row["StepTotal"]) for row in rows["hourlySteps"]} == by_hour
    assert {on(row["ActivityDay"]): int(row["StepTotal"]) for row in rows["dailySteps"]} == by_day
    energy: dict[date, float] = defaultdict(float)
    for row in rows["minuteCaloriesNarrow"]:
        energy[at(row["ActivityMinute"]).date()] += float(row["Calories"])
    for row in rows["dailyCalories"]:
        assert int(row["Calories"]) == pytest.approx(energy[on(row["ActivityDay"])], abs=0.51)


def test_intensities_and_mets_are_codes_and_tens(batches: dict[Life, Rows]) -> None:
    rows, recording = batches[northerner], northerner()
    by_day: dict[date, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in rows["minuteIntensitiesNarrow"]:
        by_day[at(row["ActivityMinute"]).date()][int(row["Intensity"])] += 1
    for row in rows["dailyIntensities"]:
        named = [int(row[f"{name}Minutes"]) for name in ("LightlyActive", "FairlyActive", "VeryActive")]
        assert named == by_day[on(row["ActivityDay"])][1:]
    tenths = {at(row["ActivityMinute"]): int(row["METs"]) for row in rows["minuteMETsNarrow"]}
    assert min(tenths.values()) == 10
    assert 40 < max(tenths.values()) < 200
    worn = by_wall_minute(recording, recording.minutes.worn.tolist())
    met = by_wall_minute(recording, recording.minutes.met.tolist())
    once = [minute for minute, on_wrist in worn.items() if on_wrist == [True] and minute in tenths]
    assert len(once) > 5_000
    assert all(tenths[minute] == max(10, round(10 * met[minute][0])) for minute in once)


def test_single_precision_reals_have_fifteen_digits(batches: dict[Life, Rows]) -> None:
    texts = {row["TotalDistance"] for row in batches[northerner]["dailyActivity"]}
    assert any(len(text) > 12 for text in texts), "a value such as 6.78000020980835"
    assert all(abs(float(text) - round(float(text), 2)) < 1e-6 for text in texts)
    for row in batches[northerner]["weightLogInfo"]:
        assert float(row["WeightPounds"]) == pytest.approx(float(row["WeightKg"]) / 0.45359237, abs=1e-4)
        assert row["IsManualReport"] == "False"
        stamp = (at(row["Date"]) - datetime(1970, 1, 1)) // timedelta(milliseconds=1)  # noqa: DTZ001
        assert int(row["LogId"]) == stamp


@SOME
def test_minutes_of_sleep_follow_their_log(batches: dict[Life, Rows], life: Life) -> None:
    rows, recording = batches[life], life()
    by_log: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
    for row in rows["minuteSleep"]:
        by_log[row["logId"]].append((at(row["date"]), int(row["value"])))
    assert len(by_log) == len(recording.sleeps)
    for row in rows["sleepLogInfo"]:
        minutes = by_log[row["LogId"]]
        start, length = at(row["StartTime"]), int(row["TimeInBed"])
        assert [moment for moment, _ in minutes] == [start + timedelta(minutes=n) for n in range(length)]
        values = [value for _, value in minutes]
        assert set(values) <= {1, 2, 3}
        assert values.count(1) == pytest.approx(int(row["MinutesAsleep"]), abs=12)
        assert int(row["AwakeDuration"]) + int(row["RestlessDuration"]) == pytest.approx(
            length - int(row["MinutesAsleep"]), abs=2
        )
    assert any(sleep.start.second == 30 for sleep in recording.sleeps)


def test_half_minutes_show_the_short_wake_over_the_stage(batches: dict[Life, Rows]) -> None:
    recording = northerner()
    staged = [sleep for sleep in recording.sleeps if sleep.kind == "stages"]
    rows = batches[northerner]["30secondSleepStages"]
    assert len(rows) == sum(len(sleep.levels) for sleep in staged)
    names = ("wake", "light", "deep", "rem")
    assert [row["SleepStage"] for row in rows] == [names[code] for sleep in staged for code in sleep.levels]
    for row in rows:
        assert row["SleepStage"] == (row["ShortWakes"] or row["Level"])


def test_days_of_stages_are_all_there_with_zeros_for_no_stages(batches: dict[Life, Rows]) -> None:
    rows, recording = batches[northerner], northerner()
    assert [at(row["SleepDay"]).date() for row in rows["sleepStagesDay"]] == list(recording.days.dates)
    with_sleep = {sleep.wake_date for sleep in recording.sleeps}
    assert {at(row["SleepDay"]).date() for row in rows["sleepDay"]} == with_sleep
    assert any(row["TotalSleepRecords"] == "0" for row in rows["sleepStagesDay"])


def test_exercises_say_kilometres_and_milliseconds(batches: dict[Life, Rows]) -> None:
    recording = northerner()
    rows = batches[northerner]["activitylogs"]
    assert len(rows) == len(recording.exercises)
    for row, log in zip(rows, recording.exercises, strict=True):
        assert at(row["StartTime"]) == log.exercise.start
        assert int(row["Duration"]) == 1000 * log.exercise.seconds
        if log.distance is not None:
            assert float(row["Distance"]) == pytest.approx(log.distance * 1.609344, rel=1e-5)


def test_a_journey_shows_in_the_synchronisations(batches: dict[Life, Rows]) -> None:
    recording = traveller()
    offsets = {
        at(row["DateTime"]).date(): (at(row["DateTime"]) - at(row["SyncDateUTC"])) // timedelta(minutes=1)
        for row in batches[traveller]["syncEvents"]
    }
    assert set(offsets.values()) == {-240, 540}
    assert offsets[date(2026, 5, 9)] == recording.days.offset_at_noon(5) == 540


def test_samples_come_where_they_are_asked_for(tmp_path: Path) -> None:
    recording = southerner()
    rows = files_of(exported(recording, "fitabase", tmp_path, seconds=15))["heartrate_seconds"]
    assert len(rows) == 4 * len(worn_places(recording))
    means: dict[datetime, list[int]] = defaultdict(list)
    for row in rows:
        means[at(row["Time"]).replace(second=0)].append(int(row["Value"]))
    lived = by_wall_minute(recording, recording.minutes.heart_rate.tolist())
    assert all(sum(bpm) == 4 * lived[minute][0] for minute, bpm in means.items() if len(lived[minute]) == 1)


def test_the_merged_files_of_2016_hold_several_people() -> None:
    names: set[str] = set()
    for path, content in merged([northerner(), southerner()], 30):
        kind = path.removesuffix("_merged.csv")
        header, *rows = csv.reader(StringIO(content.decode()))
        assert header[0] == "Id"
        assert ",".join(header[1:]) == columns_2016(kind), kind
        assert {row[0] for row in rows} == {"P004"}
        names.add(kind)
    assert len(names) == 18


def columns_2016(kind: str) -> str:
    if kind == "dailyActivity":
        return ACTIVITY_2016
    if kind.endswith("Wide"):
        stem = WIDE[kind.removeprefix("minute").removesuffix("Wide")]
        return ",".join(["ActivityHour", *(f"{stem}{minute:02d}" for minute in range(60))])
    return COLUMNS[kind]


def test_merged_days_tell_the_truth_and_one_row_stands_twice(tmp_path: Path) -> None:
    folder = exported(northerner(), "fitabase_merged", tmp_path, seconds=60)
    rows = {
        path.stem.removesuffix("_merged"): list(csv.DictReader(StringIO(path.read_text())))
        for path in folder.iterdir()
    }
    days: dict[date, dict[str, Any]] = defaultdict(dict)
    worn: dict[date, set[datetime]] = defaultdict(set)
    for row in rows["heartrate_seconds"]:
        worn[at(row["Time"]).date()].add(at(row["Time"]).replace(second=0))
    for row in rows["dailyActivity"]:
        day = on(row["ActivityDate"])
        days[day] = {"calories_kcal": int(row["Calories"]), "wear_minutes": len(worn[day])}
        if worn[day]:
            days[day] |= {"steps": int(row["TotalSteps"]), "distance_m": 1000 * float(row["TotalDistance"])}
            for name in ("sedentary", "lightly_active", "fairly_active", "very_active"):
                title = "".join(part.capitalize() for part in name.split("_"))
                days[day][f"{name}_minutes"] = int(row[f"{title}Minutes"])
    once = {tuple(row.values()) for row in rows["sleepDay"]}
    assert len(rows["sleepDay"]) == len(once) + 1
    for row in {row["SleepDay"]: row for row in rows["sleepDay"]}.values():
        asleep, in_bed = int(row["TotalMinutesAsleep"]), int(row["TotalTimeInBed"])
        days[at(row["SleepDay"]).date()] |= {
            "sleep_minutes": asleep, "time_in_bed_minutes": in_bed, "awake_minutes": in_bed - asleep,
        }  # fmt: skip
    for row in rows["weightLogInfo"]:
        days[at(row["Date"]).date()]["weight_kg"] = float(row["WeightKg"])
    assert_tells_the_truth(northerner(), "fitabase_merged", days)

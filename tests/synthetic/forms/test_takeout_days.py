"""An account's export, read by plain code, gives the days of the truth: in three lives and four generations.

Which offset a day had is taken as known here: how it is found is the clocks' own subject.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from form_checks import assert_tells_the_truth, exported, northerner, southerner, traveller
from takeout_reader import Export, minute, plain, us

from synthetic.exports.forms import FORMS
from synthetic.exports.knowable import KNOWABLE
from synthetic.life.recording import Recording

Told = dict[date, dict[str, Any]]

INTENSITIES = {
    "sedentary_minutes": "sedentary_minutes",
    "lightly_active_minutes": "lightly_active_minutes",
    "moderately_active_minutes": "fairly_active_minutes",
    "very_active_minutes": "very_active_minutes",
}
ZONES = {"FAT_BURN": "fatburn", "CARDIO": "cardio", "PEAK": "peak"}
NIGHTLY = (
    ("Daily Heart Rate Variability Summary", "rmssd", "heart_rate_variability"),
    ("Daily Respiratory Rate Summary", "daily_respiratory_rate", "respiratory_rate"),
    ("Daily SpO2", "average_value", "spo2_avg"),
    ("Daily SpO2", "lower_bound", "spo2_min"),
    ("Daily SpO2", "upper_bound", "spo2_max"),
)
KG_A_POUND = 0.45359237


def local_day(recording: Recording, stamp: datetime) -> date:
    """The day an instant counts for."""
    place = minute(stamp) - int(recording.days.utc_minute[0])
    return recording.days.dates[int(recording.days.day[place])]


def read(export: Export, recording: Recording) -> Told:
    """What a generation says of each day, in the columns of daily_summary."""
    told: Told = {day: {} for day in recording.days.dates}
    worn = wear(export, recording)
    sums(told, worn, export, recording)
    for day, row in told.items():
        place = (day - recording.days.dates[0]).days
        minutes = recording.days.minutes_of(place)
        row |= {"wear_minutes": worn.get(day, 0), "utc_offset_minutes": recording.days.offset_at_noon(place)}
        row |= {"tz_change": minutes.stop - minutes.start != 24 * 60}
    for parts in (daily_values, nights, products):
        for day, values in parts(export, worn):
            told[day] |= values
    return told


def wear(export: Export, recording: Recording) -> Mapping[date, int]:
    """Distinct minutes with a heart rate that had contact, by local day."""
    minutes: dict[date, set[int]] = defaultdict(set)
    for row in export.json("heart_rate"):
        if row["value"]["confidence"]:
            stamp = us(row["dateTime"])
            minutes[local_day(recording, stamp)].add(minute(stamp))
    return {day: len(found) for day, found in minutes.items()}


def sums(told: Told, worn: Mapping[date, int], export: Export, recording: Recording) -> None:
    """Steps, distance and energy of each day; floors of worn ones."""
    for stem, column, factor in (("steps", "steps", 1.0), ("distance", "distance_m", 0.01)):
        for row in export.json(stem):
            day = told[local_day(recording, us(row["dateTime"]))]
            day[column] = day.get(column, 0) + int(row["value"]) * factor
    for day, row in by_phone(export, recording).items():
        if day not in worn:
            told[day] |= row
    for row in export.json("calories"):
        day = told[us(row["dateTime"]).date()]
        day["calories_kcal"] = day.get("calories_kcal", 0.0) + float(row["value"])
    for day in worn:
        told[day]["floors"] = 0
    for row in export.json("altitude"):
        told[us(row["dateTime"]).date()]["floors"] += int(row["value"]) // 10


def by_phone(export: Export, recording: Recording) -> Told:
    """What the phone counted, to the table's decimal; it alone tells days without a watch."""
    told: Told = defaultdict(lambda: {"steps": 0, "distance_m": 0.0})
    for stem, column in (("steps", "steps"), ("distance", "distance_m")):
        for row in export.csv(rf"{stem}_\d{{4}}-\d\d-\d\d\.csv"):
            if row.get("data source") == "MobileTrack":
                stamp = datetime.fromisoformat(row["timestamp"].removesuffix("Z"))
                told[local_day(recording, stamp)][column] += float(row[stem])
    return {day: {name: round(value, 1) for name, value in row.items()} for day, row in told.items()}


def daily_values(export: Export, worn: Mapping[date, int]) -> Iterator[tuple[date, dict[str, Any]]]:
    """Values of day labels: padding is left out."""
    for stem, column in INTENSITIES.items():
        for row in export.json(stem):
            if (day := us(row["dateTime"]).date()) in worn:
                yield day, {column: int(row["value"])}
    for row in export.json("resting_heart_rate"):
        if row["value"]["date"]:
            yield us(row["dateTime"]).date(), {"resting_heart_rate": row["value"]["value"]}
    for row in export.json("demographic_vo2_max"):
        value = row["value"]["filteredDemographicVO2Max"]
        yield us(row["dateTime"]).date(), {"vo2max": round(value, 1)}
    for row in export.json("weight"):
        yield us(f"{row['date']} 00:00:00").date(), {"weight_kg": row["weight"] * KG_A_POUND}


def nights(export: Export, _worn: Mapping[date, int]) -> Iterator[tuple[date, dict[str, Any]]]:
    """Logs by their wake date, each id once; and scores by the log's id."""
    logs = {log["logId"]: log for log in export.json("sleep")}
    by_date: dict[date, list[dict[str, Any]]] = defaultdict(list)
    for log in logs.values():
        by_date[date.fromisoformat(log["dateOfSleep"])].append(log)
    for day, found in by_date.items():
        yield day, night(day, found)
    for row in export.csv(r"sleep_score\.csv"):
        log = logs[int(row["sleep_log_entry_id"])]
        yield date.fromisoformat(log["dateOfSleep"]), {"sleep_score": int(row["overall_score"])}


def night(day: date, logs: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums over the logs of a date; times of the main one."""
    (main,) = (log for log in logs if log["mainSleep"])
    start, end = plain(main["startTime"]), plain(main["endTime"])
    midnight = datetime.fromisoformat(f"{day}T00:00:00")
    staged = [log["levels"]["summary"] for log in logs if log["type"] == "stages"]
    stages = {
        f"{level}_sleep_minutes": sum(summary[level]["minutes"] for summary in staged)
        for level in ("deep", "rem", "light")
        if staged
    }
    return stages | {
        "sleep_minutes": sum(log["minutesAsleep"] for log in logs),
        "nap_minutes": sum(log["minutesAsleep"] for log in logs if not log["mainSleep"]),
        "time_in_bed_minutes": sum(log["timeInBed"] for log in logs),
        "awake_minutes": sum(log["minutesAwake"] for log in logs),
        "bed_time": start,
        "wake_up_time": end,
        "bed_minute": (start - midnight) // timedelta(minutes=1),
        "wake_up_minute": (end - midnight) // timedelta(minutes=1),
    }


def products(export: Export, worn: Mapping[date, int]) -> Iterator[tuple[date, dict[str, Any]]]:
    """What the first site had not: vitals, temperature, scores, zone minutes, the watch of each day."""
    if export.generation == "A0":
        return
    for name, field, column in NIGHTLY:
        for row in export.csv(rf"{name} - .*\.csv"):
            yield date.fromisoformat(row["timestamp"][:10]), {column: float(row[field])}
    for row in export.csv(r"Computed Temperature - .*\.csv"):
        total = float(row["baseline_relative_sample_sum"])
        if total == total:
            value = total / int(row["temperature_samples"])
            yield plain(row["sleep_end"]).date(), {"skin_temperature_variation": value}
    for row in export.csv(r"Stress Score\.csv"):
        if row["CALCULATION_FAILED"] == "false":
            yield plain(row["DATE"]).date(), {"stress_management_score": int(row["STRESS_SCORE"])}
    for row in export.csv(r"Daily Readiness Score - .*\.csv"):
        yield date.fromisoformat(row["date"]), {"readiness_score": float(row["readiness_score_value"])}
    for row in export.family("daily_readiness"):
        yield date.fromisoformat(row["timestamp"]), {"readiness_score": int(row["score"])}
    yield from zones(export, worn)
    yield from watches(export)


def zones(export: Export, worn: Mapping[date, int]) -> Iterator[tuple[date, dict[str, Any]]]:
    """Minutes earned by local day; 0 on a worn day without."""
    earned = {day: dict.fromkeys(ZONES.values(), 0) for day in worn}
    for row in export.csv(r"Active Zone Minutes - .*\.csv"):
        earned[plain(row["date_time"]).date()][ZONES[row["heart_zone_id"]]] += int(row["total_minutes"])
    for day, minutes in earned.items():
        by_zone = {f"{zone}_active_zone_minutes": count for zone, count in minutes.items()}
        yield day, by_zone | {"active_zone_minutes": sum(minutes.values())}


def watches(export: Export) -> Iterator[tuple[date, dict[str, Any]]]:
    """The newest watch that was added by then; a break where it is another."""
    added = sorted(
        (date.fromisoformat(row["date_added"]), row["device_type"])
        for row in export.csv(r"Trackers\.csv")
        if row["device_type"] != "MobileTrack"
    )
    days = {us(row["dateTime"]).date() for row in export.json("calories")}
    for day in days:
        name = [device for since, device in added if since <= day][-1]
        yield day, {"device": name, "break_before": day in [since for since, _ in added[1:]]}


@pytest.mark.parametrize(
    ("life", "generation"),
    [(southerner, "A0"), (traveller, "B"), (northerner, "B"), (northerner, "F"), (traveller, "C")],
)
def test_a_plain_reader_gets_the_days_of_the_truth(
    life: Callable[[], Recording], generation: str, tmp_path: Path
) -> None:
    recording = life()
    export = Export(generation, exported(recording, generation, tmp_path))
    assert_tells_the_truth(recording, generation, read(export, recording))


def test_every_form_says_what_it_can_know() -> None:
    assert set(KNOWABLE) == set(FORMS)

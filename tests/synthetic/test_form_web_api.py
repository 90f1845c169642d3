"""Answers of the Web API, read by json and datetime alone: keys, types, clocks, units, the life behind."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from form_checks import (
    assert_tells_the_truth,
    by_wall_minute,
    exported,
    northerner,
    southerner,
    wall_minute,
    worn_places,
)

from synthetic.life.recording import Recording

MILE, KG_A_POUND, KG_A_STONE = 1609.344, 0.45359237, 6.35029318
UNITS = {"en_US": (MILE, 0.3048, KG_A_POUND), "en_GB": (1000.0, 1.0, KG_A_STONE), "de_DE": (1000.0, 1.0, 1.0)}
"""By language of the call: metres of its unit of distance and of height climbed, kilograms of its weight."""
SLEEP_KEYS = {
    *("dateOfSleep", "duration", "efficiency", "endTime", "infoCode", "isMainSleep", "levels", "logId"),
    *("logType", "minutesAfterWakeup", "minutesAsleep", "minutesAwake", "minutesToFallAsleep", "startTime"),
    *("timeInBed", "type"),
}
TOTALS = {"steps": "steps", "floors": "floors", "distance": "distance_m"}
MINUTES = {
    "activities-minutesSedentary": "sedentary_minutes",
    "activities-minutesLightlyActive": "lightly_active_minutes",
    "activities-minutesFairlyActive": "fairly_active_minutes",
    "activities-minutesVeryActive": "very_active_minutes",
}
ZONES = {
    "activeZoneMinutes": "active_zone_minutes",
    "fatBurnActiveZoneMinutes": "fatburn_active_zone_minutes",
    "cardioActiveZoneMinutes": "cardio_active_zone_minutes",
    "peakActiveZoneMinutes": "peak_active_zone_minutes",
}

Life = Callable[[], Recording]
Days = dict[date, dict[str, Any]]


class Dump:
    """All answers of one recording, by the name of their request."""

    def __init__(self, folder: Path) -> None:
        self.texts = {path.stem: path.read_text() for path in sorted(folder.iterdir())}
        self.answers: dict[str, Any] = {name: json.loads(text) for name, text in self.texts.items()}

    def of(self, request: str) -> Iterator[Any]:
        """Answers to a request over its dates or ranges."""
        for name, answer in self.answers.items():
            if re.fullmatch(rf"{re.escape(request)}(_\d{{4}}-\d\d-\d\d){{1,2}}", name):
                yield answer

    def entries(self, request: str, key: str) -> Iterator[dict[str, Any]]:
        for answer in self.of(request):
            assert list(answer) == [key]
            yield from answer[key]

    def intraday(self, resource: str) -> dict[date, tuple[Any, list[dict[str, Any]]]]:
        """By day: the daily value and the rows of a resource."""
        found: dict[date, tuple[Any, list[dict[str, Any]]]] = {}
        key = f"activities-{resource}"
        for answer in self.of(f"activities_{resource}"):
            assert list(answer) == [key, f"{key}-intraday"]
            ((daily,), intraday) = answer.values()
            assert list(daily) == ["dateTime", "value"]
            assert (intraday["datasetInterval"], intraday["datasetType"]) == (1, "minute")
            found[on(daily["dateTime"])] = (daily["value"], intraday["dataset"])
        return found


def on(text: str) -> date:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", text)
    return date.fromisoformat(text)


def at(text: str) -> datetime:
    """A wall time: ISO with milliseconds and without an offset."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000", text), text
    return datetime.fromisoformat(text)


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[Life, str], Dump]:
    asked = [(northerner, language) for language in UNITS] + [(southerner, "en_US")]
    return {
        (life, language): Dump(exported(life(), "web_api", tmp_path_factory.mktemp("api"), language))
        for life, language in asked
    }


def told(dump: Dump, metres: float, kilograms: float) -> Days:
    days: Days = defaultdict(dict)
    for day, (total, rows) in dump.intraday("calories").items():
        days[day]["calories_kcal"] = sum(row["value"] for row in rows)
        assert float(total) == pytest.approx(days[day]["calories_kcal"])
    for day, (value, rows) in dump.intraday("heart").items():
        days[day]["wear_minutes"] = len(rows)
        if "restingHeartRate" in value:
            days[day]["resting_heart_rate"] = value["restingHeartRate"]
    _tell_activity(dump, days, metres)
    _tell_nights(dump, days)
    for entry in dump.entries("body_log_weight", "weight"):
        days[on(entry["date"])]["weight_kg"] = entry["weight"] * kilograms
    return days


def _tell_activity(dump: Dump, days: Days, metres: float) -> None:
    """Totals of days that have heart rate."""
    worn = {day for day, row in days.items() if row["wear_minutes"]}
    for resource, column in TOTALS.items():
        for day, (total, _) in dump.intraday(resource).items():
            assert isinstance(total, str)
            if day in worn:
                days[day][column] = float(total) * (metres if resource == "distance" else 1)
    for key, column in MINUTES.items():
        for entry in dump.entries(key.replace("-", "_"), key):
            if on(entry["dateTime"]) in worn:
                days[on(entry["dateTime"])][column] = int(entry["value"])
    for entry in dump.entries("activities_active-zone-minutes", "activities-active-zone-minutes"):
        assert all(entry["value"][key] for key in entry["value"] if key != "activeZoneMinutes"), "no zero"
        days[on(entry["dateTime"])] |= {column: entry["value"].get(key, 0) for key, column in ZONES.items()}


def _tell_nights(dump: Dump, days: Days) -> None:
    for answer in dump.of("sleep"):
        for log in answer["sleep"]:
            _tell_log(log, days[on(log["dateOfSleep"])])
    for entry in dump.entries("hrv", "hrv"):
        days[on(entry["dateTime"])]["heart_rate_variability"] = entry["value"]["dailyRmssd"]
    for entry in dump.entries("br", "br"):
        days[on(entry["dateTime"])]["respiratory_rate"] = entry["value"]["breathingRate"]
    for entry in dump.entries("temp_skin", "tempSkin"):
        assert entry["logType"] == "dedicated_temp_sensor"
        days[on(entry["dateTime"])]["skin_temperature_variation"] = entry["value"]["nightlyRelative"]
    for answer in dump.of("spo2"):
        for entry in answer:
            value = {f"spo2_{name}": entry["value"][name] for name in ("avg", "min", "max")}
            days[on(entry["dateTime"])] |= value
    for entry in dump.entries("cardioscore", "cardioScore"):
        bounds = [int(part) for part in entry["value"]["vo2Max"].split("-")]
        days[on(entry["dateTime"])]["vo2max"] = sum(bounds) / len(bounds)


def _tell_log(log: dict[str, Any], day: dict[str, Any]) -> None:
    def add(column: str, minutes: int) -> None:
        day[column] = day.get(column, 0) + minutes

    add("sleep_minutes", log["minutesAsleep"])
    add("time_in_bed_minutes", log["timeInBed"])
    add("awake_minutes", log["minutesAwake"])
    add("nap_minutes", 0 if log["isMainSleep"] else log["minutesAsleep"])
    if log["type"] == "stages":
        for stage in ("deep", "rem", "light"):
            add(f"{stage}_sleep_minutes", log["levels"]["summary"][stage]["minutes"])
    if log["isMainSleep"]:
        start, end = at(log["startTime"]), at(log["endTime"])
        midnight = datetime.combine(end.date(), datetime.min.time())
        day |= {"bed_time": start, "wake_up_time": end}
        day["bed_minute"] = (start - midnight) // timedelta(minutes=1)
        day["wake_up_minute"] = (end - midnight) // timedelta(minutes=1)


@pytest.mark.parametrize("language", sorted(UNITS))
def test_days_tell_the_truth_in_every_unit(dumps: dict[tuple[Life, str], Dump], language: str) -> None:
    metres, _, kilograms = UNITS[language]
    assert_tells_the_truth(northerner(), "web_api", told(dumps[northerner, language], metres, kilograms))


def test_every_answer_is_json_without_blanks(dumps: dict[tuple[Life, str], Dump]) -> None:
    dump = dumps[northerner, "en_US"]
    assert len(dump.texts) > 120
    for name, text in dump.texts.items():
        compact = json.dumps(dump.answers[name], separators=(",", ":"))
        assert len(text) == len(compact), name


@pytest.mark.parametrize("life", [northerner, southerner], ids=["northern", "southern"])
def test_minutes_are_the_life_on_the_wall_clock(dumps: dict[tuple[Life, str], Dump], life: Life) -> None:
    recording, dump = life(), dumps[life, "en_US"]
    lived = by_wall_minute(recording, recording.minutes.steps.tolist())
    found = {
        datetime.combine(day, datetime.strptime(row["time"], "%H:%M:%S").time()): row["value"]  # noqa: DTZ007
        for day, (_, rows) in dump.intraday("steps").items()
        for row in rows
    }
    assert {minute: steps for minute, steps in found.items() if steps} == {
        minute: sum(both) for minute, both in lived.items() if sum(both)
    }
    whole_days = dump.intraday("steps")
    assert {len(rows) for day, (_, rows) in whole_days.items() if day < recording.days.dates[-1]} == {1440}
    assert {type(row["value"]) for _, rows in whole_days.values() for row in rows} == {int}


@pytest.mark.parametrize("life", [northerner, southerner], ids=["northern", "southern"])
def test_heart_rate_misses_the_minutes_that_were_not_worn(
    dumps: dict[tuple[Life, str], Dump], life: Life
) -> None:
    recording, dump = life(), dumps[life, "en_US"]
    worn = {wall_minute(recording, place) for place in worn_places(recording)}
    found = {
        datetime.combine(day, datetime.strptime(row["time"], "%H:%M:%S").time()): row  # noqa: DTZ007
        for day, (_, rows) in dump.intraday("heart").items()
        for row in rows
    }
    assert set(found) == worn
    assert {tuple(row) for row in found.values()} == {("time", "value")}
    lived = by_wall_minute(recording, recording.minutes.heart_rate.tolist())
    once = [minute for minute in found if len(lived[minute]) == 1]
    assert all(found[minute]["value"] == lived[minute][0] for minute in once)
    for value, rows in dump.intraday("heart").values():
        assert [zone["name"] for zone in value["heartRateZones"]] == [
            "Out of Range",
            "Fat Burn",
            "Cardio",
            "Peak",
        ]
        assert sum(zone["minutes"] for zone in value["heartRateZones"]) >= len(rows)


def test_calories_have_a_level_and_mets_before_each_value(dumps: dict[tuple[Life, str], Dump]) -> None:
    for _, rows in dumps[northerner, "en_US"].intraday("calories").values():
        assert {tuple(row) for row in rows} == {("level", "mets", "time", "value")}
        assert {row["level"] for row in rows} <= {0, 1, 2, 3}
        assert min(row["mets"] for row in rows) >= 10


@pytest.mark.parametrize("language", sorted(UNITS))
def test_climbs_and_distances_follow_the_language(dumps: dict[tuple[Life, str], Dump], language: str) -> None:
    metres, height, _ = UNITS[language]
    dump, recording = dumps[northerner, language], northerner()
    climbed = sum(float(total) for total, _ in dump.intraday("elevation").values())
    assert climbed * height == pytest.approx(recording.measures.floors.sum() * 3.048)
    logs = [log for answer in _pages(dump) for log in answer["activities"]]
    for log, true in zip(logs, recording.exercises, strict=True):
        assert ("distance" in log) == (true.distance is not None)
        if true.distance is not None:
            assert log["distanceUnit"] == ("Mile" if metres == MILE else "Kilometer")
            assert log["distance"] * metres == pytest.approx(true.distance * MILE, rel=1e-5)


def _pages(dump: Dump) -> list[Any]:
    return [answer for name, answer in dump.answers.items() if name.startswith("activities_list_")]


@pytest.mark.parametrize("language", sorted(UNITS))
def test_the_bmi_tells_the_unit_of_a_weight(dumps: dict[tuple[Life, str], Dump], language: str) -> None:
    dump = dumps[northerner, language]
    height = northerner().person.body.height_cm / 100
    weights = list(dump.entries("body_log_weight", "weight"))
    assert weights
    for entry in weights:
        assert set(entry) == {"bmi", "date", "logId", "source", "time", "weight"}
        assert entry["weight"] * UNITS[language][2] == pytest.approx(entry["bmi"] * height**2, abs=0.06)
        local = datetime.fromisoformat(f"{entry['date']}T{entry['time']}").replace(tzinfo=UTC)
        assert entry["logId"] == 1000 * local.timestamp()
    profile = dump.answers["profile"]["user"]
    assert profile["height"] == pytest.approx(100 * height / (2.54 if language == "en_US" else 1), abs=0.06)
    assert (profile["weightUnit"], profile["timezone"]) == ("en_US", "America/New_York")
    assert profile["offsetFromUTCMillis"] == -4 * 3_600_000


def test_sleep_logs_have_the_keys_of_version_1_2(dumps: dict[tuple[Life, str], Dump]) -> None:
    recording, dump = northerner(), dumps[northerner, "en_US"]
    answers = list(dump.of("sleep"))
    assert len(answers) == len(recording.days.dates)
    logs = [log for answer in answers for log in answer["sleep"]]
    assert {log["logId"] for log in logs} == set(recording.sleep_ids)
    kinds = set[str]()
    for log in logs:
        kinds.add(log["type"])
        assert set(log) == SLEEP_KEYS
        assert ("shortData" in log["levels"]) == (log["type"] == "stages")
        assert (at(log["endTime"]) - at(log["startTime"])) // timedelta(milliseconds=1) == log["duration"]
        assert sum(epoch["seconds"] for epoch in log["levels"]["data"]) * 1000 == log["duration"]
        assert all(at(epoch["dateTime"]) >= at(log["startTime"]) for epoch in log["levels"]["data"])
    assert "stages" in kinds
    for answer in answers:
        assert answer["summary"]["totalSleepRecords"] == len(answer["sleep"])
        if not answer["sleep"]:
            assert "stages" not in answer["summary"]


def test_the_start_of_an_exercise_has_the_offset_of_its_day(dumps: dict[tuple[Life, str], Dump]) -> None:
    offsets: set[str] = set()
    for life in (northerner, southerner):
        (page,) = _pages(dumps[life, "en_US"])
        assert list(page) == ["activities", "pagination"]
        for log, true in zip(page["activities"], life().exercises, strict=True):
            start = datetime.fromisoformat(log["startTime"])
            assert start.replace(tzinfo=None) == true.exercise.start
            assert start.astimezone(UTC) == life().days.utc_of(true.exercise.start)
            offsets.add(log["startTime"][-6:])
            zones = log["activeZoneMinutes"]["minutesInHeartRateZones"]
            earned = sum(zone["minutes"] * zone["minuteMultiplier"] for zone in zones)
            assert earned == log["activeZoneMinutes"]["totalMinutes"] == true.active_zone_minutes
    assert offsets <= {"-05:00", "-04:00", "+11:00", "+10:00"}
    assert len(offsets) >= 2


def test_cardio_fitness_is_a_range_but_on_days_with_a_run(dumps: dict[tuple[Life, str], Dump]) -> None:
    for life in (northerner, southerner):
        ran = {log.exercise.start.date() for log in life().exercises if log.exercise.sport.name == "Run"}
        for entry in dumps[life, "en_US"].entries("cardioscore", "cardioScore"):
            day, text = on(entry["dateTime"]), entry["value"]["vo2Max"]
            assert isinstance(text, str)
            assert ("-" in text) == (day not in ran)


def test_within_a_night_times_are_on_the_wall(dumps: dict[tuple[Life, str], Dump]) -> None:
    recording, dump = northerner(), dumps[northerner, "en_US"]
    nights = {sleep.wake_date: sleep for sleep in recording.sleeps if sleep.is_main}
    invalid = 0
    answers = [answer for name, answer in dump.answers.items() if name.startswith("spo2_all_")]
    for answer in answers:
        night = nights[on(answer["dateTime"])]
        for row in answer["minutes"]:
            assert night.start - timedelta(minutes=61) < datetime.fromisoformat(row["minute"])
            assert datetime.fromisoformat(row["minute"]) <= night.end + timedelta(minutes=61)
            invalid += row["value"] == 50.0
    assert answers
    assert invalid > 0
    for name, answer in dump.answers.items():
        if name.startswith("hrv_all_"):
            (entry,) = answer["hrv"]
            night = nights[on(entry["dateTime"])]
            minutes = [at(row["minute"]) for row in entry["minutes"]]
            assert night.start.replace(second=0) <= min(minutes) < max(minutes) <= night.end
            assert all(set(row["value"]) == {"rmssd", "coverage", "hf", "lf"} for row in entry["minutes"])
        if name.startswith("br_all_"):
            (entry,) = answer["br"]
            assert set(entry["value"]) == {f"{part}SleepSummary" for part in ("deep", "light", "rem", "full")}


def test_finer_samples_than_a_minute_are_given_by_the_second(tmp_path: Path) -> None:
    recording = southerner()
    dump = Dump(exported(recording, "web_api", tmp_path, seconds=10))
    twice = date(2026, 4, 5)
    seen = 0
    for answer in dump.of("activities_heart"):
        intraday = answer["activities-heart-intraday"]
        assert (intraday["datasetInterval"], intraday["datasetType"]) == (1, "second")
        day = on(answer["activities-heart"][0]["dateTime"])
        times = [row["time"] for row in intraday["dataset"]]
        assert times == sorted(set(times))
        wear = int(recording.wear[(day - recording.days.dates[0]).days])
        assert len(times) == 6 * wear or day == twice
        seen += len(times)
    assert seen > 30_000


def test_devices_are_those_still_paired(dumps: dict[tuple[Life, str], Dump]) -> None:
    devices = dumps[northerner, "en_US"].answers["devices"]
    assert [device["deviceVersion"] for device in devices] == ["Charge 6", "MobileTrack"]
    assert {at(device["lastSyncTime"]) for device in devices} == {datetime(2026, 3, 18, 21, 40)}  # noqa: DTZ001

"""Answers of the Google Health API, read by json and datetime alone: fields, types, clocks, values."""

import itertools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from form_checks import (
    assert_tells_the_truth,
    exported,
    northerner,
    southerner,
    traveller,
    utc_minute,
    worn_places,
)

from synthetic.life.recording import Recording

UNION = {
    "steps": "steps", "distance": "distance", "floors": "floors", "altitude": "altitude", "sleep": "sleep",
    "active-zone-minutes": "activeZoneMinutes", "active-minutes": "activeMinutes", "weight": "weight",
    "heart-rate": "heartRate", "heart-rate-variability": "heartRateVariability", "height": "height",
    "oxygen-saturation": "oxygenSaturation", "exercise": "exercise",
    "daily-resting-heart-rate": "dailyRestingHeartRate", "daily-respiratory-rate": "dailyRespiratoryRate",
    "daily-heart-rate-variability": "dailyHeartRateVariability", "daily-vo2-max": "dailyVo2Max",
    "daily-oxygen-saturation": "dailyOxygenSaturation",
    "daily-sleep-temperature-derivations": "dailySleepTemperatureDerivations",
}  # fmt: skip
"""By data type: the field of a point that holds its value."""
IDENTIFIED = {"sleep", "exercise", "weight"}
SUMS = {"steps": "count", "distance": "millimeters", "floors": "count"}
LEVELS = {"LIGHT": "lightly", "MODERATE": "fairly", "VIGOROUS": "very"}
ZONES = {"FAT_BURN": "fatburn", "CARDIO": "cardio", "PEAK": "peak"}
LIVES = (northerner, southerner, traveller)

Life = Callable[[], Recording]
Days = dict[date, dict[str, Any]]


class Dump:
    """All pages of one recording."""

    def __init__(self, folder: Path) -> None:
        self.texts = {path.stem: path.read_text() for path in sorted(folder.iterdir())}

    def pages(self, name: str) -> list[dict[str, Any]]:
        found = [text for stem, text in self.texts.items() if re.fullmatch(rf"{name}_\d{{3}}", stem)]
        assert found, name
        return [json.loads(text) for text in found]

    def values(self, data_type: str, method: str = "list") -> Iterator[dict[str, Any]]:
        """The value of every point, with its ``dataSource`` and ``name`` beside where it has them."""
        for page in self.pages(f"{data_type}_{method}"):
            for point in page.get("dataPoints", []):
                assert set(point) - {"name", "dataSource"} == {UNION[data_type]}
                assert ("name" in point) == (data_type in IDENTIFIED)
                yield point[UNION[data_type]] | {"source": point.get("dataSource")}


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> dict[Life, Dump]:
    return {life: Dump(exported(life(), "health_api", tmp_path_factory.mktemp("health"))) for life in LIVES}


def utc(text: str) -> datetime:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text), text
    return datetime.fromisoformat(text)


def minutes_ahead(text: str) -> int:
    """An offset, written in seconds."""
    assert re.fullmatch(r"-?\d+s", text), text
    return int(text[:-1]) // 60


def whole(text: object) -> int:
    """A 64-bit number, written as text."""
    assert isinstance(text, str)
    return int(text)


def day_of(fields: dict[str, int]) -> date:
    assert set(fields) == {"year", "month", "day"}
    return date(**fields)


def civil(fields: dict[str, Any]) -> datetime:
    """A civil time; parts that are 0 are left out."""
    assert set(fields) == {"date", "time"}
    assert all(fields["time"].values())
    parts = {"hours": 0, "minutes": 0, "seconds": 0} | fields["time"]
    return datetime.combine(day_of(fields["date"]), datetime.min.time()) + timedelta(**parts)


def start_of(interval: dict[str, Any]) -> tuple[datetime, datetime]:
    """The instant and the wall time at which an interval begins; the parts agree with each other."""
    found = []
    for end in ("start", "end"):
        instant = utc(interval[f"{end}Time"])
        local = instant.replace(tzinfo=None) + timedelta(minutes=minutes_ahead(interval[f"{end}UtcOffset"]))
        stated = interval.get(f"civil{end.capitalize()}Time")
        assert stated is None or civil(stated) == local
        found.append((instant, local))
    assert found[0][0] < found[1][0]
    return found[0]


def sample_of(value: dict[str, Any]) -> tuple[datetime, datetime]:
    sample = value["sampleTime"]
    assert set(sample) == {"physicalTime", "utcOffset", "civilTime"}
    instant = utc(sample["physicalTime"])
    local = instant.replace(tzinfo=None) + timedelta(minutes=minutes_ahead(sample["utcOffset"]))
    assert civil(sample["civilTime"]) == local
    return instant, local


def told(dump: Dump) -> Days:
    days: Days = defaultdict(lambda: defaultdict(int))
    _tell_minutes(dump, days)
    for page in dump.pages("total-calories_dailyRollUp"):
        for point in page["rollupDataPoints"]:
            assert civil(point["civilEndTime"]) - civil(point["civilStartTime"]) == timedelta(days=1)
            days[civil(point["civilStartTime"]).date()]["calories_kcal"] = point["totalCalories"]["kcalSum"]
    _tell_offsets(dump, days)
    for value in dump.values("sleep"):
        _tell_log(value, days)
    _tell_nights(dump, days)
    for value in dump.values("weight"):
        days[sample_of(value)[1].date()]["weight_kg"] = value["weightGrams"] / 1000
    return {day: dict(row) for day, row in days.items()}


def _tell_minutes(dump: Dump, days: Days) -> None:
    minutes: dict[date, set[datetime]] = defaultdict(set)
    for value in dump.values("heart-rate"):
        instant, local = sample_of(value)
        minutes[local.date()].add(instant.replace(second=0))
    columns = ("steps", "distance_m", "floors", "active_zone_minutes")
    columns += tuple(f"{zone}_active_zone_minutes" for zone in ZONES.values())
    columns += tuple(f"{level}_active_minutes" for level in LEVELS.values())
    for day, found in minutes.items():
        days[day] |= {"wear_minutes": len(found)} | dict.fromkeys(columns, 0)
    for data_type, field in SUMS.items():
        method = "reconcile" if data_type == "steps" else "list"
        column, factor = ("distance_m", 0.001) if data_type == "distance" else (data_type, 1)
        for value in dump.values(data_type, method):
            days[start_of(value["interval"])[1].date()][column] += whole(value[field]) * factor
    for value in dump.values("active-zone-minutes"):
        row, earned = days[start_of(value["interval"])[1].date()], whole(value["activeZoneMinutes"])
        row["active_zone_minutes"] += earned
        row[f"{ZONES[value['heartRateZone']]}_active_zone_minutes"] += earned
    for value in dump.values("active-minutes"):
        row = days[start_of(value["interval"])[1].date()]
        for level in value["activeMinutesByActivityLevel"]:
            row[f"{LEVELS[level['activityLevel']]}_active_minutes"] += whole(level["activeMinutes"])


def _tell_offsets(dump: Dump, days: Days) -> None:
    """Offset of noon by the sample nearest to it, none where two samples of noon differ; device beside it; a
    day without a sample has those of the day before. A jump between two samples changes the days it touches.
    """
    nearest: dict[date, tuple[timedelta, datetime, int, str]] = {}
    at_noon: dict[date, set[int]] = defaultdict(set)
    moved: set[date] = set()
    before: tuple[datetime, int] | None = None
    for value in sorted(dump.values("heart-rate"), key=lambda value: sample_of(value)[0]):
        instant, local = sample_of(value)
        away = abs(local.replace(second=0) - datetime.combine(local.date(), time(12)))
        offset = minutes_ahead(value["sampleTime"]["utcOffset"])
        found = (away, instant, offset, value["source"]["device"]["displayName"])
        nearest[local.date()] = min(nearest.get(local.date(), found), found)
        if away < timedelta(hours=1):
            at_noon[local.date()].add(offset)
        if before and before[1] != offset:
            moved |= {(before[0] + timedelta(minutes=1)).date(), local.date()}
        before = (local, offset)
    last = nearest[min(nearest)]
    for day in sorted(days):
        _, _, offset, device = nearest.get(day, last)
        days[day] |= {"utc_offset_minutes": offset if len(at_noon[day]) < 2 else None, "device": device}
        days[day] |= {"tz_change": day in moved, "break_before": device != last[3]}
        days[day].setdefault("wear_minutes", 0)
        last = nearest.get(day, last)


def _tell_log(value: dict[str, Any], days: Days) -> None:
    interval, summary = value["interval"], value["summary"]
    assert not any(name.startswith("civil") for name in interval)
    _, start = start_of(interval)
    length = whole(summary["minutesInSleepPeriod"])
    end = start + timedelta(minutes=length)
    row, asleep = days[end.date()], whole(summary["minutesAsleep"])
    row["sleep_minutes"] += asleep
    row["time_in_bed_minutes"] += length
    row["awake_minutes"] += length - asleep
    row["nap_minutes"] += asleep if value["metadata"].get("nap") else 0
    for stage in summary["stagesSummary"]:
        if stage["type"] in ("DEEP", "REM", "LIGHT"):
            row[f"{stage['type'].lower()}_sleep_minutes"] += whole(stage["minutes"])
    if not value["metadata"].get("nap"):
        midnight = datetime.combine(end.date(), datetime.min.time())
        row |= {"bed_time": start, "wake_up_time": end}
        row["bed_minute"] = (start - midnight) // timedelta(minutes=1)
        row["wake_up_minute"] = (end - midnight) // timedelta(minutes=1)


def _tell_nights(dump: Dump, days: Days) -> None:
    for value in dump.values("daily-resting-heart-rate"):
        assert value["dailyRestingHeartRateMetadata"]["calculationMethod"] in (
            "WITH_SLEEP",
            "ONLY_WITH_AWAKE_DATA",
        )
        days[day_of(value["date"])]["resting_heart_rate"] = whole(value["beatsPerMinute"])
    for value in dump.values("daily-heart-rate-variability"):
        assert whole(value["nonRemHeartRateBeatsPerMinute"]) > 30
        days[day_of(value["date"])]["heart_rate_variability"] = value[
            "averageHeartRateVariabilityMilliseconds"
        ]
    for value in dump.values("daily-respiratory-rate"):
        days[day_of(value["date"])]["respiratory_rate"] = value["breathsPerMinute"]
    for value in dump.values("daily-oxygen-saturation"):
        names = {"avg": "average", "min": "lowerBound", "max": "upperBound"}
        bounds = {f"spo2_{name}": value[f"{field}Percentage"] for name, field in names.items()}
        days[day_of(value["date"])] |= bounds
    for value in dump.values("daily-sleep-temperature-derivations"):
        if value["baselineTemperatureCelsius"] != "NaN":
            difference = value["nightlyTemperatureCelsius"] - value["baselineTemperatureCelsius"]
            days[day_of(value["date"])]["skin_temperature_variation"] = difference
    for value in dump.values("daily-vo2-max"):
        days[day_of(value["date"])]["vo2max"] = value["vo2Max"]


@pytest.mark.parametrize("life", LIVES, ids=["northern", "southern", "travelling"])
def test_days_tell_the_truth(dumps: dict[Life, Dump], life: Life) -> None:
    assert_tells_the_truth(life(), "health_api", told(dumps[life]))


@pytest.mark.parametrize("life", [southerner, traveller], ids=["southern", "travelling"])
def test_minutes_of_heart_rate_and_steps_are_the_life(dumps: dict[Life, Dump], life: Life) -> None:
    recording, dump = life(), dumps[life]
    samples = [(sample_of(value)[0], whole(value["beatsPerMinute"])) for value in dump.values("heart-rate")]
    assert samples == sorted(samples, reverse=True), "newest first"
    lived = {utc_minute(recording, place): place for place in worn_places(recording)}
    assert [moment.replace(second=0) for moment, _ in reversed(samples)] == list(lived)
    bpm = recording.minutes.heart_rate.tolist()
    assert all(rate == bpm[lived[moment.replace(second=0)]] for moment, rate in samples)
    steps = {
        start_of(value["interval"])[0]: whole(value["count"]) for value in dump.values("steps", "reconcile")
    }
    counted = recording.minutes.steps.tolist()
    assert {moment: count for moment, count in steps.items() if count} == {
        moment: counted[place] for moment, place in lived.items() if counted[place]
    }


def test_the_list_of_steps_has_every_recorder_and_the_app_s_view_one(dumps: dict[Life, Dump]) -> None:
    recording, dump = northerner(), dumps[northerner]
    sums: dict[str, int] = defaultdict(int)
    starts: list[datetime] = []
    for value in dump.values("steps"):
        starts.append(start_of(value["interval"])[0])
        sums[value["source"]["device"]["displayName"]] += whole(value["count"])
    assert starts == sorted(starts, reverse=True)
    phone = sums.pop("MobileTrack")
    assert phone == recording.phone_steps.sum() > 0
    assert set(sums) == {"Versa 4", "Charge 6"}
    assert sum(sums.values()) == recording.minutes.steps.sum()
    reconciled = list(dump.values("steps", "reconcile"))
    assert sum(whole(value["count"]) for value in reconciled) == recording.minutes.steps.sum()
    assert all(value["source"] is None for value in reconciled)


def test_pages_lead_from_one_to_the_next(dumps: dict[Life, Dump]) -> None:
    dump = dumps[northerner]
    for name, size in (("heart-rate_list", 10_000), ("sleep_list", 25), ("floors_list", 10_000)):
        *full, last = dump.pages(name)
        assert all(len(page["dataPoints"]) == size for page in full)
        assert all(set(page) == {"dataPoints", "nextPageToken"} for page in full)
        assert 0 < len(last["dataPoints"]) <= size
        assert set(last) == {"dataPoints"}
        tokens = [page["nextPageToken"] for page in full]
        assert len(set(tokens)) == len(tokens)
    assert len(dump.pages("heart-rate_list")) > 1


def test_a_type_without_a_point_answers_with_nothing(dumps: dict[Life, Dump]) -> None:
    assert dumps[southerner].pages("weight_list") == [{}]


@pytest.mark.parametrize("life", [northerner, southerner], ids=["northern", "southern"])
def test_stages_follow_each_other_without_a_gap(dumps: dict[Life, Dump], life: Life) -> None:
    recording, values = life(), list(dumps[life].values("sleep"))
    assert len(values) == len(recording.sleeps)
    for value, sleep in zip(reversed(values), recording.sleeps, strict=True):
        assert utc(value["interval"]["startTime"]) == recording.days.utc_of(sleep.start)
        assert value["type"] == sleep.kind.upper()
        bounds = [(utc(stage["startTime"]), utc(stage["endTime"])) for stage in value["stages"]]
        assert bounds[0][0] == utc(value["interval"]["startTime"])
        assert bounds[-1][1] == utc(value["interval"]["endTime"])
        assert all(left[1] == right[0] for left, right in itertools.pairwise(bounds))
        assert set(value["metadata"]) - {"nap"} == {"stagesStatus", "processed"}
        allowed = (
            {"AWAKE", "LIGHT", "DEEP", "REM"} if sleep.kind == "stages" else {"AWAKE", "ASLEEP", "RESTLESS"}
        )
        assert {stage["type"] for stage in value["stages"]} <= allowed
        summary = value["summary"]
        assert sum(whole(stage["minutes"]) for stage in summary["stagesSummary"]) == sleep.minutes_in_bed
        assert whole(summary["minutesInSleepPeriod"]) == sleep.minutes_in_bed


def test_exercises_are_in_millimetres_and_zone_times(dumps: dict[Life, Dump]) -> None:
    for life in LIVES:
        recording = life()
        for value, log in zip(
            reversed(list(dumps[life].values("exercise"))), recording.exercises, strict=True
        ):
            instant, local = start_of(value["interval"])
            assert (instant, local) == (recording.days.utc_of(log.exercise.start), log.exercise.start)
            assert value["activeDuration"] == f"{log.exercise.seconds}s"
            metrics = value["metricsSummary"]
            unit = 1_609_344 if recording.person.miles else 1_000_000
            expected = None if log.distance is None else pytest.approx(log.distance * unit, abs=1)
            assert metrics.get("distanceMillimeters") == expected
            assert whole(metrics["averageHeartRateBeatsPerMinute"]) == log.average_heart_rate
            assert whole(metrics.get("activeZoneMinutes", "0")) == log.active_zone_minutes
            zones = metrics["heartRateZoneDurations"].values()
            assert sum(int(text[:-1]) for text in zones) == 60 * sum(log.zones)


def test_within_a_night_samples_carry_offsets_and_invalid_oxygen_says_50(dumps: dict[Life, Dump]) -> None:
    recording = southerner()
    oxygen = [
        (sample_of(value)[1], value["percentage"]) for value in dumps[southerner].values("oxygen-saturation")
    ]
    valid = [value for _, value in oxygen if value != 50.0]
    assert 0.1 < 1 - len(valid) / len(oxygen) < 0.3
    assert min(valid) > 70
    nights = {sleep.wake_date: sleep for sleep in recording.sleeps if sleep.is_main}
    variability = list(dumps[southerner].values("heart-rate-variability"))
    assert variability
    for value in variability:
        instant, _ = sample_of(value)
        assert any(
            recording.days.utc_of(night.start) - timedelta(minutes=1)
            <= instant
            <= recording.days.utc_of(night.start) + timedelta(minutes=night.minutes_in_bed)
            for night in nights.values()
        )


def test_the_account_is_known_by_settings_not_by_name(dumps: dict[Life, Dump]) -> None:
    person = northerner().person
    settings = json.loads(dumps[northerner].texts["settings"])
    assert (settings["timeZone"], settings["utcOffset"]) == ("America/New_York", "-14400s")
    profile = json.loads(dumps[northerner].texts["profile"])
    assert day_of(profile["membershipStartDate"]) < person.first_day
    everything = " ".join(dumps[northerner].texts.values())
    assert not any(part in everything for part in person.name.split())
    assert person.birth_date.isoformat() not in everything
    (height,) = dumps[northerner].values("height")
    assert whole(height["heightMillimeters"]) == round(person.body.height_cm * 10)


def test_finer_samples_have_the_mean_of_their_minute(tmp_path: Path) -> None:
    recording = southerner()
    dump = Dump(exported(recording, "health_api", tmp_path, seconds=30))
    by_minute: dict[datetime, list[int]] = defaultdict(list)
    for value in dump.values("heart-rate"):
        by_minute[sample_of(value)[0].replace(second=0)].append(whole(value["beatsPerMinute"]))
    bpm = recording.minutes.heart_rate.tolist()
    assert len(by_minute) == len(worn_places(recording))
    for place in worn_places(recording):
        assert sum(by_minute[utc_minute(recording, place)]) == 2 * bpm[place]

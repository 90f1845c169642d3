"""The monthly CSV file, read by csv and datetime alone, in each language and unit."""

import csv
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from form_checks import ASKED, assert_tells_the_truth, exported, northerner, southerner

from synthetic.exports.members import Request
from synthetic.exports.monthly_csv import members
from synthetic.life.recording import Recording, record

HEADERS = {
    "Body": "Date,Weight,BMI,Fat",
    "Foods": "Date,Calories In",
    "Activities": "Date,Calories Burned,Steps,Distance,Floors,Minutes Sedentary,Minutes Lightly Active,"
    "Minutes Fairly Active,Minutes Very Active,Activity Calories",
    "Sleep": "Start Time,End Time,Minutes Asleep,Minutes Awake,Number of Awakenings,Time in Bed,"
    "Minutes REM Sleep,Minutes Light Sleep,Minutes Deep Sleep",
}
DAYS = {"en_US": "%Y-%m-%d", "en_GB": "%d-%m-%Y", "en_CA": "%m/%d/%Y", "de_DE": "%d-%m-%Y"}
SEPARATORS = {"en_US": ",.", "en_GB": ",.", "en_CA": ",.", "de_DE": ".,"}
LANGUAGES = pytest.mark.parametrize("language", sorted(DAYS))
MILES, KILOMETRES = 1609.344, 1000.0
KG_A_POUND, KG_A_STONE = 0.45359237, 6.35029318

Sections = dict[str, list[list[str]]]


def sections_of(text: str) -> Sections:
    """Rows of each section; every file is cut by empty lines, with title and header on top."""
    assert text.endswith("\n")
    found: Sections = {}
    for block in text.rstrip("\n").split("\n\n"):
        title, header, *lines = block.split("\n")
        assert header == HEADERS.get(title, "Daily Totals")
        assert all(line.startswith('"') and line.endswith('"') for line in lines)
        found[title] = list(csv.reader(lines))
    return found


class Reader:
    """Numbers, days and times of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.thousands, self.decimal = SEPARATORS[language]

    def number(self, text: str) -> float:
        whole, _, part = text.partition(self.decimal)
        groups = whole.split(self.thousands)
        assert all(len(group) == 3 for group in groups[1:]), text
        return float(f"{''.join(groups)}.{part or 0}")

    def day(self, text: str) -> date:
        return datetime.strptime(text, DAYS[self.language]).date()  # noqa: DTZ007 - a label

    def time(self, text: str) -> datetime:
        form = " %I:%M%p" if self.language in ("en_US", "en_CA") else " %I:%M %p"
        return datetime.strptime(text, DAYS[self.language] + form)  # noqa: DTZ007 - wall clock


def told(sections: Sections, reader: Reader, metres: float) -> dict[date, dict[str, Any]]:
    days: dict[date, dict[str, Any]] = defaultdict(dict)
    whole = (
        "floors",
        "sedentary_minutes",
        "lightly_active_minutes",
        "fairly_active_minutes",
        "very_active_minutes",
    )
    for day, burned, steps, distance, *minutes, _ in sections["Activities"]:
        row = days[reader.day(day)]
        row["calories_kcal"] = reader.number(burned)
        if reader.number(minutes[1]) < 1440:
            row["steps"] = reader.number(steps)
            row["distance_m"] = reader.number(distance) * metres
            row |= dict(zip(whole, map(reader.number, minutes), strict=True))
    by_date: dict[date, list[list[str]]] = defaultdict(list)
    for log in sections["Sleep"]:
        by_date[reader.time(log[1]).date()].append(log)
    for day, logs in by_date.items():
        days[day] |= night(day, logs, reader)
    return days


def night(day: date, logs: list[list[str]], reader: Reader) -> dict[str, Any]:
    main = max(logs, key=lambda log: reader.number(log[5]))
    start, end = reader.time(main[0]), reader.time(main[1])
    midnight = datetime.combine(day, datetime.min.time())
    asleep = sum(reader.number(log[2]) for log in logs)
    stages = {
        name: [reader.number(log[place]) for log in logs if log[place] != "N/A"]
        for name, place in (("rem", 6), ("light", 7), ("deep", 8))
    }
    return {
        "sleep_minutes": asleep,
        "nap_minutes": asleep - reader.number(main[2]),
        "awake_minutes": sum(reader.number(log[3]) for log in logs),
        "time_in_bed_minutes": sum(reader.number(log[5]) for log in logs),
        "bed_time": start,
        "wake_up_time": end,
        "bed_minute": (start - midnight) // timedelta(minutes=1),
        "wake_up_minute": (end - midnight) // timedelta(minutes=1),
        **{f"{name}_sleep_minutes": sum(found) for name, found in stages.items() if found},
    }


@LANGUAGES
@pytest.mark.parametrize(("life", "metres"), [(northerner, MILES), (southerner, KILOMETRES)])
def test_days_and_nights_tell_the_truth(
    tmp_path: Path, language: str, life: Callable[[], Recording], metres: float
) -> None:
    recording = life()
    (path,) = exported(recording, "monthly_csv", tmp_path, language).iterdir()
    assert path.name == "fitbit_export_20260701.csv"
    sections = sections_of(path.read_text())
    assert_tells_the_truth(recording, "monthly_csv", told(sections, Reader(language), metres))


@LANGUAGES
def test_thousands_are_separated_in_the_way_of_the_language(tmp_path: Path, language: str) -> None:
    (path,) = exported(northerner(), "monthly_csv", tmp_path, language).iterdir()
    steps = [row[2] for row in sections_of(path.read_text())["Activities"]]
    distances = [row[3] for row in sections_of(path.read_text())["Activities"]]
    assert any(len(text) == 5 and text[1] == SEPARATORS[language][0] for text in steps)
    assert all(text[-3] == SEPARATORS[language][1] for text in distances)


def test_half_days_are_written_in_two_styles(tmp_path: Path) -> None:
    for language, form in (("en_US", r"2026-03-"), ("en_GB", r"-03-2026 ")):
        (path,) = exported(northerner(), "monthly_csv", tmp_path / language, language).iterdir()
        start = sections_of(path.read_text())["Sleep"][0][0]
        assert form in start
        assert start.endswith(("AM", "PM") if language == "en_US" else (" am", " pm"))


def test_sleep_comes_newest_first(tmp_path: Path) -> None:
    (path,) = exported(northerner(), "monthly_csv", tmp_path).iterdir()
    starts = [Reader("en_US").time(row[0]) for row in sections_of(path.read_text())["Sleep"]]
    assert starts == sorted(starts, reverse=True)
    assert len(starts) == len(northerner().sleeps)


@pytest.mark.parametrize(("language", "unit"), [("en_US", KG_A_POUND), ("en_GB", KG_A_STONE)])
def test_weights_between_weigh_ins_lie_on_a_line(tmp_path: Path, language: str, unit: float) -> None:
    recording, reader = northerner(), Reader(language)
    (path,) = exported(recording, "monthly_csv", tmp_path, language).iterdir()
    body = {reader.day(row[0]): row for row in sections_of(path.read_text())["Body"]}
    assert list(body) == list(recording.days.dates)
    weighed = dict(recording.nightly.select("date", "weight_lb").drop_nulls().iter_rows())
    for day, pounds in weighed.items():
        assert reader.number(body[day][1]) * unit == pytest.approx(pounds * KG_A_POUND, abs=0.051 * unit)
        height = recording.person.body.height_cm / 100
        assert reader.number(body[day][2]) == pytest.approx(pounds * KG_A_POUND / height**2, abs=0.051)
    first, second = sorted(weighed)[:2]
    middle = first + (second - first) / 2
    mean = (weighed[first] + weighed[second]) / 2 * KG_A_POUND
    assert reader.number(body[middle][1]) * unit == pytest.approx(mean, abs=0.051 * unit)


def test_without_a_scale_every_day_has_the_weight_of_the_profile(tmp_path: Path) -> None:
    (path,) = exported(southerner(), "monthly_csv", tmp_path).iterdir()
    weights = {float(row[1]) for row in sections_of(path.read_text())["Body"]}
    assert weights == {round(southerner().person.body.weight_kg, 1)}


def test_a_file_has_31_days_at_most_and_later_ones_get_the_browser_s_number() -> None:
    person = replace(southerner().person, first_day=date(2026, 2, 8))
    watch = replace(person.devices[0], first_day=person.first_day)
    recording = record(replace(person, devices=(watch,)), 5)
    files = list(members(recording, Request(ASKED, "monthly_csv")))
    assert [file.path for file in files] == [f"fitbit_export_20260701{number}.csv" for number in ("", " (1)")]
    days = [len(sections_of(file.content.decode())["Activities"]) for file in files]
    assert days == [31, 30]


def test_every_day_has_its_food_log(tmp_path: Path) -> None:
    (path,) = exported(southerner(), "monthly_csv", tmp_path).iterdir()
    logs = [title for title in sections_of(path.read_text()) if title.startswith("Food Log ")]
    assert logs == [f"Food Log {day:%Y%m%d}" for day in southerner().days.dates]

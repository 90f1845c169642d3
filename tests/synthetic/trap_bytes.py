"""Whether a trap is in the bytes that were sent: plain looks at files, that share nothing with ingest."""

import csv
import io
import json
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from math import isclose
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from synthetic.people.persona import Person


@dataclass(frozen=True)
class Sent:
    """What lies in one participant's folder."""

    folder: Path
    person: Person

    @property
    def names(self) -> list[str]:
        return sorted(
            path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()
        )

    def bytes_of(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def archive(self, name: str) -> dict[str, bytes]:
        with zipfile.ZipFile(self.folder / name) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist()}

    @cached_property
    def members(self) -> dict[str, bytes]:
        """Of all whole zips and loose files, by path."""
        found: dict[str, bytes] = {}
        for name in self.names:
            path = self.folder / name
            found |= self.archive(name) if zipfile.is_zipfile(path) else {name: path.read_bytes()}
        return found

    def having(self, pattern: str) -> dict[str, bytes]:
        return {path: content for path, content in self.members.items() if re.search(pattern, path)}

    def json(self, pattern: str) -> list[dict[str, Any]]:
        return [record for content in self.having(pattern).values() for record in json.loads(content)]

    def rows(self, pattern: str) -> list[dict[str, str]]:
        texts = (content.decode() for content in self.having(pattern).values())
        return [row for text in texts for row in csv.DictReader(io.StringIO(text))]


def _stamp(text: str) -> datetime:
    return datetime.strptime(text, "%m/%d/%y %H:%M:%S")  # noqa: DTZ007 - the clock depends on the kind


def _offset(sent: Sent, day: date) -> timedelta:
    found = ZoneInfo(sent.person.time_zone).utcoffset(
        datetime.combine(day, datetime.min.time()).replace(hour=12)
    )
    assert found is not None
    return found


def _first_heart_rate_is_local_midnight(sent: Sent) -> bool:
    """A file of a local day begins at its midnight, told in UTC, and calories begin at 00:00."""
    path, content = min(sent.having(r"/heart_rate-").items())
    day = date.fromisoformat(path[-15:-5])
    begun = _stamp(json.loads(content)[0]["dateTime"])
    midnight = datetime.combine(day, datetime.min.time()) - _offset(sent, day)
    calories = _stamp(sent.json(r"/calories-")[0]["dateTime"])
    return abs(begun - midnight) < timedelta(minutes=5) and calories.hour == calories.minute == 0


def _scores_end_with_their_logs(sent: Sent) -> bool:
    ends = {str(log["logId"]): log["endTime"][:19] for log in sent.json(r"/sleep-")}
    scores = sent.rows(r"/sleep_score\.csv$")
    stamps = (datetime.fromisoformat(row["timestamp"]).replace(tzinfo=None) for row in scores)
    told = dict(zip((row["sleep_log_entry_id"] for row in scores), stamps, strict=True))
    return bool(told) and all(datetime.fromisoformat(ends[key]) == stamp for key, stamp in told.items())


def _variability_is(sent: Sent, local: bool) -> bool:
    """The family and the local file of the same values, at no distance or at the offset."""
    details = {row["rmssd"]: row["timestamp"] for row in sent.rows(r"Variability Details - ")}
    gaps: Counter[timedelta] = Counter()
    for row in sent.rows(r"/heart_rate_variability"):
        value = row["root mean square of successive differences milliseconds"]
        if value in details:
            stamp = datetime.fromisoformat(row["timestamp"]).replace(tzinfo=None)
            gaps[datetime.fromisoformat(details[value]) - stamp] += 1
    expected = timedelta() if local else _offset(sent, sent.person.last_day)
    return gaps.most_common(1)[0][0] == expected


def _nights_in_false_utc(sent: Sent) -> bool:
    offsets = Counter(row["start_utc_offset"] for row in sent.rows(r"/UserSleeps_"))
    stages = Counter(row["start_utc_offset"] for row in sent.rows(r"/UserSleepStages_"))
    return offsets.most_common(1)[0][0] == "+00:00" and "+00:00" not in stages and not sent.having(r"/sleep-")


def _minutes_of_the_change(sent: Sent, day: date) -> bool:
    """The local day is no 24 hours long, and its calories have 1440 rows all the same."""
    rows = [record for record in sent.json(r"/calories-") if _stamp(record["dateTime"]).date() == day]
    change = _offset(sent, day + timedelta(days=1)) - _offset(sent, day - timedelta(days=1))
    return len(rows) == 1440 and abs(change) == timedelta(hours=1)


def _two_zones(sent: Sent, hours: int) -> bool:
    (trip,) = sent.person.trips
    away = ZoneInfo(trip.zone).utcoffset(datetime.combine(trip.out, datetime.min.time()))
    assert away is not None
    stated = {row["start_utc_offset"] for row in sent.rows(r"/UserSleepStages_")}
    return away - _offset(sent, trip.out) == timedelta(hours=hours) and len(stated) == 2


def _recorders(sent: Sent) -> set[str]:
    return {row["data source"] for row in sent.rows(r"/steps_")}


def _same_minute_by_two(sent: Sent) -> bool:
    times = Counter(row["timestamp"] for row in sent.rows(r"/steps_"))
    return max(times.values()) > 1 and not sent.having(r"/steps-")


def _days_padded(sent: Sent) -> bool:
    padded = [
        _stamp(record["dateTime"]).date()
        for record in sent.json(r"/sedentary_minutes-")
        if record["value"] == "1440"
    ]
    return max(padded) > sent.person.last_day + timedelta(days=1)


def _oxygen_of_fifty(sent: Sent) -> bool:
    values = [row["value"] for row in sent.rows(r"/Minute SpO2 - ")]
    return 0.1 < values.count("50.0") / len(values) < 0.3 and not sent.having(r"/Daily SpO2 - ")


def _heart_rate_values(sent: Sent) -> list[dict[str, int]]:
    return [record["value"] for record in sent.json(r"/heart_rate-")]


def _days_without_heart_rate(sent: Sent) -> bool:
    person = sent.person
    days = {path[-15:-5] for path in sent.having(r"/heart_rate-")}
    return len(days) < (person.last_day - person.first_day).days + 1


def _log_twice_without_average(sent: Sent) -> bool:
    logs: dict[int, list[int]] = {}
    for log in sent.json(r"/sleep-"):
        if log["type"] == "stages":
            logs.setdefault(log["logId"], []).append(log["levels"]["summary"]["deep"]["thirtyDayAvgMinutes"])
    return any(len(averages) == 2 and 0 in averages for averages in logs.values())


def _both_algorithms(sent: Sent) -> bool:
    return {row["algorithm_version"] for row in sent.rows(r"/UserSleeps_")} == {
        "sleep_session_v1",
        "sleep_session_v2",
    }


def _minute_twice(sent: Sent) -> bool:
    return max(Counter(record["dateTime"] for record in sent.json(r"/steps-")).values()) == 2


def _resting(content: Mapping[str, bytes]) -> dict[str, float]:
    (text,) = (text for path, text in content.items() if "/resting_heart_rate-" in path)
    return {
        record["dateTime"]: record["value"]["value"] for record in json.loads(text) if record["value"]["date"]
    }


def _recomputed(sent: Sent) -> bool:
    older, newer = (_resting(sent.archive(name)) for name in sent.names)
    return all(isclose(value - newer[day], 1.5) for day, value in older.items()) and len(newer) > len(older)


def _inner(sent: Sent, name: str) -> list[str]:
    return list(sent.archive(name))


def _is_german(sent: Sent) -> bool:
    said = {record["activityName"] for record in sent.json(r"/exercise-")}
    zones = {zone["name"] for record in sent.json(r"/exercise-") for zone in record["heartRateZones"]}
    return bool(said & {"Gehen", "Laufen"}) and "Fett\u00adverbrennung" in zones


def _contents(*names: str) -> Callable[[Sent], bool]:
    return lambda sent: all(sent.having(re.escape(name)) for name in names)


def _in_roots(root: str) -> Callable[[Sent], bool]:
    def looked(sent: Sent) -> bool:
        start = root.replace("<owner>", sent.person.name.replace(" ", ""))
        return any(path.startswith(start) for path in sent.members)

    return looked


def _breaks_off(content: bytes) -> bool:
    try:
        json.loads(content)
    except ValueError:
        return True
    return False


def _profiles(sent: Sent) -> Iterator[str]:
    """Names of the owners of all archives."""
    for name in sent.names:
        for path, content in sent.archive(name).items():
            if path.endswith("/Profile.csv"):
                yield from (row["full_name"] for row in csv.DictReader(io.StringIO(content.decode())))


def _names_two(sent: Sent) -> bool:
    return len(set(_profiles(sent))) == 2


def _monthly(sent: Sent, number: str) -> bool:
    (content,) = sent.having(r"fitbit_export_").values()
    return re.search(number, content.decode()) is not None


def _tar_names(sent: Sent) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(sent.bytes_of(sent.names[0]))) as archive:
        return archive.getnames()


def _spans(sent: Sent) -> bool:
    first, last = sent.person.consent_from, sent.person.consent_to
    days = {date.fromisoformat(path[-15:-5]) for path in sent.having(r"/heart_rate-")}
    return last is not None and min(days) < first and max(days) > last


def _custom(sent: Sent) -> bool:
    names = [record["activityName"] for record in sent.json(r"/exercise-\d")]
    return any("lantern" in name for name in names)


def _stress(sent: Sent) -> bytes:
    return next(iter(sent.having(r"/Stress Score\.csv$").values()))


LOOKS: Mapping[str, Callable[[Sent], bool]] = {
    "utc_beside_local": _first_heart_rate_is_local_midnight,
    "score_with_false_z": _scores_end_with_their_logs,
    "false_z_of_2025": lambda sent: _variability_is(sent, local=True),
    "true_z_of_2026": lambda sent: _variability_is(sent, local=False),
    "sleeps_in_false_utc": _nights_in_false_utc,
    "dst_spring_north": lambda sent: _minutes_of_the_change(sent, date(2026, 3, 8)),
    "dst_autumn_north": lambda sent: _minutes_of_the_change(sent, date(2025, 11, 2)),
    "dst_spring_south": lambda sent: _minutes_of_the_change(sent, date(2025, 10, 5)),
    "dst_autumn_south": lambda sent: _minutes_of_the_change(sent, date(2026, 4, 5)),
    "date_line_westward": lambda sent: _two_zones(sent, 19),
    "date_line_eastward": lambda sent: _two_zones(sent, -19),
    "phone_beside_watch": lambda sent: len(_recorders(sent)) == 2 and _same_minute_by_two(sent),
    "two_watches_and_a_phone": lambda sent: len(_recorders(sent)) == 3 and _same_minute_by_two(sent),
    "new_watch": lambda sent: len({row["device_type"] for row in sent.rows(r"/Trackers\.csv$")}) == 2,
    "not_worn": _days_without_heart_rate,
    "distance_in_centimetres": lambda sent: (
        max(int(record["value"]) for record in sent.json(r"/distance-")) > 1_000
        and {record.get("distanceUnit") for record in sent.json(r"/exercise-")} & {"Mile"} == {"Mile"}
    ),
    "pounds_in_a_metric_account": lambda sent: (
        all(float(record["weight"]) > 1.9 * sent.person.body.weight_kg for record in sent.json(r"/weight-"))
        and {row["weight_unit"] for row in sent.rows(r"/Profile\.csv$")} == {"METRIC"}
    ),
    "zero_resting_heart_rate": lambda sent: any(
        record["value"] == {"date": None, "value": 0.0, "error": 0.0}
        and _stamp(record["dateTime"]).date() < sent.person.last_day
        for record in sent.json(r"/resting_heart_rate-")
    ),
    "padded_future": _days_padded,
    "oxygen_of_fifty": _oxygen_of_fifty,
    "respiration_of_minus_one": lambda sent: any(
        float(row["daily_respiratory_rate"]) == -1 for row in sent.rows(r"/Daily Respiratory Rate Summary")
    ),
    "seventy_without_contact": lambda sent: {"bpm": 70, "confidence": 0} in _heart_rate_values(sent),
    "record_without_value": lambda sent: any("value" not in record for record in sent.json(r"/steps-")),
    "nights_without_short_wakes": lambda sent: (
        {log["type"] for log in sent.json(r"/sleep-")} >= {"stages"}
        and not any("shortData" in log["levels"] for log in sent.json(r"/sleep-"))
    ),
    "days_as_instants": lambda sent: (
        {row["timestamp"][10:] for row in sent.rows(r"/daily_resting_heart_rate")} == {"T16:00:00Z"}
        and not sent.having(r"/resting_heart_rate-")
    ),
    "bare_numbers": lambda sent: all(
        isinstance(record["value"], int | float) for record in sent.json(r"/steps-")
    ),
    "border_duplicates": _log_twice_without_average,
    "nights_told_twice": lambda sent: _both_algorithms(sent) and not sent.having(r"/sleep-"),
    "nights_told_three_times": lambda sent: _both_algorithms(sent) and bool(sent.having(r"/sleep-")),
    "repeated_minutes": _minute_twice,
    "overlapping_exports": _recomputed,
    "clicked_twice": lambda sent: (
        len({sent.bytes_of(name) for name in sent.names}) == 1 and len(sent.names) == 2
    ),
    "archive_beside_its_folder": lambda sent: any(name.startswith("unpacked/") for name in sent.names),
    "split_export": lambda sent: [name[-7:] for name in sent.names] == ["001.zip", "002.zip", "003.zip"],
    "part_missing": lambda sent: (
        [name[-7:] for name in sent.names] == ["001.zip", "003.zip"]
        and not sent.having(r"/Stress Score\.csv$")
    ),
    "tar_and_gzip": lambda sent: any("/steps-" in name for name in _tar_names(sent)),
    "zipped_again": lambda sent: any(path.startswith("Fitbit/") for path in sent.members),
    "archive_in_archive": lambda sent: [name[-4:] for name in _inner(sent, sent.names[0])] == [".zip"],
    "archive_three_deep": lambda sent: _inner(sent, "and again.zip") == ["again.zip"],
    "unpacked_folder": lambda sent: not any(name.endswith(".zip") for name in sent.names),
    "foreign_products": _contents("Takeout/Keep/", "__MACOSX/", "Takeout/Drive/holiday.zip", ".DS_Store"),
    "cut_archive": lambda sent: (
        [zipfile.is_zipfile(sent.folder / name) for name in sent.names].count(False) == 1
    ),
    "bomb": lambda sent: any(len(content) > 16 << 20 for content in sent.members.values()),
    "paths_leading_out": lambda sent: any(path.startswith("../") for path in sent.members),
    "login_page_for_archive": lambda sent: sent.bytes_of("takeout-20260101T101010Z-001.zip").startswith(
        b"<!DOC"
    ),
    "empty_upload": lambda sent: sent.bytes_of("takeout-20260101T101010Z-001.zip") == b"",
    "other_packer": lambda sent: sent.bytes_of("fitbit.7z").startswith(b"7z\xbc\xaf"),
    "german_account": _is_german,
    "empty_files": lambda sent: {b"[]", b"no data", b"timestamp,value\n"} <= set(sent.members.values()),
    "byte_order_marks": lambda sent: all(
        content.startswith(b"\xef\xbb\xbf") for content in sent.having(r"/steps-|/sleep_score").values()
    ),
    "unicode_text": lambda sent: _stress(sent).startswith((b"\xff\xfe", b"\xfe\xff")),
    "cut_member": lambda sent: any(map(_breaks_off, sent.having(r"/very_active_minutes-").values())),
    "web_page_for_steps": lambda sent: any(
        b"<html>" in content for content in sent.having(r"/steps-").values()
    ),
    "sheet_for_stress": lambda sent: (
        len({c.splitlines()[0] for c in sent.having(r"/Stress Score\.csv$").values()}) == 2
    ),
    "report_among_exports": lambda sent: sent.bytes_of("labs.pdf").startswith(b"%PDF"),
    "custom_activity": _custom,
    "words_of_their_own": lambda sent: (
        sent.person.name in sent.names[0] and "lighthouse" in sent.rows(r"/Profile\.csv$")[0]["about_me"]
    ),
    "another_with_profile": _names_two,
    "another_without_profile": lambda sent: (
        len(sent.names) == 2 and list(_profiles(sent)) == [sent.person.name]
    ),
    "same_bytes_in_two_folders": _names_two,
    "two_people_on_one_account": lambda sent: not list(_profiles(sent)),
    "enrolled_twice": lambda sent: list(_profiles(sent)) == [sent.person.name],
    "folder_of_an_alias": lambda sent: sent.folder.name == sent.person.alias,
    "outside_the_consent": _spans,
    "form_a0": _in_roots("<owner>/user-site-export/"),
    "form_a1": _in_roots("MyFitbitData/<owner>/Physical Activity/"),
    "form_a2": _in_roots("MyFitbitData/<owner>/Google Data/"),
    "form_b": _in_roots("Takeout/Fitbit/Global Export Data/"),
    "form_c": lambda sent: "data source" not in sent.rows(r"Physical Activity_GoogleData/steps_")[0],
    "form_d": lambda sent: "data source" in sent.rows(r"Physical Activity_GoogleData/steps_")[0],
    "form_e": _in_roots("Takeout/Google Health/Physical Activity_GoogleData/steps"),
    "form_f": _in_roots("Takeout/Google Health/Physical Activity_GoogleData/Steps/"),
    "form_fitabase": _contents("form_fitabase_dailyActivity_"),
    "form_fitabase_merged": lambda sent: "Id" in sent.rows(r"dailySteps_merged\.csv$")[0],
    "form_monthly_csv": lambda sent: _monthly(sent, r'"\d+,\d{3}"'),
    "form_web_api": lambda sent: all(
        "activities-heart" in json.loads(content) for content in sent.having(r"activities_heart").values()
    ),
    "form_health_api": _contents("heart-rate_list_001.json"),
    "thousands_with_points": lambda sent: _monthly(sent, r'"\d+\.\d{3}"'),
    "thousands_with_commas": lambda sent: _monthly(sent, r'"\d+,\d{3}"'),
}
"""By name of the trap."""

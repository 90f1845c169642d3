"""What public exports say of each day, told by the standard library alone: nothing here is of the reader."""

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

Days = dict[str, dict[date, Any]]
POUND_KG = 0.45359237
SUMMED = {"steps": ("steps", True, 1.0), "distance": ("distance_m", True, 100.0),
          "calories": ("calories_kcal", False, 1.0), "altitude": ("floors", False, 10.0)}  # fmt: skip
MINUTES = {
    "sedentary_minutes": "sedentary_minutes",
    "lightly_active_minutes": "lightly_active_minutes",
    "moderately_active_minutes": "fairly_active_minutes",
    "very_active_minutes": "very_active_minutes",
}


class PlainArchive:
    """Files of one account below a folder, read with the clocks the catalogue of formats gives each kind."""

    def __init__(self, folder: Path, zone: str) -> None:
        self.folder, self.zone = folder, ZoneInfo(zone)
        self.days: Days = defaultdict(dict)
        self.logs = list({log["logId"]: log for log in self._records("sleep")}.values())
        self.exercises = self._records("exercise")
        self.heart = self._heart_minutes()
        self._sums()
        self._labels()
        self._sleep()
        self._tables()

    def records(self) -> int:
        """Records in the JSON files and lines in the CSV files of the kinds told here."""
        kinds = (*SUMMED, *MINUTES, "resting_heart_rate", "demographic_vo2_max", "weight", "height")
        counted = [self._records(kind) for kind in (*kinds, "sleep", "exercise", "heart_rate")]
        tables = [list(self._lines(name)) for name in (*_TABLES, *_OTHER_TABLES)]
        return sum(map(len, [*counted, *tables]))

    def local(self, text: str) -> datetime:
        """The wall clock of UTC digits of a JSON file."""
        return _stamp(text).replace(tzinfo=UTC).astimezone(self.zone)

    def _files(self, kind: str, ending: str) -> Iterator[Path]:
        dated = f"{kind}[-_ ]*[0-9]*{ending}"
        found = {*self.folder.rglob(f"{kind}{ending}"), *self.folder.rglob(dated)}
        return iter(sorted(path for path in found if "README" not in path.name))

    def _records(self, kind: str) -> list[Any]:
        return [record for path in self._files(kind, ".json") for record in json.loads(path.read_text())]

    def _lines(self, kind: str) -> Iterator[dict[str, str]]:
        for path in self._files(kind, ".csv"):
            with path.open(newline="") as stream:
                yield from csv.DictReader(stream)

    def _heart_minutes(self) -> dict[datetime, list[int]]:
        """Beats with contact by UTC minute."""
        found: dict[datetime, list[int]] = defaultdict(list)
        for record in self._records("heart_rate"):
            if record["value"]["confidence"] >= 1:
                found[_stamp(record["dateTime"]).replace(second=0)].append(record["value"]["bpm"])
        return found

    def _sums(self) -> None:
        for kind, (column, is_utc, divisor) in SUMMED.items():
            minutes: dict[str, float] = {}
            for record in self._records(kind):
                minutes[record["dateTime"]] = max(minutes.get(record["dateTime"], 0), float(record["value"]))
            for text, value in minutes.items():
                day = (self.local(text) if is_utc else _stamp(text)).date()
                self.days[column][day] = self.days[column].get(day, 0) + value / divisor
        local = [minute.replace(tzinfo=UTC).astimezone(self.zone).date() for minute in self.heart]
        self.days["wear_minutes"] = {day: local.count(day) for day in set(local)}

    def _labels(self) -> None:
        for kind, column in MINUTES.items():
            for record in self._records(kind):
                self.days[column][_stamp(record["dateTime"]).date()] = int(record["value"])
        for record in self._records("resting_heart_rate"):
            if record["value"]["date"] and record["value"]["value"]:
                self.days["resting_heart_rate"][_stamp(record["dateTime"]).date()] = record["value"]["value"]
        for record in self._records("demographic_vo2_max"):
            value = record["value"]["filteredDemographicVO2Max"]
            self.days["vo2max"][_stamp(record["dateTime"]).date()] = value
        for record in sorted(self._records("weight"), key=lambda r: (r["date"], r["time"])):
            day = _stamp(f"{record['date']} {record['time']}").date()
            self.days["weight_kg"][day] = record["weight"] * POUND_KG

    def _sleep(self) -> None:
        by_day: dict[date, list[Any]] = defaultdict(list)
        for log in self.logs:
            by_day[date.fromisoformat(log["dateOfSleep"])].append(log)
        for day, logs in by_day.items():
            (main,) = [log for log in logs if log["mainSleep"]]
            asleep = [log["minutesAsleep"] for log in logs]
            self.days["sleep_minutes"][day] = sum(asleep)
            self.days["nap_minutes"][day] = sum(asleep) - main["minutesAsleep"]
            self.days["time_in_bed_minutes"][day] = sum(log["timeInBed"] for log in logs)
            self.days["awake_minutes"][day] = sum(log["minutesAwake"] for log in logs)
            self.days["bed_time"][day] = datetime.fromisoformat(main["startTime"])
            self.days["wake_up_time"][day] = datetime.fromisoformat(main["endTime"])
            if main["type"] == "stages":
                for stage in ("deep", "rem", "light"):
                    told = [log["levels"]["summary"] for log in logs if log["type"] == "stages"]
                    self.days[f"{stage}_sleep_minutes"][day] = sum(s[stage]["minutes"] for s in told)

    def _tables(self) -> None:
        for kind, (time, value, column, least) in _TABLES.items():
            for line in self._lines(kind):
                if float(line[value]) > least:
                    self.days[column][date.fromisoformat(line[time][:10])] = float(line[value])
        date_of = {str(log["logId"]): date.fromisoformat(log["dateOfSleep"]) for log in self.logs}
        mains = {str(log["logId"]) for log in self.logs if log["mainSleep"]}
        for line in self._lines("sleep_score"):
            log = line["sleep_log_entry_id"]
            if log in mains or log not in date_of:
                day = date_of.get(log, date.fromisoformat(line["timestamp"][:10]))
                self.days["sleep_score"][day] = int(line["overall_score"])


_TABLES = {
    "Daily Heart Rate Variability Summary -": ("timestamp", "rmssd", "heart_rate_variability", 0),
    "Daily Respiratory Rate Summary -": ("timestamp", "daily_respiratory_rate", "respiratory_rate", 0),
}

# Told of as rows alone: details of nights, of which the day's value stands beside; no day of stress is there.
_OTHER_TABLES = ("Heart Rate Variability Details -", "sleep_score", "Stress Score", "Trackers")


def _stamp(text: str) -> datetime:
    return datetime.strptime(text, "%m/%d/%y %H:%M:%S")  # noqa: DTZ007


def table_of(
    path: Path, day: Callable[[dict[str, str]], date], columns: dict[str, tuple[str, float]]
) -> Days:
    """Columns of a table with a row a day: our name -> (its name, factor); NaN tells nothing."""
    found: Days = defaultdict(dict)
    with path.open(newline="") as stream:
        for line in csv.DictReader(stream):
            for ours, (theirs, factor) in columns.items():
                if line[theirs] not in ("", "NaN", "nan"):
                    found[ours][day(line)] = float(line[theirs]) * factor
    return found

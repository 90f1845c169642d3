"""The JSON files of ``Global Export Data``, in the vendor's own layout, clocks and quirks.

Steps, distance, heart rate and exercise are written in UTC; calories, altitude, sleep and weight in local
time; the daily files carry day labels. None says so, and the values of minute files are text.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl

from synthetic.life.recording import Recording
from synthetic.life.wear import Mask
from synthetic.local_days import Ints

CHUNK_DAYS = 30
YEAR_DAYS = 365

Members = Iterator[tuple[str, str]]


def records(texts: Iterable[str]) -> str:
    """Objects as one array in the vendor's layout: no line break after the last bracket."""
    return "[" + ",".join(texts) + "]"


def pretty(record: dict[str, Any]) -> str:
    """One object: two blanks a level, a blank on either side of the colon."""
    return json.dumps(record, indent=2, separators=(",", " : "))


def minute_file(stamps: pl.Series, values: Ints | list[str]) -> str:
    """``dateTime`` and a ``value`` that is text, for each of the minutes."""
    frame = pl.DataFrame({"stamp": stamps, "value": pl.Series(values).cast(pl.String)})
    text = frame.select(
        pl.concat_str(
            pl.lit('{\n  "dateTime" : "'), "stamp", pl.lit('",\n  "value" : "'), "value", pl.lit('"\n}')
        )
    )
    return records(text.to_series())


def stamps_of(minutes: Ints, seconds: Ints | int = 0) -> pl.Series:
    """MM/DD/YY HH:MM:SS of minutes since 1970 in the clock they are in."""
    instants = pl.Series(minutes * 60 + seconds).cast(pl.Int64) * 1000
    return instants.cast(pl.Datetime("ms")).dt.strftime("%m/%d/%y %H:%M:%S")


def chunk_starts(created: date, last: date, length: int) -> list[date]:
    """First days of the files of a kind: they step by ``length`` days from the day the account was made."""
    return [created + timedelta(days=n) for n in range(0, (last - created).days + 1, length)]


def day_stamp(day: date) -> str:
    """The label a daily file gives a day."""
    return day.strftime("%m/%d/%y") + " 00:00:00"


def chunked_minutes(name: str, created: date, minutes: Ints, values: Ints | list[str]) -> Members:
    """30-day files of minutes; ``minutes`` since 1970 in the clock of the kind, also for the cut."""
    stamps = stamps_of(minutes)
    day = minutes // 1440 - (created - date(1970, 1, 1)).days
    texts = pl.Series(values).cast(pl.String).to_list()
    for chunk in np.unique(day // CHUNK_DAYS):
        start, stop = np.searchsorted(day // CHUNK_DAYS, [chunk, chunk + 1])
        first = created + timedelta(days=int(chunk) * CHUNK_DAYS)
        yield f"{name}-{first}.json", minute_file(stamps[int(start) : int(stop)], texts[start:stop])


def steps_and_distance(recording: Recording, created: date) -> Members:
    """Sparse UTC minutes: those with steps, the one after each, and the first worn one of each day."""
    steps, worn = recording.minutes.steps, recording.minutes.worn
    shown = (steps > 0) | np.concatenate([[False], steps[:-1] > 0])
    places = np.flatnonzero(worn & (shown | _first_worn_of_day(recording)))
    minutes = recording.days.utc_minute[places]
    yield from chunked_minutes("steps", created, minutes, steps[places])
    yield from chunked_minutes("distance", created, minutes, recording.measures.distance_cm[places])


def calories(recording: Recording, created: date) -> Members:
    """Local minutes: 1440 a day also when the clocks change; the last day ends at the last sync."""
    first = (recording.days.dates[0] - date(1970, 1, 1)).days * 1440
    energy = recording.measures.energy_tenths.reshape(-1)
    last_day = recording.days.day == len(recording.days.dates) - 1
    end = len(energy) - 1440 + int(recording.days.wall[last_day & recording.arrived].max()) + 1
    minutes = first + np.arange(end, dtype=np.int64)
    values = [f"{tenths // 10}.{tenths % 10}" for tenths in energy[:end].tolist()]
    yield from chunked_minutes("calories", created, minutes, values)


def altitude(recording: Recording, created: date) -> Members:
    """Local minutes with a climb, ten feet a floor; a worn day without any has one row of 0."""
    places = np.flatnonzero((recording.measures.floors > 0) | _first_worn_of_day(recording))
    local = recording.days.utc_minute[places] + recording.days.offset[places]
    yield from chunked_minutes("altitude", created, local, recording.measures.floors[places] * 10)


def intensity_files(recording: Recording, created: date) -> Members:
    """Four daily files, padded to the end of the chunk, and before the device came, with 1440 and 0."""
    dates = recording.days.dates
    for name, values in recording.intensity.items():
        by_day = dict(zip(dates, values.tolist(), strict=True))
        padding = 1440 if name == "sedentary" else 0
        for first in chunk_starts(created, dates[-1], CHUNK_DAYS):
            rows = [
                _daily_value(day, str(by_day.get(day, padding)))
                for day in (first + timedelta(days=n) for n in range(CHUNK_DAYS))
            ]
            stem = f"{name}_minutes" if name == "sedentary" else f"{name}_active_minutes"
            yield f"{stem}-{first}.json", records(rows)


def _daily_value(day: date, value: str) -> str:
    return f'{{\n  "dateTime" : "{day_stamp(day)}",\n  "value" : "{value}"\n}}'


def resting_heart_rate(recording: Recording, created: date) -> Members:
    """A year of days from the account's first; days without a value, and all to come, say null and 0.0."""
    known = {
        row["date"]: row
        for row in recording.nightly.iter_rows(named=True)
        if row["resting_heart_rate"] is not None
    }
    for first in chunk_starts(created, recording.days.dates[-1], YEAR_DAYS):
        rows: list[str] = []
        for day in (first + timedelta(days=n) for n in range(YEAR_DAYS)):
            row = known.get(day)
            value = {"date": None, "value": 0.0, "error": 0.0}
            if row is not None:
                value = {
                    "date": day.strftime("%m/%d/%y"),
                    "value": row["resting_heart_rate"],
                    "error": row["resting_heart_rate_error"],
                }
            rows.append(pretty({"dateTime": day_stamp(day), "value": value}))
        yield f"resting_heart_rate-{first}.json", records(rows)


def cardio_fitness(recording: Recording, created: date) -> Members:
    """Days with an estimate; the app shows the filtered one."""
    rows = [
        pretty(
            {
                "dateTime": day_stamp(day),
                "value": {
                    "demographicVO2Max": round(value * 1.004, 5),
                    "demographicVO2MaxError": 3.0000000000000004,
                    "filteredDemographicVO2Max": value,
                    "filteredDemographicVO2MaxError": 0.36576000000000003,
                },
            }
        )
        for day, value in recording.nightly.select("date", "vo2max").iter_rows()
        if value is not None
    ]
    yield f"demographic_vo2_max-{created}.json", records(rows)


def heart_rate(recording: Recording, seconds: Ints, placeholders: Ints, confidence: Ints) -> Members:
    """One file a local day with UTC rows, a sample a minute; 70 with confidence 0 says "no contact"."""
    days, minutes = recording.days, recording.minutes
    shown = minutes.worn.copy()
    shown[placeholders] = True
    bpm = np.where(minutes.worn, minutes.heart_rate, 70)
    confidence = np.where(minutes.worn, confidence, 0)
    places = np.flatnonzero(shown)
    frame = pl.DataFrame(
        {
            "day": days.day[places],
            "stamp": stamps_of(days.utc_minute[places], seconds[places]),
            "bpm": bpm[places],
            "confidence": confidence[places],
        }
    )
    rows = frame.select(
        "day",
        pl.concat_str(
            pl.lit('{\n  "dateTime" : "'),
            "stamp",
            pl.lit('",\n  "value" : {\n    "bpm" : '),
            "bpm",
            pl.lit(',\n    "confidence" : '),
            "confidence",
            pl.lit("\n  }\n}"),
        ).alias("text"),
    )
    for (day,), part in rows.group_by("day", maintain_order=True):
        assert isinstance(day, int)
        yield f"heart_rate-{days.dates[day]}.json", records(part["text"])


def weight(recording: Recording, created: date) -> Members:
    """Weigh-ins in pounds with local date and time; the log's id is that local time read as if UTC."""
    person = recording.person
    known = [
        (day, pounds)
        for day, pounds in recording.nightly.select("date", "weight_lb").iter_rows()
        if pounds is not None
    ]
    for first in chunk_starts(created, recording.days.dates[-1], CHUNK_DAYS):
        rows = [
            pretty(_weigh_in(day, pounds, person.body.height_cm))
            for day, pounds in known
            if first <= day < first + timedelta(days=CHUNK_DAYS)
        ]
        if rows:
            yield f"weight-{first}.json", records(rows)


def _weigh_in(day: date, pounds: float, height_cm: float) -> dict[str, Any]:
    at = datetime(day.year, day.month, day.day, 7, 12, 30)  # noqa: DTZ001 - wall clock
    log_id = ((at - datetime(1970, 1, 1)) // timedelta(seconds=1)) * 1000  # noqa: DTZ001 - read as if UTC
    bmi = round(pounds * 0.45359237 / (height_cm / 100) ** 2, 2)
    return {
        "logId": log_id,
        "weight": pounds,
        "bmi": bmi,
        "date": day.strftime("%m/%d/%y"),
        "time": "07:12:30",
        "source": "Aria",
    }


def _first_worn_of_day(recording: Recording) -> Mask:
    first = np.zeros(len(recording.minutes.worn), dtype=np.bool_)
    worn = np.flatnonzero(recording.minutes.worn)
    first[worn[np.unique(recording.days.day[worn], return_index=True)[1]]] = True
    return first

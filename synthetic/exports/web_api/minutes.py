"""Web API answers by the minute: a day a request, the day's total as text beside the minutes.

The minutes of a day are put together as text, columns at a time: objects for each would take far longer.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from synthetic.exports import samples, wall_clock
from synthetic.exports.logs import ZONES, zone_bounds
from synthetic.exports.web_api.units import Units
from synthetic.life.activity import minute_intensity
from synthetic.life.recording import Recording
from synthetic.local_days import Ints
from synthetic.people.body import Floats

DECIMALS = 5
CLOCK = pl.Series([f"{minute // 60:02d}:{minute % 60:02d}:00" for minute in range(wall_clock.MINUTES)])


@dataclass(frozen=True, slots=True)
class Series:
    """A resource by the minute: its grid of values, and a text of JSON that stands before each."""

    resource: str
    grid: Ints | Floats
    before: pl.Series | None = None


def days(recording: Recording, units: Units) -> Iterator[tuple[str, str]]:
    """Steps, distance, floors, elevation and calories: 1440 minutes a day, on the last one up to its sync."""
    clock, measures = recording.days, recording.measures
    floors = wall_clock.total(clock, measures.floors)
    metres = wall_clock.total(clock, measures.distance_cm) / 100
    yield from _days(recording, Series("steps", wall_clock.total(clock, recording.minutes.steps)))
    yield from _days(recording, Series("distance", (metres / units.metres).astype(np.float64)))
    yield from _days(recording, Series("floors", floors))
    yield from _days(recording, Series("elevation", (floors * units.floor).astype(np.float64)))
    yield from _days(recording, Series("calories", measures.energy_tenths / 10, _level_and_mets(recording)))


def _level_and_mets(recording: Recording) -> pl.Series:
    days, minutes = recording.days, recording.minutes
    level = wall_clock.highest(days, minute_intensity(minutes))
    tenths = np.where(minutes.worn, np.rint(minutes.met * 10), 10).astype(np.int64)
    mets = np.maximum(wall_clock.highest(days, tenths), 10)
    frame = pl.DataFrame({"level": level.reshape(-1), "mets": mets.reshape(-1)})
    text = pl.format('"level":{},"mets":{},', "level", "mets")
    return frame.select(text).to_series()


def _days(recording: Recording, series: Series) -> Iterator[tuple[str, str]]:
    shown = wall_clock.arrived(recording)
    key = f"activities-{series.resource}"
    for day, date in enumerate(recording.days.dates):
        values = series.grid[day][shown[day]]
        before = None if series.before is None else series.before[day * 1440 : day * 1440 + len(values)]
        total: list[dict[str, object]] = [{"dateTime": date.isoformat(), "value": _plain(values.sum())}]
        rows = _rows(CLOCK[: len(values)], values, before)
        yield (
            f"activities_{series.resource}_{date}",
            _answer(key, total, rows),
        )


def _answer(key: str, daily: list[dict[str, object]], rows: str, step: str = "minute") -> str:
    text = json.dumps(daily, separators=(",", ":"))
    intraday = f'{{"dataset":[{rows}],"datasetInterval":1,"datasetType":"{step}"}}'
    return f'{{"{key}":{text},"{key}-intraday":{intraday}}}'


def _rows(times: pl.Series, values: Ints | Floats, before: pl.Series | None = None) -> str:
    numbers = pl.Series(values)
    if numbers.dtype == pl.Float64:
        numbers = numbers.round(DECIMALS)
    frame = pl.DataFrame({"time": times, "value": numbers, "before": "" if before is None else before})
    texts = frame.select(pl.format('{{{}"time":"{}","value":{}}}', "before", "time", "value"))
    return ",".join(texts.to_series())


def _plain(total: np.int64 | np.float64) -> str:
    """A number as text without an exponent or needless zeros."""
    return f"{float(total):.{DECIMALS}f}".rstrip("0").rstrip(".")


def heart_days(recording: Recording, every_seconds: int) -> Iterator[tuple[str, str]]:
    """Heart rate of every day, by the minute or finer.

    Times without are missing, and so is the resting value without enough wear.
    """
    resting = recording.nightly["resting_heart_rate"].to_list()
    zones = _zones_by_day(recording)
    datasets = _by_minute(recording) if every_seconds == 60 else _by_second(recording, every_seconds)
    step = "minute" if every_seconds == 60 else "second"
    for day, (date, rows) in enumerate(zip(recording.days.dates, datasets, strict=True)):
        value: dict[str, object] = {"customHeartRateZones": [], "heartRateZones": zones[day]}
        if resting[day] is not None:
            value["restingHeartRate"] = round(resting[day])
        daily: list[dict[str, object]] = [{"dateTime": date.isoformat(), "value": value}]
        yield f"activities_heart_{date}", _answer("activities-heart", daily, rows, step)


def _by_minute(recording: Recording) -> Iterator[str]:
    grid = wall_clock.heart_rate(recording)
    for bpm, known in zip(grid.bpm, grid.known, strict=True):
        yield _rows(CLOCK.filter(pl.Series(known)), bpm[known])


def _by_second(recording: Recording, every_seconds: int) -> Iterator[str]:
    """A second that the wall clock showed twice is given once."""
    for day in range(len(recording.days.dates)):
        found = samples.heart_rate(recording, day, every_seconds)
        local = ((pl.col("utc_second") + pl.col("offset") * 60) * 1000).cast(pl.Datetime("ms"))
        times = found.select(local.dt.strftime("%H:%M:%S").alias("time"), "bpm")
        rows = times.unique("time", keep="first").sort("time")
        yield _rows(rows["time"], rows["bpm"].to_numpy())


def _zones_by_day(recording: Recording) -> list[list[dict[str, object]]]:
    """Minutes and kilocalories of each zone of each day."""
    days, worn, zone = recording.days, recording.minutes.worn, recording.measures.zone
    cells = days.day[worn] * len(ZONES) + zone[worn]
    energy = recording.measures.energy_tenths[days.day[worn], days.wall[worn]] / 10
    size = len(days.dates) * len(ZONES)
    minutes = np.bincount(cells, minlength=size).reshape(-1, len(ZONES)).tolist()
    kcal = np.bincount(cells, weights=energy, minlength=size).reshape(-1, len(ZONES)).tolist()
    bounds = zone_bounds(recording.person)
    return [
        [
            {
                "caloriesOut": round(kcal[day][order], 5),
                "max": bounds[order][1],
                "min": bounds[order][0],
                "minutes": minutes[day][order],
                "name": name,
            }
            for order, name, _ in ZONES
        ]
        for day in range(len(days.dates))
    ]

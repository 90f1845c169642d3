"""Fitabase files by the minute and by the hour of the wall clock."""

import numpy as np
import polars as pl

from synthetic.exports import samples, wall_clock
from synthetic.life.activity import minute_intensity
from synthetic.life.recording import Recording
from synthetic.life.wear import Mask
from synthetic.local_days import Ints
from synthetic.people.body import Floats

REST_MET_TENTHS = 10


def steps(recording: Recording) -> pl.DataFrame:
    """Steps of every minute, 0 where there were none or the device was off."""
    return _narrow(recording, "Steps", _steps(recording))


def calories(recording: Recording) -> pl.DataFrame:
    """Kilocalories of every minute, rest included."""
    return _narrow(recording, "Calories", _kcal(recording))


def intensities(recording: Recording) -> pl.DataFrame:
    """0 sedentary, 1 light, 2 moderate, 3 very active."""
    return _narrow(recording, "Intensity", _intensity(recording))


def mets(recording: Recording) -> pl.DataFrame:
    """Multiples of the energy at rest, times ten."""
    tenths = np.where(recording.minutes.worn, np.rint(recording.minutes.met * 10), REST_MET_TENTHS)
    grid = wall_clock.highest(recording.days, tenths.astype(np.int64))
    return _narrow(recording, "METs", np.maximum(grid, REST_MET_TENTHS))


def heart_rate(recording: Recording) -> pl.DataFrame:
    """Mean bpm of minutes with heart rate, rounded down; other minutes are missing."""
    grid = wall_clock.heart_rate(recording)
    return _minutes(recording, grid.known).select(
        "day", Time="time", Value=pl.Series(grid.bpm.reshape(-1)[grid.known.reshape(-1)])
    )


def heart_seconds(recording: Recording, every_seconds: int, first: int, last: int) -> pl.DataFrame:
    """Samples of the ``first`` to ``last`` local day, both included."""
    parts = [samples.heart_rate(recording, day, every_seconds) for day in range(first, last + 1)]
    local = (pl.col("utc_second") + pl.col("offset") * 60) * 1000
    return pl.concat(parts).select(Time=local.cast(pl.Datetime("ms")), Value="bpm")


def wear_time(recording: Recording) -> pl.DataFrame:
    """Minutes a day with heart rate."""
    known = wall_clock.heart_rate(recording).known
    return pl.DataFrame(
        {
            "day": np.arange(len(known)),
            "Day": recording.days.dates,
            "TotalMinutesWearTime": known.sum(axis=1),
        }
    )


def hourly_steps(recording: Recording) -> pl.DataFrame:
    """Steps an hour."""
    return _hourly(recording, StepTotal=_by_hour(_steps(recording)))


def hourly_calories(recording: Recording) -> pl.DataFrame:
    """Whole kilocalories an hour."""
    return _hourly(recording, Calories=np.rint(_by_hour(_kcal(recording))).astype(np.int64))


def hourly_intensities(recording: Recording) -> pl.DataFrame:
    """Sum of the sixty intensities of an hour, and their mean."""
    sums = _by_hour(_intensity(recording))
    return _hourly(recording, TotalIntensity=sums, AverageIntensity=np.round(sums / 60, 6))


def wide_steps(recording: Recording) -> pl.DataFrame:
    """A row an hour with the steps of its minutes, Steps00 to Steps59."""
    return _wide(recording, "Steps", _steps(recording))


def wide_calories(recording: Recording) -> pl.DataFrame:
    """A row an hour with the kilocalories of its minutes, Calories00 to Calories59."""
    return _wide(recording, "Calories", _kcal(recording))


def wide_intensities(recording: Recording) -> pl.DataFrame:
    """A row an hour with the intensities of its minutes, Intensity00 to Intensity59."""
    return _wide(recording, "Intensity", _intensity(recording))


def _steps(recording: Recording) -> Ints:
    return wall_clock.total(recording.days, recording.minutes.steps)


def _kcal(recording: Recording) -> Floats:
    return recording.measures.energy_tenths / 10


def _intensity(recording: Recording) -> Ints:
    return wall_clock.highest(recording.days, minute_intensity(recording.minutes))


def _minutes(recording: Recording, shown: Mask) -> pl.DataFrame:
    """``day`` and ``time`` of the cells that are shown."""
    places = np.flatnonzero(shown.reshape(-1))
    times = wall_clock.times(recording)
    return pl.DataFrame({"day": places // wall_clock.MINUTES, "time": times[places]})


def _narrow(recording: Recording, name: str, grid: Ints | Floats) -> pl.DataFrame:
    shown = wall_clock.arrived(recording)
    values = _as_series(name, grid.reshape(-1)[shown.reshape(-1)])
    return _minutes(recording, shown).rename({"time": "ActivityMinute"}).with_columns(values)


def _by_hour(grid: Ints | Floats) -> Ints | Floats:
    return grid.reshape(-1, 60).sum(axis=1)


def _hourly(recording: Recording, **columns: Ints | Floats) -> pl.DataFrame:
    """Hours that the last sync reached."""
    shown = wall_clock.arrived(recording).reshape(-1, 60).any(axis=1)
    places = np.flatnonzero(shown)
    return pl.DataFrame(
        {"day": places // 24, "ActivityHour": wall_clock.times(recording)[places * 60]}
    ).with_columns(_as_series(name, values[places]) for name, values in columns.items())


def _wide(recording: Recording, name: str, grid: Ints | Floats) -> pl.DataFrame:
    by_hour = grid.reshape(-1, 60)
    return _hourly(recording, **{f"{name}{minute:02d}": by_hour[:, minute] for minute in range(60)})


def _as_series(name: str, values: Ints | Floats) -> pl.Series:
    """Whole numbers as they are; others in the single precision of the service's database."""
    series = pl.Series(name, values)
    return series.cast(pl.Float32) if series.dtype == pl.Float64 else series

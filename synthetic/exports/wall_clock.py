"""The recording on the wall clock: what a service shows that keeps no offsets.

A grid has a row for each local day and a column for each of 1440 minutes. Where clocks go forward its cells
stay empty; where they go back two elapsed minutes share a cell. That vendors merge them so is our assumption.
"""

from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from synthetic.life.recording import Recording
from synthetic.life.wear import Mask
from synthetic.local_days import Ints, LocalDays

MINUTES = 1440


def total(days: LocalDays, values: Ints) -> Ints:
    """Sums of an array over elapsed minutes, by local day and minute on the wall."""
    cells = days.day * MINUTES + days.wall
    size = len(days.dates) * MINUTES
    sums = np.bincount(cells, weights=values.astype(np.float64), minlength=size)
    return np.rint(sums).astype(np.int64).reshape(-1, MINUTES)


def highest(days: LocalDays, values: Ints) -> Ints:
    """Largest value of an array over elapsed minutes, by local day and minute on the wall; 0 where none."""
    grid = np.zeros(len(days.dates) * MINUTES, dtype=np.int64)
    np.maximum.at(grid, days.day * MINUTES + days.wall, values)
    return grid.reshape(-1, MINUTES)


@dataclass(frozen=True, slots=True)
class HeartRate:
    """Mean bpm, rounded down, by local day and minute on the wall, and whether there is one."""

    bpm: Ints
    known: Mask


def heart_rate(recording: Recording) -> HeartRate:
    """Heart rate of worn minutes; a shared cell holds the mean of both."""
    days, worn = recording.days, recording.minutes.worn
    count = total(days, worn.astype(np.int64))
    beats = total(days, np.where(worn, recording.minutes.heart_rate, 0))
    return HeartRate(beats // np.maximum(count, 1), count > 0)


def arrived(recording: Recording) -> Mask:
    """Cells that the last sync brought: all but the rest of the last day."""
    days = recording.days
    reached = np.ones((len(days.dates), MINUTES), dtype=np.bool_)
    last = days.day == len(days.dates) - 1
    reached[-1] = np.arange(MINUTES) <= int(days.wall[last & recording.arrived].max())
    return reached


def times(recording: Recording) -> pl.Series:
    """Zone-less local time of every cell, day by day."""
    first = (recording.days.dates[0] - date(1970, 1, 1)).days * MINUTES
    return instants(first + np.arange(len(recording.days.dates) * MINUTES))


def instants(minutes: Ints) -> pl.Series:
    """Zone-less times of minutes since 1970 in whatever clock they are in."""
    return (pl.Series(minutes) * 60_000).cast(pl.Datetime("ms"))

"""Samples of a recording in the clocks that forms without confidence or offsets need."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from synthetic.life.heart_samples import heart_rate_samples
from synthetic.life.night_details import hrv_details, spo2_minutes
from synthetic.life.recording import Recording
from synthetic.local_days import Ints


def heart_rate(recording: Recording, day: int, every_seconds: int) -> pl.DataFrame:
    """Samples of a local day with contact: utc_second, offset (minutes local is ahead of UTC), bpm."""
    samples = heart_rate_samples(recording, day, every_seconds).filter(pl.col("confidence") > 0)
    return _with_offset(recording, samples.drop("confidence"))


def oxygen(recording: Recording) -> pl.DataFrame:
    """Every minute of oxygen saturation, 50.0 too: utc_second, offset, value, date (of waking)."""
    return _with_offset(recording, spo2_minutes(recording)).pipe(_with_wake_date, recording)


def variability(recording: Recording) -> pl.DataFrame:
    """Every five minutes: the columns of ``hrv_details``, utc_second, offset and date (of waking).

    ``local_minute`` counts on in the offset of the night's start.
    """
    details = hrv_details(recording)
    night = _night_of(recording, details["local_minute"].to_numpy())
    offsets = np.array([recording.days.offset_at(sleep.start) for sleep in recording.sleeps], dtype=np.int64)
    utc = (details["local_minute"].to_numpy() - offsets[night]) * 60 if len(night) else np.zeros(0, np.int64)
    placed = details.with_columns(pl.Series("utc_second", utc))
    return _with_offset(recording, placed).pipe(_with_wake_date, recording)


def newest_first(frame: pl.DataFrame, rows: int) -> Iterator[pl.DataFrame]:
    """The rows from the last to the first, so many at a time."""
    for stop in range(frame.height, 0, -rows):
        first = max(stop - rows, 0)
        yield frame[first:stop].reverse()


def _with_offset(recording: Recording, frame: pl.DataFrame) -> pl.DataFrame:
    days = recording.days
    place = frame["utc_second"].to_numpy() // 60 - int(days.utc_minute[0])
    return frame.with_columns(pl.Series("offset", days.offset[place]))


def _with_wake_date(frame: pl.DataFrame, recording: Recording) -> pl.DataFrame:
    local = frame["utc_second"].to_numpy() // 60 + frame["offset"].to_numpy()
    dates = pl.Series("date", [sleep.wake_date for sleep in recording.sleeps], dtype=pl.Date)
    return frame.with_columns(dates[_night_of(recording, local)])


def _night_of(recording: Recording, local_minute: Ints) -> Ints:
    """Index of the log that began last before a wall minute."""
    starts = pl.Series([sleep.start for sleep in recording.sleeps], dtype=pl.Datetime("ms"))
    minutes = starts.dt.epoch("s").to_numpy() // 60
    return np.searchsorted(minutes, local_minute, side="right").astype(np.int64) - 1

"""Samples of the heart rate as arrays, and what a minute of them gives."""

from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl

from ingest.fitbit.fixed_layout import DIGIT, STAMP, Layout
from ingest.fitbit.fixed_text import Bytes, Whole
from ingest.fitbit.reading import limits_of
from schemas.heart_rate_minutes import HeartRateMinutes

MOST_SURE = 3
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_LOW, _HIGH = limits_of(HeartRateMinutes, "heart_rate")
_LAYOUT = Layout(
    b'{\n  "dateTime" : "' + STAMP + b'",\n  "value" : {\n    "bpm" : ',
    b',\n    "confidence" : ' + DIGIT + b"\n  }\n}",
)


class Beats(NamedTuple):
    """Samples in the order of the file: second since 1970 by their digits, beats a minute, confidence."""

    second: Whole
    bpm: Whole
    confidence: Whole | Bytes

    def are_plain(self) -> bool:
        """Whether time runs forward and all is within limits, so that no rule can name a sample."""
        in_order = (self.second[1:] > self.second[:-1]).all()
        within = self.bpm.min() >= _LOW and self.bpm.max() <= _HIGH and self.confidence.max() <= MOST_SURE
        return bool(in_order and within)


def beats_of(data: bytes) -> Beats | None:
    """All samples of a file in the vendor's own layout; None where it is in another."""
    columns = _LAYOUT.read(data)
    if columns is None or columns.digit is None:
        return None
    return Beats(columns.second, columns.number.astype(np.int64, copy=False), columns.digit)


def by_minute(beats: Beats, day: date | None) -> pl.DataFrame:
    """Of samples whose time runs forward a row a minute: ``utc``, ``heart_rate`` (mean of confidence >= 1,
    null where there is none), ``samples``, ``samples_no_contact``, ``rows``, ``file_day`` (as given).
    """
    minute = beats.second // 60
    begins = np.flatnonzero(np.append(True, minute[1:] != minute[:-1])[: len(minute)])
    contact = beats.confidence >= 1
    samples = np.add.reduceat(contact, begins, dtype=np.int64)
    rows = np.diff(np.append(begins, len(minute)))
    total = np.add.reduceat(beats.bpm * contact, begins)
    mean = np.where(samples > 0, total / np.maximum(samples, 1), np.nan)
    return pl.DataFrame(
        [
            pl.Series("utc", minute[begins] * 60_000_000, dtype=pl.Datetime("us")),
            pl.Series("heart_rate", mean, nan_to_null=True),
            pl.Series("samples", samples),
            pl.Series("samples_no_contact", rows - samples),
            pl.Series("rows", rows),
            _repeated(day, len(rows)),
        ]
    )


def _repeated(day: date | None, times: int) -> pl.Series:
    if day is None:
        return pl.Series("file_day", [None] * times, dtype=pl.Date)
    since = day.toordinal() - _EPOCH_DAY
    return pl.Series("file_day", np.full(times, since, np.int32)).cast(pl.Date)

"""Heart-rate files: samples every few seconds, UTC digits, one file a local day; kept by the minute."""

import re
from datetime import date

import msgspec
import numpy as np
import polars as pl

from ingest.archive import Content
from ingest.fitbit.beats import MOST_SURE, Beats, beats_of, by_minute
from ingest.fitbit.csv_form import CsvForm, Value
from ingest.fitbit.json_rows import Records, Whole, decode, parsed_time
from ingest.fitbit.minutes_of_samples import by_minute_and_recorder
from ingest.fitbit.reading import Reading, Rows, Rule, missing, outside_limits, sift
from schemas.heart_rate_minutes import HeartRateMinutes

_CSV = CsvForm(
    "timestamp",
    "utc",
    (Value("heart_rate", "beats per minute", (HeartRateMinutes, "heart_rate")),),
    recorders=True,
    seconds=True,
)
_FILE_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})")


class Beat(msgspec.Struct, gc=False):
    """bpm with its confidence: 0 means no contact (often a placeholder of 70 bpm), 1 to 3 a measurement."""

    bpm: Whole
    confidence: Whole


class Sample(msgspec.Struct, gc=False):
    """``{"dateTime": "12/09/23 23:00:07", "value": {"bpm": 73, "confidence": 3}}``."""

    dateTime: str  # noqa: N815
    value: Beat


def read_heart_rate(content: Content, name: str) -> Reading:
    """A row a minute: ``utc``, ``heart_rate`` (mean of confidence >= 1), ``samples``, ``samples_no_contact``,
    ``rows``, ``file_day`` (local day in the file's name, null where it has none).
    """
    beats = None if content.damaged else beats_of(content.data)
    if beats is not None and beats.are_plain():
        return Reading(by_minute(beats, _file_day(name)), len(beats.second))
    rows = _decoded(decode(content, Sample)) if beats is None else _rows(beats)
    samples = sift(rows, (missing("time"), *_limits()))
    once = samples.frame.unique("time", keep="first", maintain_order=True)
    return Reading(
        by_minute(_beats(once), _file_day(name)),
        samples.rows,
        samples.rejected,
        merged=samples.frame.height - once.height,
        damaged_from=samples.damaged_from,
    )


def read_heart_rate_csv(content: Content, _name: str) -> Reading:
    """A row a minute and recorder, in the columns of ``read_heart_rate`` but ``file_day``: the twin without
    confidence, so that no sample of it can be told to be without contact.
    """
    return by_minute_and_recorder(_CSV(content, _name))


def _rows(beats: Beats) -> Rows:
    frame = pl.DataFrame(
        {
            "time": pl.Series(beats.second * 1_000_000).cast(pl.Datetime("us")),
            "bpm": beats.bpm,
            "confidence": beats.confidence.astype(np.int64),
        }
    )
    return Rows(frame.with_row_index("row", 1), frame.height)


def _beats(samples: pl.DataFrame) -> Beats:
    """Samples of different moments, in their order."""
    ordered = samples.sort("time")
    second = ordered["time"].dt.epoch("s").to_numpy()
    return Beats(second, ordered["bpm"].to_numpy(), ordered["confidence"].to_numpy())


def _decoded(records: Records[Sample]) -> Rows:
    good = records.good
    frame = pl.DataFrame(
        {
            "time": pl.Series([sample.dateTime for sample in good], dtype=pl.String),
            "bpm": pl.Series([sample.value.bpm for sample in good], dtype=pl.Int64),
            "confidence": pl.Series([sample.value.confidence for sample in good], dtype=pl.Int64),
        }
    )
    return records.rows_of(frame.with_columns(parsed_time("time")))


def _limits() -> tuple[Rule, ...]:
    limits = outside_limits(HeartRateMinutes, "heart_rate", pl.col("bpm"))
    contact = pl.col("confidence") >= 1
    return (
        Rule("outside_limits", limits.fails & contact, "heart_rate"),
        Rule("outside_limits", ~pl.col("confidence").is_between(0, MOST_SURE), "confidence"),
    )


def _file_day(name: str) -> date | None:
    found = _FILE_DAY.search(name)
    try:
        return date.fromisoformat(found.group(1)) if found else None
    except ValueError:
        return None

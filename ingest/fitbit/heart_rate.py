"""Heart-rate files: samples every few seconds, UTC digits, one file a local day; kept by the minute."""

import re
from dataclasses import replace

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_form import CsvForm, Value
from ingest.fitbit.fixed_layout import DIGIT, STAMP, Layout
from ingest.fitbit.json_rows import Records, Whole, decode, parsed_time
from ingest.fitbit.reading import Reading, Rows, Rule, missing, outside_limits, sift
from schemas.heart_rate_minutes import HeartRateMinutes

_CSV = CsvForm(
    "timestamp",
    "utc",
    (Value("heart_rate", "beats per minute", (HeartRateMinutes, "heart_rate")),),
    recorders=True,
    seconds=True,
)
_LAYOUT = Layout(
    b'{\n  "dateTime" : "' + STAMP + b'",\n  "value" : {\n    "bpm" : ',
    b',\n    "confidence" : ' + DIGIT + b"\n  }\n}",
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
    samples = sift(_samples(content), (missing("time"), *_limits()))
    once = _once(samples.frame)
    return Reading(
        _by_minute(once, name),
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


def by_minute_and_recorder(reading: Reading, *first: str) -> Reading:
    """Samples that tell no contact, as rows a minute and recorder; of ``first`` the minute's first value.

    Of samples of one recorder at one moment the first counts, the others are merged.
    """
    once = reading.frame.unique(["utc", "recorder"], keep="first", maintain_order=True)
    minutes = (
        once.group_by(pl.col("utc").dt.truncate("1m"), "recorder", maintain_order=True)
        .agg(
            pl.col(first).first(),
            pl.col("heart_rate").mean(),
            pl.len().cast(pl.Int64).alias("samples"),
            pl.lit(0, pl.Int64).alias("samples_no_contact"),
            pl.len().cast(pl.Int64).alias("rows"),
        )
        .sort("utc", "recorder")
    )
    return replace(reading, frame=minutes, merged=reading.frame.height - once.height)


def _samples(content: Content) -> Rows:
    columns = None if content.damaged else _LAYOUT.read(content.data)
    if columns is None:
        return _decoded(decode(content, Sample))
    frame = pl.DataFrame({"time": columns.time, "bpm": columns.number, "confidence": columns.digit})
    return Rows(frame.with_row_index("row", 1), frame.height)


def _once(samples: pl.DataFrame) -> pl.DataFrame:
    """Samples without those whose moment came before."""
    in_order = samples.select((pl.col("time").diff() > pl.duration()).all()).item()
    return samples if in_order else samples.unique("time", keep="first", maintain_order=True)


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
        Rule("outside_limits", ~pl.col("confidence").is_between(0, 3), "confidence"),
    )


def _by_minute(samples: pl.DataFrame, name: str) -> pl.DataFrame:
    contact = pl.col("confidence") >= 1
    day = _FILE_DAY.search(name)
    return (
        samples.lazy()
        .select(
            pl.col("time").dt.truncate("1m").alias("utc"),
            pl.when(contact).then("bpm").alias("heart_rate"),
            contact.alias("contact"),
        )
        .group_by("utc")
        .agg(
            pl.col("heart_rate").mean(),
            pl.col("contact").sum().cast(pl.Int64).alias("samples"),
            (~pl.col("contact")).sum().cast(pl.Int64).alias("samples_no_contact"),
            pl.len().cast(pl.Int64).alias("rows"),
        )
        .with_columns(
            pl.lit(day.group(1) if day else None, pl.String)
            .str.to_date("%Y-%m-%d", strict=False)
            .alias("file_day")
        )
        .sort("utc")
        .collect()
    )

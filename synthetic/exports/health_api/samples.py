"""Google Health API types whose points are samples, newest first: heart rate, its variability, oxygen."""

from collections.abc import Iterator

import polars as pl

from synthetic.exports import samples
from synthetic.exports.account import wearable_on
from synthetic.exports.health_api.text import compact, sample_times, watch
from synthetic.life.recording import Recording

ROWS_AT_A_TIME = 5_000


def heart_rate(recording: Recording, every_seconds: int) -> Iterator[str]:
    """Samples with contact; the service gives no confidence."""
    for day in reversed(range(len(recording.days.dates))):
        found = samples.heart_rate(recording, day, every_seconds).reverse()
        source = wearable_on(recording, recording.days.dates[day]).name
        value = pl.format('"beatsPerMinute":"{}"', "bpm")
        yield from _texts(found.with_columns(value.alias("text")), source, "heartRate")


def variability(recording: Recording) -> Iterator[str]:
    """RMSSD of five minutes, in milliseconds."""
    value = pl.format('"rootMeanSquareOfSuccessiveDifferencesMilliseconds":{}', "rmssd").alias("text")
    yield from _of_nights(
        recording, samples.variability(recording).with_columns(value), "heartRateVariability"
    )


def oxygen_saturation(recording: Recording) -> Iterator[str]:
    """Oxygen saturation of a minute in percent; 50.0 says that it could not be measured."""
    value = pl.format('"percentage":{}', "value").alias("text")
    yield from _of_nights(recording, samples.oxygen(recording).with_columns(value), "oxygenSaturation")


def _of_nights(recording: Recording, rows: pl.DataFrame, key: str) -> Iterator[str]:
    for part in samples.newest_first(rows, ROWS_AT_A_TIME):
        for (day,), night in part.group_by("date", maintain_order=True):
            yield from _texts(night, wearable_on(recording, day).name, key)


def _texts(rows: pl.DataFrame, device: str, key: str) -> pl.Series:
    times = sample_times(rows["utc_second"].to_numpy(), rows["offset"].to_numpy())
    frame = pl.DataFrame({"time": times, "text": rows["text"]})
    source = pl.lit(compact(watch(device)))
    text = pl.format(f'{{{{"dataSource":{{}},"{key}":{{{{{{}},{{}}}}}}}}}}', source, "time", "text")
    return frame.select(text).to_series()

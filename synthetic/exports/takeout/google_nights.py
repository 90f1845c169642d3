"""Families by the minute or the wake time of nights; two of them changed their clock with the version."""

import numpy as np
import polars as pl

from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_family import Rows, at_minutes, at_seconds, family
from synthetic.exports.takeout.night_minutes import temperature_places
from synthetic.exports.takeout.night_summaries import breathing_noise, nights_with, stage_rates
from synthetic.life.night_details import hrv_details, spo2_minutes, wrist_temperature_minutes
from synthetic.local_days import Ints

STAGES = ("deep", "light", "rem", "full")
FIGURES = ("milli breaths per minute", "standard deviation milli breaths per minute", "signal to noise")


def variability(export: Export) -> Files:
    """RMSSD by five minutes: UTC, or local time that claims to be; the deviation is always 0.0."""
    details = hrv_details(export.recording)
    local = details["local_minute"].to_numpy()
    minutes = local if export.generation.false_z else local - _offsets_on_the_wall(export, local)
    frame = details.select(
        at_minutes(minutes),
        pl.col("rmssd").round(1).alias("root mean square of successive differences milliseconds"),
        pl.lit(0.0).alias("standard deviation milliseconds"),
    )
    yield from family(export, "heart_rate_variability", Rows(frame, export.generation.app))


def _offsets_on_the_wall(export: Export, local_minutes: Ints) -> Ints:
    """Minutes local is ahead of UTC, by the sleep in which each wall time lies."""
    sleeps = export.recording.sleeps
    starts = np.array([np.datetime64(log.start, "m").astype(np.int64) for log in sleeps])
    offsets = np.array([export.recording.days.offset_at(log.start) for log in sleeps], dtype=np.int64)
    return offsets[np.searchsorted(starts, local_minutes, side="right") - 1]


def respiration(export: Export) -> Files:
    """Breaths a minute, in spite of the header, at the wake time: UTC, or local time that claims to be."""
    rows: list[tuple[object, ...]] = []
    for log, night in nights_with(export, "respiratory_rate"):
        rates = dict(stage_rates(night))
        woke = log.end if export.generation.false_z else export.utc_of(log.start) + (log.end - log.start)
        cells = [
            cell
            for place, stage in enumerate(STAGES)
            for cell in (rates[stage] or -1.0, *breathing_noise(log.wake_date, place))
        ]
        rows.append((woke, *(round(cell, 3) for cell in cells)))
    names = [f"{stage} sleep stats - {figure}" for stage in STAGES for figure in FIGURES]
    schema = {"timestamp": pl.Datetime("ms"), **dict.fromkeys(names, pl.Float64)}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    yield from family(export, "respiratory_rate_sleep_summary", Rows(frame, export.generation.app))


def saturation(export: Export) -> Files:
    """Percent by the minute in UTC; 50.0 says that it could not be measured."""
    minutes = spo2_minutes(export.recording)
    seconds = minutes["utc_second"].to_numpy()
    frame = minutes.select(at_seconds(seconds), pl.col("value").alias("oxygen saturation percentage"))
    first = int(export.recording.days.utc_minute[0])
    source = export.watch_names(np.clip(seconds // 60 - first, 0, None))
    yield from family(export, "oxygen_saturation", Rows(frame, source))


def skin_temperature(export: Export) -> Files:
    """Absolute skin temperature by the minute in UTC, in degC; it is no core temperature."""
    minutes = wrist_temperature_minutes(export.recording)
    places = temperature_places(export, len(minutes))
    absolute = _baselines(export)[places] + minutes["temperature"].to_numpy()
    frame = pl.DataFrame(
        [
            at_minutes(export.recording.days.utc_minute[places]),
            pl.Series("temperature celsius", np.round(absolute, 1)),
        ]
    )
    yield from family(export, "body_temperature", Rows(frame, export.watch_names(places)), "day")


def _baselines(export: Export) -> np.ndarray:
    """Baseline in degC of each elapsed minute: that of the day, in a night that of its wake date."""
    days, known = export.recording.days, export.recording.nightly["baseline_temperature"]
    baseline = known.forward_fill().to_numpy()[days.day]
    for log, night in nights_with(export, "baseline_temperature"):
        start = days.place_of(log.start)
        baseline[start : start + log.minutes_in_bed] = night["baseline_temperature"]
    return baseline

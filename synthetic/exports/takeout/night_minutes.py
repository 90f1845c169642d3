"""What the products keep of the minutes of a night: variability, oxygen, skin temperature."""

import numpy as np
import polars as pl

from synthetic.exports.takeout.csv_text import by_day, text_rows
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_family import at_minutes, at_seconds
from synthetic.life.night_details import hrv_details, spo2_minutes, wrist_temperature_minutes
from synthetic.local_days import EPOCH, Ints

ON_THE_WALL, TO_THE_MINUTE = "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"
INVALID_OXYGEN = 50.0
# Which watch writes its skin temperature in which product; the others leave headers alone.
WRIST_WATCHES, DEVICE_WATCHES = ("Sense 2",), ("Versa 4",)


def variability_details(export: Export) -> Files:
    """Five-minute windows by wall time, a file a local date."""
    details = hrv_details(export.recording)
    frame = details.select(at_minutes(details["local_minute"].to_numpy()), pl.exclude("local_minute"))
    yield from by_day("Heart Rate Variability Details - ", frame, ON_THE_WALL)


def saturation_minutes(export: Export) -> Files:
    """Percent by the minute in UTC, a file a UTC date; 50.0 says that it could not be measured."""
    minutes = spo2_minutes(export.recording)
    frame = minutes.select(at_seconds(minutes["utc_second"].to_numpy()), "value")
    yield from by_day("Minute SpO2 - ", frame)


def oxygen_variation(export: Export) -> Files:
    """The raw ratio of two lights by wall time, a file a local date; it is no saturation."""
    minutes = spo2_minutes(export.recording)
    seconds = minutes["utc_second"].to_numpy()
    value = minutes["value"].to_numpy()
    ratio = np.where(value == INVALID_OXYGEN, 0, np.rint((96.0 - value) * 12)).astype(np.int64)
    local = seconds + 60 * night_offsets(export, seconds)
    frame = pl.DataFrame([at_seconds(local), pl.Series("Infrared to Red Signal Ratio", ratio)])
    yield from by_day("estimated_oxygen_variation-", frame, "%m/%d/%y %H:%M:%S")


def night_offsets(export: Export, utc_seconds: Ints) -> Ints:
    """Minutes local is ahead of UTC, by the sleep in which each instant lies: that of its start."""
    starts = [export.recording.days.utc_of(log.start) for log in export.recording.sleeps]
    offsets = [export.recording.days.offset_at(log.start) for log in export.recording.sleeps]
    begun = np.array([int((start - EPOCH).total_seconds()) for start in starts])
    return np.array(offsets, dtype=np.int64)[np.searchsorted(begun, utc_seconds, side="right") - 1]


def wrist_temperature(export: Export) -> Files:
    """Difference from the baseline by the minute on the wall, of the watches with that sensor."""
    yield from _temperatures(export, "Wrist Temperature - ", WRIST_WATCHES, {})


def device_temperature(export: Export) -> Files:
    """As above with the sensor's type; a day without is a header alone."""
    written = set[str]()
    for member in _temperatures(export, "Device Temperature - ", DEVICE_WATCHES, {"sensor_type": "UNKNOWN"}):
        written.add(member.path)
        yield member
    for day in export.recording.days.dates:
        if (path := f"Device Temperature - {day}.csv") not in written:
            yield text_rows(path, "recorded_time,temperature,sensor_type", [])


def _temperatures(export: Export, stem: str, watches: tuple[str, ...], more: dict[str, str]) -> Files:
    minutes = wrist_temperature_minutes(export.recording)
    names = export.watch_names(temperature_places(export, len(minutes)))
    frame = minutes.select(
        at_minutes(minutes["local_minute"].to_numpy(), "recorded_time"),
        "temperature",
        *(pl.lit(text).alias(name) for name, text in more.items()),
    )
    yield from by_day(stem, frame.filter(names.is_in(watches)), TO_THE_MINUTE)


def temperature_places(export: Export, count: int) -> Ints:
    """Elapsed minutes of the rows of wrist temperature: all worn ones from the first baseline on."""
    worn = np.flatnonzero(export.recording.minutes.worn)
    return worn[len(worn) - count :]

"""Heart rate of ``Global Export Data``: a file a local day, its rows in UTC; and the minutes in its zones."""

from collections.abc import Iterator
from datetime import date

import polars as pl

from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.json_text import day_stamp, json_file, pretty, stamps_of
from synthetic.life.activity import CARDIO, FAT_BURN, PEAK
from synthetic.life.heart_samples import heart_rate_samples

ZONE_KEYS = {"IN_DEFAULT_ZONE_1": FAT_BURN, "IN_DEFAULT_ZONE_2": CARDIO, "IN_DEFAULT_ZONE_3": PEAK}


def samples_by_day(export: Export) -> Iterator[tuple[date, pl.DataFrame]]:
    """The samples of each local day that has any: utc_second, bpm, confidence; one day in memory.

    70 with confidence 0 says "no contact".
    """
    for number, day in enumerate(export.recording.days.dates):
        samples = heart_rate_samples(export.recording, number, export.request.sampling_seconds)
        if not samples.is_empty():
            yield day, samples


def heart_rate(export: Export) -> Files:
    """A file a local day; days without a sample have none."""
    for day, samples in samples_by_day(export):
        yield json_file(f"heart_rate-{day}.json", _texts(samples))


def _texts(samples: pl.DataFrame) -> pl.Series:
    seconds = samples["utc_second"].to_numpy()
    return samples.select(
        pl.concat_str(
            pl.lit('{\n  "dateTime" : "'),
            stamps_of(seconds // 60, seconds % 60),
            pl.lit('",\n  "value" : {\n    "bpm" : '),
            "bpm",
            pl.lit(',\n    "confidence" : '),
            "confidence",
            pl.lit("\n  }\n}"),
        )
    ).to_series()


def time_in_zones(export: Export) -> Files:
    """A file a local day with its minutes in each zone; the order of the keys changes by the day."""
    recording = export.recording
    zone = recording.measures.zone
    for number, day in enumerate(recording.days.dates):
        minutes = recording.days.minutes_of(number)
        worn = int(recording.minutes.worn[minutes].sum())
        if not worn:
            continue
        values = {key: float((zone[minutes] == code).sum()) for key, code in ZONE_KEYS.items()}
        values["BELOW_DEFAULT_ZONE_1"] = worn - sum(values.values())
        names = sorted(values, key=lambda name: (len(name) * (number + 3) + ord(name[-1]) * number) % 7)
        value = {"valuesInZones": {name: values[name] for name in names}}
        yield json_file(
            f"time_in_heart_rate_zones-{day}.json", [pretty({"dateTime": day_stamp(day), "value": value})]
        )

"""Families by the minute or the second: all in true UTC."""

import numpy as np
import polars as pl

from synthetic.exports.account import usual_stride_m
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_family import Rows, at_minutes, at_seconds, family
from synthetic.exports.takeout.heart_json import samples_by_day
from synthetic.exports.takeout.minute_json import climbing_minutes, shown_minutes
from synthetic.exports.takeout.zone_csv import earning_minutes
from synthetic.life.activity import ZONE_MULTIPLIER, minute_intensity
from synthetic.life.wear import Mask
from synthetic.local_days import Ints
from synthetic.people.devices import PHONE

MILLIMETRES_A_FLOOR = 3048
LOAD_A_ZONE_MINUTE = 0.25
SHORTEST_SEDENTARY_PERIOD = 10
BEATS = pl.Schema({"timestamp": pl.Datetime("ms"), "beats per minute": pl.Float64, "source": pl.String})
LEVELS = np.array(["SEDENTARY", "LIGHTLY_ACTIVE", "MODERATELY_ACTIVE", "VERY_ACTIVE"])
HEART_ZONES = np.array(["LIGHT", "MODERATE", "VIGOROUS", "PEAK"])
EARNING_ZONES = np.array(["OUT_OF_ZONE", "FAT_BURN", "CARDIO", "PEAK"])


def steps(export: Export) -> Files:
    """Steps a minute of every recorder, in the order of time: their sum is no day's total."""
    recording = export.recording
    yield from _counted(export, "steps", recording.minutes.steps, recording.phone_steps)


def distance(export: Export) -> Files:
    """Metres a minute, of the minutes of the steps; the phone knows the usual stride only."""
    recording = export.recording
    by_phone = np.round(recording.phone_steps * usual_stride_m(export.person), 2)
    yield from _counted(export, "distance", recording.measures.distance_cm / 100, by_phone)


def _counted(export: Export, name: str, by_watch: np.ndarray, by_phone: np.ndarray) -> Files:
    """The watch's rows and, where rows say who recorded them, the phone's among them.

    Before rows had a source no second recorder was seen in these files.
    """
    places = shown_minutes(export.recording)
    frame = _minutes(export, places, {name: by_watch[places]})
    sources = export.watch_names(places)
    carried = np.flatnonzero(by_phone)
    if export.generation.data_source and len(carried):
        phone = _minutes(export, carried, {name: by_phone[carried]})
        both = pl.concat(
            [frame.with_columns(sources.alias("source")), phone.with_columns(source=pl.lit(PHONE))]
        )
        frame = both.sort("timestamp", "source")
        sources = frame.drop_in_place("source")
    yield from family(export, name, Rows(frame, sources))


def heart_rate(export: Export) -> Files:
    """A file a UTC date, in which samples lie that the JSON keeps by local day; no confidence."""
    every = "1mo" if export.generation.monthly_families else "1d"
    held = pl.DataFrame(schema=BEATS)
    for day, samples in samples_by_day(export):
        held = pl.concat([held, _beats(samples, export.watch_on(day).name)])
        file = held["timestamp"].dt.truncate(every)
        whole = file < file.max()
        if whole.any():
            yield from _beat_files(export, held.filter(whole))
            held = held.filter(~whole)
    yield from _beat_files(export, held)


def _beats(samples: pl.DataFrame, watch: str) -> pl.DataFrame:
    stamps = at_seconds(samples["utc_second"].to_numpy())
    return samples.select(stamps, pl.col("bpm").alias("beats per minute"), source=pl.lit(watch)).cast(BEATS)


def _beat_files(export: Export, beats: pl.DataFrame) -> Files:
    yield from family(export, "heart_rate", Rows(beats.drop("source"), beats["source"]), "day")


def calories(export: Export) -> Files:
    """Every minute to the last sync, with the basal rate."""
    places = _arrived(export)
    yield from _of_the_app(export, "calories", places, {"calories": _energy(export, places)})


def active_minutes(export: Export) -> Files:
    """Minutes that were active, with a 1 at their level."""
    level = minute_intensity(export.recording.minutes)
    places = np.flatnonzero(level)
    names = ("light", "moderate", "very")
    flags = {name: (level[places] == code).astype(np.int64) for code, name in enumerate(names, start=1)}
    yield from _of_the_app(export, "active_minutes", places, flags)


def activity_level(export: Export) -> Files:
    """Every minute to the last sync."""
    places = _arrived(export)
    level = LEVELS[minute_intensity(export.recording.minutes)[places]]
    yield from _of_the_app(export, "activity_level", places, {"level": level})


def active_zone_minutes(export: Export) -> Files:
    """Minutes that earned some; the zone's name changed its spelling."""
    places = earning_minutes(export)
    zone = export.recording.measures.zone[places]
    names = EARNING_ZONES if export.generation.later_columns else _spoken(EARNING_ZONES)
    frame = _minutes(export, places, {"heart rate zone": names[zone], "total minutes": ZONE_MULTIPLIER[zone]})
    yield from family(export, "active_zone_minutes", Rows(frame, export.watch_names(places)))


def time_in_heart_rate_zone(export: Export) -> Files:
    """The zone of every worn minute."""
    places = np.flatnonzero(export.recording.minutes.worn)
    zone = HEART_ZONES[export.recording.measures.zone[places]]
    yield from _of_the_app(export, "time_in_heart_rate_zone", places, {"heart rate zone type": zone})


def calories_in_heart_rate_zone(export: Export) -> Files:
    """The zone of every worn minute and its energy."""
    places = np.flatnonzero(export.recording.minutes.worn)
    zone = HEART_ZONES[export.recording.measures.zone[places]]
    values = {"heart rate zone type": zone, "kcal": _energy(export, places)}
    yield from _of_the_app(export, "calories_in_heart_rate_zone", places, values)


def cardio_load(export: Export) -> Files:
    """Minutes in a zone; within a recorded exercise the load is a workout's."""
    places = earning_minutes(export)
    total = ZONE_MULTIPLIER[export.recording.measures.zone[places]] * LOAD_A_ZONE_MINUTE
    workout = np.where(_exercising(export)[places], total, 0.0)
    frame = _minutes(export, places, {"workout": workout, "background": total - workout, "total": total})
    yield from family(export, "cardio_load", Rows(frame, export.watch_names(places)))


def altitude(export: Export) -> Files:
    """Millimetres climbed a minute."""
    places = climbing_minutes(export.recording)
    gain = export.recording.measures.floors[places] * MILLIMETRES_A_FLOOR
    yield from family(
        export, "altitude", Rows(_minutes(export, places, {"gain": gain}), export.person.device)
    )


def floors(export: Export) -> Files:
    """Floors a minute."""
    places = climbing_minutes(export.recording)
    frame = _minutes(export, places, {"floors": export.recording.measures.floors[places]})
    yield from family(export, "floors", Rows(frame, export.watch_names(places)))


def sedentary_period(export: Export) -> Files:
    """Stretches of worn waking minutes without activity, of ten minutes or more."""
    recording = export.recording
    still = recording.minutes.worn & ~recording.minutes.in_bed & (minute_intensity(recording.minutes) == 0)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], still, [False]]).astype(np.int8)))
    starts, stops = edges[::2], edges[1::2]
    long = stops - starts >= SHORTEST_SEDENTARY_PERIOD
    first = int(recording.days.utc_minute[0])
    frame = pl.DataFrame(
        [at_minutes(first + starts[long], "start time"), at_minutes(first + stops[long], "end time")]
    )
    yield from family(export, "sedentary_period", Rows(frame, export.generation.app), "day")


def _of_the_app(export: Export, name: str, places: Ints, values: dict[str, np.ndarray]) -> Files:
    yield from family(export, name, Rows(_minutes(export, places, values), export.generation.app))


def _minutes(export: Export, places: Ints, values: dict[str, np.ndarray]) -> pl.DataFrame:
    minutes = export.recording.days.utc_minute[places]
    return pl.DataFrame([at_minutes(minutes), *(pl.Series(name, column) for name, column in values.items())])


def _arrived(export: Export) -> Ints:
    return np.flatnonzero(export.recording.arrived)


def _energy(export: Export, places: Ints) -> np.ndarray:
    """Kilocalories of elapsed minutes."""
    days = export.recording.days
    return export.recording.measures.energy_tenths[days.day[places], days.wall[places]] / 10


def _exercising(export: Export) -> Mask:
    days = export.recording.days
    inside = np.zeros(len(days.utc_minute), dtype=np.bool_)
    for log in export.recording.exercises:
        place = days.place_of(log.exercise.start)
        inside[max(place, 0) : place + log.exercise.seconds // 60 + 1] = True
    return inside


def _spoken(names: np.ndarray) -> np.ndarray:
    """FAT_BURN as ``fat burn``."""
    return np.array([name.lower().replace("_", " ") for name in names])

"""Google Health API types whose points are intervals of a minute.

Put together a day at a time, as text in columns, newest first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from synthetic.exports.account import wearable_on
from synthetic.exports.health_api.text import compact, intervals, watch
from synthetic.life.activity import CARDIO, FAT_BURN, OUT_OF_ZONE, PEAK, ZONE_MULTIPLIER, minute_intensity
from synthetic.life.recording import Recording
from synthetic.life.wear import Mask
from synthetic.local_days import Ints
from synthetic.people.devices import PHONE

MILLIMETRES_A_FLOOR = 3048
ZONES = {FAT_BURN: "FAT_BURN", CARDIO: "CARDIO", PEAK: "PEAK"}
PHONE_SOURCE = {
    "recordingMethod": "PASSIVELY_MEASURED",
    "device": {"displayName": PHONE, "formFactor": "PHONE"},
    "platform": "FITBIT",
}
LEVELS = {1: "LIGHT", 2: "MODERATE", 3: "VIGOROUS"}

POINT = {"place": pl.Int64, "source": pl.String, "interval": pl.String, "value": pl.String}

Value = Callable[[Ints], pl.Series]
"""The fields behind the interval as text of JSON, for places of elapsed minutes."""


def steps(recording: Recording) -> Iterator[str]:
    """Steps of the worn device (see ``_walked``), and of the phone where it counted any."""
    phone = _Recorder(recording.phone_steps > 0, _quoted("count", recording.phone_steps), _phone)
    return _intervals(recording, "steps", _watch(_walked(recording), _steps(recording)), phone)


def steps_reconciled(recording: Recording) -> Iterator[str]:
    """Steps as the app counts them: of the worn device, without a source."""
    recorder = _Recorder(_walked(recording), _steps(recording), lambda _recording, _day: "")
    return _intervals(recording, "steps", recorder)


def _steps(recording: Recording) -> Value:
    return _quoted("count", recording.minutes.steps)


def distance(recording: Recording) -> Iterator[str]:
    """Millimetres of the minutes that steps are given for."""
    value = _quoted("millimeters", recording.measures.distance_cm * 10)
    return _intervals(recording, "distance", _watch(_walked(recording), value))


def floors(recording: Recording) -> Iterator[str]:
    """Floors of minutes with a climb."""
    climbed = recording.measures.floors
    return _intervals(recording, "floors", _watch(climbed > 0, _quoted("count", climbed)))


def altitude(recording: Recording) -> Iterator[str]:
    """Millimetres climbed, of minutes with a climb."""
    climbed = recording.measures.floors
    value = _quoted("gainMillimeters", climbed * MILLIMETRES_A_FLOOR)
    return _intervals(recording, "altitude", _watch(climbed > 0, value))


def zone_minutes(recording: Recording) -> Iterator[str]:
    """Active zone minutes of minutes that earned any: 1 in the fat-burn zone, 2 above."""
    zone = recording.measures.zone

    def value(places: Ints) -> pl.Series:
        frame = pl.DataFrame({"zone": zone[places], "earned": ZONE_MULTIPLIER[zone[places]]})
        names = pl.col("zone").replace_strict(ZONES, return_dtype=pl.String)
        return frame.select(
            pl.format('"heartRateZone":"{}","activeZoneMinutes":"{}"', names, "earned")
        ).to_series()

    return _intervals(recording, "activeZoneMinutes", _watch(zone != OUT_OF_ZONE, value))


def active_minutes(recording: Recording) -> Iterator[str]:
    """Light, moderate and vigorous minutes."""
    level = minute_intensity(recording.minutes)

    def value(places: Ints) -> pl.Series:
        names = pl.Series("level", level[places]).replace_strict(LEVELS, return_dtype=pl.String)
        text = '"activeMinutesByActivityLevel":[{{"activityLevel":"{}","activeMinutes":"1"}}]'
        return names.to_frame().select(pl.format(text, "level")).to_series()

    return _intervals(recording, "activeMinutes", _watch(level > 0, value))


def _walked(recording: Recording) -> Mask:
    """Minutes with steps, the one after each, and the first worn one of each day."""
    steps, worn, day = recording.minutes.steps, recording.minutes.worn, recording.days.day
    shown = worn & ((steps > 0) | np.concatenate([[False], steps[:-1] > 0]))
    places = np.flatnonzero(worn)
    shown[places[np.unique(day[places], return_index=True)[1]]] = True
    return shown


def _quoted(name: str, values: Ints) -> Value:
    def value(places: Ints) -> pl.Series:
        shown = pl.Series("value", values[places]).to_frame()
        return shown.select(pl.format(f'"{name}":"{{}}"', "value")).to_series()

    return value


@dataclass(frozen=True, slots=True)
class _Recorder:
    """What one source tells: of which elapsed minutes, what of each, and its ``dataSource`` on a day."""

    shown: Mask
    value: Value
    source: Callable[[Recording, date], str]


def _watch(shown: Mask, value: Value) -> _Recorder:
    return _Recorder(shown, value, _worn)


def _worn(recording: Recording, day: date) -> str:
    return f'"dataSource":{compact(watch(wearable_on(recording, day).name))},'


def _phone(_recording: Recording, _day: date) -> str:
    return f'"dataSource":{compact(PHONE_SOURCE)},'


def _intervals(recording: Recording, key: str, *recorders: _Recorder) -> Iterator[str]:
    """Points of every recorder by time, newest first."""
    for day in reversed(range(len(recording.days.dates))):
        told = [_of_day(recording, day, key, recorder) for recorder in recorders]
        yield from pl.concat(told).sort("place", descending=True, maintain_order=True)["text"]


def _of_day(recording: Recording, day: int, key: str, recorder: _Recorder) -> pl.DataFrame:
    minutes = recording.days.minutes_of(day)
    places = minutes.start + np.flatnonzero(recorder.shown[minutes]).astype(np.int64)
    frame = pl.DataFrame(
        {
            "place": places,
            "source": recorder.source(recording, recording.days.dates[day]),
            "interval": intervals(recording.days, places),
            "value": recorder.value(places),
        },
        schema=POINT,
    )
    text = pl.format(f'{{{{{{}}"{key}":{{{{{{}},{{}}}}}}}}}}', "source", "interval", "value")
    return frame.select("place", text.alias("text"))

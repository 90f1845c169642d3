"""Google Health API types by the minute: intervals of a minute, and samples of heart rate.

Put together a day at a time, as text in columns, newest first.
"""

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from synthetic.exports.health_api_text import compact, intervals, sample_times, watch
from synthetic.life.activity import CARDIO, FAT_BURN, OUT_OF_ZONE, PEAK, ZONE_MULTIPLIER, minute_intensity
from synthetic.life.recording import Recording
from synthetic.life.wear import Mask
from synthetic.local_days import Ints

MILLIMETRES_A_FLOOR = 3048
ZONES = {FAT_BURN: "FAT_BURN", CARDIO: "CARDIO", PEAK: "PEAK"}
LEVELS = {1: "LIGHT", 2: "MODERATE", 3: "VIGOROUS"}

Value = Callable[[Ints], pl.Series]
"""The fields behind the interval as text of JSON, for places of elapsed minutes."""


def steps(recording: Recording) -> Iterator[str]:
    """Steps of minutes with any and of the one after each, from every source."""
    return _intervals(recording, "steps", _walked(recording), _quoted("count", recording.minutes.steps))


def steps_reconciled(recording: Recording) -> Iterator[str]:
    """Steps as the app counts them: of the worn device, without a source."""
    value = _quoted("count", recording.minutes.steps)
    return _intervals(recording, "steps", _walked(recording), value, with_source=False)


def distance(recording: Recording) -> Iterator[str]:
    """Millimetres of the minutes that steps are given for."""
    value = _quoted("millimeters", recording.measures.distance_cm * 10)
    return _intervals(recording, "distance", _walked(recording), value)


def floors(recording: Recording) -> Iterator[str]:
    """Floors of minutes with a climb."""
    climbed = recording.measures.floors
    return _intervals(recording, "floors", climbed > 0, _quoted("count", climbed))


def altitude(recording: Recording) -> Iterator[str]:
    """Millimetres climbed, of minutes with a climb."""
    climbed = recording.measures.floors
    value = _quoted("gainMillimeters", climbed * MILLIMETRES_A_FLOOR)
    return _intervals(recording, "altitude", climbed > 0, value)


def zone_minutes(recording: Recording) -> Iterator[str]:
    """Active zone minutes of minutes that earned any: 1 in the fat-burn zone, 2 above."""
    zone = recording.measures.zone

    def value(places: Ints) -> pl.Series:
        frame = pl.DataFrame({"zone": zone[places], "earned": ZONE_MULTIPLIER[zone[places]]})
        names = pl.col("zone").replace_strict(ZONES, return_dtype=pl.String)
        return frame.select(
            pl.format('"heartRateZone":"{}","activeZoneMinutes":"{}"', names, "earned")
        ).to_series()

    return _intervals(recording, "activeZoneMinutes", zone != OUT_OF_ZONE, value)


def active_minutes(recording: Recording) -> Iterator[str]:
    """Light, moderate and vigorous minutes."""
    level = minute_intensity(recording.minutes)

    def value(places: Ints) -> pl.Series:
        names = pl.Series("level", level[places]).replace_strict(LEVELS, return_dtype=pl.String)
        text = '"activeMinutesByActivityLevel":[{{"activityLevel":"{}","activeMinutes":"1"}}]'
        return names.to_frame().select(pl.format(text, "level")).to_series()

    return _intervals(recording, "activeMinutes", level > 0, value)


def heart_rate(recording: Recording) -> Iterator[str]:
    """A sample each worn minute; the service gives no confidence."""
    days, minutes = recording.days, recording.minutes
    source = compact(watch(recording.person.device))
    for places in _by_day(recording, minutes.worn):
        frame = pl.DataFrame(
            {
                "time": sample_times(days.utc_minute[places] * 60, days.offset[places]),
                "bpm": minutes.heart_rate[places],
            }
        )
        text = pl.format(
            '{{"dataSource":{},"heartRate":{{{},"beatsPerMinute":"{}"}}}}', pl.lit(source), "time", "bpm"
        )
        yield from frame.select(text).to_series()


def _walked(recording: Recording) -> Mask:
    steps = recording.minutes.steps
    return recording.minutes.worn & ((steps > 0) | np.concatenate([[False], steps[:-1] > 0]))


def _quoted(name: str, values: Ints) -> Value:
    def value(places: Ints) -> pl.Series:
        shown = pl.Series("value", values[places]).to_frame()
        return shown.select(pl.format(f'"{name}":"{{}}"', "value")).to_series()

    return value


def _intervals(
    recording: Recording, key: str, shown: Mask, value: Value, *, with_source: bool = True
) -> Iterator[str]:
    source = compact(watch(recording.person.device))
    head = f'"dataSource":{source},' if with_source else ""
    for places in _by_day(recording, shown):
        frame = pl.DataFrame({"interval": intervals(recording.days, places), "value": value(places)})
        text = pl.format(f'{{{{{{}}"{key}":{{{{{{}},{{}}}}}}}}}}', pl.lit(head), "interval", "value")
        yield from frame.select(text).to_series()


def _by_day(recording: Recording, shown: Mask) -> Iterator[Ints]:
    """Places of the minutes that are shown, a local day at a time, newest first."""
    for day in reversed(range(len(recording.days.dates))):
        minutes = recording.days.minutes_of(day)
        places = minutes.start + np.flatnonzero(shown[minutes])[::-1]
        if len(places):
            yield places.astype(np.int64)

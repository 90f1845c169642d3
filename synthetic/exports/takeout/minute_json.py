"""Minutes in ``Global Export Data``: steps and distance in UTC; calories and altitude on the wall.

None says so, and values are text.
"""

import numpy as np

from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.json_text import chunked_minutes
from synthetic.life.recording import Recording
from synthetic.life.wear import Mask
from synthetic.local_days import Ints

FEET_A_FLOOR = 10


def shown_minutes(recording: Recording) -> Ints:
    """Elapsed minutes with a row: those with steps, the one after each, and the first worn of each day."""
    steps = recording.minutes.steps
    shown = (steps > 0) | np.concatenate([[False], steps[:-1] > 0])
    return np.flatnonzero(recording.minutes.worn & (shown | _first_worn_of_day(recording)))


def climbing_minutes(recording: Recording) -> Ints:
    """Elapsed minutes with a climb; a worn day without any has one row of 0."""
    return np.flatnonzero((recording.measures.floors > 0) | _first_worn_of_day(recording))


def steps(export: Export) -> Files:
    """Sparse, UTC; what the recorders counted, reconciled: here the watch's."""
    places = shown_minutes(export.recording)
    minutes = export.recording.days.utc_minute[places]
    yield from chunked_minutes("steps", export.created, minutes, export.recording.minutes.steps[places])


def distance(export: Export) -> Files:
    """The minutes of the steps, in centimetres for every account."""
    places = shown_minutes(export.recording)
    minutes = export.recording.days.utc_minute[places]
    centimetres = export.recording.measures.distance_cm[places]
    yield from chunked_minutes("distance", export.created, minutes, centimetres)


def calories(export: Export) -> Files:
    """Local minutes: 1440 a day also when the clocks change; the last day ends at the last sync."""
    recording = export.recording
    first = (recording.days.dates[0].toordinal() - 719_163) * 1440
    energy = recording.measures.energy_tenths.reshape(-1)
    last_day = recording.days.day == len(recording.days.dates) - 1
    end = len(energy) - 1440 + int(recording.days.wall[last_day & recording.arrived].max()) + 1
    values = [f"{tenths // 10}.{tenths % 10}" for tenths in energy[:end].tolist()]
    yield from chunked_minutes("calories", export.created, first + np.arange(end, dtype=np.int64), values)


def altitude(export: Export) -> Files:
    """Local minutes with a climb, in feet."""
    places = climbing_minutes(export.recording)
    feet = export.recording.measures.floors[places] * FEET_A_FLOOR
    yield from chunked_minutes("altitude", export.created, export.local_minute[places], feet)


def _first_worn_of_day(recording: Recording) -> Mask:
    first = np.zeros(len(recording.minutes.worn), dtype=np.bool_)
    worn = np.flatnonzero(recording.minutes.worn)
    first[worn[np.unique(recording.days.day[worn], return_index=True)[1]]] = True
    return first

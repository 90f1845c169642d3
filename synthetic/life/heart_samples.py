"""Heart rate by the second: samples whose mean in each minute is the minute's heart rate."""

import numpy as np
import polars as pl

from synthetic.life.recording import Recording
from synthetic.local_days import Ints
from synthetic.people.body import Floats
from synthetic.randomness import generator

NO_CONTACT_BPM = 70
NO_CONTACT_MINUTES = 2
LOOSE_CONTACT_SHARE = 0.15
SAMPLE_SD = 1.6


def heart_rate_samples(recording: Recording, day: int, every_seconds: int) -> pl.DataFrame:
    """Samples of one local day in time order: utc_second (since 1970), bpm, confidence 0 to 3.

    ``every_seconds`` divides 60. Samples of worn minutes have confidence 1 to 3 and a whole mean, that of the
    minute. Right after the device came off it still answers, with 70 and confidence 0. A day that was not
    worn, and what came after the last sync, has none.
    """
    if 60 % every_seconds:
        raise ValueError("every_seconds must divide 60")
    piece, places = recording.days.minutes_of(day), no_contact_minutes(recording)
    placeholder = places[(places >= piece.start) & (places < piece.stop)]
    worn = piece.start + np.flatnonzero(recording.minutes.worn[piece])
    shown = np.sort(np.concatenate([worn, placeholder]))
    rng = generator(recording.seed, f"samples {recording.days.dates[day]}", recording.person.number)
    a_minute = 60 // every_seconds
    off = ~recording.minutes.worn[shown]
    bpm = recording.minutes.heart_rate[shown, None] + _scatter(len(shown), a_minute, rng)
    bpm[off] = NO_CONTACT_BPM
    confidence = _confidence(len(shown), a_minute, rng)
    confidence[off] = 0
    first = rng.integers(0, every_seconds, (len(shown), 1))
    seconds = recording.days.utc_minute[shown, None] * 60 + first + np.arange(0, 60, every_seconds)
    return pl.DataFrame(
        {"utc_second": seconds.reshape(-1), "bpm": bpm.reshape(-1), "confidence": confidence.reshape(-1)},
        schema={"utc_second": pl.Int64, "bpm": pl.Int64, "confidence": pl.Int64},
    )


def no_contact_minutes(recording: Recording) -> Ints:
    """Elapsed minutes right after the device came off, of days that were worn at all."""
    worn = recording.minutes.worn
    came_off = np.flatnonzero(worn[:-1] & ~worn[1:]) + 1
    places = np.unique(came_off[:, None] + np.arange(NO_CONTACT_MINUTES))
    places = places[places < len(worn)]
    usable = ~worn[places] & recording.arrived[places] & (recording.wear[recording.days.day[places]] > 0)
    return places[usable].astype(np.int64)


def _scatter(minutes: int, a_minute: int, rng: np.random.Generator) -> Ints:
    """Whole deviations that add up to 0 in each minute: the rest is taken from its first samples."""
    if a_minute == 1:
        return np.zeros((minutes, 1), dtype=np.int64)
    smooth: Floats = rng.normal(0, SAMPLE_SD, (minutes, a_minute))
    smooth[:, 1:] = (smooth[:, 1:] + smooth[:, :-1]) / np.sqrt(2)
    whole = np.rint(smooth - smooth.mean(axis=1, keepdims=True)).astype(np.int64)
    rest = whole.sum(axis=1, keepdims=True)
    return whole - np.sign(rest) * (np.arange(a_minute) < np.abs(rest))


def _confidence(minutes: int, a_minute: int, rng: np.random.Generator) -> Ints:
    """A loose strap lasts for whole minutes; else 2 or 3."""
    firm = rng.integers(2, 4, (minutes, a_minute))
    loose = rng.random((minutes, 1)) < LOOSE_CONTACT_SHARE
    return np.where(loose, 1, firm).astype(np.int64)

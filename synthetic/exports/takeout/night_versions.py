"""Nights of the Google account: one sleep, told once or twice, in true or in false UTC."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

import numpy as np

from synthetic.exports.takeout.export import Export, long_id
from synthetic.life.sleep import ASLEEP, DEEP, LIGHT, WAKE, SleepLog

SECOND_ALGORITHM_FROM = date(2026, 1, 1)
MIGRATED_SHARE = 0.9
LATER_START = timedelta(minutes=3)
HALF_MINUTES_LATER = 6


@dataclass(frozen=True, slots=True)
class Night:
    """One telling of a sleep.

    sleep_id: 19 digits. algorithm: 1 is the one of the JSON. offset: minutes local is ahead of UTC.
    migrated: written as local time that claims to be UTC, with an offset of 0.
    """

    sleep_id: int
    log: SleepLog
    algorithm: int
    offset: int
    migrated: bool

    def instant(self, export: Export, local: datetime) -> datetime:
        """What is written for a wall-clock time."""
        return local if self.migrated else local - timedelta(minutes=self.offset)


def nights(export: Export) -> Iterator[Night]:
    """Sleeps by start; where there are two algorithms those of 2026 come twice, with other ids and stages."""
    recording = export.recording
    migrated = int(len(recording.sleeps) * MIGRATED_SHARE) if export.generation.false_z else 0
    for number, (log_id, log) in enumerate(zip(recording.sleep_ids, recording.sleeps, strict=True)):
        offset = (log.start - export.utc_of(log.start)) // timedelta(minutes=1)
        first = Night(long_id(log_id, "sleep v1"), log, 1, offset, migrated=number < migrated)
        yield first
        if export.generation.two_algorithms and log.wake_date >= SECOND_ALGORITHM_FROM:
            yield replace(first, sleep_id=long_id(log_id, "sleep v2"), log=_told_again(log), algorithm=2)


def _told_again(log: SleepLog) -> SleepLog:
    """The second algorithm's night: it starts later, has other stages, and stages where there were none."""
    segments = log.levels[HALF_MINUTES_LATER:].copy()
    if log.kind == "classic":
        segments = np.where(segments == ASLEEP, LIGHT, WAKE).astype(np.int8)
        quiet = len(segments) // 3
        segments[quiet : 2 * quiet] = np.where(segments[quiet : 2 * quiet] == LIGHT, DEEP, WAKE)
    else:
        segments[1:] = segments[:-1].copy()
    return replace(log, start=log.start + LATER_START, levels=segments, segments=segments, kind="stages")

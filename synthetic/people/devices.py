"""What a person records with: one wearable at a time, and sometimes the phone as a second step counter."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import numpy as np

WATCHES = ("Charge 6", "Inspire 3", "Sense 2", "Versa 4")
SAMPLING_SECONDS = {"Charge 6": 5, "Inspire 3": 10, "Sense 2": 5, "Versa 4": 15}
PHONE = "MobileTrack"
PHONE_SHARE = 0.35


@dataclass(frozen=True, slots=True)
class Device:
    """A recorder. ``first_day`` to ``last_day`` (None: still in use), both included, are its days of use.

    sampling_seconds: usual step between its heart-rate samples, 60 for a phone, which has none.
    """

    name: str
    tracker_id: str
    first_day: date
    last_day: date | None
    sampling_seconds: int
    kind: Literal["watch", "phone"]

    def in_use_on(self, day: date) -> bool:
        """Whether a day is one of its days."""
        return self.first_day <= day and (self.last_day is None or day <= self.last_day)


def draw_devices(
    rng: np.random.Generator, number: int, first_day: date, changed_on: date | None, may_have_phone: bool
) -> tuple[Device, ...]:
    """One watch, or two with a change on a day; and the phone of about a third of those who may."""
    name = WATCHES[int(rng.integers(len(WATCHES)))]
    has_phone = may_have_phone and float(rng.random()) < PHONE_SHARE
    devices = [_watch(name, number, first_day, None)]
    if changed_on is not None:
        newer = WATCHES[(WATCHES.index(name) + 1) % len(WATCHES)]
        devices = [
            _watch(name, number, first_day, changed_on - timedelta(days=1)),
            _watch(newer, number + 500_000, changed_on, None),
        ]
    if has_phone:
        devices.append(Device(PHONE, str(9_100_000_000 + number), first_day, None, 60, "phone"))
    return tuple(devices)


def _watch(name: str, number: int, first_day: date, last_day: date | None) -> Device:
    tracker_id = str(7_300_000_000 + number * 4_211)
    return Device(name, tracker_id, first_day, last_day, SAMPLING_SECONDS[name], "watch")

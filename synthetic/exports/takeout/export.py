"""What the writers of an account's export see: the recording, the request and the layout."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np
import polars as pl

from synthetic.exports.account import account_created, synced_utc, wearable_on
from synthetic.exports.members import Member, Request
from synthetic.exports.takeout.generations import GENERATIONS, Generation
from synthetic.life.recording import Recording
from synthetic.local_days import Ints
from synthetic.people.devices import Device
from synthetic.people.persona import Person

# Files of one kind, their path below the folder of their kind.
Files = Iterator[Member]


@dataclass(frozen=True, slots=True)
class Export:
    """One export of one recording."""

    recording: Recording
    request: Request

    @property
    def generation(self) -> Generation:
        """The layout asked for."""
        return GENERATIONS[self.request.form]

    @property
    def person(self) -> Person:
        """Whose export it is."""
        return self.recording.person

    @property
    def created(self) -> date:
        """Day the account was made, from which files are cut: days to weeks before the first with data."""
        return account_created(self.recording)

    @property
    def last_day(self) -> date:
        """The last local day with data."""
        return self.recording.days.dates[-1]

    @property
    def local_minute(self) -> Ints:
        """Minutes since 1970 on the wall, of every elapsed minute."""
        return self.recording.days.utc_minute + self.recording.days.offset

    def watch_on(self, day: date) -> Device:
        """The wearable of a local day."""
        return wearable_on(self.recording, day)

    def watch_names(self, places: Ints) -> pl.Series:
        """Name of the wearable in each of some elapsed minutes."""
        names = np.array([self.watch_on(day).name for day in self.recording.days.dates])
        return pl.Series(names[self.recording.days.day[places]])

    def utc_of(self, local: datetime) -> datetime:
        """The instant of a wall-clock time, without a zone."""
        return self.recording.days.utc_of(local).replace(tzinfo=None)


def morning_after(recording: Recording) -> datetime:
    """When a participant asks for an export: the morning after the last sync."""
    return synced_utc(recording).replace(tzinfo=UTC) + timedelta(
        hours=9, minutes=recording.person.number % 50
    )


def long_id(number: int, purpose: str) -> int:
    """A 19-digit id of the Google account, in which the number it is made from can't be seen."""
    digest = hashlib.blake2b(f"{purpose} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % (8 * 10**18) + 10**18

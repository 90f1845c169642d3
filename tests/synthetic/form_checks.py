"""Lives whose exports are checked, and how what a form says is held against their truth.

Readers in the tests know the forms from their description alone: they share nothing with synthetic/exports or
ingest/.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from synthetic.exports.forms import FORMS
from synthetic.exports.knowable import KNOWABLE, seen_through
from synthetic.exports.members import Request
from synthetic.life.recording import Recording, record
from synthetic.local_days import Trip
from synthetic.people.devices import Device
from synthetic.people.persona import Person, make_person
from synthetic.truth.wearable import daily_summary

SEED = 43
ASKED = datetime(2026, 7, 1, 12, 30, tzinfo=UTC)

HALF_A_HUNDREDTH = 0.005_001

Days = Mapping[date, Mapping[str, Any]]


@cache
def northerner() -> Recording:
    """Summer time begins on 2026-03-08, a new watch on the 13th; a phone counts steps too; a scale."""
    old = Device("Versa 4", "7300000001", date(2026, 3, 4), date(2026, 3, 12), 15, "watch")
    new = Device("Charge 6", "7300000002", date(2026, 3, 13), None, 5, "watch")
    phone = Device("MobileTrack", "phone-3", date(2026, 3, 4), None, 60, "phone")
    person = _living("America/New_York", date(2026, 3, 4), date(2026, 3, 18))
    return record(replace(person, devices=(old, new, phone), has_scale=True, miles=True), SEED)


@cache
def southerner() -> Recording:
    """Summer time ends on 2026-04-05: an hour comes twice. Kilometres, no scale."""
    person = _living("Australia/Sydney", date(2026, 4, 1), date(2026, 4, 9))
    return record(replace(person, has_scale=False, miles=False), SEED)


@cache
def traveller() -> Recording:
    """From New York to Tokyo over the date line, and back."""
    trip = Trip("Asia/Tokyo", date(2026, 5, 6), date(2026, 5, 12))
    person = _living("America/New_York", date(2026, 5, 4), date(2026, 5, 15))
    return record(replace(person, trips=(trip,)), SEED)


def _living(zone: str, first: date, last: date) -> Person:
    person = make_person(3, 30, SEED)
    watch = Device("Sense 2", "7300000000", first, None, 5, "watch")
    planted = replace(person.planted, stops_early=False)
    return replace(
        person, time_zone=zone, trips=(), first_day=first, last_day=last, devices=(watch,), planted=planted
    )


def exported(
    recording: Recording, form: str, folder: Path, language: str = "en_US", seconds: int = 60
) -> Path:
    """Write a form into a folder; returns the folder."""
    FORMS[form](recording, Request(ASKED, form, seconds, language), folder)
    return folder


def assert_tells_the_truth(recording: Recording, form: str, told: Days) -> None:
    """Each knowable column of each day is as near the truth as the form allows; no other is told."""
    truth = {row["date"]: row for row in seen_through(daily_summary(recording), form).iter_rows(named=True)}
    for column, tolerance in KNOWABLE[form].items():
        for day, row in truth.items():
            told_value = told.get(day, {}).get(column)
            assert near(told_value, row[column], tolerance), (column, day, told_value, row[column])
    assert {column for row in told.values() for column in row} <= set(KNOWABLE[form])


def near(told: Any, true: Any, tolerance: float) -> bool:
    """Equal within a tolerance and the two decimals of the table; seconds between times."""
    if told is None or true is None or isinstance(true, str | bool):
        return told == true
    if isinstance(true, datetime):
        return abs(told - true) <= timedelta(seconds=tolerance)
    return abs(told - true) <= tolerance + HALF_A_HUNDREDTH


def worn_places(recording: Recording) -> list[int]:
    """Places of the worn elapsed minutes."""
    return [place for place, worn in enumerate(recording.minutes.worn.tolist()) if worn]


def utc_minute(recording: Recording, place: int) -> datetime:
    """The instant at which an elapsed minute begins."""
    return datetime.fromtimestamp(int(recording.days.utc_minute[place]) * 60, UTC)


def wall_minute(recording: Recording, place: int) -> datetime:
    """What the wall clock shows when an elapsed minute begins."""
    local = int(recording.days.utc_minute[place]) + int(recording.days.offset[place])
    return datetime.fromtimestamp(local * 60, UTC).replace(tzinfo=None)


def by_wall_minute(recording: Recording, values: list[Any]) -> dict[datetime, list[Any]]:
    """Values of elapsed minutes by what the clock shows; two where an hour comes twice."""
    found: dict[datetime, list[Any]] = {}
    for place, value in enumerate(values):
        found.setdefault(wall_minute(recording, place), []).append(value)
    return found

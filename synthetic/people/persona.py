"""Who takes part in a made study: persona, body, and what is planted in them."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, NamedTuple

import numpy as np

from schemas.participant import Sex, Status
from synthetic.local_days import Trip
from synthetic.people.body import Body, body_of, draw_bodies
from synthetic.people.casting import DEMONSTRATION, Casting, planted_in
from synthetic.people.devices import Device, draw_devices
from synthetic.people.effects import Planted
from synthetic.people.habits import Work, trips_of, work_of
from synthetic.people.health import Health, draw_health
from synthetic.people.names import name_of
from synthetic.people.profiles import PROFILES
from synthetic.people.standing import registered_sex, standing_of
from synthetic.randomness import generator

LAST_DAY = date(2026, 6, 28)
STUDY_ZONE = "America/New_York"
OTHER_ZONE = "America/Los_Angeles"


@dataclass(frozen=True, slots=True)
class Person:
    """A made-up person. ``first_day`` to ``last_day`` are local days with exported data, both included.

    number: which life is lived: account, logs and all draws depend on it. A person who enrolled twice has one
    number and two participant ids. sex: what the registry says; female: the body's. time_zone: where they
    live; trips: where they went. consent_from and consent_to: data from outside are there too.
    """

    number: int
    participant_id: str
    name: str
    sex: Sex
    female: bool
    birth_date: date
    profile: str
    body: Body
    health: Health
    planted: Planted
    time_zone: str
    trips: tuple[Trip, ...]
    work: Work
    devices: tuple[Device, ...]
    miles: bool
    premium: bool
    has_scale: bool
    first_day: date
    last_day: date
    enrolled_on: date
    consent_from: date
    consent_to: date | None = None
    status: Status = "active"
    left_on: date | None = None
    alias: str | None = None
    results_to: Literal["participant", "clinician", "none"] = "participant"
    site: str = "north"

    def __repr__(self) -> str:
        """Only the id, as of a registered participant: what leaks by accident must not look like a name."""
        return f"Person({self.participant_id})"

    @property
    def age(self) -> int:
        """Completed years on the day of enrolment."""
        return self.age_on(self.enrolled_on)

    def age_on(self, day: date) -> int:
        """Completed years on a day."""
        birthday_to_come = (day.month, day.day) < (self.birth_date.month, self.birth_date.day)
        return day.year - self.birth_date.year - birthday_to_come

    @property
    def device(self) -> str:
        """Name of the wearable in use at the end."""
        return self.watches[-1].name

    @property
    def watches(self) -> tuple[Device, ...]:
        """The wearables, the oldest first: exactly one on each day."""
        return tuple(device for device in self.devices if device.kind == "watch")

    @property
    def has_phone_recorder(self) -> bool:
        """Whether the phone counts steps too."""
        return any(device.kind == "phone" for device in self.devices)

    @property
    def chronotype(self) -> Literal["early", "middle", "late"]:
        """By the usual bed time: before 22:15, after 00:15, or between."""
        if self.body.bed_minute < -105:
            return "early"
        return "late" if self.body.bed_minute > 15 else "middle"


_LIVES_IN_OTHER_ZONE = {2, 6}


def make_person(number: int, days: int, seed: int, casting: Casting = DEMONSTRATION) -> Person:
    """Participant ``number`` (from 0) of a study of ``days`` days; the same for any number of others."""
    planted = planted_in(number, casting, generator(seed, "planted", number))
    study = _calendar(days, planted)
    standing = standing_of(number, *study, casting, generator(seed, "standing", number))
    if standing.twin_of is not None:
        return _enrolled_again(number, make_person(standing.twin_of, days, seed, casting.without_standing()))
    rng, lot = generator(seed, "person", number), generator(seed, "casting", number)
    profile, female = number % len(PROFILES), bool(rng.random() < 0.55)
    age = int(rng.integers(PROFILES[profile].ages[0], PROFILES[profile].ages[1] + 1))
    birth_date = _born(rng, study.enrolled_on, age)
    body = body_of(draw_bodies(rng, np.array([float(female)]), np.array([float(age)]), np.array([profile])))
    zone = OTHER_ZONE if _in_other_zone(number, casting, rng) else STUDY_ZONE
    return Person(
        number=number,
        participant_id=_id(number),
        name=name_of(number, seed, female),
        sex=registered_sex(number, female, casting, lot),
        female=female,
        birth_date=birth_date,
        profile=PROFILES[profile].name,
        body=body,
        health=draw_health(generator(seed, "health", number), body, PROFILES[profile], female, age),
        planted=planted,
        time_zone=zone,
        trips=trips_of(number, study.first_day, study.last_day, zone, casting, lot),
        work=work_of(number, age, casting, lot),
        devices=_devices(number, study.first_day, days, planted, casting, seed),
        miles=bool(rng.random() < 0.7),
        premium=bool(rng.random() < 0.5),
        has_scale=bool(rng.random() < 0.5) or number == 0,
        **study._asdict(),
        consent_from=standing.consent_from,
        consent_to=standing.consent_to,
        status=standing.status,
        left_on=standing.left_on,
        alias=f"S{1000 + number}" if number % 5 == 1 or standing.reconsented else None,
        results_to=("participant", "clinician", "participant", "none")[number % 4],
        site=_site(number),
    )


class _Calendar(NamedTuple):
    first_day: date
    enrolled_on: date
    last_day: date


def _calendar(days: int, planted: Planted) -> _Calendar:
    """The days with data, and enrolment after three quarters of the study."""
    first_day = LAST_DAY - timedelta(days=days - 1)
    missing = min(24, days // 2) if planted.stops_early else 0
    return _Calendar(first_day, first_day + timedelta(days=days * 3 // 4), LAST_DAY - timedelta(days=missing))


def _born(rng: np.random.Generator, enrolled_on: date, age: int) -> date:
    """A birth date that makes a person so old on the day of enrolment."""
    return enrolled_on.replace(year=enrolled_on.year - age, day=1) - timedelta(days=int(rng.integers(1, 330)))


def _enrolled_again(number: int, first: Person) -> Person:
    """The same person, account and devices under another participant id."""
    return replace(first, participant_id=_id(number), site=_site(number), alias=None)


def _id(number: int) -> str:
    return f"P{number + 1:03d}"


def _site(number: int) -> str:
    return ("north", "south")[number % 2]


def _devices(
    number: int, first_day: date, days: int, planted: Planted, casting: Casting, seed: int
) -> tuple[Device, ...]:
    change = planted.find("new_watch")
    changed_on = None if change is None else change.starts_on(first_day, days)
    may_have_phone = not casting.is_story(number)
    return draw_devices(generator(seed, "devices", number), number, first_day, changed_on, may_have_phone)


def _in_other_zone(number: int, casting: Casting, rng: np.random.Generator) -> bool:
    draw = float(rng.random())
    return number in _LIVES_IN_OTHER_ZONE or (not casting.is_story(number) and draw < 0.2)

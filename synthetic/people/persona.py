"""Who takes part in a made study: persona, body, and what is planted in them."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import numpy as np

from schemas.participant import Sex
from synthetic.people.body import Body, body_of, draw_bodies
from synthetic.people.profiles import PROFILES
from synthetic.randomness import generator

LAST_DAY = date(2026, 6, 28)
STUDY_ZONE = "America/New_York"
OTHER_ZONE = "America/Los_Angeles"
DEVICES = ("Charge 6", "Inspire 3", "Sense 2", "Versa 4")

FIRST_NAMES = {
    "female": (
        "Adira",
        "Brisa",
        "Calla",
        "Delphine",
        "Elowen",
        "Farah",
        "Giulia",
        "Hanneke",
        "Ines",
        "Junia",
    ),
    "male": (
        "Alaric",
        "Bastian",
        "Caspian",
        "Dorian",
        "Emeka",
        "Florian",
        "Gideon",
        "Haruki",
        "Ivo",
        "Jorah",
    ),
}
LAST_NAMES = (
    "Ashdown", "Birkholm", "Carrow", "Dunmarsh", "Eastlake", "Fenwick", "Garrowby", "Hartsel", "Ironmoor",
    "Jessamy", "Kestrel", "Larkin", "Marlowe", "Northgate", "Oakhurst", "Pemberly", "Quillon", "Ravensby",
    "Stonefield", "Thornbury", "Umberly", "Vanterpool", "Winslet",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """What is put into a person's data on purpose, for tests and demonstrations to find again.

    resting_heart_rate_change: bpm from first to last day, linear. bed_time_sd_from: share of the study from
    which on the spread of bed times is bed_time_sd_factor times as wide. stops_early: the newest data are
    weeks old. badly_worn: the last weeks are mostly not worn.
    """

    resting_heart_rate_change: float = 0.0
    bed_time_sd_from: float | None = None
    bed_time_sd_factor: float = 1.0
    stops_early: bool = False
    badly_worn: bool = False
    critical_potassium: bool = False
    phq_item_9: int = 0
    form_never_opened: bool = False
    unanswered_item: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A made-up person. ``first_day`` to ``last_day`` are local days with exported data, both included."""

    number: int
    participant_id: str
    name: str
    sex: Sex
    birth_date: date
    profile: str
    body: Body
    planted: Planted
    time_zone: str
    device: str
    miles: bool
    premium: bool
    has_scale: bool
    first_day: date
    last_day: date
    enrolled_on: date
    alias: str | None = None
    results_to: Literal["participant", "clinician", "none"] = "participant"
    site: str = "north"

    @property
    def age(self) -> int:
        """Completed years on the day of enrolment."""
        return self.age_on(self.enrolled_on)

    def age_on(self, day: date) -> int:
        """Completed years on a day."""
        birthday_to_come = (day.month, day.day) < (self.birth_date.month, self.birth_date.day)
        return day.year - self.birth_date.year - birthday_to_come

    @property
    def female(self) -> bool:
        """Whether sex is female."""
        return self.sex == "female"


_PLANTED_IN_THE_FIRST = {
    0: Planted(resting_heart_rate_change=-7.0),
    1: Planted(phq_item_9=1),
    2: Planted(critical_potassium=True),
    3: Planted(stops_early=True),
    4: Planted(bed_time_sd_from=0.5, bed_time_sd_factor=3.0),
    5: Planted(badly_worn=True),
    6: Planted(resting_heart_rate_change=6.0),
    7: Planted(form_never_opened=True),
    8: Planted(unanswered_item=True),
    9: Planted(bed_time_sd_from=0.5, bed_time_sd_factor=0.3),
}
_LIVES_IN_OTHER_ZONE = {2, 6}


def make_person(number: int, days: int, seed: int) -> Person:
    """Participant ``number`` (from 0) of a study of ``days`` days; the same for any number of others."""
    rng = generator(seed, "person", number)
    profile = number % len(PROFILES)
    female = bool(rng.random() < 0.55)
    age = int(rng.integers(PROFILES[profile].ages[0], PROFILES[profile].ages[1] + 1))
    first_day = LAST_DAY - timedelta(days=days - 1)
    enrolled_on = first_day + timedelta(days=days * 3 // 4)
    born = enrolled_on.replace(year=enrolled_on.year - age, day=1) - timedelta(days=int(rng.integers(1, 330)))
    planted = _planted(number, rng)
    bodies = draw_bodies(rng, np.array([float(female)]), np.array([float(age)]), np.array([profile]))
    return Person(
        number=number,
        participant_id=f"P{number + 1:03d}",
        name=_name(number, seed, female),
        sex="female" if female else "male",
        birth_date=born,
        profile=PROFILES[profile].name,
        body=body_of(bodies),
        planted=planted,
        time_zone=OTHER_ZONE if _in_other_zone(number, rng) else STUDY_ZONE,
        device=DEVICES[int(rng.integers(len(DEVICES)))],
        miles=bool(rng.random() < 0.7),
        premium=bool(rng.random() < 0.5),
        has_scale=bool(rng.random() < 0.5) or number == 0,
        first_day=first_day,
        last_day=LAST_DAY - timedelta(days=min(24, days // 2) if planted.stops_early else 0),
        enrolled_on=enrolled_on,
        alias=f"S{1000 + number}" if number % 5 == 1 else None,
        results_to=("participant", "clinician", "participant", "none")[number % 4],
        site=("north", "south")[number % 2],
    )


def _planted(number: int, rng: np.random.Generator) -> Planted:
    """The first ten carry one of each; of later ones about a third carry a slope or a change of bed times."""
    draw = float(rng.random())
    if number in _PLANTED_IN_THE_FIRST:
        return _PLANTED_IN_THE_FIRST[number]
    if number >= 12 and draw < 0.15:
        return Planted(resting_heart_rate_change=-6.0 if draw < 0.08 else 6.0)
    if number >= 12 and draw < 0.3:
        return Planted(bed_time_sd_from=0.5, bed_time_sd_factor=3.0)
    return Planted()


def _in_other_zone(number: int, rng: np.random.Generator) -> bool:
    draw = float(rng.random())
    return number in _LIVES_IN_OTHER_ZONE or (number >= 12 and draw < 0.2)


def _name(number: int, seed: int, female: bool) -> str:
    """Names repeat only after 230 people of a sex."""
    first = FIRST_NAMES["female" if female else "male"]
    place = (number * 37 + seed) % (len(first) * len(LAST_NAMES))
    return f"{first[place % len(first)]} {LAST_NAMES[place // len(first)]}"

"""What a person's weeks look like beside body and profile: work and journeys."""

from datetime import date, timedelta
from typing import Literal

import numpy as np

from synthetic.local_days import Trip
from synthetic.people.casting import Casting

Work = Literal["days", "none", "nights", "rotating"]

WORKS: tuple[tuple[Work, float], ...] = (("days", 0.66), ("none", 0.22), ("nights", 0.04), ("rotating", 0.08))
WORKING_AGES = range(18, 66)
# Where travellers go, with the share of trips; one crosses the date line, two change hours in other seasons.
DESTINATIONS = ("Europe/London", "America/Los_Angeles", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland")
TRAVEL_SHARE = 0.12
TRIP_DAYS = 9


def work_of(number: int, age: int, casting: Casting, rng: np.random.Generator) -> Work:
    """Work schedule: nobody above 65 works, and the stories hold no nights."""
    drawn: Work = WORKS[int(rng.choice(len(WORKS), p=[share for _, share in WORKS]))][0]
    if age not in WORKING_AGES:
        return "none"
    return "days" if casting.is_story(number) or casting.scored else drawn


def trips_of(
    number: int, first_day: date, last_day: date, zone: str, casting: Casting, rng: np.random.Generator
) -> tuple[Trip, ...]:
    """One journey of about a tenth of the people, where the study is long enough to come back from it."""
    draw, place, where = float(rng.random()), float(rng.random()), int(rng.integers(len(DESTINATIONS)))
    days = (last_day - first_day).days
    if casting.is_story(number) or casting.scored or draw >= TRAVEL_SHARE or days < 3 * TRIP_DAYS:
        return ()
    out = first_day + timedelta(days=3 + int(place * (days - TRIP_DAYS - 8)))
    there = DESTINATIONS[where]
    return () if there == zone else (Trip(there, out, out + timedelta(days=TRIP_DAYS)),)

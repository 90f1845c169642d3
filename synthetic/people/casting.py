"""Who is cast for a study beyond its storytellers: effects by lot, standing, unusual sexes, travel, work."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

import numpy as np

from schemas.participant import Sex, Status
from synthetic.local_days import Trip
from synthetic.people.effects import (
    DECLARED,
    STORIES,
    STORY_PEOPLE,
    Effect,
    EffectKind,
    Planted,
    Size,
    effect,
)

Work = Literal["days", "none", "nights", "rotating"]

EFFECT_FREE_SHARE = 0.5
SIZES: tuple[Size, ...] = ("full", "half", "quarter")
WORKS: tuple[tuple[Work, float], ...] = (("days", 0.66), ("none", 0.22), ("nights", 0.04), ("rotating", 0.08))
WORKING_AGES = range(18, 66)
# Where travellers go, with the share of trips; one crosses the date line, two change hours in other seasons.
DESTINATIONS = ("Europe/London", "America/Los_Angeles", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland")
TRAVEL_SHARE = 0.12
TRIP_DAYS = 9


@dataclass(frozen=True, slots=True)
class Casting:
    """How a study is cast.

    effect, size: everyone carries this one effect and nothing else; None draws by lot. effect_free: nobody
    carries any. stories: the first twelve tell the demonstration's stories. varied_standing: some are
    withdrawn, excluded, completed, re-consented or enrolled twice.
    """

    effect: EffectKind | None = None
    size: Size = "full"
    effect_free: bool = False
    stories: bool = True
    varied_standing: bool = False

    @property
    def scored(self) -> bool:
        """Whether everyone carries the same, so that a study can be scored."""
        return self.effect is not None or self.effect_free

    def is_story(self, number: int) -> bool:
        """Whether a participant is one of the demonstration's."""
        return self.stories and not self.scored and number < STORY_PEOPLE


DEMONSTRATION = Casting()


def planted_in(number: int, casting: Casting, rng: np.random.Generator) -> Planted:
    """What participant ``number`` carries; as many draws whatever the casting."""
    draws = rng.random(4)
    sign = 1 if draws[2] < 0.5 else -1
    if casting.effect_free:
        return Planted()
    if casting.effect is not None:
        return Planted((_signed(casting.effect, casting.size, sign),))
    if casting.is_story(number):
        return STORIES.get(number, Planted())
    if draws[0] < EFFECT_FREE_SHARE:
        return Planted()
    kind = tuple(DECLARED)[int(draws[1] * len(DECLARED))]
    return Planted((_signed(kind, SIZES[int(draws[3] * len(SIZES))], sign),))


def _signed(kind: EffectKind, size: Size, sign: int) -> Effect:
    return effect(kind, size, sign if DECLARED[kind].signed else 1)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a person stands in the study; ``days`` are those with data, also from outside the consent.

    twin_of: number of the participant whose second enrolment this is.
    """

    status: Status = "active"
    left_on: date | None = None
    consent_to: date | None = None
    consent_from: date | None = None
    reconsented: bool = False
    twin_of: int | None = None


def standing_of(
    number: int,
    first_day: date,
    enrolled_on: date,
    last_day: date,
    casting: Casting,
    rng: np.random.Generator,
) -> Standing:
    """By lot, where the casting varies it: about one in eight is anything but plainly active."""
    draw, place = float(rng.random()), float(rng.random())
    plain = Standing(consent_from=first_day)
    if not casting.varied_standing or casting.is_story(number):
        return plain
    left = enrolled_on + timedelta(days=int(place * max((last_day - enrolled_on).days, 0)))
    lot: tuple[tuple[float, Standing], ...] = (
        (0.03, replace(plain, status="completed", left_on=left, consent_to=left)),
        (0.025, replace(plain, status="withdrawn", left_on=left)),
        (0.01, replace(plain, status="excluded", left_on=left)),
        (0.025, replace(plain, reconsented=True)),
        (0.01, replace(plain, twin_of=number - 1) if number else plain),
        (0.03, replace(plain, consent_from=first_day + timedelta(days=(enrolled_on - first_day).days // 3))),
    )
    for share, standing in lot:
        if draw < share:
            return standing
        draw -= share
    return plain


def registered_sex(number: int, female: bool, casting: Casting, rng: np.random.Generator) -> Sex:
    """What the registry says: of a hundred people one is intersex and one unknown."""
    draw = float(rng.random())
    if not casting.is_story(number) and draw < 0.02:
        return "intersex" if draw < 0.01 else "unknown"
    return "female" if female else "male"


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

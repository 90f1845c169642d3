"""How people stand in a study: active or not, enrolled twice, and the sex the registry says."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np

from schemas.participant import Sex, Status
from synthetic.people.casting import Casting


@dataclass(frozen=True, slots=True)
class Standing:
    """How a person stands in the study. Data from outside the consent are there all the same.

    reconsented: known under an older id too. twin_of: the participant whose second enrolment this is.
    """

    consent_from: date
    consent_to: date | None = None
    status: Status = "active"
    left_on: date | None = None
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
        # Only odd numbers are second enrolments, so that the first one is never a second one itself.
        (0.02, replace(plain, twin_of=number - 1) if number % 2 else plain),
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

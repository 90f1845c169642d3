"""Whose report it is: name, birth date, sex and age of every page against each other and the registry.

Names and dates are compared in memory; only verdicts and the names of differing fields leave.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from ingest.labs.dates import Order, PrintedDate
from ingest.labs.heading import PageHead
from ingest.labs.names import same_person_name
from schemas.errors import PhaError
from schemas.participant import Participant


@dataclass(frozen=True, slots=True)
class Identity:
    """The verdict over all pages."""

    verdict: Literal["matched", "unchecked"]


def check_identity(
    pages: Sequence[PageHead], participant: Participant, order: Order | None, years: Collection[int]
) -> Identity:
    """The verdict where no page contradicts another or the registry; ``years``: those of the report's dates.

    A name or birth date that agrees makes it ``matched``; sex and age do not. Raises PhaError
    lab_multiple_patients where pages differ from each other, lab_identity_mismatch where they agree with
    each other and differ from the registry.
    """
    if any(_differ(one, other, order) for one, other in combinations(pages, 2)):
        raise PhaError("lab_multiple_patients")
    differing = sorted({field for page in pages for field in _differs_from(page, participant, order, years)})
    if differing:
        raise PhaError("lab_identity_mismatch", fields=", ".join(differing))
    compared = any(
        (page.name and participant.name) or (page.birth and participant.birth_date) for page in pages
    )
    return Identity("matched" if compared else "unchecked")


def birth_order(pages: Sequence[PageHead], participant: Participant) -> Order | None:
    """The order of day and month under which the printed birth date is the registered one, if just one is."""
    birth = participant.birth_date
    printed = next((page.birth for page in pages if page.birth is not None), None)
    if birth is None or printed is None or printed.month_first == printed.day_first:
        return None
    if printed.month_first == birth:
        return "MDY"
    return "DMY" if printed.day_first == birth else None


def _differs_from(
    page: PageHead, participant: Participant, order: Order | None, years: Collection[int]
) -> list[str]:
    fields: list[str] = []
    if page.name and participant.name and not same_person_name(page.name, participant.name):
        fields.append("name")
    if page.birth is not None and not _born(page.birth, participant, order):
        fields.append("birth date")
    if page.sex and participant.sex in ("female", "male") and page.sex != participant.sex:
        fields.append("sex")
    if page.age is not None and years and not _may_be_aged(page.age, participant, years):
        fields.append("age")
    return fields


def _may_be_aged(age: int, participant: Participant, years: Collection[int]) -> bool:
    """Whether the printed age fits the birth year in a year of the report, with a year of grace either way.

    The year less the birth year is the age or one more; it may be rounded, or that of the day of print.
    """
    return any(-1 <= year - participant.birth_year - age <= 2 for year in years)


def _born(printed: PrintedDate, participant: Participant, order: Order | None) -> bool:
    days = [day for day in (printed.month_first, printed.day_first) if day is not None]
    if participant.birth_date is None:
        return all(day.year == participant.birth_year for day in days)
    day = printed.day(order)
    return participant.birth_date in days if day is None else participant.birth_date == day


def _differ(one: PageHead, other: PageHead, order: Order | None) -> bool:
    return bool(
        (one.name and other.name and not same_person_name(one.name, other.name))
        or (one.birth and other.birth and one.birth != other.birth)
        or (one.sex and other.sex and one.sex != other.sex)
    )

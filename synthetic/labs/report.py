"""A laboratory report of one draw, before it is drawn on pages."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from schemas.participant import Sex
from synthetic.labs.printing import Result
from synthetic.people.persona import Person

Status = Literal["preliminary", "final", "corrected", "amended"]


@dataclass(frozen=True, slots=True)
class Holder:
    """Who a page says it is of."""

    name: str
    birth_date: date
    sex: Sex
    number: str

    @property
    def given(self) -> str:
        """First names."""
        return self.name.split(" ", 1)[0]

    @property
    def surname(self) -> str:
        """The rest of the name."""
        return self.name.split(" ", 1)[1]

    def age_on(self, day: date) -> int:
        """Completed years on a day."""
        birthday_to_come = (day.month, day.day) < (self.birth_date.month, self.birth_date.day)
        return day.year - self.birth_date.year - birthday_to_come


@dataclass(frozen=True, slots=True)
class Report:
    """A report; ``collected`` None where it gives no date of collection.

    ``holders``: whom page 1, 2, ... name, the last one also all later pages; None for a page that names
    nobody. ``phrase`` is a canary: it goes to the file's name, metadata, comments and a note on a page.
    ``remarks`` are printed below the first result. ``rows_a_page`` turns the page where there is still room.
    """

    layout: str
    person: Person
    holders: tuple[Holder | None, ...]
    specimen: str
    drawn: datetime
    collected: datetime | None
    received: datetime
    reported: datetime
    fasting: bool
    status: Status
    results: tuple[Result, ...]
    file_name: str
    previous_on: date | None = None
    phrase: str | None = None
    remarks: tuple[str, ...] = ()
    rows_a_page: int | None = None

    def holder(self, page: int) -> Holder | None:
        """Whom a page names; pages count from 1."""
        return self.holders[min(page, len(self.holders)) - 1]


def holder_of(person: Person) -> Holder:
    """A person as a laboratory knows them."""
    return Holder(person.name, person.birth_date, person.sex, person.participant_id)

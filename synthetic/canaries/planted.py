"""What was planted in a study that no release, log or page may hold, by kind."""

from collections.abc import Iterable, Mapping
from datetime import date

from synthetic.people.persona import Person
from synthetic.surveys.answers import canaries_of

# Texts by kind.
Canaries = Mapping[str, Iterable[str]]

BIRTH_DATE_FORMS = (
    "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y%m%d",
    "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%d-%b-%Y",
)  # fmt: skip


def planted_canaries(
    people: Iterable[Person], pdf_names: Iterable[str] = (), phrases: Iterable[tuple[str, str]] = ()
) -> dict[str, list[str]]:
    """Canaries by kind, for ``truth/canaries.json``; a text of two kinds is of the first.

    pdf_names: of the lab reports. phrases: (kind, text) of what was planted beyond people and surveys.
    """
    kinds: dict[str, str] = {}
    for kind, text in (*_of_people(people), *(("pdf_name", name) for name in pdf_names), *phrases):
        kinds.setdefault(text, kind)
    return {
        kind: sorted(text for text, of in kinds.items() if of == kind) for kind in sorted(set(kinds.values()))
    }


def _of_people(people: Iterable[Person]) -> Iterable[tuple[str, str]]:
    for person in people:
        yield from (("name", text) for text in name_forms(person.name))
        yield from (("birth_date", text) for text in birth_date_forms(person.birth_date))
        first, last = person.name.split(" ", 1)
        yield "e_mail", f"{first}.{last}@example.org".lower()
        yield "archive_root", f"{first}{last}"
        yield from (("survey_text", text) for text in canaries_of(person))


def name_forms(name: str) -> tuple[str, ...]:
    """A full name in the orders and with the joints in which people and programs write it; the last name.

    First names alone are no canary: some stand within other words.
    """
    first, last = name.split(" ", 1)
    return (
        name, f"{last} {first}", f"{last}, {first}", f"{first}_{last}", f"{first}.{last}", f"{first}-{last}",
        f"{first}+{last}", f"{first}%20{last}", f"{first[0]}. {last}", last,
    )  # fmt: skip


def birth_date_forms(day: date) -> tuple[str, ...]:
    """A date as documents write it, with and without leading zeros."""
    forms = [day.strftime(form) for form in BIRTH_DATE_FORMS]
    numbers = (
        f"{day.day}.{day.month}.{day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.day}/{day.month}/{day.year}",
    )
    words = [day.strftime(form).replace(f"{day:%d}", str(day.day), 1) for form in BIRTH_DATE_FORMS[8:]]
    return tuple(dict.fromkeys([*forms, *numbers, *words]))

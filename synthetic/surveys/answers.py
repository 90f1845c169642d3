"""One model of a person's answers, from which every export form and the truth are written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

import numpy as np

from synthetic.people.persona import LAST_DAY, Person
from synthetic.randomness import generator
from synthetic.surveys.answering import (
    FREE_TEXT_CANARY,
    MEDICINE_CANARY,
    WISH_CANARY,
    Values,
    answer,
    identifiers_of,
)
from synthetic.surveys.items import Form
from synthetic.surveys.questionnaire import QUESTIONNAIRE, WEEK_4

FOLLOW_UP = timedelta(days=28)
REPEATS_ON = (1, 8, 15)
MODERATE = "ipaq_moderate_minutes"


@dataclass(frozen=True, slots=True)
class Filling:
    """A form as one person filled it in at one visit.

    sent: wall clock of the study's zone; None where nobody opened the form. values: by item, what was
    answered: a code, a number, an ISO date, HH:MM, words, or the ticked boxes. hidden: items not shown.
    declined: item -> the study's code for missing data. An item in none of them was left blank.
    """

    form: Form
    event: str
    instance: int
    sent: datetime | None
    values: Mapping[str, str | frozenset[int]]
    hidden: frozenset[str] = frozenset()
    declined: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Record:
    """All fillings of one person."""

    person: Person
    fillings: tuple[Filling, ...]

    @property
    def record_id(self) -> str:
        """The id in the survey system, which may be an older one than the study's."""
        return self.person.alias or self.person.participant_id

    def at(self, event: str) -> tuple[Filling, ...]:
        """Fillings of forms asked once at a visit."""
        return tuple(f for f in self.fillings if f.event == event and not f.form.repeats)

    @property
    def repeated(self) -> tuple[Filling, ...]:
        """Fillings of repeating forms, by form and instance."""
        return tuple(f for f in self.fillings if f.form.repeats)


def record_of(person: Person, seed: int) -> Record:
    """Answers that agree with the person's profile, body and health, with what is planted in them."""
    rng = generator(seed, "survey", person.number)
    minutes = int(rng.integers(9 * 60, 20 * 60))
    begun = datetime.combine(person.enrolled_on, time()) + timedelta(minutes=minutes)
    fillings = tuple(_fillings(person, begun, seed))
    return Record(person, tuple(_left_out(person, each, rng) for each in fillings))


def canaries_of(person: Person) -> tuple[str, ...]:
    """Words of a person's surveys that must stand in no table, log or page."""
    told = identifiers_of(person).values()
    return (*told, FREE_TEXT_CANARY, WISH_CANARY.splitlines()[0], MEDICINE_CANARY)


def _fillings(person: Person, begun: datetime, seed: int) -> Iterator[Filling]:
    last = min(LAST_DAY, person.left_on or LAST_DAY)
    for place, form in enumerate(QUESTIONNAIRE):
        for event in form.events:
            for instance, days in enumerate(REPEATS_ON if form.repeats else (0,), start=1):
                visit = FOLLOW_UP if event == WEEK_4 else timedelta()
                sent = begun + visit + timedelta(days=days, minutes=3 * place)
                if not form.repeats or sent.date() <= last:
                    values = answer(person, form.name, event, instance, seed)
                    yield _filling(form, event, instance, sent, values, last)


def _filling(form: Form, event: str, instance: int, sent: datetime, values: Values, last: date) -> Filling:
    """A form as filled in, unless its day comes after the last one."""
    if sent.date() > last:
        return Filling(form, event, instance, None, {})
    if form.repeats:
        values["home_date"] = sent.date().isoformat()
    hidden = frozenset(item.name for item in form.items if item.shown_if and item.name not in values)
    return Filling(form, event, instance, sent, values, hidden)


def _left_out(person: Person, filling: Filling, rng: np.random.Generator) -> Filling:
    """What the person did not open, skipped or declined. From the eleventh on now and then by chance."""
    draw = float(rng.random())
    form, late = filling.form.name, person.number >= 12
    if form == "health_history" and person.planted.form_never_opened:
        return _unopened(filling)
    if filling.event == WEEK_4 and late and draw < 0.1:
        return _unopened(filling)
    if form == "gad7" and person.planted.unanswered_item:
        return _without(filling, "gad7_4")
    if form == "demographics" and (person.number == 10 or (late and draw < 0.03)):
        return _declined(filling, "weight_kg", "ASKU")
    if form == "pss10" and (person.number == 11 or (late and draw < 0.03)):
        return _without(filling, "pss10_6")
    if form == "ipaq" and MODERATE in filling.values and (person.number == 11 or (late and draw < 0.05)):
        return _declined(filling, MODERATE, "UNK")
    if form in ("phq9", "phq8") and late and draw < 0.04:
        return _without(filling, f"{form}_2", f"{form}_5", *([f"{form}_7"] if draw < 0.01 else []))
    return filling


def _unopened(filling: Filling) -> Filling:
    return replace(filling, sent=None, values={}, hidden=frozenset())


def _without(filling: Filling, *items: str) -> Filling:
    return replace(filling, values={name: v for name, v in filling.values.items() if name not in items})


def _declined(filling: Filling, item: str, code: str) -> Filling:
    """The item declined; what is calculated from it stays empty."""
    return replace(_without(filling, item, "bmi"), declined={item: code})

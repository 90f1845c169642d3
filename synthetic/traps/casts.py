"""Who a trap can happen to: an ordinary person, and small changes of them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from synthetic.local_days import Trip
from synthetic.people.casting import Casting
from synthetic.people.devices import PHONE, SAMPLING_SECONDS, WATCHES, Device
from synthetic.people.effects import Planted
from synthetic.people.persona import STUDY_ZONE, Person, make_person
from synthetic.traps.trap import Cast

NOBODY_SPECIAL = Casting(stories=False, effect_free=True)


def ordinary(participant_id: str, number: int, days: int, last_day: date, seed: int) -> Person:
    """Lives in the study's zone, works by day, wears one watch, consented to all days with data."""
    drawn = make_person(number, days, seed, NOBODY_SPECIAL)
    first_day = last_day - timedelta(days=days - 1)
    enrolled_on = first_day + timedelta(days=days * 3 // 4)
    watch = replace(drawn.watches[0], first_day=first_day, last_day=None)
    return replace(
        drawn, participant_id=participant_id, planted=Planted(), time_zone=STUDY_ZONE, trips=(), work="days",
        devices=(watch,), first_day=first_day, last_day=last_day, enrolled_on=enrolled_on,
        consent_from=first_day, alias=None, results_to="none",
    )  # fmt: skip


def having(**changes: Any) -> Cast:
    """With other values in some fields."""
    return lambda person: replace(person, **changes)


def living_in(zone: str) -> Cast:
    """In another zone than the study's."""
    return having(time_zone=zone)


def travelling(home: str, there: str, out: int, back: int) -> Cast:
    """Away from the evening of one day to that of another, counted from the first."""

    def cast(person: Person) -> Person:
        first = person.first_day
        trip = Trip(there, first + timedelta(days=out), first + timedelta(days=back))
        return replace(person, time_zone=home, trips=(trip,))

    return cast


def with_phone(person: Person) -> Person:
    """The phone counts steps too."""
    phone = Device(PHONE, str(9_100_000_000 + person.number), person.first_day, None, 60, "phone")
    return replace(person, devices=(*person.devices, phone))


def with_new_watch(day: int) -> Cast:
    """Another type of watch from a day on, counted from the first."""

    def cast(person: Person) -> Person:
        old, changed_on = person.devices[0], person.first_day + timedelta(days=day)
        name = WATCHES[(WATCHES.index(old.name) + 1) % len(WATCHES)]
        newer = Device(name, f"{old.tracker_id}1", changed_on, None, SAMPLING_SECONDS[name], "watch")
        older = replace(old, last_day=changed_on - timedelta(days=1))
        return replace(person, devices=(older, newer, *person.devices[1:]))

    return cast


def both(*casts: Callable[[Person], Person]) -> Cast:
    """One change after the other."""

    def cast(person: Person) -> Person:
        for each in casts:
            person = each(person)
        return person

    return cast

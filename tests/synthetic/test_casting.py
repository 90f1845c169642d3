"""Who is cast: stories, effects by lot or for everyone, standing, work, journeys, devices, names."""

from collections import Counter
from datetime import timedelta
from functools import cache

import pytest

from synthetic.people.casting import Casting
from synthetic.people.devices import SAMPLING_SECONDS
from synthetic.people.effects import DECLARED, STORIES, Planted
from synthetic.people.names import FIRST_NAMES, LAST_NAMES, name_of
from synthetic.people.persona import Person, make_person

DAYS, SEED, MANY = 90, 3, 600


@cache
def varied() -> list[Person]:
    """Made by the worker that needs them, as the next, not by each at its start."""
    return [make_person(number, DAYS, SEED, Casting(varied_standing=True)) for number in range(MANY)]


@cache
def plain() -> list[Person]:
    return [make_person(number, DAYS, SEED) for number in range(MANY)]


def test_the_first_twelve_tell_the_stories_whatever_the_seed() -> None:
    for seed in (1, 2):
        people = [make_person(number, DAYS, seed) for number in range(12)]
        assert [person.planted for person in people] == [STORIES.get(n, Planted()) for n in range(12)]
        assert {person.status for person in people} == {"active"}
        assert not any(person.trips or person.has_phone_recorder for person in people)


def test_by_lot_half_carry_nothing_and_every_kind_and_size_occurs() -> None:
    effects = [person.planted.effects for person in plain()[12:]]
    assert 0.45 < sum(not carried for carried in effects) / len(effects) < 0.55
    kinds = Counter((carried[0].kind, carried[0].size) for carried in effects if carried)
    assert len(kinds) == 3 * len(DECLARED)
    assert {carried[0].amount > 0 for carried in effects if carried} == {True, False}


@pytest.mark.parametrize("kind", list(DECLARED))
def test_a_caller_can_ask_for_one_effect_in_everyone(kind: str) -> None:
    casting = Casting(effect=kind, size="quarter")  # pyright: ignore[reportArgumentType]
    for number in range(20):
        (carried,) = make_person(number, DAYS, SEED, casting).planted.effects
        assert (carried.kind, carried.size) == (kind, "quarter")


def test_a_caller_can_ask_for_people_without_any() -> None:
    people = [make_person(number, DAYS, SEED, Casting(effect_free=True)) for number in range(40)]
    assert {person.planted for person in people} == {Planted()}


def test_casting_changes_the_person_only_where_it_must() -> None:
    """The same body and health carry each effect, so that sizes can be compared within people."""
    for number in (3, 40):
        bodies = {
            make_person(number, DAYS, SEED, casting).body
            for casting in (Casting(), Casting(effect="fever_week"), Casting(effect_free=True))
        }
        assert len(bodies) == 1


def test_scored_studies_hold_no_journeys_or_night_shifts() -> None:
    people = [make_person(number, DAYS, SEED, Casting(effect_free=True)) for number in range(100)]
    assert not any(person.trips for person in people)
    assert {person.work for person in people} <= {"days", "none"}


def test_without_varied_standing_everyone_is_active_under_one_id() -> None:
    assert {person.status for person in plain()} == {"active"}
    assert [person.number for person in plain()] == list(range(MANY))
    assert {person.left_on for person in plain()} == {None}


def test_varied_standing_holds_every_kind() -> None:
    statuses = {person.status for person in varied()}
    assert statuses == {"active", "completed", "withdrawn", "excluded"}
    alike = sum(a == b for a, b in zip(varied(), plain(), strict=True))
    assert 0.8 < alike / MANY < 0.95
    for person in varied():
        assert (person.left_on is None) == (person.status == "active")
        if person.left_on is not None:
            assert person.enrolled_on <= person.left_on <= person.last_day


def test_some_data_lie_before_and_after_the_consent() -> None:
    assert any(person.consent_from > person.first_day for person in varied())
    assert any(person.consent_to is not None and person.consent_to < person.last_day for person in varied())
    assert any(person.left_on is not None and person.left_on < person.last_day for person in varied())


def test_who_enrolled_twice_has_one_account_and_two_ids() -> None:
    twins = [person for n, person in enumerate(varied()) if person.number != n]
    assert twins
    for twin in twins:
        first = make_person(twin.number, DAYS, SEED)
        assert twin.participant_id == f"P{twin.number + 2:03d}" != first.participant_id
        assert (twin.name, twin.birth_date, twin.devices) == (first.name, first.birth_date, first.devices)


def test_ids_never_repeat() -> None:
    assert len({person.participant_id for person in varied()}) == MANY


def test_a_few_are_intersex_or_unknown() -> None:
    sexes = Counter(person.sex for person in plain())
    assert 0 < sexes["intersex"] < 0.03 * MANY
    assert 0 < sexes["unknown"] < 0.03 * MANY
    for person in plain():
        assert person.sex in ("intersex", "unknown") or (person.sex == "female") == person.female


def test_a_person_shows_only_an_id() -> None:
    assert repr(plain()[0]) == "Person(P001)"


def test_names_do_not_repeat_among_two_thousand_of_any_mix() -> None:
    sizes = {len(names) * len(LAST_NAMES) for names in FIRST_NAMES.values()}
    assert min(sizes) > 1_165
    for mix in (1, 2, 3):
        names = [name_of(number, SEED, number % mix == 0) for number in range(2_000)]
        assert len(set(names)) == 2_000
    assert set(FIRST_NAMES["female"]).isdisjoint(FIRST_NAMES["male"])


def one_wearable_a_day(person: Person) -> bool:
    return all(
        sum(watch.in_use_on(person.first_day + timedelta(days=day)) for watch in person.watches) == 1
        for day in range(DAYS)
    )


def test_there_is_one_wearable_each_day_and_for_some_a_phone() -> None:
    assert all(one_wearable_a_day(person) for person in plain()[:80])
    phones = sum(person.has_phone_recorder for person in plain()[12:]) / (MANY - 12)
    assert 0.25 < phones < 0.45
    for device in (device for person in plain()[:80] for device in person.watches):
        assert device.sampling_seconds == SAMPLING_SECONDS[device.name]


def test_work_and_journeys() -> None:
    work = Counter(person.work for person in plain())
    assert set(work) == {"days", "none", "nights", "rotating"}
    assert all(person.work == "none" for person in plain() if person.age > 65)
    travellers = [person for person in plain() if person.trips]
    assert 0.06 < len(travellers) / MANY < 0.16
    for person in travellers:
        (trip,) = person.trips
        assert person.first_day < trip.out < trip.back < person.last_day
        assert trip.zone != person.time_zone


def test_chronotypes_follow_bed_times() -> None:
    found = {person.chronotype for person in plain()}
    assert found == {"early", "middle", "late"}
    for person in plain():
        assert (person.chronotype == "early") == (person.body.bed_minute < -105)

"""Who takes part: the same person whatever the size of the study."""

from datetime import date, timedelta

import pytest

from synthetic.people.persona import LAST_DAY, OTHER_ZONE, STUDY_ZONE, make_person
from synthetic.people.profiles import PROFILES
from synthetic.randomness import generator

PEOPLE = [make_person(number, 120, 7) for number in range(60)]


def test_a_person_depends_on_number_days_and_seed_alone() -> None:
    assert make_person(5, 120, 7) == PEOPLE[5]
    assert make_person(5, 120, 8) != PEOPLE[5]


def test_purposes_and_numbers_draw_independently() -> None:
    draws = {
        (purpose, number): float(generator(1, purpose, number).random())
        for purpose in ("sleep", "wear")
        for number in (0, 1)
    }
    assert len(set(draws.values())) == 4
    assert draws["sleep", 0] == float(generator(1, "sleep", 0).random())


def test_profiles_come_in_turn_and_ages_fit_them() -> None:
    for person in PEOPLE:
        profile = PROFILES[person.number % len(PROFILES)]
        assert person.profile == profile.name
        assert profile.ages[0] <= person.age <= profile.ages[1]
        assert 21 <= person.age <= 79


def test_ten_profiles_with_names_of_their_own() -> None:
    assert len({profile.name for profile in PROFILES}) == 10


def test_names_and_ids_do_not_repeat() -> None:
    assert len({person.name for person in PEOPLE}) == len(PEOPLE)
    assert [person.participant_id for person in PEOPLE[:3]] == ["P001", "P002", "P003"]


def test_the_first_ten_carry_each_planted_effect_once() -> None:
    first = [person.planted for person in PEOPLE[:10]]
    assert [planted.phq_item_9 for planted in first].count(1) == 1
    assert [planted.critical_potassium for planted in first].count(True) == 1
    assert [planted.stops_early for planted in first].count(True) == 1
    assert [planted.badly_worn for planted in first].count(True) == 1
    slopes = [planted.amount("resting_heart_rate_slope") for planted in first]
    assert [slope for slope in slopes if slope] == [-7.0, 6.0]
    assert sum(bool(planted.find("better_regularity", "worse_regularity")) for planted in first) == 2


def test_about_half_of_the_others_carry_nothing() -> None:
    carried = [make_person(number, 120, 7).planted.effects for number in range(12, 212)]
    assert 0.4 < sum(not effects for effects in carried) / len(carried) < 0.6


def test_some_live_in_another_zone() -> None:
    zones = [person.time_zone for person in PEOPLE]
    assert PEOPLE[2].time_zone == OTHER_ZONE
    assert set(zones) == {STUDY_ZONE, OTHER_ZONE}


@pytest.mark.parametrize("days", [8, 30, 120])
def test_the_study_ends_on_the_last_day_for_all_but_who_stops_early(days: int) -> None:
    for number in range(12):
        person = make_person(number, days, 7)
        stopped = timedelta(days=min(24, days // 2) if person.planted.stops_early else 0)
        assert person.last_day == LAST_DAY - stopped
        assert person.first_day == LAST_DAY - timedelta(days=days - 1)
        assert person.first_day <= person.enrolled_on <= LAST_DAY


def test_age_is_in_completed_years_on_the_day_of_enrolment() -> None:
    person = PEOPLE[0]
    birthday = date(person.enrolled_on.year, person.birth_date.month, person.birth_date.day)
    expected = person.enrolled_on.year - person.birth_date.year - (birthday > person.enrolled_on)
    assert person.age == expected

"""What a clinic would know agrees with body, profile, sex and age."""

from functools import cache

import numpy as np

from synthetic.people.health import PREGNANCY_AGES
from synthetic.people.persona import Person, make_person
from synthetic.people.profiles import PROFILES


@cache
def people() -> list[Person]:
    """Made by the worker that needs them, not by each at its start."""
    return [make_person(number, 60, 19) for number in range(1_500)]


def of_profile(name: str) -> list[Person]:
    return [person for person in people() if person.profile == name]


def share(people: list[Person], fact: str) -> float:
    return sum(bool(getattr(person.health, fact)) for person in people) / len(people)


def test_size_is_that_of_the_body() -> None:
    for person in people():
        assert abs(person.health.height_cm - person.body.height_cm) <= 0.05
        assert abs(person.health.weight_kg - person.body.weight_kg) <= 0.05


def test_waist_follows_weight_and_sex() -> None:
    bmi = np.array([person.body.bmi for person in people()])
    waist = np.array([person.health.waist_cm for person in people()])
    women = np.array([person.female for person in people()])
    assert np.corrcoef(bmi, waist)[0, 1] > 0.8
    slim = abs(bmi - 25) < 1
    assert 3 < waist[slim & ~women].mean() - waist[slim & women].mean() < 12
    assert 60 < waist.min() < waist.max() < 150


def test_blood_pressure_is_possible_and_higher_in_its_profile_although_treated() -> None:
    for person in people():
        assert 20 <= person.health.systolic - person.health.diastolic <= 95
    means = {
        profile.name: np.mean([person.health.systolic for person in of_profile(profile.name)])
        for profile in PROFILES
    }
    assert max(means, key=lambda name: means[name]) == "hypertension"
    assert means["hypertension"] > 130 > 125 > means["healthy_training"]


def test_drugs_follow_the_profile() -> None:
    assert share(of_profile("hypertension"), "antihypertensives") > 0.7
    assert share(of_profile("type_2_diabetes"), "diabetes_drug") > 0.75
    assert share(of_profile("type_2_diabetes"), "statin") > 0.4
    assert share(of_profile("healthy_training"), "antihypertensives") == 0
    assert share(of_profile("stress_low_mood"), "diabetes_drug") == 0
    assert any(len(person.health.antihypertensives) == 2 for person in of_profile("hypertension"))
    for person in people():
        drugs = person.health.antihypertensives
        assert len(set(drugs)) == len(drugs)


def test_only_women_of_childbearing_age_without_those_drugs_are_pregnant() -> None:
    pregnant = [person for person in people() if person.health.pregnant]
    assert pregnant
    low, high = PREGNANCY_AGES
    for person in pregnant:
        assert person.sex != "male"
        assert low <= person.age <= high
        health = person.health
        assert (health.antihypertensives, health.statin, health.diabetes_drug) == ((), None, None)


def test_smoking_is_about_as_common_as_it_is() -> None:
    current = sum(person.health.smoking == "current" for person in people()) / len(people())
    never = sum(person.health.smoking == "never" for person in people()) / len(people())
    assert 0.09 < current < 0.15
    assert 0.57 < never < 0.67

"""Drugs, pregnancy and a planted rise of LDL show in what is printed."""

from dataclasses import replace

import numpy as np
import pytest

from synthetic.labs.blood import draw_blood
from synthetic.labs.draws import reports_of
from synthetic.labs.report import Report
from synthetic.labs.treatment import as_treated
from synthetic.people.body import Floats, draw_bodies
from synthetic.people.effects import Planted, effect
from synthetic.people.persona import Person, make_person

DAYS = 120
FEMALE, AGE, PROFILE = np.array([1.0]), np.array([35.0]), np.array([0])


def untreated(number: int = 6) -> Person:
    person = make_person(number, DAYS, 7)
    health = replace(person.health, statin=None, diabetes_drug=None, antihypertensives=(), pregnant=False)
    return replace(person, health=health, planted=Planted())


def printed(report: Report, key: str) -> float:
    return next(float(r.value) for r in report.results if r.line.key == key and r.value is not None)


def both(person: Person) -> tuple[Report, Report]:
    first, second = reports_of(person, DAYS, 7)
    return first, second


@pytest.mark.parametrize(("size", "rise"), [("full", 40), ("half", 20), ("quarter", 10)])
def test_a_planted_rise_of_ldl_lies_between_the_two_draws(size: str, rise: int) -> None:
    person = untreated()
    planted = replace(person, planted=Planted((effect("ldl_rise", size),)))  # pyright: ignore[reportArgumentType]
    (with_first, with_second), (first, second) = both(planted), both(person)
    assert with_second.drawn < with_first.drawn
    for key in ("ldl_cholesterol", "total_cholesterol"):
        assert printed(with_first, key) - printed(first, key) == pytest.approx(rise, abs=1)
        assert printed(with_second, key) == printed(second, key)
    assert printed(with_first, "non_hdl_cholesterol") - printed(first, "non_hdl_cholesterol") == rise
    for key in ("hdl_cholesterol", "triglycerides", "glucose", "hba1c"):
        assert printed(with_first, key) == printed(first, key)


def test_the_effect_begins_after_the_earlier_draw_whatever_the_length_of_the_study() -> None:
    for days in (10, 36, 59, 60, 119, 120, 200):
        person = make_person(6, days, 7)
        starts = effect("ldl_rise").starts_on(person.first_day, days)
        first, second = reports_of(person, days, 7)
        assert starts is not None
        assert second.drawn.date() < starts <= first.drawn.date()
        assert person.first_day <= second.drawn.date()


def test_a_statin_lowers_ldl_and_what_is_worked_out_from_it() -> None:
    person = untreated()
    treated = replace(person, health=replace(person.health, statin="atorvastatin"))
    before, after = both(person)[0], both(treated)[0]
    assert printed(after, "ldl_cholesterol") == pytest.approx(
        0.68 * printed(before, "ldl_cholesterol"), abs=1
    )
    for report in (before, after):
        parts = [printed(report, key) for key in ("ldl_cholesterol", "hdl_cholesterol")]
        total = printed(report, "total_cholesterol")
        assert total == pytest.approx(sum(parts) + printed(report, "triglycerides") / 5, abs=0.51)
    assert printed(after, "glucose") == printed(before, "glucose")


def test_pregnancy_thins_the_blood_and_raises_filtration() -> None:
    person = untreated()
    blood = of_a_woman()
    pregnant = as_treated(blood, replace(person.health, pregnant=True), FEMALE, AGE)
    plain = as_treated(blood, person.health, FEMALE, AGE)
    assert pregnant["hemoglobin"] < plain["hemoglobin"]
    assert pregnant["mcv"] == plain["mcv"]
    assert pregnant["egfr"] > plain["egfr"]
    assert pregnant["triglycerides"] > plain["triglycerides"]


def test_a_thiazide_lowers_potassium_never_to_a_critical_value() -> None:
    person = untreated()
    low = of_a_woman() | {"potassium": np.array([3.3])}
    health = replace(person.health, antihypertensives=("hydrochlorothiazide",))
    assert as_treated(low, health, FEMALE, AGE)["potassium"] == 3.3


def of_a_woman() -> dict[str, Floats]:
    rng = np.random.default_rng(2)
    blood = draw_blood(rng, draw_bodies(rng, FEMALE, AGE, PROFILE), FEMALE, AGE, PROFILE)
    return {key: blood[key].to_numpy() for key in blood.columns}


def test_no_draw_lies_before_the_first_day_or_after_enrolment() -> None:
    person = make_person(3, 40, 7)
    for count in range(1, 8):
        layouts = ("methods",) * count
        days = [report.drawn.date() for report in reports_of(person, 40, 7, layouts)]
        assert days[0] == person.enrolled_on
        assert all(person.first_day <= day <= person.enrolled_on for day in days)
        assert len(days) == count

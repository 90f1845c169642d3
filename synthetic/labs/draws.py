"""A participant's blood draws: one report each, of several layouts and dates, with what belongs on it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise

import numpy as np
import polars as pl

from synthetic.labs.blood import draw_blood
from synthetic.labs.later_draw import drawn_again
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.report import Report, holder_of
from synthetic.labs.results import CRITICAL_POTASSIUM, results_of
from synthetic.labs.treatment import as_treated
from synthetic.people.body import Floats
from synthetic.people.persona import Person
from synthetic.people.profiles import index_of
from synthetic.randomness import generator

AT_ENROLMENT, EARLIER = "analyte_value", "current_previous"
CRITICAL_DRAW = 1


def reports_of(
    person: Person,
    days: int,
    seed: int,
    layouts: Sequence[str] = (AT_ENROLMENT, EARLIER),
    *,
    wide: bool = False,
    phrase: str | None = None,
) -> tuple[Report, ...]:
    """A report of each layout: the first at enrolment, fasting; the second some weeks before; more between.

    All draws lie from first_day to enrolment; further ones change neither of the first two. A planted
    critical potassium is on the second. ``wide`` adds panels, results in words, missing values and previous
    results; ``phrase`` plants a canary.
    """
    settled = settled_blood(person, generator(seed, "blood", person.number))
    dates = _days(person, days, len(layouts))
    reports = [
        _report(layout, person, settled, date, number, _ldl_rise(person, days, date), wide, seed)
        for number, (layout, date) in enumerate(zip(layouts, dates, strict=True))
    ]
    if wide:
        reports = _with_previous(reports)
    return tuple(replace(report, phrase=phrase, file_name=_named(report, phrase)) for report in reports)


def _days(person: Person, days: int, draws: int) -> list[date]:
    """Enrolment, then a day over a quarter of the study before, then days from the first one to that."""
    enrolled = person.enrolled_on
    earlier = max(person.first_day, enrolled - timedelta(days=max(3, days // 4) + 1))
    span = (earlier - person.first_day).days
    others = [person.first_day + timedelta(days=span * n // max(draws - 2, 1)) for n in range(draws - 2)]
    return [enrolled, earlier, *others][:draws]


def _ldl_rise(person: Person, days: int, day: date) -> float:
    """A planted rise has its whole size from its first day on: a step between two draws."""
    rise = person.planted.find("ldl_rise")
    starts = rise.starts_on(person.first_day, days) if rise else None
    return rise.amount if rise and starts and day >= starts else 0.0


def settled_blood(person: Person, rng: np.random.Generator) -> dict[str, Floats]:
    """A person's values by analyte key, in US units, each an array of one; every draw moves around them."""
    bodies = pl.DataFrame([asdict(person.body)])
    frame = draw_blood(rng, bodies, *_sex_and_age(person), np.array([index_of(person.profile)]))
    return {key: frame[key].to_numpy() for key in frame.columns}


def _sex_and_age(person: Person) -> tuple[Floats, Floats]:
    return np.array([float(person.female)]), np.array([float(person.age)])


def _numbers(drawn: Mapping[str, Floats]) -> dict[str, float]:
    return {key: float(column[0]) for key, column in drawn.items()}


def _report(
    layout: str,
    person: Person,
    settled: Mapping[str, Floats],
    day: date,
    number: int,
    ldl_rise: float,
    wide: bool,
    seed: int,
) -> Report:
    """Draw ``number`` of a person: the settled values first, then what they move within a person."""
    rng = generator(seed, f"blood draw {number}", person.number)
    values = drawn_values(person, settled, number, ldl_rise, rng)
    if person.planted.critical_potassium and number == CRITICAL_DRAW:
        values["potassium"] = CRITICAL_POTASSIUM
    collected = datetime.combine(day, time(7, 30)) + timedelta(minutes=int(rng.integers(0, 120)))
    print_as = LAYOUTS[layout]
    return Report(
        layout=layout,
        person=person,
        holders=(holder_of(person),),
        specimen=f"{layout[:2].upper()}{int(rng.integers(100_000, 999_999))}",
        drawn=collected,
        collected=collected,
        received=collected + timedelta(hours=6),
        reported=collected + timedelta(hours=int(rng.integers(22, 50))),
        fasting=number == 0 or (person.number + number) % 3 == 1,
        status="final",
        results=results_of(print_as.catalogue, print_as.style, values, person.female, wide, rng),
        file_name="",
    )


def drawn_values(
    person: Person, settled: Mapping[str, Floats], number: int, ldl_rise: float, rng: np.random.Generator
) -> dict[str, float]:
    """Values of draw ``number`` under the person's drugs; draw 0 has the settled ones."""
    sex_and_age = _sex_and_age(person)
    blood = drawn_again(rng, settled, *sex_and_age) if number else settled
    return _numbers(as_treated(blood, person.health, *sex_and_age, ldl_rise=ldl_rise))


def _with_previous(reports: Sequence[Report]) -> list[Report]:
    """Results of the draw before, as the same layout would print them, in each report's previous column."""
    by_day = sorted(reports, key=lambda report: report.drawn)
    before = {later.specimen: earlier for earlier, later in pairwise(by_day)}
    return [
        _beside_previous(report, before[report.specimen]) if report.specimen in before else report
        for report in reports
    ]


def _beside_previous(report: Report, before: Report) -> Report:
    """Only numbers of the same analyte and unit can stand beside each other."""
    style = LAYOUTS[report.layout].style
    earlier = {(r.line.key, r.line.ucum): r.value for r in before.results if r.value is not None}

    def previous(key: tuple[str | None, str | None]) -> str | None:
        value = earlier.get(key)
        return None if value is None else style.number(value)

    results = tuple(replace(r, previous=previous((r.line.key, r.line.ucum))) for r in report.results)
    return replace(report, results=results, previous_on=before.drawn.date())


def _named(report: Report, phrase: str | None) -> str:
    """A file's name, one for each specimen; with a canary it tells whose it is, as people name such files."""
    person = report.person
    owner = f"{person.name} {person.birth_date:%Y-%m-%d} {phrase} " if phrase else ""
    return f"{owner}{report.layout}_{report.drawn:%Y-%m-%d}_{report.specimen}.pdf"

"""Blood draws of one person for a held-out layout: any number of them, each with its specimen and results."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from synthetic.labs.draws import drawn_values, settled_blood
from synthetic.labs.printing import Result, Style
from synthetic.labs.results import results_of
from synthetic.people.persona import Person
from synthetic.randomness import generator

DAYS_APART = 88


@dataclass(frozen=True, slots=True)
class Draw:
    """A specimen with a result for every line of its catalogue, in the order of the catalogue."""

    collected: datetime
    specimen: str
    fasting: bool
    results: tuple[Result, ...]


def draws_of(person: Person, seed: int, catalogue: str, style: Style, count: int) -> tuple[Draw, ...]:
    """``count`` draws of a person, the newest (at enrolment) first; all draws together depend on the seed."""
    settled = settled_blood(person, generator(seed, f"held-out blood {catalogue}", person.number))
    draws: list[Draw] = []
    for number in range(count):
        rng = generator(seed, f"held-out draw {catalogue} {number}", person.number)
        values = drawn_values(person, settled, number, 0.0, rng)
        back = timedelta(days=number * DAYS_APART + int(rng.integers(0, 20)) * (number > 0))
        morning = datetime.combine(person.enrolled_on - back, time(7, 10))
        draws.append(
            Draw(
                collected=morning + timedelta(minutes=int(rng.integers(0, 150))),
                specimen=f"{'KLM'[number % 3]}{int(rng.integers(10, 99))}.{int(rng.integers(1000, 9999))}",
                fasting=bool(rng.random() < 0.7),
                results=results_of(catalogue, style, values, person.female, wide=True, rng=rng),
            )
        )
    return tuple(draws)

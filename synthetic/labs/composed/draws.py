"""Blood draws of one person for a composed layout: any number, each with its times, specimen and results."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from synthetic.labs.draws import drawn_values, settled_blood
from synthetic.labs.printing import Result, Style
from synthetic.labs.results import results_of
from synthetic.people.persona import Person
from synthetic.randomness import generator

DAYS_BETWEEN = (20, 140)


@dataclass(frozen=True, slots=True)
class Draw:
    """A specimen with a result for every line of its catalogue, in the order of the catalogue."""

    collected: datetime
    received: datetime
    reported: datetime
    serial: int
    fasting: bool
    results: tuple[Result, ...]


def draws_of(person: Person, seed: int, catalogue: str, style: Style, count: int) -> tuple[Draw, ...]:
    """``count`` draws of a person, the newest (on the day of enrolment) first; bytes depend on arguments."""
    settled = settled_blood(person, generator(seed, f"composed blood {catalogue}", person.number))
    day = person.enrolled_on
    draws: list[Draw] = []
    for number in range(count):
        rng = generator(seed, f"composed draw {catalogue} {number}", person.number)
        values = drawn_values(person, settled, number, 0.0, rng)
        collected = datetime.combine(day, time(6, 50)) + timedelta(minutes=int(rng.integers(0, 200)))
        received = collected + timedelta(minutes=int(rng.integers(45, 400)))
        draws.append(
            Draw(
                collected=collected,
                received=received,
                reported=received + timedelta(minutes=int(rng.integers(120, 2400))),
                serial=int(rng.integers(10_000, 99_999)),
                fasting=bool(rng.random() < 0.7),
                results=results_of(catalogue, style, values, person.female, wide=True, rng=rng),
            )
        )
        day -= timedelta(days=int(rng.integers(*DAYS_BETWEEN)))
    return tuple(draws)

"""Planted effects of made people: which question finds them, how often, and how often it could.

Every kind of effect is put into everybody at each of its sizes, and the question that should find it is
asked on the day it shows best; the same question is asked of the same people without the effect. Found: told
in the direction that was planted (of a new watch: no answer, because of the break). Wrong: told in the other
direction. Invented: told of those who carry nothing. Bound: how often the best test would find it, told what
no program is.

Run: python -m benchmarks.questions [--people 20] [--model NAME] [--answers DIR]
"""

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.planted_asking import Asker, model_asker, reviewed_asker
from benchmarks.planted_bounds import bound
from benchmarks.planted_lives import ASKED, Life, life_of
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox, open_sandbox
from schemas.settings import Settings
from synthetic.people.casting import SIZES
from synthetic.people.effects import EffectKind, Size

RULES = "rules"
AGREEMENT = "none is needed: the people are made, and only words and statistics of columns leave"
HEADER = ("effect", "size", "asked", "people", "found", "wrong", "invented", "bound")


@dataclass(frozen=True, slots=True)
class Tally:
    """Of so many people with an effect and as many without: how many answers told what."""

    effect: EffectKind
    size: Size
    people: int
    found: int
    wrong: int
    invented: int
    bound: float | None

    def line(self) -> str:
        """A row of the printed table, which is one of Markdown."""
        most = "-" if self.bound is None else f"{self.bound:.0%}"
        cells = (self.effect, self.size, ASKED[self.effect].question_id, self.people, self.found, self.wrong)
        return _row(*map(str, cells), str(self.invented), most)


def tallies(
    people: Sequence[int], ask: Asker, kinds: Sequence[EffectKind], sizes: Sequence[Size]
) -> Iterator[Tally]:
    """A tally for each kind at each size, over people by their numbers."""
    for kind in kinds:
        plain = [life_of(number, kind, None) for number in people]
        invented = sum(ask(ASKED[kind], life).way != 0 for life in plain)
        for size in sizes:
            carrying = [life_of(number, kind, size) for number in people]
            yield _tally(kind, size, carrying, plain, invented, ask)


def _tally(
    kind: EffectKind, size: Size, carrying: Sequence[Life], plain: Sequence[Life], invented: int, ask: Asker
) -> Tally:
    asked = ASKED[kind]
    found = wrong = 0
    for life in carrying:
        told, expected = ask(asked, life), life.expected(asked)
        is_found = told.reason == "break_in_window" if expected is None else told.way == expected
        found += is_found
        wrong += told.way != 0 and not is_found
    return Tally(kind, size, len(carrying), found, wrong, invented, bound(asked, carrying, plain))


def _asker(model: str, answers: Path, people: int, sandbox: Sandbox) -> Asker:
    if model == RULES:
        return reviewed_asker(sandbox)
    settings = Settings.model_validate(
        {
            "study": {"name": "Made people", "time_zone": "UTC"},
            "model": {"name": model, "allow": [model], "agreement": AGREEMENT},
        }
    )
    door = ModelDoor(settings, answers, environ=os.environ, name=model)
    plain = [life_of(number, "resting_heart_rate_slope", None) for number in range(people)]
    return model_asker(door, sandbox, plain)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--model", default=RULES, help="any model; rules: the reviewed programs")
    parser.add_argument("--answers", type=Path, help="folder that keeps what the model answered")
    asked = parser.parse_args(arguments)
    print(_row(*HEADER))
    print(_row(*("---" for _ in HEADER)))
    with tempfile.TemporaryDirectory() as folder, open_sandbox() as sandbox:
        ask = _asker(asked.model, asked.answers or Path(folder), asked.people, sandbox)
        for tally in tallies(range(asked.people), ask, tuple(ASKED), SIZES):
            print(tally.line(), flush=True)


if __name__ == "__main__":
    main()

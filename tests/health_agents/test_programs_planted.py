"""Planted effects of made people are found, none are invented, and any model can be asked the same."""

from pathlib import Path

import pytest
from scripted_analyst import ASKED as SCRIPTED
from scripted_analyst import Analyst
from scripted_analyst import Asked as Scripted

from benchmarks.planted_asking import model_asker, reviewed_asker
from benchmarks.planted_lives import ASKED, life_of
from benchmarks.questions import HEADER, Tally, tallies
from health_agents.data_science.library import reviewed_question
from health_agents.sandbox import Sandbox
from synthetic.people.effects import EffectKind

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

PEOPLE = range(3)
# A block of training shows in about half of those who carry it; these are some of them.
TRAINED = range(6, 9)
# Of three people with the effect at full size, how many are told of it: fixed seeds, so a lost one shows.
FOUND: dict[EffectKind, int] = {
    "resting_heart_rate_step": 2,
    "resting_heart_rate_slope": 3,
    "better_regularity": 1,
    "worse_regularity": 2,
    "ldl_rise": 2,
    "fever_week": 3,
    "training_block": 1,
    "new_watch": 3,
}


@pytest.mark.parametrize("kind", ASKED)
def test_what_is_planted_is_found_and_nothing_else(sandbox: Sandbox, kind: EffectKind) -> None:
    people = TRAINED if kind == "training_block" else PEOPLE
    (tally,) = tallies(people, reviewed_asker(sandbox), [kind], ["full"])
    assert tally.found >= FOUND[kind], tally.line()
    assert (tally.wrong, tally.invented) == (0, 0), tally.line()


def test_a_model_is_asked_the_same(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scripted model that takes a rank trend of 90 days for an answer to every question it is asked."""
    for asked in ASKED.values():
        words = reviewed_question(asked.question_id).words
        monkeypatch.setitem(SCRIPTED, asked.question_id, Scripted(words, "trend", ("resting_heart_rate",)))
    kind: EffectKind = "resting_heart_rate_step"
    analyst = Analyst()
    plain = [life_of(number, kind, None) for number in PEOPLE]
    ask = model_asker(analyst.door(tmp_path), sandbox, plain)
    (tally,) = tallies(PEOPLE, ask, [kind], ["full"])
    assert tally.found >= 2, tally.line()
    assert len(analyst.prompts["plan"]) == len({asked.question_id for asked in ASKED.values()})


def test_a_row_of_the_table() -> None:
    tally = Tally("fever_week", "full", 3, 2, 1, 0, 0.987)
    cells = [cell.strip() for cell in tally.line().strip("|").split("|")]
    assert cells == ["fever_week", "full", "last_week_signals", "3", "2", "1", "0", "99%"]
    assert len(cells) == len(HEADER)

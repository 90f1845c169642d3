"""Planted effects of made people are found by the reviewed questions, and none are invented."""

import pytest

from benchmarks.questions import ASKED, Tally, nothing, planted
from health_agents.sandbox import Sandbox
from synthetic.people.effects import EffectKind

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

# Of three people with the effect at full size, how many must be told of it. A block of training moves the
# active zone time of a few days a week, which a comparison of days seldom tells from chance.
FOUND: dict[EffectKind, int] = {
    "resting_heart_rate_step": 2,
    "resting_heart_rate_slope": 1,
    "better_regularity": 1,
    "worse_regularity": 1,
    "ldl_rise": 2,
    "fever_week": 3,
    "training_block": 0,
    "new_watch": 3,
}


@pytest.mark.parametrize("kind", ASKED)
def test_what_is_planted_is_found_and_nothing_else(sandbox: Sandbox, kind: EffectKind) -> None:
    tally = planted(kind, "full", 3, sandbox)
    assert tally.right >= FOUND[kind], tally.line()
    assert tally.wrong == 0, tally.line()


@pytest.mark.parametrize("kind", ["resting_heart_rate_step", "fever_week", "ldl_rise", "worse_regularity"])
def test_nothing_is_invented(sandbox: Sandbox, kind: EffectKind) -> None:
    tally = nothing(kind, 3, sandbox)
    assert (tally.right, tally.wrong) == (3, 0), tally.line()


def test_a_row_of_the_table() -> None:
    tally = Tally("fever_week", "full", "last_week_signals", 3, 2, 1)
    assert tally.line().split() == ["fever_week", "full", "last_week_signals", "3", "2", "1"]

"""Compiled questions: few calls for many people, and the answers of asking each one alone."""

from pathlib import Path

import pytest

from benchmarks.compiled import MISSING, MOST_CALLS, measure
from health_agents.data_science.agent.compiled import MOST_SETS


@pytest.mark.proof
@pytest.mark.sandbox
def test_three_questions_of_two_hundred_people(tmp_path: Path) -> None:
    made = measure(participants=200, questions=3, sampled=20, folder=tmp_path)
    assert made.patterns >= 8
    assert made.calls_each <= MOST_CALLS
    assert made.sets <= MOST_SETS * made.questions
    assert (made.failed, made.unequal) == (0, 0)
    assert made.answered > made.insufficient > 0


@pytest.mark.sandbox
@pytest.mark.slow
def test_one_question_of_every_pattern(tmp_path: Path) -> None:
    made = measure(participants=len(MISSING) * 2, questions=1, sampled=4, folder=tmp_path)
    assert made.patterns >= 8
    assert made.sets == 3  # by variability, by resting heart rate, and neither
    assert made.calls == 3 + 3 + 1
    assert (made.failed, made.unequal) == (0, 0)

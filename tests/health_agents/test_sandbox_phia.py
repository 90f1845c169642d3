"""The gold programs of PHIA give their published labels in the sandbox."""

from pathlib import Path

import pytest

from benchmarks.phia import Gold, is_label, program, read_gold, run
from health_agents.sandbox import Outcome, open_sandbox

NAMES = Gold("1", "exercise_entries['activityName'].drop_duplicates()", "Run")


def value(found: float | str | None) -> Outcome:
    return Outcome("ok", "bubblewrap", {"value": found})


@pytest.mark.parametrize(
    ("expression", "found", "exact", "within"),
    [
        ("daily_metrics['steps'].mean()", 14.278, True, True),
        (
            "daily_metrics['steps'].mean()",
            14.2905,
            False,
            True,
        ),  # value and label: 0.005 each
        ("daily_metrics['steps'].mean()", 14.30, False, False),
        ("daily_metrics['steps'].sum()", 14.43, False, True),
        ("daily_metrics['steps'].sum()", 14.45, False, False),
        ("daily_metrics['steps'].sum()", None, False, False),
    ],
)
def test_a_label_is_met_to_the_digit_or_within_rounding(
    expression: str, found: float | None, exact: bool, within: bool
) -> None:
    gold = Gold("1", expression, "14.28")
    assert (is_label(value(found), gold, exactly=True), is_label(value(found), gold, exactly=False)) == (
        exact,
        within,
    )


def test_a_name_is_met_by_itself_alone() -> None:
    assert is_label(value("Run"), NAMES, exactly=False)
    assert not is_label(value("Bike"), NAMES, exactly=False)
    assert not is_label(Outcome("failed", "bubblewrap", None, "KeyError", 3), NAMES, exactly=False)


@pytest.mark.sandbox
@pytest.mark.samples
def test_a_slice_of_the_gold_programs_gives_the_published_labels(samples: Path) -> None:
    folder = samples / "phia"
    questions = read_gold(folder, every=53)
    with open_sandbox() as sandbox:
        report = run([sandbox], folder, questions)
        broken = sandbox.run(program("1 / 0"), {})
    assert report.failures == []
    assert len(questions) == 76
    assert report.exact >= 65
    assert broken.kind == "failed"  # the frames are missing: a program that fails is told, not passed over

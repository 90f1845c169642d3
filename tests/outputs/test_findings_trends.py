"""Trend rules: what fires, over which days, what a person's tests settle together; on made people too."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from made_person import END, days, findings_of, tables_of

from benchmarks.trends import found_share, made_people
from outputs.findings.case import DEFAULT_SETTINGS, case_of
from outputs.findings.check import RULES, check_case
from outputs.findings.level_change import level_changes
from outputs.findings.trend_tests import NEEDED_SHARE, TESTED, TrendTest, trend_tests
from synthetic.people.casting import SIZES, Casting
from synthetic.people.persona import make_person

LONGEST = DEFAULT_SETTINGS.trend_days
HALF = LONGEST // 2


def noise(number: int, size: float) -> float:
    return random.Random(number).uniform(-size, size)


def heart(step: float, length: int = LONGEST, spread: float = 1.0) -> Callable[[int], float]:
    return lambda n: 60 + (step if n >= length // 2 else 0) + noise(n, spread)


def trend(
    daily: Any, rule: str = "resting_heart_rate_trend", as_of: date = END, **person: Any
) -> dict[str, Any]:
    (row,) = findings_of(tables_of(daily, **person), as_of, rule).values()
    return row


def test_a_planted_rise_is_found_with_its_size() -> None:
    row = trend(days(LONGEST, resting_heart_rate=heart(6.0)))
    assert (row["outcome"], row["category"], row["severity"]) == ("fired", "rising", "low")
    evidence = json.loads(row["evidence_json"])["inputs"][0]
    assert evidence["change_low"] < 6 < evidence["change_high"]
    assert evidence["change"] == pytest.approx(6, abs=0.3)
    assert (evidence["days_before"], evidence["days"]) == (HALF, HALF)
    assert row["statement"].startswith("Resting heart rate: ")
    assert (
        " bpm higher in the last 112 days than in the 112 days before (95 % interval +5." in row["statement"]
    )


def test_a_large_rise_is_medium_and_a_fall_is_told_and_is_no_finding() -> None:
    assert trend(days(LONGEST, resting_heart_rate=heart(12.0)))["severity"] == "medium"
    row = trend(days(LONGEST, resting_heart_rate=heart(-6.0)))
    assert (row["outcome"], row["category"], row["next_step"]) == ("normal", "falling", None)
    assert " lower in the last" in row["statement"]


@pytest.mark.parametrize(("low", "high", "told"), [(0.5, 4.0, True), (-4.0, -0.5, True), (-0.5, 4.0, False)])
def test_an_interval_on_one_side_without_a_sure_change_is_explained(
    low: float, high: float, told: bool
) -> None:
    case = case_of(tables_of(days(LONGEST, resting_heart_rate=heart(0.0, spread=3.0))), END)
    test = case.trends["resting_heart_rate"]
    assert isinstance(test, TrendTest)
    assert test.side is None
    trends = {**case.trends, "resting_heart_rate": replace(test, low=low, high=high)}
    rules = [rule for rule in RULES if rule.rule_id == "resting_heart_rate_trend"]
    (row,) = check_case(replace(case, trends=trends), rules).iter_rows(named=True)
    assert row["statement"].endswith("Not sure once all trends of the person are weighed together.") == told


def test_noise_without_trend_is_steady() -> None:
    row = trend(days(LONGEST, resting_heart_rate=heart(0.0, spread=3.0)))
    assert (row["outcome"], row["category"]) == ("normal", "steady")
    assert "no clear change between the last 112 days and the 112 days before" in row["statement"]


@pytest.mark.parametrize(("rise", "outcome"), [(1.4, "normal"), (1.6, "fired")])
def test_a_rise_below_half_the_stated_effect_is_not_worth_a_look(rise: float, outcome: str) -> None:
    row = trend(days(LONGEST, resting_heart_rate=heart(rise, spread=0.01)))
    assert (row["outcome"], row["category"]) == (outcome, "rising")


@pytest.mark.parametrize(
    ("rule", "column", "factor", "outcome", "category"),
    [
        ("heart_rate_variability_trend", "heart_rate_variability", 0.8, "fired", "falling"),
        ("heart_rate_variability_trend", "heart_rate_variability", 1.25, "normal", "rising"),
        ("steps_trend", "steps", 0.7, "fired", "falling"),
        ("steps_trend", "steps", 0.9, "normal", "falling"),
    ],
)
def test_shares_are_told_in_per_cent(
    rule: str, column: str, factor: float, outcome: str, category: str
) -> None:
    base = 40.0 if column == "heart_rate_variability" else 8000.0

    def value(n: int) -> Any:
        number = base * (factor if n >= HALF else 1) * (1 + noise(n, 0.05))
        return round(number) if column == "steps" else number

    columns: dict[str, Any] = {column: value}
    row = trend(days(LONGEST, END, **columns), rule)
    assert (row["outcome"], row["category"]) == (outcome, category)
    evidence = json.loads(row["evidence_json"])["inputs"][0]
    assert evidence["change"] == pytest.approx(100 * (factor - 1), abs=1.5)
    assert f"{abs(evidence['change']):.0f} %" in row["statement"]


def test_shorter_sleep_is_found_and_longer_is_not() -> None:
    for change, outcome, category in ((-45, "fired", "falling"), (45, "normal", "rising")):
        daily = days(
            LONGEST, sleep_minutes=lambda n, c=change: round(430 + (c if n >= HALF else 0) + noise(n, 10))
        )
        row = trend(daily, "sleep_duration_trend")
        assert (row["outcome"], row["category"]) == (outcome, category)


@pytest.mark.parametrize(
    ("break_day", "reason", "length"),
    [(0, None, 224), (1, None, 210), (139, None, 84), (140, None, 84), (141, "break", 0), (223, "break", 0)],
)
def test_no_trend_crosses_a_break(break_day: int, reason: str | None, length: int) -> None:
    """A jump of 20 bpm with another device is no rise: the days from then on are compared alone."""
    jump: Callable[[int], float] = lambda n: 60 + (20 if n >= break_day else 0) + noise(n, 1)  # noqa: E731
    daily = days(LONGEST, resting_heart_rate=jump, break_before=lambda n: n == break_day)
    row = trend(daily)
    assert row["reason"] == reason
    assert row["outcome"] == ("not_comparable" if reason else "normal")
    if length:
        key = json.loads(row["evidence_json"])["inputs"][0]["key"]
        assert (END - date.fromisoformat(key["from"])).days + 1 == length


@pytest.mark.parametrize(
    ("count", "reason"), [(83, "insufficient_days"), (84, None), (97, None), (98, None), (400, None)]
)
def test_the_window_grows_by_fortnights_to_the_longest(count: int, reason: str | None) -> None:
    tests = trend_tests(days(count, resting_heart_rate=heart(0.0)), END, DEFAULT_SETTINGS)
    found = tests["resting_heart_rate"]
    assert (found if isinstance(found, str) else None) == reason
    if isinstance(found, TrendTest):
        assert found.window.days == min(-(-count // 14) * 14, LONGEST)
        assert found.window.end == END


def test_a_half_needs_two_of_every_five_days() -> None:
    needed = int(np.ceil(NEEDED_SHARE * HALF))
    for later, reason in ((needed, None), (needed - 1, "insufficient_days")):
        known = set(range(HALF)) | set(range(LONGEST - later, LONGEST))
        daily = days(
            LONGEST, resting_heart_rate=lambda n, known=known: 60 + noise(n, 1) if n in known else None
        )
        assert trend(daily)["reason"] == reason


@pytest.mark.parametrize(("behind", "reason"), [(14, None), (15, "data_old")])
def test_old_data_have_no_trend(behind: int, reason: str | None) -> None:
    row = trend(days(84, resting_heart_rate=heart(0)), as_of=END + timedelta(behind))
    assert row["reason"] == reason


def test_people_without_data_or_under_age_are_answered() -> None:
    daily = days(84, resting_heart_rate=heart(0))
    assert trend(None)["reason"] == "no_wearable"
    assert trend(daily, age=17)["outcome"] == "not_applicable"
    assert trend(daily, age=None)["reason"] == "age_unknown"


def test_the_tests_of_a_person_are_settled_together() -> None:
    """Sure alone, not sure among measures that say nothing, sure again beside a surer one."""

    def tests(others: float | None) -> TrendTest:
        def falling(n: int) -> float | None:
            return None if others is None else 40.0 + (others if n >= 42 else 0) + noise(n + 500, 8)

        daily = days(
            84,
            resting_heart_rate=lambda n: 60 + (2.0 if n >= 42 else 0) + noise(n, 5.3),
            heart_rate_variability=falling,
            sleep_minutes=lambda n: None if others is None else round(420 + noise(n + 900, 40)),
        )
        found = trend_tests(daily, END, DEFAULT_SETTINGS)["resting_heart_rate"]
        assert isinstance(found, TrendTest)
        return found

    alone, among, beside = tests(None), tests(0.0), tests(-15.0)
    assert alone.p_worse == among.p_worse == beside.p_worse
    share = DEFAULT_SETTINGS.trend_false_share
    assert share / 3 < alone.p_worse < 2 / 3 * share
    assert (alone.side, among.side, beside.side) == ("rising", None, "rising")


def test_order_of_days_changes_nothing() -> None:
    daily = days(LONGEST, resting_heart_rate=heart(2.0, spread=5), sleep_minutes=420)
    assert trend(daily) == trend(daily.reverse())


def test_made_people_with_a_step_of_3_bpm_are_found_and_others_are_not() -> None:
    """All with the same step, those with a fall turned; then nobody with any."""
    shares: list[float] = []
    for size in SIZES:
        casting = Casting(effect="resting_heart_rate_step", size=size)
        steps = [
            make_person(n, LONGEST, 6, casting).planted.amount("resting_heart_rate_step") for n in range(80)
        ]
        shares.append(found_share(made_people(80, LONGEST, casting) * np.sign(steps)[:, np.newaxis]))
    assert shares[0] >= 0.95
    assert shares[0] > shares[1] > shares[2]
    assert found_share(made_people(80, LONGEST, Casting(effect_free=True))) <= 0.05


def test_a_made_person_is_answered_from_the_tables_as_from_the_series() -> None:
    for values in made_people(3, LONGEST, Casting(effect="resting_heart_rate_step")):
        daily = days(LONGEST, resting_heart_rate=lambda n, v=values: None if np.isnan(v[n]) else float(v[n]))
        found = trend_tests(daily, END, DEFAULT_SETTINGS)["resting_heart_rate"]
        assert isinstance(found, TrendTest)
        alone = level_changes(np.round(values, 2)[np.newaxis])
        assert found.change == pytest.approx(alone.change[0], abs=1e-6)


def test_every_tested_measure_has_a_rule() -> None:
    found = findings_of(tables_of(days(3)))
    assert {subject for rule, subject in found if rule.endswith("_trend")} == {each.metric for each in TESTED}

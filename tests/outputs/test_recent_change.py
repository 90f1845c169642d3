"""Changes of the last days against those before: their size, and how often chance makes one."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import END, days, tables_of

from benchmarks.trends import CHANGE_SHARE, MEASURES, MIXED_KEPT, changed, naive_p, step_of, two_months
from outputs.facts.recent_change import change_facts, recent_changes
from outputs.findings.case import case_of
from outputs.findings.level_change import level_changes, mean_changes

Floats = npt.NDArray[np.float64]
MONTHS = 60


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


# ---- the estimate ----


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 10_000), st.floats(-100, 100), st.floats(0.1, 20))
def test_the_change_is_the_difference_of_the_means_in_any_unit_and_either_way(
    seed: int, level: float, unit: float
) -> None:
    values = two_months(rng(seed), 2)
    found, moved, turned = (mean_changes(each) for each in (values, level + unit * values, -values))
    earlier, later = (np.nanmean(half, axis=1) for half in np.split(values, 2, axis=1))
    assert found.change == pytest.approx(later - earlier, abs=1e-9)
    assert moved.change == pytest.approx(unit * found.change, rel=1e-6, abs=1e-6)
    assert moved.p_either == pytest.approx(found.p_either, rel=1e-4)
    assert turned.p_rise == pytest.approx(found.p_fall, abs=1e-9)
    low, high = found.interval()
    assert np.all((low < found.change) & (found.change < high))


def test_a_series_is_answered_alike_alone_and_among_others() -> None:
    values = two_months(rng(1), 4)
    together = mean_changes(values)
    for row in range(4):
        alone = mean_changes(values[row : row + 1])
        assert alone.p_either[0] == pytest.approx(together.p_either[row], rel=1e-9)


def test_the_error_of_independent_days_is_that_of_two_means() -> None:
    """Where rho is 0 for sure: 0.5 * sqrt(4 / 60), by the variance of a mean."""
    values = rng(2).normal(0, 0.5, (400, MONTHS))
    assert mean_changes(values).error[0].mean() == pytest.approx(0.5 * np.sqrt(4 / 60), rel=0.02)


def test_a_jump_at_the_border_alone_does_not_carry_the_change() -> None:
    """Two weeks up and two down in either month: the months differ little, and so the change is small."""
    days = np.where(np.arange(MONTHS) % 30 < np.where(np.arange(MONTHS) < 30, 14, 17), 66.0, 60.0)
    found, of_the_border = mean_changes(days[np.newaxis]), level_changes(days[np.newaxis])
    assert found.change[0] == pytest.approx(0.6)
    assert found.p_either[0] > 0.3
    assert of_the_border.change[0] > 5


def test_a_steady_rise_through_both_halves_is_a_change() -> None:
    values = rng(3).normal(0, 1, (50, MONTHS)) + 0.1 * np.arange(MONTHS)
    assert np.all(mean_changes(values).p_either < 0.01)


# ---- how often chance makes one ----


@pytest.mark.parametrize("kept", [0.0, 0.5, 0.8])
def test_chance_is_as_rare_as_said_whatever_a_day_keeps_of_the_day_before(kept: float) -> None:
    found = mean_changes(two_months(rng(4), 500, kept))
    # 5 of 500 expected, and 25; above 13 and 42 in fewer than 1 of 1000 such tests.
    assert np.sum(found.p_either < 0.01) <= 13
    assert np.sum(found.p_either < 0.05) <= 42


def test_the_interval_holds_the_truth_95_times_in_100() -> None:
    low, high = mean_changes(two_months(rng(5), 200) + step_of(MONTHS, 2.0, 30)).interval()
    # 190 of 200 expected with a deviation of 3.1.
    assert 0.9 <= np.mean((low < 2) & (high > 2)) <= 0.99


def test_a_test_that_takes_days_as_independent_would_not_do() -> None:
    assert np.mean([naive_p(row) < 0.01 for row in two_months(rng(4), 200)]) > 0.05


def test_days_of_two_kinds_are_no_outliers() -> None:
    """Of shifts that alternate at random chance makes no more changes than of other days."""
    values = 20.0 * (rng(5).random((500, MONTHS)) < 0.5) + rng(6).normal(0, 1, (500, MONTHS))
    assert np.sum(mean_changes(values).p_either < 0.01) <= 12


def test_people_in_whom_nothing_changed_are_seldom_told_of_a_change() -> None:
    series = np.stack([two_months(rng(7 + n), 60, kept) for n, kept in enumerate(MIXED_KEPT)], axis=1)
    told = np.array([changed(values) for values in series])
    # At most 5 of 100 people: above 8 of 60 in fewer than 1 of 100 such tests. Of measures far fewer.
    assert told.any(axis=1).sum() <= 8
    assert told.mean() <= 0.01


# ---- what is told ----


def test_a_change_far_beyond_the_days_is_found_and_others_stay() -> None:
    people = np.stack([two_months(rng(40 + n), 20) for n in range(len(MEASURES))], axis=1)
    people[:, 3] += step_of(MONTHS, 12.0, 30)
    told = np.array([changed(values) for values in people])
    assert told[:, 3].sum() >= 17
    assert np.delete(told, 3, axis=1).mean() < 0.01


def test_the_measures_of_a_person_are_settled_together() -> None:
    """A change that is sure by itself is not among many that stay, and is again where others moved too."""
    still = two_months(rng(70), len(MEASURES) - 1)
    pattern = two_months(rng(71), 400)
    p_values = mean_changes(pattern + step_of(MONTHS, 6.0, 30)).p_either
    between = (p_values > 2 * CHANGE_SHARE / len(MEASURES)) & (p_values < CHANGE_SHARE / 2)
    one = pattern[np.argmax(between)] + step_of(MONTHS, 6.0, 30)

    def direction(others: Floats) -> str:
        values = np.vstack([one, others])
        return recent_changes(MEASURES[: len(values)], values, CHANGE_SHARE)[0].direction

    assert direction(still[:0]) == "rising"
    assert direction(still) == "steady"
    assert direction(still + step_of(MONTHS, 30.0, 30)) == "rising"


@pytest.mark.parametrize(("length", "there"), [(1, False), (3, False), (4, True), (30, True)])
def test_windows_too_short_for_a_test_have_no_change(length: int, there: bool) -> None:
    case = case_of(tables_of(days(60, steps=lambda n: 7000 + n % 5)), END)
    assert bool(change_facts(case, length)) is there


def test_order_of_days_changes_nothing() -> None:
    daily = days(60, steps=lambda n: 7000 + n % 5, sleep_minutes=lambda n: 400 + n % 7)
    there, back = (change_facts(case_of(tables_of(each), END), 30) for each in (daily, daily.reverse()))
    assert there == back
    assert len(there) == 2

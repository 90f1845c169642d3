"""The change of level between two halves: against a plain computation, its invariances, its error rates."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from benchmarks.trends import FALSE_SHARE, LEVEL, TESTS, bound, carried, found_share, made_series, step_of
from outputs.findings.level_change import RHOS, drawn_in, level_changes

Floats = npt.NDArray[np.float64]
SERIES = 400


def plainly(values: Floats) -> tuple[float, float]:
    """Change and p_rise of one series by dense matrices: no innovations, no batches."""
    at = np.flatnonzero(~np.isnan(values))
    y, n = values[at], len(at)
    design = np.column_stack([np.ones(n), at >= len(values) // 2]).astype(float)
    likelihood, change, error = [], [], []
    for rho in RHOS:
        gaps = np.abs(at[:, None] - at[None, :])
        covariance = np.where(gaps == 0, 1.0, rho**gaps)
        precision = np.linalg.inv(covariance)
        information = design.T @ precision @ design
        found = np.linalg.solve(information, design.T @ precision @ y)
        rest = y - design @ found
        squares = float(rest @ precision @ rest)
        _, log_cov = np.linalg.slogdet(covariance)
        _, log_inf = np.linalg.slogdet(information)
        likelihood.append(-0.5 * ((n - 2) * np.log(squares) + log_cov + log_inf))
        change.append(found[1])
        error.append(np.sqrt(squares / (n - 2) * np.linalg.inv(information)[1, 1]))
    share = np.exp(np.array(likelihood) - max(likelihood))
    share /= share.sum()
    p_rise = share @ student.cdf(0, n - 2, loc=np.array(change), scale=np.array(error))
    return float(share @ np.array(change)), float(p_rise)


def test_it_is_the_generalised_least_squares_of_dense_matrices() -> None:
    values = drawn_in(made_series(np.random.default_rng(1), 6, 84))
    found = level_changes(values)
    for row, series in enumerate(values):
        assert (found.change[row], found.p_rise[row]) == pytest.approx(plainly(series), rel=1e-6)


def test_a_clean_step_is_its_size() -> None:
    values = np.tile([60.0, 61.0, 59.0, 60.0], 21)
    values[42:] += 4.0
    found = level_changes(values[np.newaxis])
    assert found.change[0] == pytest.approx(4.0, abs=0.2)
    low, high = found.interval()
    assert low[0] < 4.0 < high[0]
    assert found.p_rise[0] < 1e-6
    assert found.p_fall[0] > 1 - 1e-6


@settings(deadline=None, max_examples=10)
@given(
    st.integers(0, 10_000),
    st.floats(-100, 100, allow_nan=False),
    st.floats(0.1, 20, allow_nan=False),
)
def test_level_and_unit_do_not_matter_and_the_mirror_turns_it(seed: int, level: float, unit: float) -> None:
    values = made_series(np.random.default_rng(seed), 1, 84)
    own, moved = level_changes(values), level_changes(level + unit * values)
    assert moved.change == pytest.approx(unit * own.change, rel=1e-5, abs=1e-6)
    assert moved.p_rise == pytest.approx(own.p_rise, rel=1e-4, abs=1e-9)
    turned = level_changes(-values)
    assert turned.change == pytest.approx(-own.change, abs=1e-9)
    assert turned.p_fall == pytest.approx(own.p_rise, abs=1e-9)
    assert turned.interval()[1] == pytest.approx(-own.interval()[0], abs=1e-6)


def test_a_series_is_answered_alike_alone_and_among_others() -> None:
    values = made_series(np.random.default_rng(4), 3, 84)
    together = level_changes(values)
    for row in range(3):
        alone = level_changes(values[row : row + 1])
        assert alone.change[0] == pytest.approx(together.change[row], rel=1e-12)
        assert alone.p_rise[0] == pytest.approx(together.p_rise[row], rel=1e-9)


def test_outlying_days_are_drawn_in_and_others_left() -> None:
    values = made_series(np.random.default_rng(2), 1, 84)
    drawn = drawn_in(values)
    outlying = values.copy()
    outlying[0, np.flatnonzero(~np.isnan(values[0]))[:4]] = 400.0
    moved = drawn_in(outlying)
    assert np.nanmax(moved) < np.nanmedian(values) + 3 * 4 * 2.5
    assert np.nanmean(np.abs(drawn - values)) < 0.1
    change = level_changes(values).change[0] - level_changes(outlying).change[0]
    assert abs(change) < 1.5


def test_equal_days_are_no_change_and_are_not_moved() -> None:
    same = np.full((1, 84), 60.0)
    assert np.array_equal(drawn_in(same), same)
    found = level_changes(same)
    assert found.change[0] == pytest.approx(0, abs=1e-6)
    assert found.p_rise[0] == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("values", [np.zeros((1, 83)), np.full((1, 84), np.nan)])
def test_what_it_cannot_split_it_refuses(values: Floats) -> None:
    with pytest.raises(ValueError, match="equal halves"):
        level_changes(values)


def test_the_interval_holds_the_truth_95_times_in_100() -> None:
    values = made_series(np.random.default_rng(7), SERIES, 112) + step_of(112, 2.0, 56)
    low, high = level_changes(values).interval()
    held = np.mean((low < 2) & (high > 2))
    # 380 of 400 expected with a deviation of 4.4.
    assert 0.91 <= held <= 0.985


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.7])
def test_the_error_rate_holds_whatever_a_day_keeps_of_the_day_before(kept: float) -> None:
    found = level_changes(made_series(np.random.default_rng(8), 2 * SERIES, 112, kept=kept))
    # 40 of 800 expected at 5 %, with a deviation of 6.2.
    assert np.mean(found.p_rise < 0.05) < 0.075


def test_the_stated_effect_is_found_and_nearly_all_that_can_be() -> None:
    values, step = made_series(np.random.default_rng(9), SERIES, 224), step_of(224, 3.0, 112)
    power = found_share(values + step)
    assert power >= 0.95
    assert power >= bound(values, step, LEVEL) - 0.03


def test_people_without_a_change_seldom_carry_a_trend() -> None:
    fired, held = carried(np.random.default_rng(10), 40)
    assert fired.any(axis=0).mean() <= 0.05
    assert fired.mean(axis=(1, 2)).max() <= 0.01
    # At most 10 % of people; 8 of 40 would be beyond chance at 10 %.
    assert held.any(axis=(0, 1)).mean() < 0.2
    assert FALSE_SHARE / TESTS == LEVEL


def test_given_rho_the_change_and_its_error_are_those_of_generalised_least_squares() -> None:
    from statsmodels.regression.linear_model import GLS  # an independent implementation of the same estimate

    days = 40
    values = np.random.default_rng(3).uniform(55, 65, days)
    ours = level_changes(values[None, :])
    design = np.column_stack([np.ones(days), np.arange(days) >= days // 2])
    apart = np.abs(np.subtract.outer(np.arange(days), np.arange(days)))
    for row, rho in enumerate(RHOS):
        fit = GLS(values, design, sigma=np.power(rho, apart)).fit()
        assert ours.estimate[row, 0] == pytest.approx(fit.params[1], rel=1e-6)
        assert ours.error[row, 0] == pytest.approx(fit.bse[1], rel=1e-6)

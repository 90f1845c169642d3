"""The estimate of effects that stands before the programs: against dense algebra, and by chance alone."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from health_agents.data_science.library import ALIKE_DAYS

SERIES, DAYS, RECENT = 100, 90, 30
SHARED: dict[str, Any] = {}
exec(compile(ALIKE_DAYS.read_text(encoding="utf-8"), ALIKE_DAYS.name, "exec"), SHARED)
STEP = np.arange(DAYS) >= DAYS - RECENT
SLOPE = np.arange(DAYS) / DAYS


def made(rng: np.random.Generator, rho: float, known: float = 0.9) -> pd.Series:
    """A series of unit variance of which a day keeps the share rho of the day before; some days missing."""
    values = rng.normal(0, 1, DAYS)
    values[1:] *= math.sqrt(1 - rho**2)
    for day in range(1, DAYS):
        values[day] += rho * values[day - 1]
    values[rng.random(DAYS) > known] = np.nan
    return pd.Series(values, index=pd.date_range("2025-01-01", periods=DAYS))


def told(column: npt.NDArray[Any], rho: float, size: float = 0.0) -> float:
    """Share of series of which an effect is told at 99.2 %: in the direction of its size, if it has one."""
    rng, count = np.random.default_rng(5), 0
    for _ in range(SERIES):
        series = made(rng, rho) + size * column
        known = series.notna().to_numpy()
        _, low, high, _, _ = SHARED["effect_of"](series[known], column[known], 1)
        count += low > 0 or (high < 0 and size == 0)
    return count / SERIES


def test_it_is_generalised_least_squares_of_the_days_there_are() -> None:
    whole = made(np.random.default_rng(1), 0.5, known=0.6)
    day, series = np.flatnonzero(whole.notna().to_numpy()), whole.dropna()
    design = np.column_stack([STEP[day], np.ones(len(day))]).astype(float)
    _, effects, errors, freedom = SHARED["by_rho"](series.to_numpy(), day, design)
    for place, rho in enumerate(SHARED["RHOS"]):
        likeness = np.linalg.inv(rho ** np.abs(np.subtract.outer(day, day)).astype(float))
        cover = np.linalg.inv(design.T @ likeness @ design)
        fit = cover @ design.T @ likeness @ series.to_numpy()
        left = series.to_numpy() - design @ fit
        assert effects[place] == pytest.approx(fit[0])
        assert errors[place] == pytest.approx(math.sqrt(left @ likeness @ left / freedom * cover[0, 0]))


def test_interval_and_p_agree() -> None:
    series = made(np.random.default_rng(2), 0.5, known=1) + 0.9 * STEP
    size, low, high, p, rho = SHARED["effect_of"](series, STEP, 1)
    assert low < size < high
    assert 0 < rho < 0.95
    edge = SHARED["effect_of"](series, STEP, SHARED["LEVEL"] / p)
    assert min(abs(edge[1]), abs(edge[2])) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("column", "rho"), [(STEP, 0.3), (STEP, 0.8), (SLOPE, 0.5), (SLOPE, 0.8)])
def test_chance_makes_few_effects_however_alike_days_are(column: npt.NDArray[Any], rho: float) -> None:
    assert told(column, rho) <= 0.04  # at 0.8 %, 5 or more of 100 come once in eight hundred times


def test_what_is_large_enough_is_found() -> None:
    assert told(STEP, 0.5, size=1.6) >= 0.7


def test_a_wild_day_is_drawn_in_unless_it_counts() -> None:
    series = made(np.random.default_rng(3), 0.0, known=1)
    series.iloc[-1] = 90.0
    assert abs(SHARED["effect_of"](series, STEP, 1)[0]) < 0.5
    assert SHARED["effect_of"](series, STEP, 1, outliers_count=True)[0] > 2

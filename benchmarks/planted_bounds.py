"""How often the best test there is would find a planted effect in the days that its question looks at.

The test is told what no program is: the course of the effect (the mean of lives with it less the same
lives without), how much the person's days vary about it, and how alike days are. It may choose no other
measure, days or level than the question has. A question can hardly find more; where the bound is low, the
effect is too small to be seen.
"""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.stats import norm

from benchmarks.planted_lives import Asked, Life

Floats = npt.NDArray[np.float64]
# Level of each question's test of the measure: its own, divided by its measures; of draws, 19 of 20.
LEVELS = {
    "resting_heart_rate_change": 0.008,
    "fitness_trend": 0.008 / 3,
    "sleep_regularity_change": 0.008 / 2,
    "last_week_signals": 0.008 / 4,
    "active_zone_change": 0.008,
    "ldl_and_activity": 0.05,
}
WINDOWS = {"fitness_trend": 150}
WINDOW = 90


def bound(asked: Asked, carrying: Sequence[Life], plain: Sequence[Life]) -> float | None:
    """Power of the best two-sided test; None of a watch, whose break is told by the table.

    carrying, plain: the same people in the same order, with the effect and without.
    """
    if asked.rises is None:
        return None
    if asked.question_id == "ldl_and_activity":
        return _bound_of_draws(carrying, plain, LEVELS[asked.question_id])
    if asked.question_id == "sleep_regularity_change":
        return _bound_of_spread(asked, carrying, LEVELS[asked.question_id])
    with_it, without = (np.array([_days(life, asked) for life in lives]) for lives in (carrying, plain))
    sign = np.sign([life.amount for life in carrying])[:, np.newaxis]
    course = np.nan_to_num(_mean(sign * (with_it - without)))
    noise = with_it - sign * course
    noise -= np.nanmean(noise, axis=1, keepdims=True)
    rho = _likeness(noise)
    powers = [_power(course, row, rho, LEVELS[asked.question_id]) for row in noise]
    return float(np.mean(powers))


def _mean(values: Floats) -> Floats:
    """Mean of each day; NaN where nobody has it."""
    known = np.sum(~np.isnan(values), axis=0)
    return np.nansum(values, axis=0) / np.where(known, known, np.nan)


def _power(course: Floats, noise: Floats, rho: float, level: float) -> float:
    """Generalised least squares of the course on a person's days, the level of the series unknown."""
    day = np.flatnonzero(~np.isnan(noise))
    inverse = np.linalg.inv(np.nanvar(noise) * rho ** np.abs(np.subtract.outer(day, day)))
    ones, shape = np.ones(len(day)), course[day]
    own = shape @ inverse @ shape - (ones @ inverse @ shape) ** 2 / (ones @ inverse @ ones)
    return _two_sided(float(np.sqrt(max(own, 0.0))), level)


def _bound_of_draws(carrying: Sequence[Life], plain: Sequence[Life], level: float) -> float:
    """The two newest draws, told how much the draws of people without a change differ."""
    without = np.array([_percent(life) for life in plain])
    effects = np.array([_percent(life) for life in carrying]) - without
    spread = float(np.nanstd(without))
    return float(np.nanmean([_two_sided(abs(size) / spread, level) for size in effects]))


def _bound_of_spread(asked: Asked, carrying: Sequence[Life], level: float) -> float:
    """Two spreads of normal nights, told how many times one is the other: log s varies by 1 / (2 n)."""
    times = np.array([_spreads(life, asked) for life in carrying])
    ratio = abs(float(np.mean(np.log(times[:, 1] / times[:, 0]))))
    errors = np.sqrt(np.sum(1 / (2 * times[:, 2:]), axis=1))
    return float(np.mean([_two_sided(ratio / float(error), level) for error in errors]))


def _spreads(life: Life, asked: Asked) -> tuple[float, float, int, int]:
    """Standard deviations before and while the effect shows, and the nights of both."""
    values = _days(life, asked)
    before, recent = (part[~np.isnan(part)] for part in np.split(values, [WINDOW - (asked.held or 0)]))
    return float(before.std()), float(recent.std()), len(before), len(recent)


def _two_sided(distance: float, level: float) -> float:
    """Chance that a standard normal value ``distance`` away is told, in the right direction."""
    return float(norm.sf(norm.isf(level / 2) - distance))


def _percent(life: Life) -> float:
    """Change between the two newest draws; NaN where there are not two."""
    draws = life.tables["lab_results"].group_by("collected_date").agg(pl.col("value_canonical").median())
    values = draws.sort("collected_date")["value_canonical"].to_list()
    return 100 * (values[-1] - values[-2]) / values[-2] if len(values) > 1 else np.nan


def _days(life: Life, asked: Asked) -> Floats:
    """The measure on the days of the question's window, NaN where a day has none."""
    through, length = life.row["data_through"], WINDOWS.get(asked.question_id, WINDOW)
    calendar = pl.select(date=pl.date_range(through - timedelta(length - 1), through))
    rows = calendar.join(life.tables["daily_summary"], on="date", how="left").sort("date")
    values = rows[asked.measure].cast(pl.Float64).to_numpy().copy()
    values[(rows["is_partial"].fill_null(True)).to_numpy()] = np.nan
    return values


def _likeness(noise: Floats) -> float:
    """Correlation of neighbouring days, freed of the bias that the mean of each series brings."""
    pairs = noise[:, 1:] * noise[:, :-1]
    return float(np.clip(np.nanmean(pairs) / np.nanvar(noise) + 1 / noise.shape[1], 0.0, 0.95))

"""Change of level between the halves of a series: exact AR(1) likelihood on irregular days.

Neighbouring days of a wearable resemble each other, so that n days are worth far fewer than n independent
ones. A day's value is a level, plus the change where it lies in the later half, plus an error that keeps
the share rho of the error one day before: days that are d apart correlate by rho^d, whatever days are
missing between. Given rho the change is estimated by generalised least squares, which no unbiased estimate
beats; rho itself is integrated out over its restricted likelihood with all values from 0 to 0.95 alike
beforehand. The answer is a mixture of t distributions, wider than that of the best rho alone, as it must be
in short series.

``level_changes`` first draws outlying days (a fever, a flight) in to three robust standard deviations of
their half's median. ``mean_changes`` is its plain relative.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RHOS: Floats = np.arange(20, dtype=np.float64) / 20
OUTLYING_SD = 3.0
MAD_TO_SD = 1.4826
FEWEST_VALUES = 4
_LEAST_SQUARES = 1e-12
_HALVINGS = 24


@dataclass(frozen=True, slots=True)
class LevelChanges:
    """What is known of the change (later half minus earlier half) of each series.

    Rows are values of rho, columns series. share: how likely each rho is. estimate, error: of the change,
    given rho. freedom: that of its t distribution, by series.
    """

    share: Floats
    estimate: Floats
    error: Floats
    freedom: Floats

    @property
    def change(self) -> Floats:
        """The expected change."""
        return np.sum(self.share * self.estimate, axis=0)

    @property
    def p_rise(self) -> Floats:
        """One-sided p-value of a rise: how likely the change lies below 0."""
        return self._below(np.zeros(len(self.freedom)))

    @property
    def p_fall(self) -> Floats:
        """One-sided p-value of a fall."""
        return 1 - self.p_rise

    @property
    def p_either(self) -> Floats:
        """Two-sided p-value of a change."""
        return 2 * np.minimum(self.p_rise, self.p_fall)

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Ends of the central interval."""
        tail = (1 - level) / 2
        return self._quantile(tail), self._quantile(1 - tail)

    def _below(self, at: Floats) -> Floats:
        from scipy.special import stdtr  # slow to import

        below = np.sum(self.share * stdtr(self.freedom, (at - self.estimate) / self.error), axis=0)
        return np.clip(below, 0.0, 1.0)

    def _quantile(self, chance: float) -> Floats:
        """The value below which the change lies with this chance: halving between those of single rhos."""
        from scipy.special import stdtrit  # slow to import

        of_each = self.estimate + self.error * stdtrit(self.freedom, chance)
        low, high = of_each.min(axis=0), of_each.max(axis=0)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            is_below = self._below(middle) < chance
            low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
        return (low + high) / 2


def level_changes(values: Floats) -> LevelChanges:
    """The change of each series. values: (series, days), NaN where a day has none, an even number of days.

    Outlying days are drawn in first. ValueError where a half of a series has fewer than four values.
    """
    _require_halves(values)
    share, estimate, spread, variance = _by_rho(drawn_in(values))
    return LevelChanges(share, estimate, np.sqrt(variance * spread), _freedom(values))


def mean_changes(values: Floats) -> LevelChanges:
    """The difference between the means of the halves, for halves whose border is nobody's choice.

    Values and errors as those of ``level_changes``, with three differences. The estimate is what anybody
    would compute from the days: where errors hardly fade, generalised least squares trusts the days at the
    border alone, and a jump that happens to lie there would pass for the difference between two months. No
    day is drawn in: days of two kinds (shifts, weekends) are no outliers, and the rarer kind of each half
    would be lost. And the halves may share a slope, or a steady rise through both would pass for errors that
    hardly fade, and be no change.
    """
    _require_halves(values)
    share, _, _, variance = _by_rho(_without_slope(values))
    weight = _weights_of_means(~np.isnan(values))
    apart = np.abs(np.subtract.outer(*[np.arange(values.shape[1])] * 2))
    spread = np.array([_sum(weight @ np.power(rho, apart) * weight) for rho in RHOS])
    estimate = np.broadcast_to(_sum(weight * np.nan_to_num(values)), share.shape)
    freedom = _freedom(values) - 1
    error = np.sqrt(variance * spread * (freedom + 1) / freedom)
    return LevelChanges(share, estimate, error, freedom)


def _without_slope(values: Floats) -> Floats:
    """Values less the straight line whose slope fits both halves, each about its own mean."""
    halves = np.stack(np.split(values, 2, axis=1), axis=1)
    day = np.where(np.isnan(halves), np.nan, np.arange(halves.shape[2]))
    day, value = (part - np.nanmean(part, axis=2, keepdims=True) for part in (day, halves))
    slope = np.nansum(day * value, axis=(1, 2)) / np.nansum(day * day, axis=(1, 2))
    return values - slope[:, np.newaxis] * np.arange(values.shape[1])


def _require_halves(values: Floats) -> None:
    if values.shape[1] % 2 or (half_counts(values) < FEWEST_VALUES).any():
        raise ValueError("two equal halves with at least four values each")


def _weights_of_means(seen: npt.NDArray[np.bool_]) -> Floats:
    """1 / n on each of the n days of the later half with a value, -1 / n on those of the earlier."""
    halves = [half / half.sum(axis=1, keepdims=True) for half in np.split(seen, 2, axis=1)]
    return np.concatenate([-halves[0], halves[1]], axis=1)


def _freedom(values: Floats) -> Floats:
    return np.sum(~np.isnan(values), axis=1) - 2.0


def drawn_in(values: Floats) -> Floats:
    """Values beyond three robust standard deviations of the median of their half, moved to that border.

    The deviation is that of both halves about their own medians; where it is 0, nothing is moved.
    """
    halves = np.stack(np.split(values, 2, axis=1), axis=1)
    middle = np.nanmedian(halves, axis=2, keepdims=True)
    apart = halves - middle
    spread = MAD_TO_SD * np.nanmedian(np.abs(apart), axis=(1, 2), keepdims=True)
    border = np.where(spread > 0, OUTLYING_SD * spread, np.inf)
    return (middle + np.clip(apart, -border, border)).reshape(values.shape)


def _by_rho(values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """For each rho (rows) and series: how likely it is; the change, its spread, the variance of a day."""
    later = np.repeat((0.0, 1.0), values.shape[1] // 2)
    seen = ~np.isnan(values)
    before, gap = _day_before(seen)
    known = np.nan_to_num(values)
    of_before = np.take_along_axis(known, before, axis=1)
    fitted = [_fit(known, of_before, later, later[before], seen, rho**gap) for rho in RHOS]
    change, spread, variance, log_likelihood = (np.array(part) for part in zip(*fitted, strict=True))
    share = np.exp(log_likelihood - log_likelihood.max(axis=0))
    return share / share.sum(axis=0), change, spread, variance


def _day_before(seen: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], Floats]:
    """For each day the newest earlier day with a value, and how many days ago (infinite for the first)."""
    day = np.arange(seen.shape[1])
    newest = np.maximum.accumulate(np.where(seen, day, -1), axis=1)
    before = np.concatenate([np.full((len(seen), 1), -1), newest[:, :-1]], axis=1)
    return np.maximum(before, 0), np.where(before >= 0, day - before, np.inf)


def _fit(
    known: Floats, of_before: Floats, later: Floats, later_before: Floats, seen: Any, kept: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Generalised least squares given how much of the error before each day keeps: on the innovations.

    The change, its squared error where a day's error has variance 1, that variance, the log likelihood.
    """
    weight = np.where(seen, 1 / (1 - kept * kept), 0.0)
    level, step, value = 1 - kept, later - kept * later_before, known - kept * of_before
    a, b, c = (_sum(weight * x) for x in (level * level, level * step, step * step))
    u, v = (_sum(weight * x * value) for x in (level, step))
    determinant = a * c - b * b
    change, mean = (a * v - b * u) / determinant, (c * u - b * v) / determinant
    freedom = _sum(seen) - 2.0
    squares = np.maximum(_sum(weight * value * value) - mean * u - change * v, _LEAST_SQUARES)
    log_variance = _sum(np.where(seen, np.log(1 - kept * kept), 0.0))
    log_likelihood = -0.5 * (freedom * np.log(squares) + log_variance + np.log(determinant))
    return change, a / determinant, squares / freedom, log_likelihood


def _sum(parts: npt.NDArray[Any]) -> Floats:
    return np.sum(parts, axis=1)


def half_counts(values: Floats) -> npt.NDArray[np.int64]:
    """Days with a value: two rows, of the earlier half of each series and of the later."""
    return np.stack([np.sum(~np.isnan(half), axis=1) for half in np.split(values, 2, axis=1)])

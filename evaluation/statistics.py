"""Intervals and agreement, in the few forms the evaluations report.

Sources: Wilson 1927 (interval of a share); Efron 1979 (percentile bootstrap); Shrout and Fleiss 1979
(ICC(3,1)); Bennett, Alpert and Goldstein 1954 (S).
"""

from collections.abc import Callable, Hashable, Sequence
from math import sqrt
from typing import TypeVar

import numpy as np

Row = TypeVar("Row")
Z_95 = 1.959963984540054
DRAWS = 10_000
FEWER_DRAWS = 1_000  # for statistics that are computed anew for each draw
SEED = 20_260_101


def wilson_interval(passed: int, tried: int) -> tuple[float, float]:
    """The 95 % score interval of a share, between 0 and 1. Raises ValueError where nothing was tried."""
    if not 0 <= passed <= tried or tried == 0:
        raise ValueError("a share needs 0 <= passed <= tried and something tried")
    share, z2 = passed / tried, Z_95**2
    middle = share + z2 / (2 * tried)
    half = Z_95 * sqrt(share * (1 - share) / tried + z2 / (4 * tried**2))
    scale = 1 + z2 / tried
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def ratio_interval(parts: Sequence[float], wholes: Sequence[float]) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of sum(parts) / sum(wholes), with clusters drawn anew.

    parts and wholes have one entry per item: the tests of an item fall together, so that an interval over
    tests alone would be too narrow. The draws are seeded: equal input gives equal ends.
    """
    if len(parts) != len(wholes) or not parts or min(wholes) <= 0:
        raise ValueError("each item needs a part and a positive whole")
    over, under = np.asarray(parts, float), np.asarray(wholes, float)
    drawn = np.random.default_rng(SEED).integers(0, len(over), (DRAWS, len(over)))
    low, high = np.quantile(over[drawn].sum(axis=1) / under[drawn].sum(axis=1), [0.025, 0.975])
    return float(low), float(high)


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean of the values."""
    return ratio_interval(values, [1.0] * len(values))


def resampled_interval(
    clusters: Sequence[Sequence[Row]], statistic: Callable[[Sequence[Row]], float | None]
) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of any statistic of rows, with whole clusters drawn anew.

    Draws for which the statistic is undefined are left out; None where it is undefined for most of them.
    """
    drawn = np.random.default_rng(SEED).integers(0, len(clusters), (FEWER_DRAWS, len(clusters)))
    values = [statistic([row for place in draw for row in clusters[place]]) for draw in drawn.tolist()]
    known = [value for value in values if value is not None]
    if len(known) < FEWER_DRAWS / 2:
        return None
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


def intraclass_correlation(ratings: Sequence[Sequence[float]]) -> float | None:
    """ICC(3,1): consistency of single ratings by a fixed set of raters; a row is a target, a column a rater.

    None where it is undefined: no target or rater differs from the others in any way.
    """
    table = np.asarray(ratings, float)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError("at least two targets and two raters are needed")
    targets, raters = table.shape
    grand = table.mean()
    between = raters * ((table.mean(axis=1) - grand) ** 2).sum() / (targets - 1)
    residual = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0, keepdims=True) + grand
    error = (residual**2).sum() / ((targets - 1) * (raters - 1))
    under = between + (raters - 1) * error
    return float((between - error) / under) if under > 1e-12 else None


def agreement(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """The share of items that two raters answered alike."""
    if len(one) != len(other) or not one:
        raise ValueError("two raters need the same items, at least one")
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def bennett_s(one: Sequence[Hashable], other: Sequence[Hashable], categories: int) -> float:
    """Bennett's S: agreement corrected for chance where all ``categories`` answers are equally likely."""
    if categories < 2:
        raise ValueError("at least two categories are needed")
    return (categories * agreement(one, other) - 1) / (categories - 1)

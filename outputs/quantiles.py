"""Quantiles of a sample by Hyndman and Fan's type 8, with order-statistic intervals.

Type 8 is median-unbiased whatever the distribution (Hyndman and Fan 1996, The American Statistician 50:361):
position h = p (n + 1/3) + 1/3, held within 1..n, linear between the order statistics beside it.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import polars as pl

QUANTILE_TYPE = 8
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class RankInterval:
    """Order statistics, counted from 1, that hold the quantile with at least the wanted confidence."""

    low: int
    high: int


@lru_cache(maxsize=65_536)
def rank_interval(n: int, p: float, outermost: int = 1) -> RankInterval | None:
    """Order statistics [X(low), X(high)] that hold the p-quantile with the wanted confidence, or None.

    The number of values below the quantile is binomial (n, p), whatever the distribution. We take the
    equal-tailed ranks where both lie within the sample; else the one end that is left moves outward until
    the interval holds. None where even [X(1), X(n)] does not: n < 6 for the median, 11 for quartiles, 29 for
    10 and 90, 59 for 5 and 95. With ``outermost`` 2 neither the smallest nor the largest value is an end:
    n < 9, 18, 46 and 93.
    """
    # Half a second to load, and only an edition needs it.
    from scipy.special import bdtr

    last = n + 1 - outermost

    def below(rank: int) -> float:
        """The chance that at most ``rank`` values lie below the quantile."""
        return float(bdtr(float(rank), n, p))

    def first_above(chance: float) -> int:
        return bisect_left(range(n + 1), chance, key=below)

    if last <= outermost or below(last - 1) - below(outermost - 1) < CONFIDENCE:
        return None
    tail = (1 - CONFIDENCE) / 2
    low = max(first_above(tail), outermost)
    high = min(first_above(1 - tail) + 1, last)
    while below(high - 1) - below(low - 1) < CONFIDENCE:
        low, high = (low, high + 1) if high < last else (low - 1, high)
    return RankInterval(low, high)


def places_of_quantile(n: pl.Expr, p: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """The order statistics, counted from 1, that the type 8 quantile lies on or between."""
    position = _position(n, p)
    return position.floor().cast(pl.Int64), position.ceil().cast(pl.Int64)


def quantile_of_sorted(values: pl.Expr, n: pl.Expr, p: pl.Expr) -> pl.Expr:
    """The type 8 quantile of a list column sorted upwards, of length n (at least 1)."""
    position = _position(n, p)
    lower, upper = places_of_quantile(n, p)
    low, high = values.list.get(lower - 1), values.list.get(upper - 1)
    return low + (position - position.floor()) * (high - low)


def _position(n: pl.Expr, p: pl.Expr) -> pl.Expr:
    return (p * (n + 1 / 3) + 1 / 3).clip(1, n)

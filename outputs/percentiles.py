"""Percentiles over people: each participant gives one value per metric and window."""

from collections.abc import Mapping

import polars as pl

from outputs.quantiles import QUANTILE_TYPE, places_of_quantile, quantile_of_sorted, rank_interval
from outputs.strata import LEVELS, Level, in_level
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform

PERCENTILES = (5, 10, 25, 50, 75, 90, 95)

_WORDS = ("metric", "window", "unit", "sex", "age_group")
_STRATUM = ("metric", "window", "unit", "stratum_sex", "stratum_age_group")


def population_percentiles(values: pl.LazyFrame, edition: str, outermost: int = 1) -> pl.LazyFrame:
    """Type 8 percentiles of each stratum; value and interval are null where n does not carry them.

    Results given as below or above a limit count: all that is not surely above the highest "below" limit
    stands at that limit, likewise at the other end. A percentile that rests on one of those is a bound, and
    an interval does not end on one.

    outermost: the lowest order statistic an interval may end on, and the highest counted from above.
    """
    counted = _counted(values)
    limited = counted.filter(pl.col("bound").is_not_null())["metric"].unique().implode()
    with_limits = counted.filter(pl.col("metric").is_in(limited))
    without = counted.filter(~pl.col("metric").is_in(limited))
    return (
        pl.concat(
            _of_level(part, level, ordered, outermost)
            for part, ordered in ((with_limits, _ordered_with_limits()), (without, _ordered()))
            for level in LEVELS
        )
        .lazy()
        .with_columns(
            edition=pl.lit(edition),
            definition=pl.lit("person"),
            quantile_type=pl.lit(QUANTILE_TYPE),
            comparator=pl.when(pl.col("value").is_not_null()).then("comparator"),
        )
        .sort("metric", "window", "sex", "age_group", "percentile")
        .pipe(conform, PopulationPercentiles)
    )


def _counted(values: pl.LazyFrame) -> pl.DataFrame:
    """Values and bounds; words are coded, as millions of rows are grouped by them four times."""
    comparator = pl.col("comparator")
    return (
        values.filter(pl.col("value").is_not_null() | pl.col("bound").is_not_null())
        .select(
            pl.col(_WORDS).cast(pl.Categorical),
            "value",
            "bound",
            below=comparator.str.starts_with("<").fill_null(False),
            above=comparator.str.starts_with(">").fill_null(False),
        )
        .collect()
    )


def _of_level(
    counted: pl.DataFrame, level: Level, ordered: Mapping[str, pl.Expr], outermost: int
) -> pl.DataFrame:
    """Percentiles of the strata of a level. Whole samples are held for one level at a time only."""
    strata = (
        counted.lazy()
        .pipe(in_level, level)
        .group_by(_STRATUM)
        .agg(**ordered, n=pl.len().cast(pl.Int64))
        .collect()
    )
    return pl.concat([_of_percentile(strata, percent, outermost) for percent in PERCENTILES])


def _of_percentile(strata: pl.DataFrame, percent: int, outermost: int) -> pl.DataFrame:
    ranks = _rank_table(strata["n"].unique().to_list(), percent, outermost)
    return (
        strata.lazy()
        .join(ranks.lazy(), on="n", how="left")
        .select(
            pl.col("metric", "window", "unit").cast(pl.String),
            "n",
            sex=pl.col("stratum_sex").cast(pl.String),
            age_group=pl.col("stratum_age_group").cast(pl.String),
            percentile=pl.lit(percent),
            interval_low=_end_of_interval(pl.col("low")),
            interval_high=_end_of_interval(pl.col("high")),
            **_quantile_or_bound(pl.lit(percent / 100)),
        )
        # Without any row Polars takes values for nulls.
        .cast(dict.fromkeys(("value", "interval_low", "interval_high"), pl.Float64))
        .collect()
    )


def _ordered() -> dict[str, pl.Expr]:
    """values: sorted, of metrics nobody's value of which is a limit."""
    nobody = pl.lit(0, pl.Int64)
    return {"values": pl.col("value").sort(), "at_low": nobody, "at_high": nobody}


def _ordered_with_limits() -> dict[str, pl.Expr]:
    """values: sorted, limits in the place of what lies beyond them; how many stand at either limit."""
    lowest = pl.col("bound").filter("below").max()
    highest = pl.col("bound").filter("above").min()
    at_low = pl.col("below") | (pl.col("value") < lowest).fill_null(False)
    at_high = pl.col("above") | (pl.col("value") > highest).fill_null(False)
    placed = pl.when(at_low).then(lowest).when(at_high).then(highest).otherwise("value")
    return {
        "values": placed.sort(),
        "at_low": at_low.sum().cast(pl.Int64),
        "at_high": at_high.sum().cast(pl.Int64),
    }


def _quantile_or_bound(p: pl.Expr) -> dict[str, pl.Expr]:
    """The quantile, or the limit it lies beyond; null where n does not carry it or both limits do."""
    values, n = pl.col("values"), pl.col("n")
    lower, upper = places_of_quantile(n, p)
    rests_low, rests_high = lower <= pl.col("at_low"), upper > n - pl.col("at_high")
    found = (
        pl.when(rests_low)
        .then(values.list.get(upper - 1))
        .when(rests_high)
        .then(values.list.get(lower - 1))
        .otherwise(quantile_of_sorted(values, n, p))
    )
    return {
        "value": pl.when(pl.col("low").is_not_null() & ~(rests_low & rests_high)).then(found),
        "comparator": pl.when(rests_low).then(pl.lit("<")).when(rests_high).then(pl.lit(">")),
    }


def _end_of_interval(place: pl.Expr) -> pl.Expr:
    """The order statistic, unless it stands at a limit."""
    known = (place > pl.col("at_low")) & (place <= pl.col("n") - pl.col("at_high"))
    return pl.when(known).then(pl.col("values").list.get(place - 1))


def _rank_table(sizes: list[int], percent: int, outermost: int) -> pl.DataFrame:
    """The ends of the interval by size of the sample, for the sizes that have one."""
    rows = [
        (n, interval.low, interval.high)
        for n in sorted(sizes)
        if (interval := rank_interval(n, percent / 100, outermost)) is not None
    ]
    schema = {"n": pl.Int64, "low": pl.Int64, "high": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")

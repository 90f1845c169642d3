"""Percentiles over people: each participant gives one value per metric and window."""

import polars as pl

from outputs.quantiles import QUANTILE_TYPE, places_of_quantile, quantile_of_sorted, rank_interval
from outputs.strata import in_strata
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform

PERCENTILES = (5, 10, 25, 50, 75, 90, 95)

_STRATUM = ("metric", "window", "unit", "sex", "age_group")


def population_percentiles(values: pl.LazyFrame, edition: str, outermost: int = 1) -> pl.LazyFrame:
    """Type 8 percentiles of each stratum; value and interval are null where n does not carry them.

    Results given as below or above a limit count: all that is not surely above the highest "below" limit
    stands at that limit, likewise at the other end. A percentile that rests on one of those is a bound, and
    an interval does not end on one.

    outermost: the lowest order statistic an interval may end on, and the highest counted from above.
    """
    strata = (
        values.filter(pl.col("value").is_not_null() | pl.col("bound").is_not_null())
        .pipe(in_strata)
        .select("metric", "window", "unit", "value", "comparator", "bound",
                sex="stratum_sex", age_group="stratum_age_group")
        .group_by(_STRATUM)
        .agg(**_ordered_with_bounds(), n=pl.len().cast(pl.Int64))
        .collect()
    )  # fmt: skip
    wanted = pl.DataFrame({"p": [percent / 100 for percent in PERCENTILES], "percentile": PERCENTILES})
    ranks = _rank_table(strata["n"].unique().to_list(), outermost)
    return (
        strata.lazy()
        .join(wanted.lazy(), how="cross")
        .join(ranks.lazy(), on=["n", "percentile"], how="left")
        .with_columns(**_quantile_or_bound())
        .select(
            *_STRATUM,
            "n",
            "value",
            edition=pl.lit(edition),
            definition=pl.lit("person"),
            percentile=pl.col("percentile").cast(pl.String),
            comparator=pl.when(pl.col("value").is_not_null()).then("comparator"),
            interval_low=_end_of_interval(pl.col("low")),
            interval_high=_end_of_interval(pl.col("high")),
            quantile_type=pl.lit(QUANTILE_TYPE),
        )
        .pipe(conform, PopulationPercentiles)
        .sort(
            "metric", "window", "sex", "age_group", pl.col("percentile").cast(pl.Int64), maintain_order=True
        )
    )


def _ordered_with_bounds() -> dict[str, pl.Expr]:
    """values: sorted, limits in the place of what lies beyond them; how many stand at either limit."""
    below, above = (pl.col("comparator").str.starts_with(sign).fill_null(False) for sign in "<>")
    lowest = pl.col("bound").filter(below).max()
    highest = pl.col("bound").filter(above).min()
    at_low = below | (pl.col("value") < lowest).fill_null(False)
    at_high = above | (pl.col("value") > highest).fill_null(False)
    placed = pl.when(at_low).then(lowest).when(at_high).then(highest).otherwise("value")
    return {
        "values": placed.sort(),
        "at_low": at_low.sum().cast(pl.Int64),
        "at_high": at_high.sum().cast(pl.Int64),
    }


def _quantile_or_bound() -> dict[str, pl.Expr]:
    """The quantile, or the limit it lies beyond; null where n does not carry it or both limits do."""
    values, n, p = pl.col("values"), pl.col("n"), pl.col("p")
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


def _rank_table(sizes: list[int], outermost: int) -> pl.DataFrame:
    rows = [
        (n, percent, interval.low, interval.high)
        for n in sorted(sizes)
        for percent in PERCENTILES
        if (interval := rank_interval(n, percent / 100, outermost)) is not None
    ]
    schema = {"n": pl.Int64, "percentile": pl.Int64, "low": pl.Int64, "high": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")

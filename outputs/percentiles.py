"""Percentiles of the cohort, made as editions: ranks and dossiers use the edition in force.

Each participant gives one value per metric and window, so that long wearers weigh no more than others.
"""

from datetime import date
from typing import Literal

import polars as pl

from outputs.quantiles import QUANTILE_TYPE, quantile_of_sorted, rank_interval
from outputs.store import Result
from outputs.strata import in_strata
from schemas.person_values import PersonValues
from schemas.population_percentiles import PopulationPercentiles
from schemas.settings import Settings
from schemas.table import conform

RESULT_VERSION = 2

PERCENTILES = (5, 10, 25, 50, 75, 90, 95)
Refresh = Literal["monthly", "every_run", "manual"]

_STRATUM = ("metric", "window", "unit", "sex", "age_group")


def edition_in_force(as_of: date, refresh: Refresh, kept: str | None = None) -> str:
    """Name of the edition that is due for an as-of.

    monthly: one per calendar month of the as-of (2026-06). every_run: one per as-of (2026-06-28).
    manual: ``kept``, the edition used so far, whatever its age; without one that of the as-of's day.
    """
    if refresh == "monthly":
        return f"{as_of:%Y-%m}"
    if refresh == "manual" and kept is not None:
        return kept
    return as_of.isoformat()


def make_edition(values: pl.DataFrame, settings: Settings, edition: str) -> Result:
    """Percentiles of person values, and the values themselves: the edition is pinned with both.

    values: rows of ``person_values`` of all participants. Rows outside the age groups of the settings keep
    their place in "all" and in their sex.
    """
    grouped = pl.col("age_group").is_in(settings.strata.age_groups)
    known = values.lazy().with_columns(age_group=pl.when(grouped).then("age_group"))
    tables = {
        "population_percentiles": population_percentiles(known, edition).collect(),
        "person_values": known.pipe(conform, PersonValues).collect(),
    }
    return Result(tables, {"edition": edition, "people": values["participant_id"].n_unique()})


def population_percentiles(values: pl.LazyFrame, edition: str) -> pl.LazyFrame:
    """Type 8 percentiles of each stratum; value and interval are null where n does not carry them."""
    strata = (
        values.filter(pl.col("value").is_not_null())
        .pipe(in_strata)
        .select("metric", "window", "unit", "value", sex="stratum_sex", age_group="stratum_age_group")
        .group_by(_STRATUM)
        .agg(values=pl.col("value").sort(), n=pl.len().cast(pl.Int64))
        .collect()
    )
    wanted = pl.DataFrame({"p": [percent / 100 for percent in PERCENTILES], "percentile": PERCENTILES})
    ranks = _rank_table(strata["n"].unique().to_list())
    carried = pl.col("low").is_not_null()
    return (
        strata.lazy()
        .join(wanted.lazy(), how="cross")
        .join(ranks.lazy(), on=["n", "percentile"], how="left")
        .select(
            *_STRATUM,
            "n",
            edition=pl.lit(edition),
            definition=pl.lit("person"),
            percentile=pl.col("percentile").cast(pl.String),
            value=pl.when(carried).then(quantile_of_sorted(pl.col("values"), pl.col("n"), pl.col("p"))),
            interval_low=pl.col("values").list.get(pl.col("low") - 1),
            interval_high=pl.col("values").list.get(pl.col("high") - 1),
            quantile_type=pl.lit(QUANTILE_TYPE),
        )
        .pipe(conform, PopulationPercentiles)
        .sort(
            "metric", "window", "sex", "age_group", pl.col("percentile").cast(pl.Int64), maintain_order=True
        )
    )


def _rank_table(sizes: list[int]) -> pl.DataFrame:
    rows = [
        (n, percent, interval.low, interval.high)
        for n in sorted(sizes)
        for percent in PERCENTILES
        if (interval := rank_interval(n, percent / 100)) is not None
    ]
    schema = {"n": pl.Int64, "percentile": pl.Int64, "low": pl.Int64, "high": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")

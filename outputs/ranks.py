"""Where participants stand among the others: rank = (less + half equal) / others, over the others only.

The stratum used is the first with at least 11 others: cell (sex and age group), sex, all of the cohort; then
the same three of the reference population.
"""

from typing import Literal

import polars as pl

from outputs.metrics import DAILY_METRICS, WINDOW_WHOLE
from outputs.strata import Level, in_level
from schemas.participant_percentiles import ParticipantPercentiles
from schemas.person_values import PersonValues
from schemas.table import conform, empty

Source = Literal["cohort", "reference"]

LEAST_OTHERS = 11
STEPS: tuple[tuple[Source, Level], ...] = (
    ("cohort", "cell"),
    ("cohort", "sex"),
    ("cohort", "all"),
    ("reference", "cell"),
    ("reference", "sex"),
    ("reference", "all"),
)

_OWN = ["participant_id", "metric", "window"]
_GROUP = ["metric", "pool_window", "unit", "stratum_sex", "stratum_age_group"]
_DAILY = [metric.metric for metric in DAILY_METRICS]
_DECIMALS_KEPT = 6
Z_95 = 1.959963984540054
_RANKED = {
    "participant_id": pl.String,
    "metric": pl.String,
    "window": pl.String,
    "stratum": pl.String,
    "stratum_sex": pl.String,
    "stratum_age_group": pl.String,
    "others": pl.Int64,
    "rank": pl.Float64,
    "rank_low": pl.Float64,
    "rank_high": pl.Float64,
}


def ranks(
    own: pl.DataFrame,
    edition_values: pl.DataFrame,
    reference_values: pl.DataFrame | None,
    edition: str,
    reference_edition: str | None = None,
) -> pl.DataFrame:
    """The table ``participant_percentiles`` for all rows of ``own``.

    own: current ``person_values`` of one participant or many; many at once cost little more than one.
    edition_values: those pinned with the edition; a participant's own row in it is never counted.
    reference_values: of ``read_reference``, compared with any window of days. Column ``edition`` names the
    edition whose people were counted.
    """
    queries = own.lazy().pipe(_rounded).pipe(_with_reason).collect()
    pools: dict[Source, pl.DataFrame] = {
        "cohort": edition_values,
        "reference": empty(PersonValues) if reference_values is None else reference_values,
    }
    ranked = _first_sufficient(queries.filter(pl.col("no_value_reason").is_null()), pools)
    others_edition = pl.when(pl.col("stratum") == "reference").then(pl.lit(reference_edition))
    return (
        queries.lazy()
        .join(ranked.lazy(), on=_OWN, how="left")
        .with_columns(
            edition=pl.coalesce(others_edition, pl.lit(edition)),
            no_rank_reason=pl.coalesce(
                "no_value_reason", pl.when(pl.col("rank").is_null()).then(pl.lit("too_few_others"))
            ),
        )
        .pipe(conform, ParticipantPercentiles)
        .sort(_OWN)
        .collect()
    )


def _rounded(values: pl.LazyFrame) -> pl.LazyFrame:
    """Values as the store keeps them: a value and its own copy in an edition must compare as equal."""
    return values.with_columns(pl.col("value").round(_DECIMALS_KEPT) + 0.0)


def _with_reason(own: pl.LazyFrame) -> pl.LazyFrame:
    """Old data have no rank in any window of days; a row without a value always has a reason."""
    old = (pl.col("no_value_reason") == "data_old").any().over("participant_id")
    return own.with_columns(
        no_value_reason=pl.when(old & pl.col("metric").is_in(_DAILY))
        .then(pl.lit("data_old"))
        .when(pl.col("value").is_null())
        .then(pl.coalesce("no_value_reason", pl.lit("no_value")))
    )


def _first_sufficient(queries: pl.DataFrame, pools: dict[Source, pl.DataFrame]) -> pl.DataFrame:
    """Ranks by the first step that has enough others; what it answered is not asked of the later ones."""
    found = [pl.DataFrame(schema=_RANKED)]
    for source, level in STEPS:
        if queries.is_empty():
            break
        ranked = _ranked(queries, pools[source], source, level)
        found.append(ranked)
        queries = queries.join(ranked, on=_OWN, how="anti")
    return pl.concat(found)


def _ranked(queries: pl.DataFrame, pool: pl.DataFrame, source: Source, level: Level) -> pl.DataFrame:
    """Ranks of the queries whose stratum of this level has enough others."""
    asked = queries.lazy().with_columns(pool_window=_pool_window(source)).pipe(in_level, level).collect()
    groups = asked.select(_GROUP).unique(maintain_order=True).with_row_index("group")
    members = (
        pool.lazy()
        .filter(pl.col("value").is_not_null())
        .with_columns(pool_window=pl.col("window"))
        .pipe(in_level, level)
        .join(groups.lazy(), on=_GROUP)
        .select("participant_id", "group", "value")
        .pipe(_rounded)
        .collect()
    )
    own_copies = members.filter(pl.lit(source == "cohort")).rename({"value": "own_value"})
    asked = asked.join(groups, on=_GROUP)
    return (
        asked.lazy()
        .join(_ladder(asked, members), on=["group", "value"])
        .join(own_copies.lazy(), on=["participant_id", "group"], how="left")
        .pipe(_over_the_others)
        .filter(pl.col("others") >= LEAST_OTHERS)
        .select(
            *_OWN,
            stratum=pl.lit("reference" if source == "reference" else level),
            stratum_sex="stratum_sex",
            stratum_age_group="stratum_age_group",
            others="others",
            rank=100 * (pl.col("less") + pl.col("equal") / 2) / pl.col("others"),
        )
        .with_columns(_wilson(-1).alias("rank_low"), _wilson(1).alias("rank_high"))
        .select(list(_RANKED))
        .collect()
    )


def _wilson(side: int) -> pl.Expr:
    """An end of the 95 % score interval of a share, in percent (Wilson 1927, J Am Stat Assoc 22:209)."""
    share, others = pl.col("rank") / 100, pl.col("others")
    middle = share + Z_95**2 / (2 * others)
    half = Z_95 * (share * (1 - share) / others + Z_95**2 / (4 * others**2)).sqrt()
    return (100 * (middle + side * half) / (1 + Z_95**2 / others)).clip(0, 100)


def _pool_window(source: Source) -> pl.Expr:
    """The reference has one value per person for all windows of days."""
    if source == "cohort":
        return pl.col("window")
    return pl.when(pl.col("metric").is_in(_DAILY)).then(pl.lit(WINDOW_WHOLE)).otherwise("window")


def _ladder(asked: pl.DataFrame, members: pl.DataFrame) -> pl.LazyFrame:
    """Per group and value, of those asked and of the members: members less, equal and in all."""
    steps = [
        members.lazy().select("group", "value", equal=pl.lit(1, pl.Int64)),
        asked.lazy().select("group", "value", equal=pl.lit(0, pl.Int64)),
    ]
    return (
        pl.concat(steps)
        .group_by("group", "value")
        .agg(pl.col("equal").sum())
        .sort("group", "value")
        .with_columns(
            less=pl.col("equal").cum_sum().over("group") - pl.col("equal"),
            in_all=pl.col("equal").sum().over("group"),
        )
    )


def _over_the_others(counted: pl.LazyFrame) -> pl.LazyFrame:
    """Takes the person's own copy, where the pool has one, out of all three counts."""
    own, value = pl.col("own_value"), pl.col("value")
    return counted.with_columns(
        others=pl.col("in_all") - own.is_not_null().cast(pl.Int64),
        less=pl.col("less") - (own < value).fill_null(False).cast(pl.Int64),
        equal=pl.col("equal") - (own == value).fill_null(False).cast(pl.Int64),
    )

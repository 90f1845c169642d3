"""Where participants stand among the others: rank = (less + half equal) / others, over the others only.

The stratum used is the first with at least 11 others: cell (sex and age group), sex, all of the cohort; then
the same three of the reference population.
"""

import polars as pl

from outputs.metrics import DAILY_METRICS, WINDOW_WHOLE
from outputs.strata import in_strata
from schemas.participant_percentiles import ParticipantPercentiles
from schemas.person_values import PersonValues
from schemas.table import conform, empty

LEAST_OTHERS = 11

_COHORT, _REFERENCE = "cohort", "reference"
_LEVELS = ("cell", "sex", "all")
_GROUP = ["source", "level", "metric", "pool_window", "unit", "stratum_sex", "stratum_age_group"]
_OWN = ["participant_id", "metric", "window"]
_DAILY = [metric.metric for metric in DAILY_METRICS]
_DECIMALS_KEPT = 6


def ranks(
    own: pl.DataFrame,
    edition_values: pl.DataFrame,
    reference_values: pl.DataFrame | None,
    edition: str,
    reference_edition: str | None = None,
) -> pl.DataFrame:
    """The table ``participant_percentiles`` for all rows of ``own``.

    own: current ``person_values`` of one participant or many. edition_values: those pinned with the edition;
    a participant's own row in it is never counted. reference_values: of ``read_reference``, compared with any
    window of days. Column ``edition`` names the edition whose people were counted.
    """
    queries = own.lazy().pipe(_rounded).pipe(_with_reason)
    reference = empty(PersonValues) if reference_values is None else reference_values
    counted = [
        _counted(queries, edition_values.lazy(), _COHORT),
        _counted(queries, reference.lazy(), _REFERENCE),
    ]
    chosen = pl.concat(counted).pipe(_first_sufficient)
    from_reference = pl.col("source") == _REFERENCE
    return (
        queries.join(chosen, on=_OWN, how="left")
        .with_columns(
            edition=pl.when(from_reference)
            .then(pl.lit(reference_edition or edition))
            .otherwise(pl.lit(edition)),
            stratum=pl.when(from_reference).then(pl.lit(_REFERENCE)).otherwise("level"),
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


def _counted(queries: pl.LazyFrame, pool: pl.LazyFrame, source: str) -> pl.LazyFrame:
    """For each query and level: how many others there are, how many are less and how many equal."""
    pooled = (
        pool.pipe(_rounded)
        .filter(pl.col("value").is_not_null())
        .with_columns(source=pl.lit(source), pool_window=pl.col("window"))
        .pipe(in_strata, _LEVELS)
    )
    asked = (
        queries.filter(pl.col("no_value_reason").is_null())
        .with_columns(source=pl.lit(source), pool_window=_pool_window(source))
        .pipe(in_strata, _LEVELS)
        .select("participant_id", "window", *_GROUP, "value")
    )
    own_copies = pooled.filter(pl.lit(source == _COHORT)).select("participant_id", *_GROUP, own_value="value")
    counted = asked.join(_ladder(asked, pooled), on=[*_GROUP, "value"], how="left").join(
        own_copies, on=["participant_id", *_GROUP], how="left"
    )
    own = pl.col("own_value")
    return counted.select(
        *_OWN,
        "source",
        "level",
        "stratum_sex",
        "stratum_age_group",
        others=pl.col("all_in_group") - own.is_not_null().cast(pl.Int64),
        less=pl.col("less") - (own < pl.col("value")).fill_null(False).cast(pl.Int64),
        equal=pl.col("equal") - (own == pl.col("value")).fill_null(False).cast(pl.Int64),
    )


def _pool_window(source: str) -> pl.Expr:
    """The reference has one value per person for all windows of days."""
    if source == _COHORT:
        return pl.col("window")
    return pl.when(pl.col("metric").is_in(_DAILY)).then(pl.lit(WINDOW_WHOLE)).otherwise("window")


def _ladder(asked: pl.LazyFrame, pooled: pl.LazyFrame) -> pl.LazyFrame:
    """Per group and value, of those asked and those in the pool: pool members less, equal and in all."""
    steps = pl.concat(
        [
            pooled.group_by([*_GROUP, "value"]).agg(equal=pl.len().cast(pl.Int64)),
            asked.select(*_GROUP, "value").unique().with_columns(equal=pl.lit(0, pl.Int64)),
        ],
        how="diagonal",
    )
    return (
        steps.group_by([*_GROUP, "value"])
        .agg(pl.col("equal").sum())
        .sort([*_GROUP, "value"])
        .with_columns(
            less=pl.col("equal").cum_sum().over(_GROUP) - pl.col("equal"),
            all_in_group=pl.col("equal").sum().over(_GROUP),
        )
    )


def _first_sufficient(counted: pl.LazyFrame) -> pl.LazyFrame:
    """One row per query: the first level with enough others; the cohort before the reference."""
    preference = pl.DataFrame(
        [(source, level) for source in (_COHORT, _REFERENCE) for level in _LEVELS],
        schema=["source", "level"],
        orient="row",
    ).with_row_index("preference")
    return (
        counted.filter(pl.col("others") >= LEAST_OTHERS)
        .join(preference.lazy(), on=["source", "level"])
        .sort(*_OWN, "preference")
        .unique(_OWN, keep="first", maintain_order=True)
        .with_columns(rank=100 * (pl.col("less") + pl.col("equal") / 2) / pl.col("others"))
        .select(*_OWN, "source", "level", "stratum_sex", "stratum_age_group", "others", "rank")
    )

"""The table ``shareable_percentiles``: what of an edition may be passed on, and when it may be renewed."""

from collections.abc import Iterator

import polars as pl

from outputs.disclosure import LEAST_PEOPLE, Told, atom_of, fewest_told, safe_groups
from outputs.metrics import METRICS, WINDOW_NEWEST, Metric
from outputs.percentiles import population_percentiles
from outputs.windows import window_name
from schemas.settings import Settings
from schemas.shareable_percentiles import ShareablePercentiles
from schemas.shared_values import SharedValues
from schemas.table import conform, key_of

N_ROUNDED_TO = 5
# Order statistics that intervals and percentiles may rest on: never the smallest and the largest value.
OUTERMOST_RANK = 2

# What values of days are rounded to, by unit; results and scores are rounded as they are printed.
_STEPS = {
    "steps": 10.0,
    "m": 10.0,
    "kcal": 10.0,
    "floors": 1.0,
    "minutes": 5.0,
    "bpm": 0.5,
    "ms": 1.0,
    "breaths/min": 0.5,
    "%": 0.5,
    "degC": 0.1,
    "mL/kg/min": 0.5,
    "points": 1.0,
}

_ITEM = ["value", "comparator", "bound", "unit"]


def step_of(metric: Metric) -> float:
    """What shared values of a metric are multiples of."""
    return _STEPS[metric.unit] if metric.daily else 10.0**-metric.decimals


def renewed(values: pl.DataFrame, before: pl.DataFrame, settings: Settings, edition: str) -> pl.DataFrame:
    """The table ``shared_values`` with this edition's version of each metric that may be shared.

    values: ``person_values`` of the edition; before: all ``shared_values`` so far. A metric gets a new
    version only where that and any earlier one single out no fewer than 11 people; else the last one stays.
    """
    windows = [window_name(settings.windows.main), WINDOW_NEWEST]
    counts = pl.col("value").is_not_null() | pl.col("bound").is_not_null()
    candidates = (
        values.lazy()
        .filter(pl.col("window").is_in(windows), counts)
        .with_columns(edition=pl.lit(edition))
        .pipe(conform, SharedValues)
        .sort("metric", "participant_id")
        .collect()
    )
    shared = before.partition_by("metric", as_dict=True)
    new = [
        version
        for (metric,), version in candidates.partition_by("metric", as_dict=True).items()
        if may_be_shared(version, shared.get((metric,), before.clear()))
    ]
    return pl.concat([before, *new])


def may_be_shared(version: pl.DataFrame, earlier: pl.DataFrame) -> bool:
    """Whether a metric's values may be shared after all its earlier versions.

    An edition is shared once: made again, for another reason than new data, it stays as it was shared.
    """
    if not safe_groups(_people(version)) or version["edition"][0] in earlier["edition"]:
        return False
    return all(
        fewest_told(_people_of_both(old, version)) >= LEAST_PEOPLE for old in earlier.partition_by("edition")
    )


def _people(version: pl.DataFrame) -> dict[tuple[str, str | None], int]:
    counted = version.group_by("sex", "age_group").len().iter_rows()
    return {(sex, age_group): n for sex, age_group, n in counted}


def _people_of_both(old: pl.DataFrame, new: pl.DataFrame) -> Iterator[Told]:
    """How many people there are of each pair of atoms in two versions, with or without the same value."""
    named = [
        version.lazy().select(
            "participant_id",
            pl.struct("sex", "age_group").alias(f"who_{name}"),
            pl.struct(_ITEM).alias(f"item_{name}"),
        )
        for name, version in (("old", old), ("new", new))
    ]
    kinds = (
        named[0]
        .join(named[1], on="participant_id", how="full", coalesce=True)
        .group_by("who_old", "who_new", same=pl.col("item_old").eq_missing(pl.col("item_new")))
        .len()
        .collect()
    )
    groups_old, groups_new = safe_groups(_people(old)), safe_groups(_people(new))
    for who_old, who_new, same, n in kinds.iter_rows():
        atom_old = atom_of(groups_old, **who_old) if who_old else None
        atom_new = atom_of(groups_new, **who_new) if who_new else None
        yield Told(atom_old, atom_new, same, n)


def shareable_percentiles(shared: pl.DataFrame, edition: str) -> pl.LazyFrame:
    """The published table: of each metric the latest version up to an edition, in groups that may be told."""
    latest = shared.filter(pl.col("edition") <= edition).filter(
        pl.col("edition") == pl.col("edition").max().over("metric")
    )
    told = [
        {"metric": metric, **group._asdict()}
        for (metric,), version in latest.partition_by("metric", as_dict=True, maintain_order=True).items()
        for group in safe_groups(_people(version))
    ]
    groups = pl.LazyFrame(told, schema={"metric": pl.String, "sex": pl.String, "age_group": pl.String})
    editions = latest.lazy().select("metric", shared_edition="edition").unique()
    return (
        population_percentiles(latest.lazy(), edition, OUTERMOST_RANK)
        .join(groups, on=["metric", "sex", "age_group"], how="semi")
        .join(editions, on="metric")
        .join(_steps(), on="metric")
        .with_columns(
            *(
                ((pl.col(name) / pl.col("step")).round() * pl.col("step")).alias(name)
                for name in ("value", "interval_low", "interval_high")
            ),
            edition="shared_edition",
            n=pl.col("n") // N_ROUNDED_TO * N_ROUNDED_TO,
        )
        .pipe(conform, ShareablePercentiles)
        .sort(key_of(ShareablePercentiles))
    )


def _steps() -> pl.LazyFrame:
    return pl.LazyFrame(
        [(metric.metric, step_of(metric)) for metric in METRICS.values()],
        schema={"metric": pl.String, "step": pl.Float64},
        orient="row",
    )

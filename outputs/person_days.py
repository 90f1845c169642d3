"""Percentiles over days: each participant's days weigh together as much as anybody else's.

The paper's tables are of this kind ("daily percentiles"). A person with n days gives each of them the weight
1/n; so those who wear a device longest do not speak for the others. Weights are whole numbers, so that no
order of people or days changes an answer.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from outputs.metrics import DAILY_METRICS
from outputs.quantiles import QUANTILE_TYPE, rank_interval
from outputs.strata import in_strata
from outputs.window_values import DAY_METRICS
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform

# Whole days up to a million a person keep ten digits of 1/n, and a million people fit in 64 bits.
WEIGHT_OF_A_PERSON = 1 << 42

_CELL = ("metric", "window", "unit", "sex", "age_group")
_STRATUM = ("metric", "window", "unit", "stratum_sex", "stratum_age_group")


def day_percentiles(
    parts: Sequence[pl.LazyFrame], values: pl.DataFrame, edition: str, percentiles: Sequence[int]
) -> pl.DataFrame:
    """Rows of ``population_percentiles`` with definition ``person_day``.

    parts: ``daily_summary`` in parts of whole participants, so that days of one part only are held at a time.
    values: their ``person_values``; who has a value in a window gives the days it was made of. n counts
    people. There is no interval: days of one person depend on each other, and an interval that takes them for
    independent would be too narrow.
    """
    made = [
        _percentiles_of(_masses_of_all(parts, values, metric.metric), percentiles) for metric in DAILY_METRICS
    ]
    return (
        pl.concat([frame for frame in made if frame.height] or [pl.DataFrame()])
        .lazy()
        .with_columns(
            edition=pl.lit(edition), definition=pl.lit("person_day"), quantile_type=pl.lit(QUANTILE_TYPE)
        )
        .pipe(conform, PopulationPercentiles)
        .collect()
    )


def day_masses(daily: pl.LazyFrame, values: pl.DataFrame, metric: str) -> pl.DataFrame:
    """How much weight each value of a metric has in each cell: what a batch of people adds.

    metric, window, unit, sex, age_group, value, weight. The weights of all values of a person in a window
    make WEIGHT_OF_A_PERSON (but for what whole numbers lose), so masses tell how many people there are.
    """
    counted = values.lazy().filter(pl.col("metric") == metric, pl.col("value").is_not_null())
    valid = pl.col("valid_day").fill_null(False) if metric in DAY_METRICS else pl.lit(True)
    return (
        daily.filter(~pl.col("is_partial"), valid, pl.col(metric).is_not_null())
        .select("participant_id", "date", day_value=pl.col(metric).cast(pl.Float64))
        .join(counted.drop("value"), on="participant_id")
        .filter(pl.col("date").is_between("window_start", "window_end"))
        .with_columns(n=pl.len().over("participant_id", "window").cast(pl.Int64))
        .with_columns(weight=pl.lit(WEIGHT_OF_A_PERSON, pl.Int64) // pl.col("n"))
        .group_by(*_CELL, value="day_value")
        .agg(pl.col("weight").sum())
        .collect()
    )


def _masses_of_all(parts: Sequence[pl.LazyFrame], values: pl.DataFrame, metric: str) -> pl.DataFrame:
    return merged_masses([day_masses(part, values, metric) for part in parts])


def merged_masses(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Masses of batches as one: sums of whole numbers, the same however people were divided."""
    return pl.concat(parts).group_by(*_CELL, "value").agg(pl.col("weight").sum())


def weighted_quantiles(
    values: NDArray[np.float64], weights: NDArray[np.int64], people: int, shares: Sequence[float]
) -> list[float]:
    """Hyndman and Fan's type 8 for weighted values, by the scheme of Akinshin (2023, arXiv:2304.07265).

    The quantile is the mean of the weighted inverse distribution over a step of 1/n beside its position
    h = p (n + 1/3) + 1/3, held in 1..n; n is the number of people, each of weight 1. Where everybody has one
    value that is type 8 itself.
    """
    distinct, places = np.unique(values, return_inverse=True)
    mass = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(mass, places, weights)
    reached = np.concatenate([[0], np.cumsum(mass)]) / int(mass.sum())
    found: list[float] = []
    for share in shares:
        position = min(max(share * (people + 1 / 3) + 1 / 3, 1.0), float(people))
        low, high = (position - 1) / people, position / people
        overlap = np.clip(reached[1:], low, high) - np.clip(reached[:-1], low, high)
        found.append(float(np.dot(overlap, distinct) / overlap.sum()))
    return found


def _percentiles_of(masses: pl.DataFrame, percentiles: Sequence[int]) -> pl.DataFrame:
    """Percentiles of each stratum of a metric's masses."""
    strata = (
        masses.lazy()
        .pipe(in_strata)
        .group_by(*_STRATUM, "value")
        .agg(pl.col("weight").sum())
        .sort(*_STRATUM, "value")
        .collect()
    )
    groups = strata.partition_by(_STRATUM, as_dict=True, maintain_order=True)
    return pl.DataFrame(
        [row for names, group in groups.items() for row in _rows_of(names, group, percentiles)],
        infer_schema_length=None,
    )


def _rows_of(
    names: tuple[object, ...], group: pl.DataFrame, percentiles: Sequence[int]
) -> Iterator[dict[str, object]]:
    weights = group["weight"].to_numpy()
    people = round(int(weights.sum()) / WEIGHT_OF_A_PERSON)
    shares = [percent / 100 for percent in percentiles]
    quantiles = weighted_quantiles(group["value"].to_numpy(), weights, people, shares)
    for percent, share, value in zip(percentiles, shares, quantiles, strict=True):
        yield {
            **dict(zip(("metric", "window", "unit", "sex", "age_group"), names, strict=True)),
            "percentile": str(percent),
            "n": people,
            "value": value if rank_interval(people, share) is not None else None,
        }

"""A release against the one before, person by person and percentile by percentile: did the population drift?

What a fault does to many people at once shows here and in no single row: a unit read wrongly multiplies
their values by a known factor, a reader that lost a file thins them out, an algorithm moves the percentiles.
"""

import math
from pathlib import Path

import polars as pl

from outputs.metrics import METRICS, WINDOW_NEWEST, WINDOW_WHOLE, Metric
from outputs.release_tables import scan
from outputs.strata import ALL
from schemas.analytes import ANALYTES

# Fewer people are not compared: one of them would be a tenth of the change.
ENOUGH_PEOPLE = 11
# How near to a factor a change must be to count as one.
NEAR = 0.03

# A smaller change than by half is what results do by themselves.
_BY_ITSELF = math.log(1.5)

_PREFIXES = (10.0, 100.0, 1000.0)
_OF_UNIT = {
    "m": (1000.0, 1.609344, 1609.344, 3.28084),
    "kcal": (4.184, 1000.0),
    "minutes": (60.0, 60_000.0),
    "bpm": (60.0,),
    "breaths/min": (60.0,),
    "%": (100.0,),
    "ms": (1000.0,),
}
_OF_ANALYTE = {analyte.key: analyte.other_factor for analyte in ANALYTES if analyte.other_factor}

_OF_ALL = [pl.col("sex") == ALL, pl.col("age_group") == ALL]
_METRIC = ["metric", "window"]
NOTHING = "every metric"


def unit_factors(metric: Metric) -> tuple[float, ...]:
    """By how much a value changes that is taken for one in another unit; in either direction."""
    if metric.measured == "draw":
        other = _OF_ANALYTE.get(metric.metric)
        return (*_PREFIXES, other) if other and abs(math.log(other)) > _BY_ITSELF else _PREFIXES
    return _OF_UNIT.get(metric.unit, ()) if metric.daily else ()


def quartiles_moved(release: Path, previous: Path) -> dict[str, float]:
    """Metric -> how far a quartile is beyond chance from where it was, in widths of the middle half then.

    Beyond chance: the distance between the 95 % intervals of the two, 0 where they overlap. The largest of
    the three quartiles and all windows; metrics that did not move are left out.
    """
    new, old = (_quartiles(folder) for folder in (release, previous))
    width = old.pivot("percentile", index=_METRIC, values="value", on_columns=["25", "75"]).select(
        *_METRIC, width=pl.col("75") - pl.col("25")
    )
    moved = (
        new.join(old, on=[*_METRIC, "percentile"], suffix="_before")
        .join(width.filter(pl.col("width") > 0), on=_METRIC)
        .with_columns(
            gap=pl.max_horizontal(
                pl.col("interval_low") - pl.col("interval_high_before"),
                pl.col("interval_low_before") - pl.col("interval_high"),
                pl.lit(0.0),
            )
        )
        .group_by("metric")
        .agg(measured=(pl.col("gap") / pl.col("width")).max())
    )
    return _named(moved.filter(pl.col("measured") > 0), 0.0)


def people_kept(release: Path, previous: Path) -> dict[str, float]:
    """Metric -> people with a value now over those at the last release, where they grew fewer.

    Over all days, of the newest draw and score: values of the last days go by themselves when data get old.
    """
    lasting = pl.col("window").is_in([WINDOW_WHOLE, WINDOW_NEWEST])
    new, old = (
        _cohort(folder).filter(lasting).select(*_METRIC, "n").unique().collect()
        for folder in (release, previous)
    )
    kept = old.filter(pl.col("n") >= ENOUGH_PEOPLE).join(new, on=_METRIC, how="left", suffix="_now")
    shares = kept.select("metric", measured=pl.col("n_now").fill_null(0) / pl.col("n"))
    return _named(shares.filter(pl.col("measured") < 1), 1.0)


def unit_jumps(release: Path, previous: Path) -> dict[str, float]:
    """Metric -> share of people whose own value changed by a factor between two units of it.

    The largest of all windows; of people with a value other than zero in both releases.
    """
    keys = ["participant_id", *_METRIC]
    new, old = (
        scan(folder, "participant_percentiles").filter(pl.col("value") != 0).select(*keys, "value")
        for folder in (release, previous)
    )
    both = new.join(old, on=keys, suffix="_before").filter(pl.col("value") / pl.col("value_before") > 0)
    change = (pl.col("value") / pl.col("value_before")).log().abs()
    factors = pl.LazyFrame(
        [(metric.metric, factor) for metric in METRICS.values() for factor in unit_factors(metric)],
        schema={"metric": pl.String, "factor": pl.Float64},
        orient="row",
    )
    jumped = (
        both.with_columns(change=change)
        .join(factors, on="metric")
        .group_by(keys)
        .agg(jumped=((pl.col("change") - pl.col("factor").log().abs()).abs() < NEAR).any())
        .group_by(_METRIC)
        .agg(people=pl.len(), share=pl.col("jumped").mean())
        .filter(pl.col("people") >= ENOUGH_PEOPLE)
        .group_by("metric")
        .agg(measured=pl.col("share").max())
    )
    return _named(jumped.filter(pl.col("measured") > 0).collect(), 0.0)


def _cohort(release: Path) -> pl.LazyFrame:
    """Percentiles of everybody in the cohort's edition."""
    return scan(release, "population_percentiles").filter(
        pl.col("definition") == "person", ~pl.col("edition").str.starts_with("reference-"), *_OF_ALL
    )


def _quartiles(release: Path) -> pl.DataFrame:
    known = pl.all_horizontal(pl.col("value", "interval_low", "interval_high").is_not_null())
    return (
        _cohort(release)
        .filter(pl.col("percentile").is_in(["25", "50", "75"]), known)
        .select(*_METRIC, "percentile", "value", "interval_low", "interval_high")
        .collect()
    )


def _named(found: pl.DataFrame, nothing: float) -> dict[str, float]:
    """Metric -> measure; where no metric is worth naming, one entry that stands for all."""
    named = {
        metric: float(measured)
        for metric, measured in found.sort("metric").select("metric", "measured").iter_rows()
    }
    return named or {NOTHING: nothing}

"""Is ``shareable/`` under disclosure control? Judged from a release's files alone, by rules of its own.

The groups and numbers are counted again from ``tables/population_percentiles``, so that a fault of the code
that makes the table does not pass unseen.
"""

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from outputs.disclosure import LEAST_PEOPLE
from outputs.metrics import METRICS
from outputs.quantiles import rank_interval
from outputs.release_tables import files_of, scan
from outputs.shareable import N_ROUNDED_TO, OUTERMOST_RANK, step_of
from outputs.strata import ALL

SHAREABLE = "shareable_percentiles"

# What is left of a multiple after division in floating point.
ROUNDING_ERROR = 1e-4

_NUMBERS = ("value", "interval_low", "interval_high")
_GROUP = ["metric", "window", "sex", "age_group"]


def disclosure_faults(release: Path) -> dict[str, int]:
    """Rule -> rows of ``shareable_percentiles`` (or groups, for a rest that is too small) that break it."""
    if not files_of(release, SHAREABLE):
        return {}
    shared = scan(release, SHAREABLE).collect()
    counted = _counted(release, shared)
    return {
        "small_group": shared.filter(pl.col("n") < LEAST_PEOPLE // N_ROUNDED_TO * N_ROUNDED_TO).height
        + counted.filter(pl.col("people") < LEAST_PEOPLE).height,
        "n_not_rounded": shared.filter(pl.col("n") % N_ROUNDED_TO != 0).height
        + counted.filter(pl.col("n") != pl.col("people") // N_ROUNDED_TO * N_ROUNDED_TO).height,
        "crossing_group": shared.filter(pl.col("sex") == ALL, pl.col("age_group") != ALL).height,
        "small_rest": _small_rests(counted),
        "reaches_an_end": _reaching_an_end(shared),
        "value_not_rounded": _not_rounded(shared),
    }


def changed_within_edition(release: Path, previous: Path) -> int:
    """Rows of one edition of a metric that differ between two releases, where both are of one version."""
    versions = {
        pq.read_schema(path).metadata[b"schema_version"]
        for folder in (release, previous)
        for path in files_of(folder, SHAREABLE)
    }
    if len(versions) > 1:
        return 0
    new, old = (scan(folder, SHAREABLE).collect() for folder in (release, previous))
    editions = ["metric", "edition"]
    both = new.select(editions).unique().join(old.select(editions).unique(), on=editions)
    rows = [table.join(both, on=editions, how="semi") for table in (new, old)]
    return sum(
        one.join(other, on=one.columns, how="anti", nulls_equal=True).height
        for one, other in (rows, reversed(rows))
    )


def _counted(release: Path, shared: pl.DataFrame) -> pl.DataFrame:
    """Groups of the edition in force with the people that ``tables/`` has of them."""
    people = (
        scan(release, "population_percentiles")
        .filter(pl.col("definition") == "person")
        .select(*_GROUP, "edition", people="n")
        .unique()
        .collect()
    )
    return shared.select(*_GROUP, "edition", "n").unique().join(people, on=[*_GROUP, "edition"])


def _small_rests(counted: pl.DataFrame) -> int:
    """Groups less the groups within them, where somebody is left, but fewer than 11."""
    sexes = counted.filter(pl.col("sex") != ALL, pl.col("age_group") == ALL)
    cells = counted.filter(pl.col("age_group") != ALL)
    everybody = counted.filter(pl.col("sex") == ALL)
    rests = [
        _rest(everybody, sexes, ["metric", "window"]),
        _rest(sexes, cells, ["metric", "window", "sex"]),
    ]
    return sum(rest.filter(pl.col("rest").is_between(1, LEAST_PEOPLE - 1)).height for rest in rests)


def _rest(wholes: pl.DataFrame, parts: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    told = parts.group_by(key).agg(told=pl.col("people").sum())
    return wholes.join(told, on=key, how="left").select(rest=pl.col("people") - pl.col("told").fill_null(0))


def _reaching_an_end(shared: pl.DataFrame) -> int:
    """Values that so few people cannot carry; n is rounded down, so there may be some more."""
    pairs = shared.filter(pl.any_horizontal(pl.col(_NUMBERS).is_not_null())).select("n", "percentile")
    return sum(
        rank_interval(n + N_ROUNDED_TO - 1, int(percentile) / 100, OUTERMOST_RANK) is None
        for n, percentile in pairs.iter_rows()
    )


def _not_rounded(shared: pl.DataFrame) -> int:
    """Rows with a number that is no multiple of its metric's step."""
    steps = pl.DataFrame({"metric": list(METRICS), "step": [step_of(metric) for metric in METRICS.values()]})
    multiples = pl.col(_NUMBERS) / pl.col("step")
    off = pl.any_horizontal(((multiples - multiples.round()).abs() > ROUNDING_ERROR).fill_null(False))
    return shared.join(steps, on="metric", how="left").filter(pl.col("step").is_null() | off).height

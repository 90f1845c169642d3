"""Since when a fired finding stands: against the findings of the release before.

A trend is new only where it holds in two releases: a single sight of one is more often chance. What the
release before already told as new is known. Everything else that fires is new at once.
"""

import polars as pl

from outputs.findings.trend_rules import TRENDS
from schemas.findings import Findings
from schemas.table import conform, empty

_KEY = ["participant_id", "rule_id", "subject"]
_TRENDS = [trend.rule_id for trend in TRENDS]
ONCE, NEW, KNOWN = "once", "new", "known"


def with_seen(findings: pl.LazyFrame, previous: pl.LazyFrame | None) -> pl.LazyFrame:
    """The table ``findings`` with ``seen`` filled where a rule fired: once, new or known.

    previous: the table of the release before (of an earlier as-of); None where there is none. A finding that
    fired there with the same category stood already: it is known, or new where it was a trend seen once.
    """
    before = _fired_before(previous)
    is_trend = pl.col("rule_id").is_in(_TRENDS)
    seen = (
        pl.when(pl.col("outcome") != "fired")
        .then(None)
        .when(pl.col("_category").is_null() | (pl.col("_category") != pl.col("category").fill_null("")))
        .then(pl.when(is_trend).then(pl.lit(ONCE)).otherwise(pl.lit(NEW)))
        .when(is_trend & (pl.col("_seen").fill_null(ONCE) == ONCE))
        .then(pl.lit(NEW))
        .otherwise(pl.lit(KNOWN))
    )
    return (
        findings.join(before, on=_KEY, how="left")
        .with_columns(seen=seen)
        .drop("_category", "_seen")
        .pipe(conform, Findings)
        .sort(*_KEY, "window_end")
    )


def _fired_before(previous: pl.LazyFrame | None) -> pl.LazyFrame:
    """Key, category and ``seen`` of what fired; releases made before ``seen`` was told have none."""
    rows = empty(Findings).lazy() if previous is None else previous
    return (
        rows.pipe(conform, Findings)
        .filter(pl.col("outcome") == "fired")
        .select(*_KEY, _category=pl.col("category").fill_null(""), _seen="seen")
        .unique(_KEY, keep="any")
    )

"""Which laboratory results are critical: by the study's limits, or by the laboratory's own mark.

Alerts and the findings of the dossier ask the same question here, so that they cannot differ.
"""

from collections.abc import Mapping
from datetime import date

import polars as pl

from outputs.person_values import UNFINISHED_REPORTS
from schemas.settings import CriticalLimit

# The laboratory's own marks for values it would telephone: HL7 table 0078 has LL and HH for them.
CRITICAL_MARKS = ("LL", "HH", "critical")


def beyond_limits(lab_results: pl.LazyFrame, limits: Mapping[str, CriticalLimit]) -> pl.LazyFrame:
    """Rows of ``lab_results`` at or beyond the limits of their analyte, in its canonical unit.

    ``lab_review``, which has the columns that are asked here too, can be given in its place.

    A censored result counts where its bound alone is at or beyond a limit ("<2.0", ">700").
    """
    table = pl.LazyFrame(
        [(key, limit.low, limit.high) for key, limit in limits.items()],
        schema={"analyte_key": pl.String, "critical_low": pl.Float64, "critical_high": pl.Float64},
        orient="row",
    )
    low, high = pl.col("critical_low"), pl.col("critical_high")
    value, bound, comparator = pl.col("value_canonical"), pl.col("bound_canonical"), pl.col("comparator")
    below = (value <= low) | (comparator.is_in(["<", "<="]) & (bound <= low))
    above = (value >= high) | (comparator.is_in([">", ">="]) & (bound >= high))
    beyond = below.fill_null(value=False) | above.fill_null(value=False)
    return lab_results.join(table, on="analyte_key").filter(beyond).drop("critical_low", "critical_high")


def marked_critical(lab_results: pl.LazyFrame) -> pl.LazyFrame:
    """Rows of ``lab_results`` that the laboratory itself marked, whatever the study's limits."""
    return lab_results.filter(pl.col("flag_printed").is_in(CRITICAL_MARKS))


def critical_results(lab_results: pl.LazyFrame, limits: Mapping[str, CriticalLimit]) -> pl.LazyFrame:
    """Rows of ``lab_results`` that are critical by either, each once."""
    both = [beyond_limits(lab_results, limits), marked_critical(lab_results)]
    return pl.concat(both).unique(["file_id", "row_no"], maintain_order=True)


def newest_within(lab_results: pl.LazyFrame, critical: pl.LazyFrame) -> dict[tuple[str, str], date]:
    """(participant_id, analyte_key) -> the newest day with a result, where none of that day is critical.

    Only of what ``critical``, rows of ``lab_results``, holds. A bound or a word does not say where it lies,
    so it does not count, nor does a report that is not final.
    """
    what, row = ["participant_id", "analyte_key"], ["participant_id", "file_id", "row_no"]
    marks = critical.select(*row, is_critical=pl.lit(value=True)).unique()
    newest = (
        lab_results.join(critical, on=what, how="semi")
        .join(marks, on=row, how="left")
        .with_columns(pl.col("is_critical").fill_null(value=False))
        .filter(pl.col("is_critical") | (pl.col("value_canonical").is_not_null() & _is_final()))
        .filter(pl.col("collected_date") == pl.col("collected_date").max().over(what))
        .group_by(what)
        .agg(pl.col("collected_date").first(), pl.col("is_critical").any())
        .filter(~pl.col("is_critical"))
        .collect()
    )
    return {(person, analyte): day for person, analyte, day, _ in newest.iter_rows()}


def _is_final() -> pl.Expr:
    return ~pl.col("report_status").fill_null("unknown").is_in(UNFINISHED_REPORTS)

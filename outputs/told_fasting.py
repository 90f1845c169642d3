"""Fasting as the questionnaire says it, where a laboratory report says nothing.

An answer counts for the draw of its own day only: nobody knows of another day's draw by it. What the report
itself says always stands.
"""

from datetime import date
from typing import Any

import polars as pl

from schemas.analytes import FASTING_ONLY

# No energy for at least 8 hours: American Diabetes Association, Standards of Care, diagnosis.
FASTING_HOURS = 8
YES_NO_ITEM, HOURS_ITEM = "fasting", "fasting_hours"


def with_told_fasting(lab_results: pl.LazyFrame, survey_answers: pl.LazyFrame) -> pl.LazyFrame:
    """``lab_results`` with ``fasting`` filled from the answers of the day, and ``fasting_source``.

    A value we computed that means something only when fasting (HOMA-IR) is left out where it is not known.
    """
    silent = ~pl.col("fasting").is_in(["yes", "no"]).fill_null(value=False)
    told = told_fasting(survey_answers).rename({"day": "collected_date"})
    filled = lab_results.join(told, on="collected_date", how="left").with_columns(
        fasting=pl.when(silent & pl.col("told").is_not_null()).then("told").otherwise("fasting"),
        fasting_source=pl.when(silent & pl.col("told").is_not_null())
        .then(pl.lit("questionnaire"))
        .otherwise("fasting_source"),
    )
    meaningless = pl.col("derived") & pl.col("analyte_key").is_in(FASTING_ONLY) & (pl.col("fasting") != "yes")
    return filled.drop("told").filter(~meaningless.fill_null(value=True))


def told_fasting(survey_answers: pl.LazyFrame) -> pl.LazyFrame:
    """day, told (yes or no): by ``fasting`` (1 yes, 0 no) and ``fasting_hours``; no row where they differ."""
    number, item = pl.col("value_num"), pl.col("item").str.to_lowercase()
    yes = (
        pl.when((item == YES_NO_ITEM) & number.is_in([0.0, 1.0]))
        .then(number == 1)
        .when(item == HOURS_ITEM)
        .then(number >= FASTING_HOURS)
    )
    return (
        survey_answers.select(day="answered_on", yes=yes)
        .drop_nulls()
        .group_by("day")
        .agg(pl.col("yes").first(), several=pl.col("yes").n_unique() > 1)
        .filter(~pl.col("several"))
        .select("day", told=pl.when("yes").then(pl.lit("yes")).otherwise(pl.lit("no")))
    )


def fasting_cells(survey_answers: pl.DataFrame) -> dict[date, dict[str, Any]]:
    """Day -> the cell of ``survey_answers`` that says whether the person was fasting, for evidence."""
    key = ["participant_id", "instrument", "event", "instance", "item"]
    told = survey_answers.filter(
        pl.col("item").str.to_lowercase().is_in([YES_NO_ITEM, HOURS_ITEM]),
        pl.col("value_num").is_not_null(),
        pl.col("answered_on").is_not_null(),
    ).sort("answered_on", *key, descending=[False, False, True, True, True, True])
    return {
        row["answered_on"]: {
            "table": "survey_answers",
            "key": {name: row[name] for name in key},
            "column": "value",
        }
        for row in told.select("answered_on", *key).iter_rows(named=True)
    }

"""Strata of the population: a person stands in their cell (sex and age group), sex, age group and all."""

from typing import Literal

import polars as pl

Level = Literal["cell", "sex", "age", "all"]

ALL = "all"
SEXES_WITH_STRATA = ("female", "male")
LEVELS: tuple[Level, ...] = ("cell", "sex", "age", "all")


def in_strata(values: pl.LazyFrame) -> pl.LazyFrame:
    """Every row once for each stratum it belongs to."""
    return pl.concat([in_level(values, level) for level in LEVELS])


def in_level(values: pl.LazyFrame, level: Level) -> pl.LazyFrame:
    """Rows that have a stratum of the level, with ``stratum_sex`` and ``stratum_age_group``.

    Columns ``sex`` and ``age_group`` stay. People of another registered sex than female or male stand in the
    strata of age and all only; people without an age group in those of sex and all only.
    """
    by_sex, by_age = level in ("cell", "sex"), level in ("cell", "age")
    if by_sex:
        values = values.filter(pl.col("sex").is_in(SEXES_WITH_STRATA))
    if by_age:
        values = values.filter(pl.col("age_group").is_not_null())
    return values.with_columns(
        stratum_sex=pl.col("sex") if by_sex else pl.lit(ALL),
        stratum_age_group=pl.col("age_group") if by_age else pl.lit(ALL),
    )

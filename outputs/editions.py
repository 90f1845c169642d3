"""Editions of the percentiles: ranks and dossiers use the edition in force, pinned with its values.

Definition ``person``: each participant gives one value per metric and window. Definition ``person_day``: all
valid days, those of a participant together weighing as much as any other's (outputs.person_days).
"""

from collections.abc import Sequence
from datetime import date
from typing import Literal

import polars as pl

from outputs.percentiles import PERCENTILES, population_percentiles
from outputs.person_days import day_percentiles
from outputs.shareable import renewed, shareable_percentiles
from outputs.store import Result
from schemas.person_values import PersonValues
from schemas.settings import Settings
from schemas.table import conform

RESULT_VERSION = 4

# Begins the name of an edition that was made while participants were still pending.
PARTIAL = "partial-"

Refresh = Literal["monthly", "every_run", "manual"]


def edition_in_force(as_of: date, refresh: Refresh, kept: str | None = None) -> str:
    """Name of the edition that is due for an as-of.

    monthly: one per calendar month of the as-of (2026-06). every_run: one per as-of (2026-06-28).
    manual: ``kept``, the edition used so far, whatever its age; without one that of the as-of's day.
    """
    if refresh == "monthly":
        return f"{as_of:%Y-%m}"
    if refresh == "manual" and kept is not None:
        return kept
    return as_of.isoformat()


def make_edition(
    values: pl.DataFrame,
    daily: Sequence[pl.LazyFrame],
    settings: Settings,
    edition: str,
    shared_before: pl.DataFrame,
) -> Result:
    """Percentiles of person values and of person days, and the values: the edition is pinned with both.

    values: rows of ``person_values`` of all participants; daily: their ``daily_summary`` in parts of whole
    participants; shared_before: ``shared_values`` of all editions so far. Order and division of people, and
    on which machine their values were made, change nothing. Rows outside the age groups of the settings keep
    their place in "all" and in their sex. Nothing new is shared of a partial edition.
    """
    grouped = pl.col("age_group").is_in(settings.strata.age_groups)
    known = values.with_columns(age_group=pl.when(grouped).then("age_group"))
    of_people = population_percentiles(known.lazy(), edition).collect()
    of_days = day_percentiles(daily, known, edition, PERCENTILES)
    partial = edition.startswith(PARTIAL)
    shared = shared_before if partial else renewed(known, shared_before, settings, edition)
    tables = {
        "population_percentiles": pl.concat([of_people, of_days]),
        "person_values": known.lazy().pipe(conform, PersonValues).collect(),
        "shareable_percentiles": shareable_percentiles(shared, edition).collect(),
        "shared_values": shared,
    }
    return Result(tables, {"edition": edition, "people": values["participant_id"].n_unique()})

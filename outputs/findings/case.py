"""What the rules may see of a participant, read from the core tables."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl

from outputs.critical_results import critical_results
from outputs.findings.item_9 import item_9_answers
from outputs.findings.rule import Case
from outputs.findings.told import told_facts
from outputs.findings.trend_tests import TESTED, trend_tests
from outputs.person_values import finished_results, newest_results, newest_scores
from outputs.printed_result import PrintedResult, printed_result
from outputs.told_fasting import fasting_cells
from schemas.settings import AlertsSection, CriticalLimit, FindingsSection
from schemas.table import empty
from schemas.tables import TABLES

DEFAULT_LIMITS: Mapping[str, CriticalLimit] = AlertsSection().critical  # pyright: ignore[reportCallIssue]
DEFAULT_SETTINGS = FindingsSection()  # pyright: ignore[reportCallIssue]


def case_of(
    tables: Mapping[str, pl.DataFrame],
    as_of: date,
    limits: Mapping[str, CriticalLimit] = DEFAULT_LIMITS,
    settings: FindingsSection = DEFAULT_SETTINGS,
) -> Case:
    """The case of a participant.

    tables: ``participants`` (one row), ``daily_summary``, ``sleep_sessions``, ``lab_results``,
    ``survey_scores`` and ``survey_answers`` of this participant; a table that is missing counts as empty.
    limits: the study's critical limits by analyte.
    """
    person = tables["participants"].row(0, named=True)
    labs = _table(tables, "lab_results").lazy()
    scores = newest_scores(_table(tables, "survey_scores").lazy(), as_of).collect()
    daily = _table(tables, "daily_summary").sort("date")
    through = person["data_through"]
    return Case(
        participant_id=person["participant_id"],
        sex=person["sex"],
        age=person["age"],
        told=told_facts(_table(tables, "survey_answers"), as_of, settings.items),
        data_through=through,
        as_of=as_of,
        results={result.analyte: result for result in _printed(newest_results(labs, as_of))},
        history=_history(finished_results(labs, as_of)),
        scores={row["instrument"]: row for row in scores.iter_rows(named=True)},
        earlier_scores=_by_instrument(_table(tables, "survey_scores"), as_of),
        daily=daily,
        nights=_table(tables, "sleep_sessions"),
        critical=_printed(newest_results(critical_results(labs, limits), as_of)),
        trends={each.metric: "no_wearable" for each in TESTED}
        if through is None
        else trend_tests(daily, through, settings),
        settings=settings,
        fasting_cells=fasting_cells(_table(tables, "survey_answers")),
        item_9=item_9_answers(_table(tables, "survey_answers"), as_of),
    )


def _table(tables: Mapping[str, pl.DataFrame], name: str) -> pl.DataFrame:
    return tables.get(name, empty(TABLES[name]))


def _printed(results: pl.LazyFrame) -> tuple[PrintedResult, ...]:
    return tuple(printed_result(row) for row in results.collect().iter_rows(named=True))


def _by_instrument(scores: pl.DataFrame, as_of: date) -> dict[str, tuple[dict[str, Any], ...]]:
    """Rows of ``survey_scores`` with a day on or before as_of, the newest first."""
    dated = scores.filter(pl.col("answered_on") <= as_of).sort(
        "answered_on", "event", "instance", descending=True
    )
    parts = dated.partition_by("instrument", as_dict=True, maintain_order=True)
    return {str(name): tuple(part.iter_rows(named=True)) for (name,), part in parts.items()}


def _history(finished: pl.LazyFrame) -> dict[str, tuple[PrintedResult, ...]]:
    """By analyte, one result of each day of a draw, the newest first."""
    found: dict[str, tuple[PrintedResult, ...]] = {}
    for result in _printed(
        finished.unique(("analyte_key", "collected_date"), keep="first", maintain_order=True)
    ):
        found[result.analyte] = (*found.get(result.analyte, ()), result)
    return found

"""Checks every rule for a participant and writes the table ``findings``."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl

from outputs.critical_results import critical_results
from outputs.digests import canonical_json
from outputs.findings import (
    activity,
    blood,
    critical,
    glucose,
    heart,
    kidney,
    lipids,
    printed_range,
    questionnaires,
    sleep,
    two_tests,
    wear,
)
from outputs.findings.rule import Case, Finding, Rule
from outputs.person_values import newest_results, newest_scores
from outputs.printed_result import printed_result
from schemas.findings import Findings
from schemas.settings import AlertsSection, CriticalLimit
from schemas.table import conform, empty
from schemas.tables import TABLES

RULES: tuple[Rule, ...] = (
    *wear.RULES,
    *heart.RULES,
    *activity.RULES,
    *sleep.RULES,
    *critical.RULES,
    *printed_range.RULES,
    *glucose.RULES,
    *two_tests.RULES,
    *lipids.RULES,
    *kidney.RULES,
    *blood.RULES,
    *questionnaires.RULES,
)

DEFAULT_LIMITS: Mapping[str, CriticalLimit] = AlertsSection().critical  # pyright: ignore[reportCallIssue]
_PREGNANT_ITEM = "pregnant"


def check_rules(
    tables: Mapping[str, pl.DataFrame], as_of: date, limits: Mapping[str, CriticalLimit] = DEFAULT_LIMITS
) -> pl.DataFrame:
    """The table ``findings`` of one participant: every rule with its outcome.

    tables: ``participants`` (one row), ``daily_summary``, ``lab_results``, ``survey_scores`` and
    ``survey_answers`` of this participant; a table that is missing counts as empty.
    """
    return check_case(case_of(tables, as_of, limits))


def check_case(case: Case) -> pl.DataFrame:
    """The table ``findings`` of a participant who was read already."""
    rows = [_row(case, rule, finding) for rule in RULES for finding in rule.check(case)]
    return (
        pl.LazyFrame(rows, infer_schema_length=None)
        .pipe(conform, Findings)
        .sort("rule_id", "subject")
        .collect()
    )


def case_of(
    tables: Mapping[str, pl.DataFrame], as_of: date, limits: Mapping[str, CriticalLimit] = DEFAULT_LIMITS
) -> Case:
    """What the rules may see of a participant. limits: the study's critical limits by analyte."""
    person = tables["participants"].row(0, named=True)
    labs = _table(tables, "lab_results").lazy()
    results = newest_results(labs, as_of).collect()
    critical_ones = newest_results(critical_results(labs, limits), as_of).collect()
    scores = newest_scores(_table(tables, "survey_scores").lazy(), as_of).collect()
    return Case(
        participant_id=person["participant_id"],
        sex=person["sex"],
        age=person["age"],
        pregnant=_pregnant(_table(tables, "survey_answers")),
        data_through=person["data_through"],
        as_of=as_of,
        results={row["analyte_key"]: printed_result(row) for row in results.iter_rows(named=True)},
        scores={row["instrument"]: row for row in scores.iter_rows(named=True)},
        daily=_table(tables, "daily_summary").sort("date"),
        critical=tuple(printed_result(row) for row in critical_ones.iter_rows(named=True)),
    )


def _table(tables: Mapping[str, pl.DataFrame], name: str) -> pl.DataFrame:
    return tables.get(name, empty(TABLES[name]))


def _pregnant(answers: pl.DataFrame) -> bool | None:
    """The newest answer to the item ``pregnant`` (1 yes, 0 no); None where nobody asked or answered."""
    asked = answers.filter(
        pl.col("item").str.to_lowercase() == _PREGNANT_ITEM, pl.col("value_num").is_in((0.0, 1.0))
    ).sort("answered_on", "event", "instance", nulls_last=False)
    return None if asked.is_empty() else asked["value_num"][-1] == 1


def _row(case: Case, rule: Rule, finding: Finding) -> dict[str, Any]:
    evidence = {"inputs": list(finding.evidence), "limits": dict(finding.limits)}
    return {
        "participant_id": case.participant_id,
        "rule_id": rule.rule_id,
        "subject": finding.subject,
        "window_end": finding.window_end,
        "outcome": finding.outcome,
        "reason": finding.reason,
        "severity": finding.severity,
        "category": finding.category,
        "statement": finding.statement,
        "next_step": finding.next_step,
        "evidence_json": canonical_json(evidence),
        "guideline": rule.guideline.cited,
        "guideline_url": rule.guideline.url,
    }

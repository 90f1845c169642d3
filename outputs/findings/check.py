"""Checks every rule for a participant and writes the table ``findings``."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from outputs.digests import canonical_json
from outputs.findings import (
    activity,
    blood,
    blood_pressure,
    body,
    cardiovascular,
    critical,
    glucose,
    heart_signs,
    iron,
    item_9,
    kidney,
    kidney_course,
    lipids,
    liver,
    medicines,
    metabolic_syndrome,
    moving,
    nights,
    printed_range,
    questionnaires,
    score_course,
    sleep,
    thyroid,
    trend_rules,
    two_tests,
    wear,
)
from outputs.findings.rule import Case, Finding, Rule
from schemas.findings import Findings
from schemas.table import conform

RULES: tuple[Rule, ...] = (
    *wear.RULES,
    *trend_rules.RULES,
    *heart_signs.RULES,
    *blood_pressure.RULES,
    *cardiovascular.RULES,
    *activity.RULES,
    *moving.RULES,
    *sleep.RULES,
    *nights.RULES,
    *body.RULES,
    *critical.RULES,
    *printed_range.RULES,
    *glucose.RULES,
    *two_tests.RULES,
    *lipids.RULES,
    *metabolic_syndrome.RULES,
    *kidney.RULES,
    *kidney_course.RULES,
    *liver.RULES,
    *blood.RULES,
    *iron.RULES,
    *thyroid.RULES,
    *medicines.RULES,
    *item_9.RULES,
    *questionnaires.RULES,
    *score_course.RULES,
)


def check_case(case: Case, rules: Sequence[Rule] = RULES) -> pl.DataFrame:
    """The table ``findings`` of a participant who was read already."""
    rows = [_row(case, rule, finding) for rule in rules for finding in rule.check(case)]
    return (
        pl.LazyFrame(rows, infer_schema_length=None)
        .pipe(conform, Findings)
        .sort("rule_id", "subject")
        .collect()
    )


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

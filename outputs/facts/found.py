"""Facts of findings: each statement whole, and the guideline limits it names."""

import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from outputs.facts.fact import Cell, Direction, Fact
from outputs.findings.check import RULES
from outputs.printed_result import decimals_needed
from outputs.rendering import shown_quantity, shown_unit

_RULES = {rule.rule_id: rule for rule in RULES}
_DIRECTIONS: tuple[Direction, ...] = ("above", "below", "within", "rising", "falling", "steady")


def finding_facts(findings: pl.DataFrame) -> list[Fact]:
    """Facts of all rows of ``findings``, also of those that could not be checked."""
    return [fact for row in findings.iter_rows(named=True) for fact in (_statement(row), *_limits(row))]


def _statement(row: Mapping[str, Any]) -> Fact:
    """The statement. An unchecked one has no day: its own would move with the as-of of the run."""
    category = row["category"]
    checked = row["outcome"] in ("fired", "normal")
    return Fact(
        f"finding.{row['rule_id']}.{row['subject']}",
        "findings",
        _RULES[row["rule_id"]].title,
        row["statement"],
        Cell("findings", _key(row), "statement"),
        value_text=category or row["outcome"],
        direction=category if category in _DIRECTIONS else None,
        window_end=row["window_end"] if checked else None,
        for_participant=not _RULES[row["rule_id"]].sensitive,
    )


def _limits(row: Mapping[str, Any]) -> list[Fact]:
    limits = json.loads(row["evidence_json"])["limits"]
    return [_limit(row, end, limits[end], limits["unit"]) for end in ("low", "high") if end in limits]


def _limit(row: Mapping[str, Any], end: str, limit: float, unit: str) -> Fact:
    rule = _RULES[row["rule_id"]]
    decimals = decimals_needed(limit)
    return Fact(
        f"limit.{row['rule_id']}.{row['subject']}.{end}",
        "findings",
        f"{rule.title}, {'lower' if end == 'low' else 'upper'} limit of the band",
        shown_quantity(limit, decimals, unit),
        Cell("findings", _key(row), "evidence_json"),
        value_num=float(limit),
        unit=shown_unit(unit),
        decimals=decimals,
        window_end=row["window_end"],
        for_participant=not rule.sensitive,
    )


def _key(row: Mapping[str, Any]) -> dict[str, Any]:
    """Without window_end: a rule has one row per subject."""
    return {name: row[name] for name in ("participant_id", "rule_id", "subject")}

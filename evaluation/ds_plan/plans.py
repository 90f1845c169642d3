"""Seeded plans (plans.toml): sound ones, and the same with planted faults whose deduction is known."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from evaluation.ds_plan.rubric import REPLIES, Reply, rubric

Split = Literal["development", "test"]
PARTS = ("answerable", "timeframe", "transforms", "sufficiency", "statistics", "test", "summary")


@dataclass(frozen=True, slots=True)
class SeededPlan:
    """A plan with its known replies. fault: what was planted, "" for a sound plan. lost: points, by hand."""

    plan_id: str
    query: str
    split: Split
    text: str
    fault: str
    replies: Mapping[str, Reply]
    lost: float


@cache
def seeded_plans() -> tuple[SeededPlan, ...]:
    """All plans, by query. Plans of one query are all in one split. Raises ValueError for unsound data."""
    path = Path(__file__).with_name("plans.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(plan for entry in data["query"] for plan in _of_query(data["sound"], entry))


def queries() -> dict[str, str]:
    """Query id -> its words, in the person's own way of asking."""
    return {plan.plan_id.rpartition("-")[0]: plan.query for plan in seeded_plans()}


def _of_query(sound: Mapping[str, Reply], entry: Mapping[str, Any]) -> list[SeededPlan]:
    base: dict[str, Reply] = {**sound, **entry.get("replies", {})}
    variants: list[dict[str, Any]] = [{"fault": "", "lost": 0.0}, *entry["faulty"]]
    return [_plan(f"{entry['id']}-{number}", entry, variant, base) for number, variant in enumerate(variants)]


def _plan(
    plan_id: str, entry: Mapping[str, Any], variant: Mapping[str, Any], base: Mapping[str, Reply]
) -> SeededPlan:
    parts = {**entry["plan"], **variant.get("plan", {})}
    replies: dict[str, Reply] = {**base, **variant.get("replies", {})}
    known = {question.question_id for question in rubric()}
    if parts.keys() - set(PARTS) or replies.keys() - known or set(replies.values()) - set(REPLIES):
        raise ValueError(f"{plan_id}: unknown part, question or reply")
    steps = [parts[part] for part in PARTS if parts.get(part)]
    text = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return SeededPlan(
        plan_id, entry["words"], entry["split"], text, variant["fault"], replies, variant["lost"]
    )

"""ds-plan as a whole: both arms on every query, rated, with how far the rater can be trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from evaluation.ds_plan.arms import Plan, arms
from evaluation.ds_plan.autorater import rate_plan
from evaluation.ds_plan.plans import queries, seeded_plans
from evaluation.ds_plan.reliability import Rate, rater_reliability
from evaluation.ds_plan.rubric import MOST, Reply, deduction, path_of, quality, worst_path
from evaluation.results import Evaluation, interval_text
from evaluation.statistics import mean_interval
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox
from schemas.errors import PhaError

NO_PLAN = frozenset({"model_failed", "question_not_compiled"})


@dataclass(frozen=True, slots=True)
class Planned:
    """What an arm planned for a query; text is None where it gave no plan."""

    arm: str
    query_id: str
    words: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A plan as one rater sees it. lost is None where the rater gave no usable rating."""

    rater: str
    planned: Planned
    lost: float | None
    replies: Mapping[str, Reply]


def evaluate_model(
    door: ModelDoor, sandbox: Sandbox, raters: Sequence[ModelDoor], asked: Mapping[str, str] | None = None
) -> Evaluation:
    """Both arms on every query; each rater on their plans and on the seeded ones.

    raters: doors to models that rate; a model that rates itself may favour its own plans. Raises
    budget_reached and model_rate_limited.
    """
    words = queries() if asked is None else asked
    planners = arms(door, sandbox)
    plans = [_plan(arm, plan, one, words[one]) for one in words for arm, plan in planners.items()]
    rated = {rater.name: _rated(rater, plans) for rater in raters}
    return _evaluation(door.name, plans, rated)


def check_rubric() -> Evaluation:
    """Without a model: the rubric's worst path and every seeded plan's points, by hand and by the rubric.

    It holds where worst_path equals 16 and ``differing`` is empty.
    """
    rows = [
        {"plan": one.plan_id, "split": one.split, "fault": one.fault, "lost": one.lost,
         "lost_by_rubric": deduction(one.replies)}
        for one in seeded_plans()
    ]  # fmt: skip
    differing = [row["plan"] for row in rows if row["lost"] != row["lost_by_rubric"]]
    table = [_split_row(split) for split in ("development", "test")]
    summary = {
        "evaluation": "ds-plan",
        "worst_path": worst_path(),
        "plans": len(rows),
        "differing": differing,
    }
    return Evaluation(pl.DataFrame(rows), summary, table)


def _plan(arm: str, plan: Plan, query_id: str, words: str) -> Planned:
    try:
        return Planned(arm, query_id, words, plan(words))
    except PhaError as error:
        if error.code.name not in NO_PLAN:
            raise
        return Planned(arm, query_id, words, None)


@dataclass(frozen=True, slots=True)
class Rated:
    """All that one rater said: how it agrees with what was planted, by split, and its scores of the arms."""

    reliability: Mapping[str, Any]
    scored: Sequence[Scored]


def _rated(rater: ModelDoor, plans: Sequence[Planned]) -> Rated:
    def rate(query: str, plan: str) -> Mapping[str, Reply]:
        return rate_plan(rater, query, plan)

    reliability = {split: rater_reliability(rate, split) for split in ("development", "test")}
    return Rated(reliability, [_score(rater.name, rate, one) for one in plans])


def _score(rater: str, rate: Rate, planned: Planned) -> Scored:
    """A query without a plan loses everything; a plan without a rating has no score."""
    if planned.text is None:
        return Scored(rater, planned, MOST, {})
    try:
        replies = rate(planned.words, planned.text)
    except PhaError as error:
        if error.code.name != "model_failed":
            raise
        return Scored(rater, planned, None, {})
    return Scored(rater, planned, deduction(replies), replies)


def _evaluation(model: str, plans: Sequence[Planned], rated: Mapping[str, Rated]) -> Evaluation:
    raters: dict[str, dict[str, Any]] = {
        name: {**_summary(one), "rates_itself": name == model} for name, one in rated.items()
    }
    rows = [_row(one) for each in rated.values() for one in each.scored]
    types = {"lost": pl.Float64, "quality": pl.Float64, "no": pl.List(pl.String)}
    frame = pl.DataFrame(rows, schema_overrides=types).with_columns(pl.col("no").list.join(";"))
    table = [
        {"rater": name} | _table_row(arm, figures)
        for name, told in raters.items()
        for arm, figures in told["arms"].items()
    ]
    texts = {f"plans/{one.arm}/{one.query_id}.txt": one.text or "" for one in plans}
    return Evaluation(frame, {"evaluation": "ds-plan", "model": model, "raters": raters}, table, texts)


def _summary(rated: Rated) -> dict[str, Any]:
    names = list(dict.fromkeys(one.planned.arm for one in rated.scored))
    lost = {arm: [one.lost for one in rated.scored if one.planned.arm == arm] for arm in names}
    return {
        "arms": {arm: _figures(points) for arm, points in lost.items()},
        "agent_minus_bare": _gain(rated.scored),
        "reliability": rated.reliability,
    }


def _row(one: Scored) -> dict[str, Any]:
    path = path_of(one.replies) if one.replies else {}
    return {
        "rater": one.rater,
        "arm": one.planned.arm,
        "query": one.planned.query_id,
        "lost": one.lost,
        "quality": None if one.lost is None else quality(one.lost),
        "no": [name for name, reply in path.items() if reply == "no"],
    }


def _figures(lost: Sequence[float | None]) -> dict[str, Any]:
    known = [quality(points) for points in lost if points is not None]
    return {
        "plans": len(lost),
        "unrated": len(lost) - len(known),
        "quality": sum(known) / len(known) if known else None,
        "quality_95": mean_interval(known) if known else None,
    }


def _gain(scored: Sequence[Scored]) -> dict[str, Any] | None:
    """Mean gain in quality of the agent over the bare model, on the queries that both have a score for."""
    lost = {(one.planned.arm, one.planned.query_id): one.lost for one in scored}
    pairs = [(n, lost["bare", query]) for (arm, query), n in lost.items() if arm == "agent"]
    gains = sorted((b - a) / MOST for a, b in pairs if a is not None and b is not None)
    return {"quality": sum(gains) / len(gains), "quality_95": mean_interval(gains)} if gains else None


def _table_row(arm: str, figures: Mapping[str, Any]) -> dict[str, str]:
    known = figures["quality"] is not None
    return {
        "arm": arm,
        "plans": str(figures["plans"]),
        "unrated": str(figures["unrated"]),
        "quality": f"{figures['quality']:.3f}" if known else "none",
        "95 % (over queries)": interval_text(figures["quality_95"]) if known else "none",
    }


def _split_row(split: str) -> dict[str, str]:
    plans = [one for one in seeded_plans() if one.split == split]
    sound = sum(not one.fault for one in plans)
    lost = [one.lost for one in plans if one.fault]
    return {
        "split": split,
        "queries": str(len({one.query for one in plans})),
        "sound plans": str(sound),
        "with faults": str(len(plans) - sound),
        "points lost": f"{min(lost):g} to {max(lost):g}",
    }

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
class Scored:
    """A plan of an arm for a query. lost is None where the rater gave no usable rating."""

    arm: str
    query_id: str
    text: str
    lost: float | None
    replies: Mapping[str, Reply]


def evaluate_model(door: ModelDoor, sandbox: Sandbox, asked: Mapping[str, str] | None = None) -> Evaluation:
    """Both arms on every query and the autorater on the seeded plans, all by one model.

    Raises budget_reached and model_rate_limited.
    """

    def rate(query: str, plan: str) -> Mapping[str, Reply]:
        return rate_plan(door, query, plan)

    reliability = {split: rater_reliability(rate, split) for split in ("development", "test")}
    planners = arms(door, sandbox)
    words = queries() if asked is None else asked
    scored = [_score(arm, plan, rate, one, words[one]) for one in words for arm, plan in planners.items()]
    return _evaluation(scored, reliability)


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


def _score(arm: str, plan: Plan, rate: Rate, query_id: str, words: str) -> Scored:
    """A query without a plan loses everything; a plan without a rating has no score."""
    try:
        text = plan(words)
    except PhaError as error:
        if error.code.name not in NO_PLAN:
            raise
        return Scored(arm, query_id, "", MOST, {})
    try:
        replies = rate(words, text)
    except PhaError as error:
        if error.code.name != "model_failed":
            raise
        return Scored(arm, query_id, text, None, {})
    return Scored(arm, query_id, text, deduction(replies), replies)


def _evaluation(scored: Sequence[Scored], reliability: Mapping[str, Any]) -> Evaluation:
    names = list(dict.fromkeys(one.arm for one in scored))
    figures = {arm: _figures([one.lost for one in scored if one.arm == arm]) for arm in names}
    summary = {
        "evaluation": "ds-plan", "arms": figures, "agent_minus_bare": _gain(scored), "autorater": reliability
    }  # fmt: skip
    rows = [
        {"arm": one.arm, "query": one.query_id, "lost": one.lost,
         "quality": None if one.lost is None else quality(one.lost),
         "no": [name for name, reply in path_of(one.replies).items() if reply == "no"] if one.replies else []}
        for one in scored
    ]  # fmt: skip
    types = {"lost": pl.Float64, "quality": pl.Float64, "no": pl.List(pl.String)}
    frame = pl.DataFrame(rows, schema_overrides=types).with_columns(pl.col("no").list.join(";"))
    texts = {f"plans/{one.arm}/{one.query_id}.txt": one.text for one in scored}
    return Evaluation(frame, summary, [_table_row(arm, figures[arm]) for arm in names], texts)


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
    agent, bare = ({one.query_id: one.lost for one in scored if one.arm == arm} for arm in ("agent", "bare"))
    pairs = [(agent[query], bare[query]) for query in agent.keys() & bare.keys()]
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

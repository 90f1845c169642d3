"""ds-code as a whole: every item by every arm, and what it comes to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import polars as pl

from evaluation.ds_code.arms import Write, arms
from evaluation.ds_code.items import Item, Kind, all_items
from evaluation.ds_code.judging import Verdict, judge_program
from evaluation.results import Evaluation, interval_text
from evaluation.statistics import ratio_interval, wilson_interval
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox
from schemas.errors import PhaError


@dataclass(frozen=True, slots=True)
class Judged:
    """What one arm wrote for one item and how its tests went; no program where the model gave none."""

    arm: str
    item_id: str
    program: str
    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> int:
        """Tests passed."""
        return sum(verdict.passed for verdict in self.verdicts)


def evaluate_model(door: ModelDoor, sandbox: Sandbox, items: Sequence[Item] | None = None) -> Evaluation:
    """Both arms on every item. Raises sandbox_missing, budget_reached and model_rate_limited."""
    writers = arms(door, sandbox)
    asked = all_items() if items is None else items
    return summarise([_judge(arm, write, item, sandbox) for item in asked for arm, write in writers.items()])


def check_benchmark(sandbox: Sandbox, items: Sequence[Item] | None = None) -> Evaluation:
    """The benchmark on itself, without a model: its solutions as arms, and planted faults that are not found.

    It holds where the rate of both solutions is 1 and ``faults_missed`` is empty.
    """
    asked = all_items() if items is None else items
    solved = [
        _judge(f"solution {number + 1}", lambda item, n=number: item.solutions[n], item, sandbox)
        for item in asked
        for number in range(len(item.solutions))
    ]
    missed = [
        f"{item.item_id}: {fault}"
        for item in asked
        for fault, program in item.wrong.items()
        if all(verdict.passed for verdict in judge_program(program, item, sandbox))
    ]
    evaluation = summarise(solved)
    planted = sum(len(item.wrong) for item in asked)
    holds = {"faults_planted": planted, "faults_missed": missed}
    return Evaluation(evaluation.rows, {**evaluation.summary, **holds}, evaluation.table, evaluation.texts)


def summarise(judged: Iterable[Judged]) -> Evaluation:
    """Rows per test; rate, intervals and kinds per arm; the difference of agent and bare where both are."""
    by_arm: dict[str, list[Judged]] = {}
    for one in judged:
        by_arm.setdefault(one.arm, []).append(one)
    scores = {arm: _score(items) for arm, items in by_arm.items()}
    summary: dict[str, Any] = {"evaluation": "ds-code", "arms": scores}
    if {"agent", "bare"} <= by_arm.keys():
        summary["agent_minus_bare"] = _difference(by_arm["agent"], by_arm["bare"])
    texts = {
        f"programs/{one.arm}/{one.item_id}.py": one.program for items in by_arm.values() for one in items
    }
    return Evaluation(
        _rows(by_arm), summary, [_table_row(arm, score) for arm, score in scores.items()], texts
    )


def _judge(arm: str, write: Write, item: Item, sandbox: Sandbox) -> Judged:
    try:
        program = write(item)
    except PhaError as error:
        if error.code.name != "model_failed":
            raise
        why = f"no program: {error.details.get('outcome', 'failed')}"
        verdicts = [Verdict(item.item_id, case.name, case.kind, False, why) for case in item.cases]
        return Judged(arm, item.item_id, "", tuple(verdicts))
    return Judged(arm, item.item_id, program, tuple(judge_program(program, item, sandbox)))


def _score(items: Sequence[Judged]) -> dict[str, Any]:
    passed, tests = [one.passed for one in items], [len(one.verdicts) for one in items]
    verdicts = [verdict for one in items for verdict in one.verdicts]
    return {
        "tests": sum(tests),
        "passed": sum(passed),
        "rate": sum(passed) / sum(tests),
        "wilson_95": wilson_interval(sum(passed), sum(tests)),
        "over_items_95": ratio_interval(passed, tests),
        "items": len(items),
        "items_whole": sum(p == t for p, t in zip(passed, tests, strict=True)),
        "by_kind": {kind: _share(verdicts, kind) for kind in get_args(Kind)},
    }


def _share(verdicts: Sequence[Verdict], kind: str) -> float | None:
    own = [verdict.passed for verdict in verdicts if verdict.kind == kind]
    return sum(own) / len(own) if own else None


def _difference(agent: Sequence[Judged], bare: Sequence[Judged]) -> dict[str, Any]:
    """Difference of the two rates, with an interval over items: both arms were given the same ones."""
    gained = [a.passed - b.passed for a, b in zip(agent, bare, strict=True)]
    tests = [len(one.verdicts) for one in agent]
    return {"rate": sum(gained) / sum(tests), "over_items_95": ratio_interval(gained, tests)}


def _rows(by_arm: Mapping[str, Sequence[Judged]]) -> pl.DataFrame:
    rows = [
        {
            "arm": arm, "item": verdict.item_id, "test": verdict.test, "kind": verdict.kind,
            "passed": verdict.passed, "why": verdict.why,
        }
        for arm, items in by_arm.items()
        for one in items
        for verdict in one.verdicts
    ]  # fmt: skip
    types = dict.fromkeys(("arm", "item", "test", "kind"), pl.String)
    return pl.DataFrame(rows, schema={**types, "passed": pl.Boolean, "why": pl.String})


def _table_row(arm: str, score: Mapping[str, Any]) -> dict[str, str]:
    return {
        "arm": arm,
        "tests passed": f"{score['passed']} of {score['tests']}",
        "rate": f"{score['rate']:.3f}",
        "95 % (Wilson)": interval_text(score["wilson_95"]),
        "95 % (over items)": interval_text(score["over_items_95"]),
        "items whole": f"{score['items_whole']} of {score['items']}",
    }

"""Whether a result holds what a test expects."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose, isnan
from typing import Any

from evaluation.ds_code.batch import Ran, run_cases
from evaluation.ds_code.items import Case, Item, Kind
from health_agents.sandbox import Sandbox

TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Verdict:
    """One test of one program. why: what differed, in words; empty where it passed."""

    item_id: str
    test: str
    kind: Kind
    passed: bool
    why: str = ""


def judge_program(program: str, item: Item, sandbox: Sandbox) -> list[Verdict]:
    """Every test of an item on a program, in order. Raises sandbox_missing."""
    ran = run_cases(program, item, sandbox)
    return [_verdict(item.item_id, case, one) for case, one in zip(item.cases, ran, strict=True)]


def _verdict(item_id: str, case: Case, ran: Ran) -> Verdict:
    why = _difference(case.expect, ran)
    return Verdict(item_id, case.name, case.kind, not why, why)


def _difference(expect: Mapping[str, Any], ran: Ran) -> str:
    """What is not as expected, "" where all is."""
    if ran.result is None:
        return f"{ran.error}" + (f" in line {ran.line}" if ran.line else "")
    wrong = [
        key for key, value in expect.items() if key not in ran.result or not alike(value, ran.result[key])
    ]
    return f"differs in {', '.join(wrong)}" if wrong else ""


def alike(expected: Any, found: Any) -> bool:
    """Equal values; numbers to six digits. NaN expects null; a whole number may come as a float."""
    if isinstance(expected, float) and isnan(expected):
        return found is None
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float):
        return isinstance(found, int | float) and isclose(
            expected, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(expected) == len(found) and all(map(alike, expected, found))
    if isinstance(expected, dict):
        return isinstance(found, dict) and expected.keys() == found.keys() and all(
            alike(value, found[key]) for key, value in expected.items()
        )  # fmt: skip
    return expected == found

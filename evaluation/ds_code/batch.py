"""A candidate program on all cases of an item, in one program of the sandbox.

What is expected never enters the sandbox. Each case gets a fresh namespace and frames of its own. Where the
batch as a whole ends early (time, memory), each case is run alone: one endless case costs only itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import polars as pl

from evaluation.ds_code.case_frames import case_frames
from evaluation.ds_code.items import Item
from health_agents.sandbox import Limits, Sandbox

Frames = dict[str, pl.DataFrame]
LIMITS = Limits(cpu_seconds=10)
_BATCH = """
import json
import numpy as np
from datetime import date

CANDIDATE = {candidate!r}
CASES = {cases!r}

def plain(value):
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(type(value).__name__)

def line_of(error):
    line, trace = getattr(error, "lineno", None), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<candidate>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line if isinstance(line, int) else None

def run(frames):
    namespace = {{"__name__": "program"}}
    try:
        exec(compile(CANDIDATE, "<candidate>", "exec"), namespace)
        result = namespace["analysis"](**frames)
    except BaseException as error:
        return {{"error": type(error).__name__, "line": line_of(error)}}
    try:
        if not isinstance(result, dict):
            raise TypeError
        return {{"result": json.loads(json.dumps(result, allow_nan=False, default=plain))}}
    except Exception:
        return {{"error": "result is no dict of plain finite values", "line": None}}

def analysis(**given):
    ran = []
    for names in CASES:
        frames = {{argument: given[name].copy() for argument, name in names.items()}}
        frames["summary_df"] = frames["summary_df"].set_index("date")
        ran.append(run(frames))
    return {{"ran": ran}}
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program did with one case: its result, or in words what went wrong and in which line."""

    result: dict[str, Any] | None
    error: str = ""
    line: int | None = None


def run_cases(program: str, item: Item, sandbox: Sandbox) -> list[Ran]:
    """One outcome per case of the item, in order. Raises sandbox_missing as ``Sandbox.run``."""
    frames = frames_of(item)
    together = _run(program, frames, sandbox)
    if together is not None:
        return together
    return [_alone(program, one, sandbox) for one in frames]


@cache
def frames_of(item: Item) -> tuple[Frames, ...]:
    """The frames of every case; made once, as several programs are run on them."""
    return tuple(case_frames(case) for case in item.cases)


def _alone(program: str, frames: Frames, sandbox: Sandbox) -> Ran:
    ran = _run(program, [frames], sandbox)
    return ran[0] if ran else Ran(None, "stopped at a limit of the sandbox")


def _run(program: str, cases: Sequence[Frames], sandbox: Sandbox) -> list[Ran] | None:
    """The outcomes, or None where the whole run ended early or returned something else."""
    given: Frames = {}
    names = [{argument: _place(given, argument, number, frame) for argument, frame in frames.items()}
             for number, frames in enumerate(cases)]  # fmt: skip
    outcome = sandbox.run(_BATCH.format(candidate=program, cases=names), given, LIMITS)
    ran = (outcome.result or {}).get("ran")
    if not isinstance(ran, list) or len(ran) != len(cases):
        return None
    return [_read(one) for one in ran]


def _place(given: Frames, argument: str, number: int, frame: pl.DataFrame) -> str:
    """Where a frame goes; empty ones and equal profiles are sent once."""
    for name, known in given.items():
        if name.startswith(argument) and known.equals(frame):
            return name
    name = f"{argument}_{number}"
    given[name] = frame
    return name


def _read(one: Any) -> Ran:
    if not isinstance(one, dict):
        return Ran(None, "result is no dict of plain finite values")
    line = one.get("line")
    error = str(one.get("error", "nothing came back"))[:80]
    result = one.get("result")
    return Ran(result) if isinstance(result, dict) else Ran(None, error, line if type(line) is int else None)

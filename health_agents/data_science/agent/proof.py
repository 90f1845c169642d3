"""Proof of a program and of a statement before anybody's data pass through them."""

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

import polars as pl

from health_agents.claims import Claim
from health_agents.data_science.agent.made_up_frames import Frames, whole_frames, with_summary
from health_agents.data_science.agent.person_sources import KEYED
from health_agents.data_science.agent.plan import Plan
from health_agents.data_science.agent.template import (
    Template,
    branch_of,
    fill,
    template_faults,
    tried_results,
)
from health_agents.data_science.agent.typed_result import Typed, read_typed
from health_agents.data_science.answers import error_of, write_statement
from health_agents.data_science.frames import FRAMES
from health_agents.data_science.library import Question
from health_agents.sandbox import Sandbox

MOST_LINES, MOST_CHARACTERS = 80, 12_000
_SCALE = 2.0
_TOLERANCE = 1e-6
_NOBODY = {"participant_id": "made-up", "data_through": None}


def program_fault(program: str, plan: Plan, sandbox: Sandbox) -> str | None:
    """The first thing that is wrong with a program, in words that hold no data; None for a proven one.

    On made-up frames: complete ones must be answered; empty ones, a single day and values that are all null
    must be insufficient; constant values, gaps and duplicate days must give a result of the plan's form;
    order of rows and columns nobody knows must change nothing; a number that scales with a source must.
    """
    return _fault_of(program, plan.model_dump_json(), sandbox)


@lru_cache(maxsize=512)
def _fault_of(program: str, plan_json: str, sandbox: Sandbox) -> str | None:
    """The verdict on a program, found once a process: participants with equal sources get equal drafts."""
    plan = Plan.model_validate_json(plan_json)
    if (fault := form_fault(program)) is not None:
        return fault
    whole = whole_frames({*plan.required, *(name for v in plan.variables for name in v.sources)})
    first = run_typed(program, plan, whole, sandbox)
    if isinstance(first, str):
        return f"on complete made-up data: {first}"
    if first.outcome != "answered":
        return "complete made-up data of 400 days were called insufficient"
    return next(_later_faults(program, plan, whole, first, sandbox), None)


def run_typed(program: str, plan: Plan, frames: Frames, sandbox: Sandbox) -> Typed | str:
    """The typed result of one run, or what went wrong: error type and line, or which rule it breaks."""
    outcome = sandbox.run(program, frames)
    return error_of(outcome).what if outcome.result is None else read_typed(outcome.result, plan)


def statement_fault(template: Template, plan: Plan, question: Question) -> str | None:
    """The first thing wrong with a statement; None where every branch passes the check of claims."""
    if faults := template_faults(template, plan):
        return "; ".join(faults[:5])
    for typed in tried_results(plan):
        result = fill(typed, plan, template)
        if result is None:
            return "a text holds a digit, or braces, outside its slots and the words of its window"
        _, _, claims = write_statement(question, result, _NOBODY)
        if wrong := [claim for claim in claims if claim.verdict != "verified"]:
            return f"{branch_of(typed, plan)}: {_told(wrong[0])}"
    return None


def _later_faults(program: str, plan: Plan, whole: Frames, first: Typed, sandbox: Sandbox) -> Iterator[str]:
    for name, frames in degenerate_frames(whole, plan).items():
        typed = run_typed(program, plan, frames, sandbox)
        if isinstance(typed, str):
            yield f"on {name}: {typed}"
        elif name in cannot_suffice(plan) and typed.outcome == "answered":
            yield f"on {name}: answered, though the data cannot suffice"
    for name, frames in equal_frames(whole).items():
        if not _equal(run_typed(program, plan, frames, sandbox), first):
            yield f"the result changes with {name}"
    for source in sorted({n.scales_with for n in plan.numbers if n.scales_with}):
        scaled = run_typed(program, plan, scaled_frames(whole, source), sandbox)
        if isinstance(scaled, str) or not _scales(scaled, first, plan, source):
            yield f"a number does not scale with {source} as the plan says"


def cannot_suffice(plan: Plan) -> set[str]:
    """Degenerate data that no sound program answers from; one draw may do, one day never."""
    days = any(name.startswith("summary_df.") for name in plan.required)
    return {"no data", "all values null", *(["one day"] if days else [])}


def degenerate_frames(whole: Frames, plan: Plan) -> dict[str, Frames]:
    """Complete frames made poor: empty, one day, all null, constant, with gaps, with days twice."""
    days = whole["summary_df"]
    values = _values_of(plan)
    nothing = {name: frame if name == "profile_df" else frame.clear() for name, frame in whole.items()}
    return {
        "no data": nothing,
        "one day": _one_row_each(whole),
        "all values null": _with_values(whole, values, lambda value: pl.when(False).then(value)),
        "constant values": _with_values(whole, values, pl.Expr.first),
        "gaps": with_summary(whole, days.filter(pl.int_range(pl.len()) // 5 % 3 != 1)),
        "duplicate days": with_summary(whole, pl.concat([days, days.tail(20)]).sort("date")),
    }


def equal_frames(whole: Frames) -> dict[str, Frames]:
    """Frames that say the same: rows in another order, columns nobody knows."""
    mixed = {
        name: frame.sample(fraction=1, shuffle=True, seed=5) if len(frame) > 1 else frame
        for name, frame in whole.items()
    }
    wider = {name: frame.with_columns(unknown_column=pl.lit(1.5)) for name, frame in whole.items()}
    return {"the order of rows": mixed, "columns that nobody asked for": wider}


def scaled_frames(whole: Frames, source: str) -> Frames:
    """The same frames with the values of one source doubled: a column, or the rows of a key."""
    frame, _, name = source.partition(".")
    key, column = KEYED.get(frame, (None, name))
    factor = pl.lit(_SCALE) if key is None else pl.when(pl.col(key) == name).then(_SCALE).otherwise(1.0)
    return {**whole, frame: whole[frame].with_columns(pl.col(column).cast(pl.Float64) * factor)}


def _one_row_each(whole: Frames) -> Frames:
    return {name: frame if name == "population_df" else frame.tail(1) for name, frame in whole.items()}


def _values_of(plan: Plan) -> dict[str, list[str]]:
    """Frame -> columns that hold the values of the plan's required sources and may be null."""
    columns: dict[str, set[str]] = {}
    for frame, _, name in (source.partition(".") for source in plan.required):
        _, column = KEYED.get(frame, (None, name))
        if frame != "population_df" and FRAMES[frame].columns()[column].nullable:
            columns.setdefault(frame, set()).add(column)
    return {frame: sorted(names) for frame, names in columns.items()}


def _with_values(
    whole: Frames, values: Mapping[str, list[str]], change: Callable[[pl.Expr], pl.Expr]
) -> Frames:
    """The same frames with other values in columns of some."""
    return {
        frame: rows.with_columns(change(pl.col(name)).alias(name) for name in values.get(frame, []))
        for frame, rows in whole.items()
    }


def form_fault(program: str) -> str | None:
    """What is wrong with a program before it runs: its language, length, or the function it must define."""
    try:
        body = ast.parse(program).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "the program is no valid Python"
    if len(program) > MOST_CHARACTERS or program.count("\n") > MOST_LINES:
        return f"the program is longer than {MOST_LINES} lines"
    defined = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == "analysis"]
    if not defined or [argument.arg for argument in defined[-1].args.args] != list(FRAMES):
        return f"the program must define analysis({', '.join(FRAMES)})"
    return None


def _equal(typed: Typed | str, first: Typed) -> bool:
    """Equal but for the last digits of sums made in another order."""
    if isinstance(typed, str) or (typed.outcome, typed.reason) != (first.outcome, first.reason):
        return False
    if typed.numbers.keys() != first.numbers.keys():
        return False
    return all(
        one.direction == other.direction and one.days == other.days and _close(one.value, other.value)
        for one, other in ((typed.numbers[name], first.numbers[name]) for name in first.numbers)
    )


def _scales(scaled: Typed, first: Typed, plan: Plan, source: str) -> bool:
    names = [number.name for number in plan.numbers if number.scales_with == source]
    if scaled.outcome != first.outcome or not all(name in scaled.numbers for name in names):
        return False
    return all(_close(scaled.numbers[name].value, first.numbers[name].value * _SCALE) for name in names)


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _told(claim: Claim) -> str:
    """A claim on made-up numbers that does not hold."""
    return f"{claim.quoted!r} in {claim.sentence!r} does not hold ({claim.verdict})"

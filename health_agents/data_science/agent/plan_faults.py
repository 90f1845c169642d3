"""What is wrong with a plan, found by code before anything is made of it."""

import re
from collections import Counter
from collections.abc import Iterator

from health_agents.claims import check_sentence
from health_agents.data_science.agent.context import Context
from health_agents.data_science.agent.plan import Plan
from schemas.facts import Facts
from schemas.table import empty

SHORTEST_WINDOW, LONGEST_WINDOW = 7, 730
_ONE_EACH = ("headline", "sample_size", "interval_low", "interval_high", "p_value")
_CHANGING = {"rising", "falling", "above", "below"}
_TEXTS = ("selection", "cleaning", "joins", "aggregation", "statistics")


def plan_faults(plan: Plan, context: Context) -> list[str]:
    """Faults in words a planner can act on; empty for a sound plan.

    context: of those the plan is for; a source outside it does not exist for them.
    """
    if not plan.feasible:
        return list(_needed(plan))
    return [*_sources(plan, context), *_window(plan), *_texts(plan), *_numbers(plan), *_checks(plan)]


def _needed(plan: Plan) -> Iterator[str]:
    """People read what would be needed beside no number: its words may claim nothing."""
    if not plan.needed:
        yield "say in needed what would be needed to answer"
    for words in plan.needed:
        if any(sign.isdigit() or sign in "{}" for sign in words) or check_sentence(words, [], empty(Facts)):
            yield "needed names data in plain words: no digit, no direction, no condition"


def _sources(plan: Plan, context: Context) -> Iterator[str]:
    if not set(plan.required) - context.given:
        yield "required names no source that some participants lack: name the measures the answer rests on"
    for name in sorted(set(plan.required) - context.names):
        yield f"required names {name}, which is no source here"
    usable = set(plan.required) | context.given
    for name in sorted({name for variable in plan.variables for name in variable.sources} - usable):
        yield f"a variable uses {name}, which is neither required nor given to everybody"
    if not plan.variables:
        yield "variables are missing"


def _window(plan: Plan) -> Iterator[str]:
    days = re.fullmatch(r"last_(\d+)_days", plan.window)
    if days and not SHORTEST_WINDOW <= int(days[1]) <= LONGEST_WINDOW:
        yield f"the window must have {SHORTEST_WINDOW} to {LONGEST_WINDOW} days"


def _texts(plan: Plan) -> Iterator[str]:
    for name in _TEXTS:
        if not str(getattr(plan, name)).strip():
            yield f"{name} is empty: say none where nothing is done"
    if not plan.caveats:
        yield "caveats are missing"


def _numbers(plan: Plan) -> Iterator[str]:
    roles = Counter(number.role for number in plan.numbers)
    yield from (f"more than one number has the role {role}" for role in _ONE_EACH if roles[role] > 1)
    yield from (f"no number has the role {role}" for role in ("headline", "sample_size") if not roles[role])
    if roles["interval_low"] != roles["interval_high"]:
        yield "an interval needs both of its ends"
    if roles["p_value"] != (plan.test is not None):
        yield "a test and a number with the role p_value go together"
    if len({number.name for number in plan.numbers}) < len(plan.numbers):
        yield "two numbers have one name"
    for number in plan.numbers:
        if number.scales_with is not None and number.scales_with not in plan.required:
            yield f"{number.name} scales with a source that is not required"
        if number.directions and number.role != "headline":
            yield f"{number.name} is no headline: only that one has directions"
    headline = plan.number_of("headline")
    if headline and plan.test and not (headline.directions and set(headline.directions) <= _CHANGING):
        yield "with a test the headline's directions are of a clear result: rising, falling, above, below"


def _checks(plan: Plan) -> Iterator[str]:
    if not plan.sufficiency:
        yield "sufficiency checks are missing"
    reasons = [check.reason for check in plan.sufficiency]
    if len(set(reasons)) < len(reasons):
        yield "two sufficiency checks have one reason"

"""The compiled statement: a text with slots for each branch a result can take, filled by code."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field, ValidationError

from health_agents.data_science.agent.plan import Form, Plan
from health_agents.data_science.agent.typed_result import Returned, Typed, named_numbers
from health_agents.data_science.result import PLACEHOLDER, ProgramResult

NOT_CLEAR = "answered.not_clear"
_ADDRESS = ("you", "your", "this person", "this participant")
# Values of other sizes and signs, so that a text proves right for more than one result.
_TRIED = (2.4, 1234.5, 0.0, -3.6)


class BranchText(Form):
    """The text of one branch; a caveat is a sentence without slots that follows an answer."""

    branch: Annotated[str, Field(max_length=120)]
    text: Annotated[str, Field(min_length=1, max_length=700)]
    caveat: Annotated[str, Field(max_length=300)]


class Template(Form):
    """A text for every branch."""

    branches: Annotated[list[BranchText], Field(min_length=1, max_length=20)]

    def text_of(self, branch: str) -> str:
        """The whole text of a branch, slots unfilled."""
        one = next(each for each in self.branches if each.branch == branch)
        return f"{one.text} {one.caveat}".strip()


def branches_of(plan: Plan) -> list[str]:
    """Every branch a result of the plan can take: direction, clear or not, reason for none."""
    directions = [f"answered.{direction}" for direction in plan.headline.directions] or ["answered"]
    not_clear = [NOT_CLEAR] if plan.test else []
    return [*directions, *not_clear, *(f"insufficient.{check.reason}" for check in plan.sufficiency)]


def branch_of(typed: Typed, plan: Plan) -> str:
    """The branch of a result that is of the plan's form."""
    if typed.outcome == "insufficient":
        return f"insufficient.{typed.reason}"
    direction = typed.numbers[plan.headline.name].direction
    if direction is not None:
        return f"answered.{direction}"
    return NOT_CLEAR if plan.test else "answered"


def slots_of(plan: Plan, branch: str) -> dict[str, bool]:
    """Names a branch's text may hold as slots, and whether it must."""
    if branch.startswith("insufficient."):
        return {number.name: False for number in plan.numbers if number.role == "sample_size"}
    return {number.name: number.role not in ("p_value", "detail") for number in plan.numbers}


def fill(typed: Typed, plan: Plan, template: Template) -> ProgramResult | None:
    """The result in the form of every program's, with its branch's text; None where that is no result."""
    try:
        return ProgramResult(
            outcome=typed.outcome,
            reason=typed.reason if typed.outcome == "insufficient" else None,
            numbers=named_numbers(typed, plan),
            statement=template.text_of(branch_of(typed, plan)),
        )
    except ValidationError:
        return None


def template_faults(template: Template, plan: Plan) -> list[str]:
    """Faults of form in words a writer can act on; empty where every branch has a sound text."""
    given, wanted = [one.branch for one in template.branches], branches_of(plan)
    if sorted(given) != sorted(wanted):
        return [f"give one text for each of these branches and no other: {', '.join(wanted)}"]
    return [fault for one in template.branches for fault in _text_faults(one, plan)]


def tried_results(plan: Plan) -> list[Typed]:
    """Made-up results on every branch, with values of several sizes and signs."""
    return [_tried(plan, branch, value) for branch in branches_of(plan) for value in _TRIED]


def _text_faults(one: BranchText, plan: Plan) -> Iterator[str]:
    slots = slots_of(plan, one.branch)
    used = [match["name"] for match in PLACEHOLDER.finditer(one.text)]
    for name in sorted(set(used) - set(slots)):
        yield f"{one.branch} has the slot {name}, which is none of its slots"
    for name in (name for name, must in slots.items() if must and name not in used):
        yield f"{one.branch} lacks the slot {name}"
    if "{" in one.caveat or any(sign.isdigit() for sign in one.caveat):
        yield f"the caveat of {one.branch} holds a number"
    if one.branch.startswith("answered") and not one.caveat.strip():
        yield f"{one.branch} lacks its caveat"
    if any(f" {word} " in f" {one.text} {one.caveat} ".lower() for word in _ADDRESS):
        yield f"{one.branch} addresses somebody"


def _tried(plan: Plan, branch: str, value: float) -> Typed:
    kind, _, word = branch.partition(".")
    if kind == "insufficient":
        size = next(number.name for number in plan.numbers if number.role == "sample_size")
        return Typed(outcome="insufficient", reason=word, numbers={size: Returned(value=5)})
    clear = bool(word) and branch != NOT_CLEAR
    alpha = plan.test.alpha if plan.test else 0.0
    of_role = {
        "headline": value, "interval_low": value - 1.5, "interval_high": value + 2.5, "sample_size": 77,
        "p_value": alpha / 2 if clear else 0.5,
    }  # fmt: skip
    numbers = {
        number.name: Returned(
            value=of_role.get(number.role, value + 7 + at),
            direction=word if clear and number.role == "headline" else None,  # pyright: ignore[reportArgumentType]
        )
        for at, number in enumerate(plan.numbers)
    }
    return Typed(outcome="answered", numbers=numbers)


def branch_notes(plan: Plan) -> Sequence[str]:
    """For the writer: each branch with its slots; those that must stand in the text are marked."""
    return [f"{branch}: {_slot_notes(plan, branch)}" for branch in branches_of(plan)]


def _slot_notes(plan: Plan, branch: str) -> str:
    slots = slots_of(plan, branch).items()
    return ", ".join(f"{{{name}}}{' (needed)' if must else ''}" for name, must in slots)

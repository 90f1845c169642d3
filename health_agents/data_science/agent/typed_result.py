"""A program's result held against the typed definition of its plan."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from health_agents.data_science.agent.plan import Direction, Plan, Reason, ResultNumber
from health_agents.data_science.result import NamedNumber

_SMALLEST_P = 0.001


class Returned(BaseModel):
    """A number as a program returns it; ``days`` are the days or nights behind it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)

    value: float | int
    direction: Direction | None = None
    days: Annotated[int, Field(ge=0)] | None = None


class Typed(BaseModel):
    """What ``analysis`` of a model's program returns."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    outcome: Literal["answered", "insufficient"]
    reason: Reason | None = None
    numbers: dict[str, Returned]


def read_typed(result: dict[str, Any], plan: Plan) -> Typed | str:
    """The typed result, or what is wrong with it in words that hold nothing of the result itself."""
    try:
        typed = Typed.model_validate(result)
    except ValidationError:
        return "the result is not of the form outcome, reason, numbers of value, direction, days"
    return _fault(typed, plan) or typed


def _fault(typed: Typed, plan: Plan) -> str | None:
    defined = {number.name: number for number in plan.numbers}
    if set(typed.numbers) - set(defined):
        return "the result holds a number that the plan does not define"
    size = next(number.name for number in plan.numbers if number.role == "sample_size")
    wanted = set(defined) if typed.outcome == "answered" else {size}
    if missing := sorted(wanted - set(typed.numbers)):
        return f"the result lacks {', '.join(missing)}"
    if typed.numbers[size].value < 0 or typed.numbers[size].value != int(typed.numbers[size].value):
        return f"{size} is no count"
    if typed.outcome == "insufficient":
        reasons = {check.reason for check in plan.sufficiency}
        return None if typed.reason in reasons else "the reason is none of the plan's sufficiency checks"
    return _fault_of_answer(typed, plan)


def _fault_of_answer(typed: Typed, plan: Plan) -> str | None:
    values = {number.role: typed.numbers[number.name].value for number in plan.numbers}
    for number in plan.numbers:
        direction = typed.numbers[number.name].direction
        if direction is not None and direction not in number.directions:
            return f"{number.name} has a direction that the plan does not define"
    if "interval_low" in values and values["interval_low"] > values["interval_high"]:
        return "the interval's low end is above its high end"
    if "interval_low" in values and not _holds(values):
        return "the headline lies outside its interval"
    has_direction = typed.numbers[plan.headline.name].direction is not None
    if plan.test is None:
        return None if has_direction == bool(plan.headline.directions) else "the headline lacks its direction"
    if not 0 <= values["p_value"] <= 1:
        return "the p value is not between 0 and 1"
    if has_direction != (values["p_value"] < plan.test.alpha):
        return "the headline has a direction exactly where p is below the plan's limit"
    return None


def _holds(values: Mapping[str, float]) -> bool:
    """The interval holds the headline, but for the last digits of their arithmetic."""
    low, middle, high = values["interval_low"], values["headline"], values["interval_high"]
    rounding = 1e-9 * max(abs(low), abs(middle), abs(high))
    return low - rounding <= middle <= high + rounding


def named_numbers(typed: Typed, plan: Plan) -> list[NamedNumber]:
    """The numbers with the words, units and window of the plan's definition, in its order."""
    return [
        _named(number, typed.numbers[number.name], plan)
        for number in plan.numbers
        if number.name in typed.numbers
    ]


def _named(number: ResultNumber, returned: Returned, plan: Plan) -> NamedNumber:
    is_p = number.role == "p_value"
    tiny = is_p and returned.value < _SMALLEST_P
    return NamedNumber(
        name=number.name,
        label=number.label,
        value=_SMALLEST_P if tiny else returned.value,
        unit=number.unit,
        decimals=max(number.decimals, 3) if is_p else number.decimals,
        window=plan.window,
        direction=returned.direction,
        comparator="<" if tiny else None,
        days=returned.days,
    )

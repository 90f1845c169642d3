"""The result of a program in its checked form."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
PLACEHOLDER = re.compile(r"\{(?P<name>[a-z][a-z0-9_]*)(?P<bare>:number)?\}")
LAST_DAYS = re.compile(r"\blast (\d+) days\b")


class NamedNumber(BaseModel):
    """A number a statement may name; ``days`` are the valid days (nights) behind it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    name: Name
    label: Annotated[str, Field(min_length=1, max_length=120)]
    value: float
    unit: Annotated[str, Field(max_length=30)] | None = None
    decimals: Annotated[int, Field(ge=0, le=6)] = 0
    window: Annotated[str, Field(pattern=r"^(last_\d{1,4}_days|whole|newest)$")] | None = None
    direction: Literal["above", "below", "within", "rising", "falling", "steady"] | None = None
    comparator: Literal["<", "<=", ">", ">="] | None = None
    days: Annotated[int, Field(ge=0)] | None = None


class ProgramResult(BaseModel):
    """What ``analysis`` returns. ``checks`` holds what the program looked at on the way (assumptions)."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    outcome: Literal["answered", "insufficient"]
    reason: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")] | None = None
    numbers: Annotated[list[NamedNumber], Field(max_length=40)]
    statement: Annotated[str, Field(min_length=1, max_length=1500)]
    checks: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _statement_rests_on_the_numbers(self) -> "ProgramResult":
        names = [number.name for number in self.numbers]
        if len(set(names)) < len(names):
            raise ValueError("two numbers have one name")
        if not {match[1] for match in PLACEHOLDER.finditer(self.statement)} <= set(names):
            raise ValueError("the statement names a number that is not there")
        windows = {number.window for number in self.numbers}
        rest = LAST_DAYS.sub(
            lambda m: "" if f"last_{m[1]}_days" in windows else m[0], PLACEHOLDER.sub("", self.statement)
        )
        if re.search(r"[\d{}]", rest):
            raise ValueError("the statement holds a number that is not a named one")
        if self.outcome == "insufficient" and self.reason is None:
            raise ValueError("no reason is given")
        return self


def read_result(result: dict[str, Any]) -> ProgramResult | None:
    """The checked result, or None where a program returned something else."""
    try:
        return ProgramResult.model_validate(result)
    except ValidationError:
        return None

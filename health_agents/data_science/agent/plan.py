"""The plan of an analysis in its typed form: precise enough that two people get identical numbers."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Reason = Annotated[str, Field(pattern=r"^[a-z][a-z_]{1,39}$")]
Words = Annotated[str, Field(min_length=1, max_length=600)]
Direction = Literal["above", "below", "within", "rising", "falling", "steady"]
Role = Literal["headline", "sample_size", "interval_low", "interval_high", "p_value", "detail"]
SourceName = Annotated[str, Field(pattern=r"^[a-z]+_df\.[a-z0-9_]{1,80}$")]


class Form(BaseModel):
    """Base: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Variable(Form):
    """A concept of the question and how it is made from sources."""

    concept: Words
    sources: Annotated[list[SourceName], Field(min_length=1, max_length=12)]
    how: Words


class Sufficiency(Form):
    """A check of whether the data suffice; ``reason`` is the word returned where they do not."""

    reason: Reason
    rule: Words


class Test(Form):
    """A statistical test. ``alpha`` is the limit of p, already divided by the number of tests."""

    name: Words
    assumptions: Annotated[list[Words], Field(min_length=1, max_length=6)]
    otherwise: Words
    alpha: Annotated[float, Field(gt=0, le=0.1)]


class ResultNumber(Form):
    """A number the program returns. ``scales_with``: the source it grows in proportion to, or null."""

    name: Name
    label: Annotated[str, Field(min_length=1, max_length=120)]
    unit: Annotated[str, Field(max_length=30)] | None
    decimals: Annotated[int, Field(ge=0, le=6)]
    role: Role
    directions: Annotated[list[Direction], Field(max_length=3)]
    scales_with: SourceName | None


class Plan(Form):
    """The plan of one question for those who have its ``required`` sources.

    A plan that is not feasible holds why (discussion) and what would be needed; all else may be empty.
    window: ``last_N_days`` ending with data_through, ``whole`` or ``newest``.
    """

    feasible: bool
    discussion: Annotated[str, Field(min_length=1, max_length=2000)]
    needed: Annotated[list[Annotated[str, Field(min_length=1, max_length=120)]], Field(max_length=10)]
    variables: Annotated[list[Variable], Field(max_length=12)]
    required: Annotated[list[SourceName], Field(max_length=12)]
    window: Annotated[str, Field(pattern=r"^(last_\d{1,3}_days|whole|newest)$")]
    selection: Annotated[str, Field(max_length=1000)]
    cleaning: Annotated[str, Field(max_length=1000)]
    joins: Annotated[str, Field(max_length=1000)]
    aggregation: Annotated[str, Field(max_length=1000)]
    sufficiency: Annotated[list[Sufficiency], Field(max_length=8)]
    statistics: Annotated[str, Field(max_length=2000)]
    test: Test | None
    caveats: Annotated[list[Words], Field(max_length=6)]
    numbers: Annotated[list[ResultNumber], Field(max_length=20)]

    def number_of(self, role: Role) -> ResultNumber | None:
        """The number with a role, or None; details aside there is at most one of each."""
        return next((number for number in self.numbers if number.role == role), None)

    @property
    def headline(self) -> ResultNumber:
        """What the question asks for (a feasible plan has exactly one)."""
        return next(number for number in self.numbers if number.role == "headline")


def plan_text(plan: Plan) -> str:
    """The plan as people read it: discussion, then numbered approach."""
    if not plan.feasible:
        return f"Discussion. {plan.discussion}\n\nNeeded. {' '.join(plan.needed)}"
    test = plan.test
    steps = [
        "Variables: " + " ".join(f"{v.concept}: {v.how} ({', '.join(v.sources)})." for v in plan.variables),
        f"Timeframe: {plan.window.replace('_', ' ')}.",
        f"Selection: {plan.selection}",
        f"Cleaning: {plan.cleaning}",
        f"Joins: {plan.joins}",
        f"Aggregation: {plan.aggregation}",
        "Sufficiency: " + " ".join(f"{check.reason}: {check.rule}" for check in plan.sufficiency),
        f"Statistics: {plan.statistics}",
        f"Test: {test.name}; assumes {'; '.join(test.assumptions)}; otherwise {test.otherwise}; "
        f"p below {test.alpha:g} counts." if test else "Test: none.",
        f"Caveats: {' '.join(plan.caveats)}",
        "Output: " + "; ".join(f"{n.name} ({n.label}, {n.unit or 'no unit'})" for n in plan.numbers) + ".",
    ]  # fmt: skip
    return "\n".join(
        [f"Discussion. {plan.discussion}", "", "Approach.", *(f"{i}. {s}" for i, s in enumerate(steps, 1))]
    )

"""Tokens and money of what a run will ask of the language model, and whether the budget suffices."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from health_agents.model import calls_of_all_runs
from health_agents.model.budget import NOTHING, Spend
from health_agents.model.door import RequestSettings
from health_agents.model.prices import Price, Tokens, price_by_name
from schemas.settings import BudgetSection, Limits, Settings
from tasks.model_work import Work

# Where no answer of the model is on record yet: prose and JSON have some three characters a token; an answer
# with its thinking some 4,000 tokens.
CHARACTERS_PER_TOKEN = 3
LIKELY_OUTPUT = 4_000
# A request that mends holds the answer before it, of four characters a token at most.
_LONGEST_TOKEN = 4
Scope = tuple[str, Limits | BudgetSection, Spend, Spend]


@dataclass(frozen=True, slots=True)
class Costs:
    """What work will come to, likely and at most; usd is None where the model has no price."""

    work: Work
    likely: Spend
    most: Spend
    one: Spend


def costs_of(works: Sequence[Work], settings: Settings, answers: Path) -> list[Costs]:
    """The costs of each work by today's price. answers: the folder of kept answers, with the record of calls.

    A likely request takes the tokens that the agent's requests on record took on average.
    """
    model = settings.model
    location = os.environ.get("GOOGLE_CLOUD_LOCATION") or "global"
    price = price_by_name(model.name, datetime.now(UTC).date(), location)
    record = _tokens_on_record(answers, model.name)
    return [_costs(work, record.get(work.agent), price, batch=model.batch) for work in works]


def cost_notes(costs: Sequence[Costs], settings: Settings) -> Iterator[str]:
    """The costs in words: each work, the sum, the verdict on the budget."""
    for one in costs:
        yield f"  {one.work.told}: likely {one.work.likely:,} requests, at most {one.work.most:,}"
    likely, most = _sum(one.likely for one in costs), _sum(one.most for one in costs)
    yield f"  in all likely {_words(likely)}; at most {_words(most)}"
    yield f"  {_verdict(costs, settings.budget)}"


def _costs(work: Work, known: tuple[float, float] | None, price: Price | None, *, batch: bool) -> Costs:
    given, answered = known or (work.characters / CHARACTERS_PER_TOKEN, LIKELY_OUTPUT)
    longest = RequestSettings().max_output_tokens
    most_given = (work.characters + _LONGEST_TOKEN * longest) // 2 + 1
    likely = _spend(work.likely, round(given), round(answered), price, batch=batch)
    one = _spend(1, most_given, longest, price, batch=batch)
    return Costs(work, likely, _spend(work.most, most_given, longest, price, batch=batch), one)


def _spend(calls: int, given: int, answered: int, price: Price | None, *, batch: bool) -> Spend:
    each = price and price.cost(Tokens(given, answered), batch=batch)
    return Spend(None if each is None else calls * each, calls * (given + answered), calls)


def _tokens_on_record(answers: Path, model: str) -> Mapping[str, tuple[float, float]]:
    """Agent -> mean tokens in and out of its answered requests to a model, over all runs."""
    answered = (pl.col("model") == model) & pl.col("input_tokens").is_not_null()
    means = (
        calls_of_all_runs(answers)
        .filter(answered)
        .group_by("agent")
        .agg(pl.col("input_tokens").mean(), pl.col("output_tokens").mean())
    )
    return {agent: (given, answered) for agent, given, answered in means.iter_rows()}


def _sum(spends: Iterator[Spend]) -> Spend:
    total = NOTHING
    known = True
    for spend in spends:
        total, known = total + spend, known and spend.usd is not None
    return total if known else Spend(None, total.tokens, total.calls)


def _words(spend: Spend) -> str:
    money = "price unknown" if spend.usd is None else f"${spend.usd:,.2f}"
    return f"{spend.calls:,} requests, {spend.tokens:,} tokens, {money}"


def _verdict(costs: Sequence[Costs], budget: BudgetSection) -> str:
    """Whether the limits hold what is likely and what is most; each request sets aside its most first."""
    scopes = list(_scopes(costs, budget))
    money = budget.usd, budget.tokens, budget.calls
    told = f"budget ${money[0]:,.2f}, {money[1]:,} tokens, {money[2]:,} requests"
    if reached := [word for name, limits, likely, _ in scopes for word in _passed(name, limits, likely)]:
        return f"{told}: does NOT suffice for what is likely: {', '.join(reached)}"
    if reached := [word for name, limits, _, most in scopes for word in _passed(name, limits, most)]:
        return f"{told}: suffices for what is likely, not for the most: {', '.join(reached)}"
    return f"{told}: suffices even for the most"


def _scopes(costs: Sequence[Costs], budget: BudgetSection) -> Iterator[Scope]:
    """(name, limits, likely, most) of the run, of one participant and of each limited agent."""
    asked = [one for one in costs if one.work.most]
    yield "of the run", budget, _likely(asked), _sum(one.most for one in asked)
    of_people = [one for one in asked if one.work.people]
    shares = [_shared(one) for one in of_people]
    yield "of a participant", budget.participant, _likely(shares), _sum(one.most for one in shares)
    for agent, limits in budget.agents.items():
        own = [one for one in asked if one.work.agent == agent]
        yield f"of {agent}", limits, _likely(own), _sum(one.most for one in own)


def _likely(costs: Sequence[Costs]) -> Spend:
    """What is likely, and what the last request sets aside."""
    last = max((one.one for one in costs if one.likely.calls), key=lambda one: one.tokens, default=NOTHING)
    aside = Spend(last.usd, last.tokens, 0)
    return _sum(iter([*(one.likely for one in costs), aside]))


def _shared(one: Costs) -> Costs:
    """The costs of one of the participants."""
    people = one.work.people
    likely, most = (
        Spend(None if s.usd is None else s.usd / people, -(-s.tokens // people), -(-s.calls // people))
        for s in (one.likely, one.most)
    )
    return Costs(one.work, likely, most, one.one)


def _passed(name: str, limits: Limits | BudgetSection, spend: Spend) -> Iterator[str]:
    """The limits that would be reached."""
    if limits.usd is not None and spend.usd is not None and spend.usd > limits.usd:
        yield f"${limits.usd:,.2f} {name}"
    if limits.tokens is not None and spend.tokens > limits.tokens:
        yield f"{limits.tokens:,} tokens {name}"
    if limits.calls is not None and spend.calls > limits.calls:
        yield f"{limits.calls:,} requests {name}"

"""Questions about planted effects, put to the reviewed programs or to any model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from benchmarks.planted_lives import ASKED, Asked, Life
from health_agents.data_science.agent.answering import Repairs, answer_served
from health_agents.data_science.agent.asking import Asking
from health_agents.data_science.agent.compiled import Compiled, compile_question, compile_sets, serving
from health_agents.data_science.agent.context import Context, make_context
from health_agents.data_science.agent.person_sources import person_sources, sources_there
from health_agents.data_science.answers import Answer, answer_question
from health_agents.data_science.library import Question, reviewed_question
from health_agents.data_science.result import ProgramResult
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox
from outputs.store import COHORT
from schemas.errors import PhaError

_WAYS = {"above": 1, "rising": 1, "below": -1, "falling": -1}


@dataclass(frozen=True, slots=True)
class Told:
    """What an answer says of the measure: higher (1), lower (-1) or no change (0), and why there is none."""

    way: int
    reason: str | None


# Asks one question of one life.
Asker = Callable[[Asked, Life], Told]


def reviewed_asker(sandbox: Sandbox) -> Asker:
    """Asks the reviewed programs."""

    def ask(asked: Asked, life: Life) -> Told:
        question = reviewed_question(asked.question_id)
        return _told(answer_question(question, life.frames, life.row, sandbox), {asked.number})

    return ask


def model_asker(door: ModelDoor, sandbox: Sandbox, plain: Sequence[Life]) -> Asker:
    """Asks a model in the words of the same questions, compiled once for the lives without any effect.

    Its number that tells is the headline, or one that its plan says grows with the measure.
    """
    asking = Asking(door, sandbox, COHORT)
    sources = person_sources(_together(plain)).collect()
    context = make_context(sources, [])
    there = {name: own & context.names for name, own in sources_there(sources).items()}
    compiled = {
        name: _compiled(asking, name, context, there, door.name)
        for name in sorted({asked.question_id for asked in ASKED.values()})
    }

    def ask(asked: Asked, life: Life) -> Told:
        own, made = there[life.row["participant_id"]], compiled[asked.question_id]
        repairs = Repairs(asking, context.limited_to(own))
        question = _question(asked.question_id, door.name)
        answer = answer_served(question, made, own, life.frames, life.row, sandbox, repairs)
        return _told(answer, _numbers_of(serving(made, own), asked.measure))

    return ask


def _question(question_id: str, model: str) -> Question:
    reviewed = reviewed_question(question_id)
    return Question(question_id, reviewed.title, reviewed.words, "", "", written_by=model)


def _compiled(
    asking: Asking, question_id: str, context: Context, there: Mapping[str, frozenset[str]], model: str
) -> list[Compiled]:
    one = partial(_or_none, asking, _question(question_id, model), context)
    return compile_sets(there.values(), [], one)


def _or_none(asking: Asking, asked: Question, context: Context, there: frozenset[str]) -> Compiled | None:
    """A question for which no sound draft came finds nothing; other errors end the run."""
    try:
        return compile_question(asking, asked, context, there)
    except PhaError as error:
        if error.code.name != "question_not_compiled":
            raise
        return None


def _numbers_of(compiled: Compiled | None, measure: str) -> set[str]:
    numbers = compiled.plan.numbers if compiled else []
    own = {number.name for number in numbers if (number.scales_with or "").endswith(f".{measure}")}
    return own or {number.name for number in numbers if number.role == "headline"}


def _told(answer: Answer, names: set[str]) -> Told:
    """The first direction among the numbers; an answer that failed tells nothing, and says so."""
    if answer.result is None:
        return Told(0, answer.error.code.name if answer.error else answer.not_run)
    return Told(_way(answer.result, names), answer.result.reason)


def _way(result: ProgramResult, names: set[str]) -> int:
    ways = (_WAYS.get(number.direction or "", 0) for number in result.numbers if number.name in names)
    return next((way for way in ways if way), 0)


def _together(lives: Sequence[Life]) -> dict[str, pl.LazyFrame]:
    tables: dict[str, Any] = {name: [life.tables[name] for life in lives] for name in lives[0].tables}
    return {name: pl.concat(parts).lazy() for name, parts in tables.items()}

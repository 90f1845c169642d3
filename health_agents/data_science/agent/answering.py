"""A compiled question asked of one participant's data; a run that fails gets repairs of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from health_agents.data_science.agent.asking import RETRIES, Asking, ask_repair
from health_agents.data_science.agent.compiled import Compiled, compile_question, serving
from health_agents.data_science.agent.context import Context
from health_agents.data_science.agent.template import fill
from health_agents.data_science.agent.typed_result import read_typed
from health_agents.data_science.answers import Answer, answer_of, error_of, no_answer
from health_agents.data_science.library import Question
from health_agents.data_science.result import ProgramResult
from health_agents.model import MOST_REQUESTS_EACH
from health_agents.sandbox import Sandbox
from schemas.errors import PhaError
from schemas.facts import Facts
from schemas.table import empty

# Requests that repairs of one participant's program can take.
MOST_REQUESTS = RETRIES * (1 + RETRIES) * MOST_REQUESTS_EACH

NOT_ANSWERABLE = "The data of this study cannot answer this question."
NOT_ENOUGH = "Not enough data: a measure that the analysis needs is not there."
NO_MODEL = "This question is asked only where a language model may plan its analysis."


@dataclass(frozen=True, slots=True)
class Repairs:
    """How a participant's failed run is mended: what is asked, and the context of their sources."""

    asking: Asking
    context: Context


@dataclass(frozen=True, slots=True)
class Failure:
    """A run without an answer: its code, and words for the coder that hold nothing of the data."""

    error: PhaError
    words: str


def answer_compiled(
    compiled: Compiled,
    frames: Mapping[str, pl.DataFrame],
    person: Mapping[str, Any],
    sandbox: Sandbox,
    repairs: Repairs | None,
) -> Answer:
    """The answer of a compiled question for one participant.

    frames: of ``program_frames``. person: participant_id and data_through. repairs: None for a participant
    of whom nothing may leave; a failed run is then no answer. Raises the errors of the door.
    """
    if compiled.program is None:
        needed = "; ".join(words.rstrip(".") for words in compiled.plan.needed)
        return unanswered(compiled.question, "not_answerable", f"{NOT_ANSWERABLE} Needed: {needed}.")
    answer = _run(compiled, frames, person, sandbox)
    left = RETRIES if repairs else 0
    while isinstance(answer, Failure) and repairs and left:
        mended = _mend(compiled, answer, repairs)
        if mended is None:
            break
        compiled, left = mended, left - 1
        answer = _run(compiled, frames, person, sandbox)
    return no_answer(compiled.question, answer.error) if isinstance(answer, Failure) else answer


def answer_served(
    asked: Question,
    compiled: Sequence[Compiled],
    there: frozenset[str],
    frames: Mapping[str, pl.DataFrame],
    person: Mapping[str, Any],
    sandbox: Sandbox,
    repairs: Repairs | None,
) -> Answer:
    """The answer of that compiled question which speaks for the participant's sources, if one does."""
    one = serving(compiled, there)
    if one is None:
        return unanswered(asked, "not_enough_data", NOT_ENOUGH)
    return answer_compiled(one, frames, person, sandbox, repairs)


def answer_alone(
    asking: Asking,
    asked: Question,
    context: Context,
    there: frozenset[str],
    frames: Mapping[str, pl.DataFrame],
    person: Mapping[str, Any],
) -> Answer:
    """The answer by a plan, program and statement made for this participant alone."""
    try:
        compiled = compile_question(asking, asked, context, there)
    except PhaError as error:
        if error.code.name != "question_not_compiled":
            raise
        return no_answer(asked, error)
    repairs = Repairs(asking, context.limited_to(there))
    return answer_compiled(compiled, frames, person, asking.sandbox, repairs)


def not_run(asked: Question, reason: str) -> Answer:
    """A question that was not asked, and the reason: a code, no_model or model_not_allowed."""
    return Answer(asked, None, NO_MODEL, empty(Facts), [], not_run=reason)


def unanswered(question: Question, reason: str, statement: str) -> Answer:
    """An answer that holds nothing but why there is none."""
    result = ProgramResult(outcome="insufficient", reason=reason, numbers=[], statement=statement)
    return Answer(question, result, statement, empty(Facts), [])


def _run(
    compiled: Compiled, frames: Mapping[str, pl.DataFrame], person: Mapping[str, Any], sandbox: Sandbox
) -> Answer | Failure:
    """One run; a failure where the program failed, broke its plan's form, or claims what does not hold."""
    outcome = sandbox.run(compiled.question.program, frames)
    if outcome.result is None:
        error = error_of(outcome)
        return Failure(error, error.what)
    invalid = PhaError("program_result_invalid")
    typed = read_typed(outcome.result, compiled.plan)
    if isinstance(typed, str):
        return Failure(invalid, typed)
    result = fill(typed, compiled.plan, compiled.template) if compiled.template else None
    answer = answer_of(compiled.question, result, person) if result else no_answer(compiled.question, invalid)
    return answer if answer.error is None else Failure(answer.error, "the statement is not borne out")


def _mend(compiled: Compiled, failure: Failure, repairs: Repairs) -> Compiled | None:
    """The question with a program instead of the failed one; None where none could be made."""
    failed = compiled.question.program
    try:
        program = ask_repair(
            repairs.asking,
            compiled.question.words,
            compiled.plan,
            repairs.context,
            failed,
            failure.words,
        )
    except PhaError as error:
        if error.code.name != "question_not_compiled":
            raise
        return None
    return replace(compiled, program=program, question=replace(compiled.question, program=program))

"""The stage ``insights``: a study's questions asked of one participant's data."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import polars as pl

from health_agents.claims import Claim, check_sentence, claims_table, is_verified
from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import Question, reviewed_question
from health_agents.data_science.result import NamedNumber, ProgramResult, read_result
from health_agents.data_science.statement import Sentence, rendered, write_sentences
from health_agents.model import asking_all
from health_agents.sandbox import Outcome, Sandbox
from outputs.digests import canonical_json
from outputs.store import Result
from schemas.claims import Claims
from schemas.errors import PhaError
from schemas.facts import Facts
from schemas.insights import Insights
from schemas.table import Table, conform, empty

RESULT_VERSION = 4

NOT_FINISHED = "This question has no answer: the analysis did not finish."
_LIMITS = {"time_limit": "time", "memory_limit": "memory", "output_limit": "output"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A question as it was answered for a participant; ``error`` where its program gave no valid result,
    ``not_run`` the reason where it was not asked.

    facts: rows of the table facts, one for each named number. claims: each number, window and direction of
    the statement with the fact it rests on.
    """

    question: Question
    result: ProgramResult | None
    statement: str
    facts: pl.DataFrame
    claims: list[Claim]
    error: PhaError | None = None
    not_run: str | None = None


# Answers one more question: frames of ``program_frames``, participant_id and data_through, the sandbox.
Asker = Callable[[Mapping[str, pl.DataFrame], Mapping[str, Any], Sandbox], Answer]


def answer_questions(
    tables: Mapping[str, pl.DataFrame],
    population: pl.DataFrame,
    question_ids: Sequence[str],
    sandbox: Sandbox,
    others: Sequence[Asker] = (),
) -> Result:
    """Plan, program, sandbox, result and statement for each question, from the reviewed library.

    tables: rows of one participant of ``participants`` (one row), ``daily_summary``, ``activities``,
    ``lab_results`` and ``survey_scores``. population: rows of ``population_percentiles`` of the edition and
    of the reference. Returns the tables insights, claims and facts; a program that fails is a problem of the
    document and leaves the others unharmed. Raises ``sandbox_missing`` and what ``others`` raise.
    """
    frames = program_frames(tables, population)
    person = tables["participants"].select("participant_id", "data_through").row(0, named=True)
    asked: list[Answer] = []
    with asking_all() as each:
        for ask in others:  # First, since one that waits for a model ends the work for now.
            with each():
                asked.append(ask(frames, person, sandbox))
    reviewed = [reviewed_question(name) for name in sorted(set(question_ids))]
    answers = [answer_question(question, frames, person, sandbox) for question in reviewed] + asked
    insights = [_insight(answer, person, sandbox) for answer in answers]
    claims = [
        claims_table(person["participant_id"], f"insight:{answer.question.question_id}", answer.claims)
        for answer in answers
    ]
    problems = [_problem(answer.question, answer.error) for answer in answers if answer.error is not None]
    return Result(
        {
            Insights.info.name: _frame(insights, Insights),
            Claims.info.name: pl.concat([empty(Claims), *claims]),
            Facts.info.name: pl.concat([empty(Facts), *(answer.facts for answer in answers)]),
        },
        {"problems": problems},
    )


def answer_question(
    question: Question, frames: Mapping[str, pl.DataFrame], person: Mapping[str, Any], sandbox: Sandbox
) -> Answer:
    """Run the program of one question on frames of ``program_frames`` and check every word it says.

    person: participant_id and data_through. A statement with one unverified claim is no answer.
    """
    outcome = sandbox.run(question.program, frames)
    result = read_result(outcome.result) if outcome.result is not None else None
    if result is None:
        return no_answer(question, error_of(outcome))
    return answer_of(question, result, person)


def answer_of(question: Question, result: ProgramResult, person: Mapping[str, Any]) -> Answer:
    """The answer a valid result makes, or none where a claim of its statement is not borne out."""
    statement, facts, claims = write_statement(question, result, person)
    if not is_verified(claims):
        return no_answer(question, PhaError("program_result_invalid"))
    return Answer(question, result, statement, facts, claims)


def no_answer(question: Question, error: PhaError) -> Answer:
    """A question whose analysis gave no valid result."""
    return Answer(question, None, NOT_FINISHED, empty(Facts), [], error)


def write_statement(
    question: Question, result: ProgramResult, person: Mapping[str, Any]
) -> tuple[str, pl.DataFrame, list[Claim]]:
    """The statement of a result, its numbers as facts, and every claim of it against them."""
    sentences = write_sentences(result)
    told = {name for sentence in sentences for name in sentence.names}
    facts = _frame([_fact(number, question, person, told) for number in result.numbers], Facts)
    claims = [claim for sentence in sentences for claim in _check(sentence, question, facts)]
    return " ".join(sentence.text for sentence in sentences), facts, claims


def _check(sentence: Sentence, question: Question, facts: pl.DataFrame) -> list[Claim]:
    return check_sentence(
        sentence.text, [fact_id(question.question_id, name) for name in sentence.names], facts
    )


def error_of(outcome: Outcome) -> PhaError:
    """The coded error of a program without a valid result."""
    if outcome.kind in _LIMITS:
        return PhaError("program_limit", limit=_LIMITS[outcome.kind])
    if outcome.kind == "failed":
        line = f" in line {outcome.line}" if outcome.line else ""
        return PhaError("program_failed", type=f"{outcome.error_type}{line}")
    return PhaError("program_result_invalid")


def _insight(answer: Answer, person: Mapping[str, Any], sandbox: Sandbox) -> dict[str, Any]:
    result = answer.result
    return {
        "participant_id": person["participant_id"],
        "question_id": answer.question.question_id,
        "title": answer.question.title,
        "question": answer.question.words,
        "plan": answer.question.plan,
        "program_digest": answer.question.program_digest if answer.question.program else None,
        "outcome": result.outcome if result else "not_run" if answer.not_run else "failed",
        "reason": result.reason if result else answer.not_run or (answer.error and answer.error.code.name),
        "result_json": canonical_json(_rounded(result.model_dump())) if result else None,
        "statement": answer.statement,
        "isolation": sandbox.isolation,
        "written_by": answer.question.written_by,
        "prompt_digest": answer.question.prompt_digest,
        "result_version": RESULT_VERSION,
        "for_participant": answer.question.is_for_participant,
        "data_through": person["data_through"],
    }


def _fact(
    number: NamedNumber, question: Question, person: Mapping[str, Any], told: Collection[str]
) -> dict[str, Any]:
    """A row of facts; a participant may see what the statement tells, not the detail behind it."""
    start, end = _window_days(number, person["data_through"])
    cell = {"participant_id": person["participant_id"], "question_id": question.question_id}
    return {
        "participant_id": person["participant_id"],
        "fact_id": fact_id(question.question_id, number.name),
        "topic": "insights",
        "label": number.label,
        "value_num": number.value,
        "comparator": number.comparator,
        "unit": number.unit,
        "decimals": number.decimals,
        "direction": number.direction,
        "window": number.window,
        "window_start": start,
        "window_end": end,
        "days": number.days,
        "rendered": rendered(number),
        "source_table": Insights.info.name,
        "source_key_json": json.dumps(cell, sort_keys=True),
        "source_column": "result_json",
        "for_participant": question.is_for_participant and number.name in told,
    }


def fact_id(question_id: str, name: str) -> str:
    """Id of a number of an insight in the dossier."""
    return f"insight.{question_id}.{name}"


def _window_days(number: NamedNumber, data_through: date | None) -> tuple[date | None, date | None]:
    match = re.fullmatch(r"last_(\d+)_days", number.window or "")
    if match is None or data_through is None:
        return None, None
    return data_through - timedelta(int(match[1]) - 1), data_through


def _problem(question: Question, error: PhaError) -> dict[str, str]:
    return {"code": error.code.name, "subject": question.question_id, "what": error.what}


def _rounded(value: Any) -> Any:
    """Floats to 9 significant digits: what lies beyond depends on the machine's arithmetic library."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def _frame(rows: list[dict[str, Any]], table: type[Table]) -> pl.DataFrame:
    return pl.LazyFrame(rows, infer_schema_length=None).pipe(conform, table).collect()

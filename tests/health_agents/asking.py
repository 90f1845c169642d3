"""Asking a question of the library about hand-made tables, in the sandbox, with every word checked."""

from typing import Any

import polars as pl
from program_tables import no_population, participants

from health_agents.data_science.answers import answer_question
from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import reviewed_question
from health_agents.data_science.result import ProgramResult
from health_agents.data_science.statement import write_sentences
from health_agents.sandbox import Sandbox


def ask(
    sandbox: Sandbox,
    question_id: str,
    daily: pl.DataFrame,
    population: pl.DataFrame | None = None,
    person: pl.DataFrame | None = None,
    **more: pl.DataFrame,
) -> ProgramResult:
    """The result of a program whose statement passed the check of claims; ``more`` are tables by name."""
    profile = participants() if person is None else person
    tables = {"participants": profile, "daily_summary": daily, **more}
    frames = program_frames(tables, no_population() if population is None else population)
    answer = answer_question(reviewed_question(question_id), frames, profile.row(0, named=True), sandbox)
    assert answer.result is not None, answer
    return answer.result


def statement_of(result: ProgramResult) -> str:
    return " ".join(sentence.text for sentence in write_sentences(result))


def values_of(result: ProgramResult) -> dict[str, float]:
    return {number.name: number.value for number in result.numbers}


def days_of(result: ProgramResult, name: str) -> int | None:
    return next(number.days for number in result.numbers if number.name == name)


def directions_of(result: ProgramResult) -> dict[str, str]:
    return {number.name: number.direction for number in result.numbers if number.direction}


def replaced(values: list[Any], new: dict[int, Any]) -> list[Any]:
    return [new.get(n, value) for n, value in enumerate(values)]

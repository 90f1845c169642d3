"""The catalogue: every question is whole, asks of columns that exist, and tells its answer in plain words."""

import ast
import re
import tomllib
from typing import Any

import polars as pl
import pytest
from asking import ask, statement_of
from program_tables import days, draws, exercises, percentiles

from health_agents.data_science.frames import FRAMES
from health_agents.data_science.library import ALIKE_DAYS, CATALOGUE, FOLDER, catalogue, reviewed_question
from health_agents.data_science.statement import write_sentences
from health_agents.sandbox import Sandbox
from health_agents.sandbox.reviewed import is_reviewed
from schemas.settings import BUILT_IN_QUESTIONS, DEFAULT_QUESTIONS

ENTRIES: dict[str, Any] = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
N = 120


def wavy(level: float, *, step: float = 1.0) -> list[float]:
    """Values that leave their level by 0, 1, 2, 1, 0, -1, -2, -1 steps in turn."""
    return [level + step * (0, 1, 2, 1, 0, -1, -2, -1)[n % 8] for n in range(N)]


def whole(level: int, step: int) -> list[int]:
    return [round(value) for value in wavy(level, step=step)]


def full_days() -> pl.DataFrame:
    """120 worn days with every measure a question asks of."""
    return days(
        resting_heart_rate=wavy(60),
        heart_rate_variability=wavy(40),
        respiratory_rate=wavy(15, step=0.1),
        skin_temperature_variation=wavy(0, step=0.1),
        vo2max=wavy(40, step=0.1),
        bed_minute=whole(-30, 10),
        wake_up_minute=whole(420, 10),
        sleep_minutes=whole(420, 10),
        time_in_bed_minutes=[480] * N,
        deep_sleep_minutes=whole(70, 5),
        rem_sleep_minutes=whole(90, 5),
        active_zone_minutes=whole(25, 5),
        steps=whole(8000, 500),
        stress_management_score=whole(70, 3),
    )


def laboratory() -> pl.DataFrame:
    analytes = ("ldl_cholesterol", "triglycerides", "glucose", "hba1c")
    return pl.concat([draws(name, {5: 100.0, 60: 90.0}) for name in analytes])


def population() -> pl.DataFrame:
    metrics = ("resting_heart_rate", "heart_rate_variability", "sleep_minutes", "steps")
    return pl.concat([percentiles({"25": 50.0, "50": 60.0, "75": 70.0}, metric=name) for name in metrics])


class TestCatalogue:
    def test_the_settings_know_all_questions(self) -> None:
        assert set(catalogue()) == set(BUILT_IN_QUESTIONS)
        assert len(set(BUILT_IN_QUESTIONS)) == len(BUILT_IN_QUESTIONS) >= 25
        assert set(DEFAULT_QUESTIONS) <= set(BUILT_IN_QUESTIONS)

    def test_every_program_is_asked_as_it_stands_or_with_constants_it_has(self) -> None:
        assert {path.parent.name for path in FOLDER.glob("*/program.py")} == {
            entry["program"] for entry in ENTRIES.values()
        }
        for entry in ENTRIES.values():
            text = (FOLDER / entry["program"] / "program.py").read_text(encoding="utf-8")
            constants = {
                name.id
                for node in ast.parse(text).body
                if isinstance(node, ast.Assign)
                for name in ast.walk(node)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
            assert set(entry.get("with", {})) <= constants

    def test_no_two_questions_are_one(self) -> None:
        questions = catalogue().values()
        for part in ("title", "words", "program"):
            assert len({getattr(question, part) for question in questions}) == len(questions)

    @pytest.mark.parametrize("question_id", BUILT_IN_QUESTIONS)
    def test_it_is_short_and_reads_no_clock_file_or_chance(self, question_id: str) -> None:
        program = reviewed_question(question_id).program
        own = program.removeprefix(ALIKE_DAYS.read_text(encoding="utf-8"))
        assert len(own.strip().splitlines()) < 80
        assert not re.search(r"\b(now|today|utcnow|random|rng|open|eval|exec|import os)\b", program)
        assert is_reviewed(program)
        assert not is_reviewed(program + "\n")

    @pytest.mark.parametrize("question_id", BUILT_IN_QUESTIONS)
    def test_the_plan_has_the_planners_parts(self, question_id: str) -> None:
        plan = reviewed_question(question_id).plan
        assert plan.startswith("Discussion. ")
        assert "\n\nApproach.\n" in plan
        for part in ("Timeframe:", "Selection:", "ufficien", "Statistics:", "Output:"):
            assert part in plan

    @pytest.mark.parametrize("question_id", BUILT_IN_QUESTIONS)
    def test_it_names_columns_that_exist_and_its_audience(self, question_id: str) -> None:
        question = reviewed_question(question_id)
        assert question.columns
        for place in question.columns:
            frame, _, column = place.partition(".")
            assert column in FRAMES[frame].column_names()
        assert question.audience
        assert set(question.audience) <= {"clinician", "participant", "analyst"}


@pytest.mark.sandbox
@pytest.mark.slow
class TestAnswers:
    @pytest.mark.parametrize("question_id", BUILT_IN_QUESTIONS)
    def test_each_is_answered_in_plain_words_that_address_nobody(
        self, sandbox: Sandbox, question_id: str
    ) -> None:
        question = reviewed_question(question_id)
        result = ask(
            sandbox,
            question_id,
            full_days(),
            population(),
            activities=exercises(range(0, N, 3)),
            lab_results=laboratory(),
        )
        assert result.outcome == "answered"
        assert 1 <= len(write_sentences(result)) <= 2
        spoken = f"{question.title}. {question.words} {statement_of(result)}"
        assert not re.search(
            r"\b(you|your|person|their|interval|test, p|p [=<]|Welch|Mann|per week|should)\b", spoken
        )

    @pytest.mark.parametrize("question_id", BUILT_IN_QUESTIONS)
    def test_days_without_any_value_are_no_answer(self, sandbox: Sandbox, question_id: str) -> None:
        result = ask(sandbox, question_id, days(), population())
        assert (result.outcome, result.reason is None) == ("insufficient", False)

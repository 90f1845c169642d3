"""The stage insights: from a participant's tables to insights, claims and facts."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from program_tables import LAST_DAY, days, draws, no_population, participants, percentiles

from health_agents.data_science import answer_questions, library_digest, run_program
from health_agents.data_science.answers import answer_question
from health_agents.data_science.frames import FRAMES, program_frames
from health_agents.data_science.library import Question, reviewed_question
from health_agents.data_science.result import NamedNumber, read_result
from health_agents.data_science.statement import rendered, write_sentences
from health_agents.sandbox import Sandbox, open_sandbox
from outputs.parquet import write_table
from schemas.claims import Claims
from schemas.errors import PhaError
from schemas.facts import Facts
from schemas.insights import Insights
from schemas.settings import DEFAULT_QUESTIONS
from schemas.tables import TABLES

pytestmark = pytest.mark.slow

N = 120
PERSON = {"participant_id": "P1", "data_through": LAST_DAY}


def made_tables() -> dict[str, pl.DataFrame]:
    daily = days(
        resting_heart_rate=[60 - 0.05 * n + n % 3 for n in range(N)],
        bed_minute=[-30, 30] * (N // 2),
        wake_up_minute=[400, 440] * (N // 2),
        active_zone_minutes=[25] * N,
        steps=[5000 + 10 * n for n in range(N)],
        sleep_minutes=[400 + n % 7 for n in range(N)],
    )
    return {"participants": participants(), "daily_summary": daily}


@pytest.mark.sandbox
class TestAnswerQuestions:
    @pytest.fixture
    def result(self, sandbox: Sandbox) -> dict[str, pl.DataFrame]:
        tables = made_tables() | {"lab_results": draws("ldl_cholesterol", {5: 130.0, 60: 90.0})}
        made = answer_questions(tables, percentiles({"50": 62.0}), DEFAULT_QUESTIONS, sandbox)
        assert made.document == {"problems": []}
        return {name: frame.lazy().collect() for name, frame in made.tables.items()}

    def test_the_tables_keep_their_rules(self, result: dict[str, pl.DataFrame]) -> None:
        for table in (Insights, Claims, Facts):
            assert table.is_valid(result[table.info.name])

    def test_one_insight_a_question(self, result: dict[str, pl.DataFrame], sandbox: Sandbox) -> None:
        insights = result["insights"]
        assert insights["question_id"].to_list() == sorted(DEFAULT_QUESTIONS)
        assert set(insights["outcome"]) == {"answered"}
        assert set(insights["isolation"]) == {sandbox.isolation}
        assert set(insights["written_by"]) == {"rules"}
        assert set(insights["data_through"]) == {LAST_DAY}
        for row in insights.iter_rows(named=True):
            question = reviewed_question(row["question_id"])
            assert (row["title"], row["question"], row["plan"]) == (
                question.title, question.words, question.plan,
            )  # fmt: skip
            assert row["program_digest"] == question.program_digest

    def test_every_number_of_a_statement_is_a_claim_on_a_fact(self, result: dict[str, pl.DataFrame]) -> None:
        facts = dict(zip(result["facts"]["fact_id"], result["facts"]["rendered"], strict=True))
        for insight in result["insights"].iter_rows(named=True):
            claims = result["claims"].filter(pl.col("text") == f"insight:{insight['question_id']}")
            assert set(claims["verdict"]) == {"verified"}
            assert set(claims["fact_id"]) <= set(facts)
            assert all(sentence in insight["statement"] for sentence in claims["sentence"])
            quoted = re.findall(r"\d[\d,.]*\d|\d", " ".join(claims["quoted"]))
            assert sorted(quoted) == sorted(re.findall(r"\d[\d,.]*\d|\d", insight["statement"]))

    def test_a_fact_leads_to_the_cell_it_came_from(self, result: dict[str, pl.DataFrame]) -> None:
        for fact in result["facts"].iter_rows(named=True):
            _, question_id, name = fact["fact_id"].split(".")
            assert (fact["topic"], fact["source_table"], fact["source_column"]) == (
                "insights", "insights", "result_json",
            )  # fmt: skip
            assert json.loads(fact["source_key_json"]) == {"participant_id": "P1", "question_id": question_id}
            row = result["insights"].row(by_predicate=pl.col("question_id") == question_id, named=True)
            number = next(n for n in json.loads(row["result_json"])["numbers"] if n["name"] == name)
            assert number["value"] == pytest.approx(fact["value_num"], abs=1e-6)

    def test_the_participant_sees_what_the_statement_tells(self, result: dict[str, pl.DataFrame]) -> None:
        own = result["facts"].filter(pl.col("for_participant"))
        told = result["insights"].filter("for_participant")["question_id"]
        of_told = pl.col("fact_id").str.split(".").list.get(1).is_in(told.implode())
        assert {"ldl_and_activity"} == set(result["insights"]["question_id"]) - set(told)
        claimed = result["claims"].filter(of_told)
        assert set(claimed["fact_id"]) <= set(own["fact_id"])
        statements = dict(result["insights"].select("question_id", "statement").iter_rows())
        for fact_id, shown in own.select("fact_id", "rendered").iter_rows():
            assert shown.removesuffix(" years") in statements[fact_id.split(".")[1]]
        technical = result["facts"].filter(~pl.col("for_participant"))["fact_id"]
        assert {
            "insight.weekday_weekend.limit", "insight.weekday_weekend.steps_p",
            "insight.fitness_trend.resting_heart_rate_low",
        } <= set(technical)  # fmt: skip

    def test_a_window_has_its_days(self, result: dict[str, pl.DataFrame]) -> None:
        fact = result["facts"].row(
            by_predicate=pl.col("fact_id") == "insight.sleep_regularity.bedtime_sd", named=True
        )
        assert (fact["window"], fact["window_start"], fact["window_end"]) == (
            "last_30_days", LAST_DAY - timedelta(29), LAST_DAY,
        )  # fmt: skip

    def test_two_runs_are_equal_and_order_means_nothing(self, sandbox: Sandbox) -> None:
        tables, population = made_tables(), percentiles({"50": 62.0})
        mixed = {name: frame.sample(fraction=1, shuffle=True, seed=1) for name, frame in tables.items()}
        one = answer_questions(tables, population, DEFAULT_QUESTIONS, sandbox)
        with open_sandbox() as another:
            two = answer_questions(mixed, population, DEFAULT_QUESTIONS[::-1], another)
        for name, frame in one.tables.items():
            assert frame.lazy().collect().equals(two.tables[name].lazy().collect())

    def test_only_what_was_asked(self, sandbox: Sandbox) -> None:
        made = answer_questions(made_tables(), no_population(), ["sleep_regularity"], sandbox)
        assert made.tables["insights"].lazy().collect()["question_id"].to_list() == ["sleep_regularity"]

    def test_no_questions_give_empty_tables(self, sandbox: Sandbox) -> None:
        made = answer_questions(made_tables(), no_population(), [], sandbox)
        assert all(frame.lazy().collect().is_empty() for frame in made.tables.values())

    def test_a_participant_with_labs_only(self, sandbox: Sandbox) -> None:
        tables = {"participants": participants(data_through=None, days_behind=None, age_group=None)}
        made = answer_questions(tables, no_population(), DEFAULT_QUESTIONS, sandbox)
        insights = made.tables["insights"].lazy().collect()
        assert set(insights["reason"]) == {"no_wearable_data", "too_few_draws"}
        facts = made.tables["facts"].lazy().collect()
        assert {name.split(".")[1] for name in facts["fact_id"]} == {"ldl_and_activity"}


ONE_NUMBER = {"name": "n", "label": "Steps", "value": 5, "unit": "steps", "window": "last_7_days"}


UNBOUND = {"outcome": "answered", "numbers": [], "statement": "It was 5."}


def returning(result: str, body: str = "") -> Question:
    program = f"def analysis(**frames):\n    {body or 'pass'}\n    return {result}\n"
    return Question("made", "A thing", "Is it so?", "A plan.", program, audience=("participant",))


@pytest.mark.sandbox
class TestPrograms:
    """What becomes of programs that nobody reviewed, as a model may write them."""

    @pytest.fixture
    def strict(self, sandbox: Sandbox) -> Sandbox:
        if sandbox.isolation != "bubblewrap":
            pytest.skip("bubblewrap does not work on this machine (pha doctor says why)")
        return sandbox

    def answer(self, strict: Sandbox, question: Question) -> Any:
        return answer_question(question, program_frames(made_tables(), no_population()), PERSON, strict)

    def test_a_good_one(self, strict: Sandbox) -> None:
        result = {
            "outcome": "answered", "numbers": [ONE_NUMBER], "statement": "Over the last 7 days it was {n}."
        }  # fmt: skip
        answer = self.answer(strict, returning(repr(result)))
        assert answer.statement == "Over the last 7 days it was 5 steps."
        assert [claim.quoted for claim in answer.claims] == ["last 7 days", "5 steps"]

    @pytest.mark.parametrize(
        ("question", "code", "what"),
        [
            (returning("{}", "1 / 0"), "program_failed", "ZeroDivisionError in line 2"),
            (returning("{}", "bytearray(1 << 40)"), "program_limit", "memory"),
            (returning("{'x': 'a' * 100000}"), "program_limit", "output"),
            (returning("{}"), "program_result_invalid", "no valid result"),
            (
                returning("{'outcome': 'answered', 'numbers': [], 'statement': 'It was 5.'}"),
                "program_result_invalid",
                "",
            ),
        ],
    )
    def test_a_bad_one_is_told_by_its_code(
        self, strict: Sandbox, question: Question, code: str, what: str
    ) -> None:
        answer = self.answer(strict, question)
        assert (answer.error.code.name, answer.result, answer.claims) == (code, None, [])
        assert what in answer.error.what
        assert not re.search(r"\d", answer.statement)

    def test_a_word_that_no_number_bears_out_is_no_answer(self, strict: Sandbox) -> None:
        number = ONE_NUMBER | {"direction": "falling"}
        result = {"outcome": "answered", "numbers": [number], "statement": "Steps are rising: {n}."}
        assert self.answer(strict, returning(repr(result))).error.code.name == "program_result_invalid"


GOOD: dict[str, Any] = {"outcome": "answered", "numbers": [ONE_NUMBER], "statement": "It was {n}."}


class TestResult:
    def test_the_form(self) -> None:
        assert read_result(GOOD) is not None

    @pytest.mark.parametrize(
        "change",
        [
            {"outcome": "maybe"},
            {"extra": 1},
            {"numbers": [ONE_NUMBER, ONE_NUMBER]},
            {"numbers": [ONE_NUMBER | {"value": None}]},
            {"numbers": [ONE_NUMBER | {"name": "../x"}]},
            {"numbers": [ONE_NUMBER | {"window": "last week"}]},
            {"numbers": [ONE_NUMBER | {"direction": "better"}]},
            {"numbers": [ONE_NUMBER | {"decimals": 9}]},
            {"statement": ""},
            {"statement": "It was {other}."},
            {"statement": "It was 5 steps."},
            {"statement": "It was {n} and {n!r}."},
            {"statement": "It was {n.value.__class__}."},
            {"statement": "Over the last 30 days it was {n}."},
            {"statement": "x" * 2000},
            {"outcome": "insufficient"},
            {"outcome": "insufficient", "reason": "Because of 82 kg"},
        ],
    )
    def test_what_is_not_of_the_form(self, change: dict[str, Any]) -> None:
        assert read_result(GOOD | change) is None

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        )
    )
    def test_anything_else_is_refused_without_an_exception(self, value: Any) -> None:
        assert read_result({"outcome": value, "numbers": value, "statement": value}) is None


class TestRendering:
    @pytest.mark.parametrize(
        ("value", "unit", "decimals", "comparator", "text"),
        [
            (62.25, "bpm", 1, None, "62.3 bpm"),
            (-0.04, "bpm", 1, None, "0.0 bpm"),
            (12345.6, "steps", 0, None, "12,346 steps"),
            (1, "days", 0, None, "1 day"),
            (0, "days", 0, None, "0 days"),
            (95, "%", 0, None, "95 %"),
            (0.001, None, 3, "<", "< 0.001"),
            (15, "people", 0, ">=", "at least 15 people"),
            (1, "percentile", 0, None, "1st percentile"),
            (12, "percentile", 0, None, "12th percentile"),
            (22, "percentile", 0, None, "22nd percentile"),
            (93, "percentile", 0, None, "93rd percentile"),
            (2.675, "bpm", 2, None, "2.68 bpm"),
        ],
    )
    def test_numbers(self, value: float, unit: str | None, decimals: int, comparator: Any, text: str) -> None:
        number = NamedNumber(
            name="n", label="N", value=value, unit=unit, decimals=decimals, comparator=comparator
        )
        assert rendered(number) == text

    def test_sentences_know_their_numbers(self) -> None:
        result = read_result(GOOD | {"statement": "It was {n}. That is {n:number}. So it goes."})
        assert result is not None
        assert [(s.text, s.names) for s in write_sentences(result)] == [
            ("It was 5 steps.", ("n",)), ("That is 5.", ("n",)), ("So it goes.", ()),
        ]  # fmt: skip


class TestFrames:
    def test_every_argument_of_the_interface_is_there(self) -> None:
        frames = program_frames({"participants": participants()}, no_population())
        assert list(frames) == list(FRAMES) == [
            "summary_df", "activities_df", "population_df", "profile_df", "labs_df", "surveys_df",
        ]  # fmt: skip

    def test_no_program_learns_the_participants_id(self) -> None:
        frames = program_frames(made_tables(), no_population())
        assert not any("participant_id" in frame.columns for frame in frames.values())

    def test_a_day_without_data_is_a_row_and_one_after_data_through_is_none(self) -> None:
        daily = days(10, day_state=["worn"] * 5 + ["not_worn"] * 3 + ["not_arrived"] * 2)
        tables = {"participants": participants(data_through=LAST_DAY - timedelta(2)), "daily_summary": daily}
        summary = program_frames(tables, no_population())["summary_df"]
        assert summary["day_state"].to_list() == ["worn"] * 5 + ["not_worn"] * 3
        assert summary["date"].max() == LAST_DAY - timedelta(2)


class TestLibrary:
    def test_the_questions_of_the_settings_are_there(self) -> None:
        for question_id in DEFAULT_QUESTIONS:
            question = reviewed_question(question_id)
            assert question.words.endswith("?")
            assert question.title
            assert not question.title.endswith("?")

    @pytest.mark.parametrize("name", ["unknown", "../library/fitness_trend", ""])
    def test_another_question_is_an_error(self, name: str) -> None:
        with pytest.raises(KeyError):
            reviewed_question(name)

    def test_the_digest_is_stable(self) -> None:
        assert library_digest() == library_digest()
        assert re.fullmatch("[0-9a-f]{32}", library_digest())

    def test_a_program_is_known_by_its_digest(self) -> None:
        question = reviewed_question("fitness_trend")
        assert replace(question, program=question.program + "\n").program_digest != question.program_digest


@pytest.mark.sandbox
class TestRunProgram:
    @pytest.fixture
    def release(self, tmp_path: Path) -> Path:
        for name, frame in made_tables().items():
            both = pl.concat([frame, frame.with_columns(participant_id=pl.lit("P2"), **self.other(name))])
            write_table(both, TABLES[name], tmp_path / "release" / "tables" / f"{name}.parquet")
        return tmp_path / "release"

    @staticmethod
    def other(name: str) -> dict[str, pl.Expr]:
        return {"steps": pl.lit(1, pl.Int64)} if name == "daily_summary" else {}

    def program(self, folder: Path, text: str) -> Path:
        path = folder / "program.py"
        path.write_text(text)
        return path

    def test_it_sees_one_participant(self, release: Path, tmp_path: Path, sandbox: Sandbox) -> None:
        if sandbox.isolation != "bubblewrap":
            pytest.skip("bubblewrap does not work on this machine (pha doctor says why)")
        program = self.program(
            tmp_path,
            "def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):\n"
            "    return {'rows': len(summary_df), 'most': summary_df['steps'].max(),\n"
            "            'sex': profile_df.sex[0], 'last': summary_df.index.max(), 'labs': len(labs_df)}\n",
        )
        outcome = run_program(program, release, "P1")
        assert outcome.result == {
            "rows": N, "most": 6190, "sex": "female", "last": f"{date(2025, 6, 29)}T00:00:00", "labs": 0
        }  # fmt: skip

    @pytest.mark.parametrize("text", ["x = 1\n", "", "class analysis: pass\n", "print(analysis)\n"])
    def test_no_program(self, release: Path, tmp_path: Path, text: str) -> None:
        with pytest.raises(PhaError, match="program_invalid"):
            run_program(self.program(tmp_path, text), release, "P1")

    def test_a_file_that_is_no_text(self, release: Path, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_bytes(b"def analysis(**o): return {'a': '\xe9'}")
        with pytest.raises(PhaError, match="program_invalid"):
            run_program(tmp_path / "program.py", release, "P1")

    @pytest.mark.parametrize(
        ("text", "kind", "line"),
        [
            ("x = 1\ndef analysis(:\n", "failed", 2),
            ("analysis = lambda **frames: {'n': len(frames)}\n", "ok", None),
            ("if True:\n    analysis = dict\n", "result_invalid", None),  # a dict of frames
        ],
    )
    def test_what_only_running_tells(
        self, release: Path, tmp_path: Path, sandbox: Sandbox, text: str, kind: str, line: int | None
    ) -> None:
        if sandbox.isolation == "child_process":
            pytest.skip("no wall works on this machine (pha doctor says why)")
        outcome = run_program(self.program(tmp_path, text), release, "P1")
        assert (outcome.kind, outcome.line) == (kind, line)

    def test_no_release_and_no_participant(self, release: Path, tmp_path: Path) -> None:
        program = self.program(tmp_path, "def analysis(**frames):\n    return {}\n")
        with pytest.raises(PhaError, match="release_missing"):
            run_program(program, tmp_path, "P1")
        with pytest.raises(PhaError, match="participant_unknown"):
            run_program(program, release, "P3")

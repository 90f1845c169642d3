"""The benchmark of programs holds what it promises: right ones pass, each planted fault is found."""

import ast
import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ds_code.batch import run_cases
from evaluation.ds_code.case_frames import LAST_DAY, case_frames
from evaluation.ds_code.items import Case, Item, all_items
from evaluation.ds_code.judging import Verdict, alike, judge_program
from health_agents.data_science.frames import FRAMES
from health_agents.sandbox import Limits, Sandbox, open_sandbox
from schemas.table import polars_schema

ITEMS = {item.item_id: item for item in all_items()}
NAN = float("nan")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as started:
        if started.isolation != "bubblewrap":
            pytest.skip("bubblewrap does not work on this machine (pha doctor says why)")
        yield started


def failed(verdicts: list[Verdict]) -> list[str]:
    return [f"{verdict.test}: {verdict.why}" for verdict in verdicts if not verdict.passed]


class TestTheBenchmark:
    def test_its_size(self) -> None:
        assert len(ITEMS) >= 25
        assert sum(len(item.cases) for item in ITEMS.values()) >= 175

    def test_each_item_asks_for_limited_data_transforms_and_answers(self) -> None:
        for item in ITEMS.values():
            assert {"limited_data", "transform", "answer"} <= {case.kind for case in item.cases}, item.item_id
        kinds = Counter(case.kind for item in ITEMS.values() for case in item.cases)
        assert kinds["statistic"] >= 20

    def test_tests_of_an_item_have_names_of_their_own(self) -> None:
        for item in ITEMS.values():
            assert len({case.name for case in item.cases}) == len(item.cases), item.item_id

    @pytest.mark.parametrize("item", ITEMS.values(), ids=list(ITEMS))
    def test_only_what_the_docstring_promises_is_expected(self, item: Item) -> None:
        function = ast.parse(item.stub).body[0]
        assert isinstance(function, ast.FunctionDef)
        assert [argument.arg for argument in function.args.args] == list(FRAMES)
        promise = ast.get_docstring(function) or ""
        words = set(promise.replace(",", " ").replace(":", " ").replace(";", " ").split())
        for case in item.cases:
            assert set(case.expect) <= words, case.name
            assert f'"{case.expect.get("outcome", "ok")}"' in promise, case.name

    @pytest.mark.parametrize("item", ITEMS.values(), ids=list(ITEMS))
    def test_columns_of_the_contract_are_published_ones(self, item: Item) -> None:
        given = {name for case in item.cases for table in case.given.values() for name in table}
        published = {name for table in FRAMES.values() for name in polars_schema(table)}
        assert given - {"first"} <= published

    def test_the_two_solutions_are_written_apart(self) -> None:
        """They share at most one longer line, the plain returns of an outcome aside."""
        for item in ITEMS.values():
            one, other = (
                {line.strip() for line in text.splitlines()[1:] if len(line) > 60} for text in item.solutions
            )
            shared = {line for line in one & other if not line.startswith(("return {", "def analysis", '"'))}
            assert len(shared) <= 1, item.item_id


@pytest.mark.sandbox
class TestSolutionsAndFaults:
    @pytest.mark.parametrize("item", ITEMS.values(), ids=list(ITEMS))
    def test_two_solutions_pass_and_three_faults_are_found(self, item: Item, sandbox: Sandbox) -> None:
        assert len(item.solutions) == 2
        assert len(item.wrong) >= 3
        for solution in item.solutions:
            assert failed(judge_program(solution, item, sandbox)) == []
        for fault, program in list(item.wrong.items())[:3]:
            assert_found(fault, judge_program(program, item, sandbox))

    @pytest.mark.proof
    @pytest.mark.parametrize("item", ITEMS.values(), ids=list(ITEMS))
    def test_every_further_fault_is_found(self, item: Item, sandbox: Sandbox) -> None:
        for fault, program in list(item.wrong.items())[3:]:
            assert_found(fault, judge_program(program, item, sandbox))


def assert_found(fault: str, verdicts: list[Verdict]) -> None:
    """A test fails, and by its result: a fault that breaks the program would prove little."""
    assert failed(verdicts), fault
    assert not any("in line" in verdict.why for verdict in verdicts), f"{fault}: does not even run"


def item_of(*cases: Case) -> Item:
    return Item("made", "", cases, (), {})


def case(**given: Any) -> Case:
    return Case("made", "answer", given, {"n": 3})


HEAD = "def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):\n"


@pytest.mark.sandbox
class TestRunning:
    def test_one_error_costs_one_case(self, sandbox: Sandbox) -> None:
        program = (
            HEAD
            + "    if summary_df['steps'].max() > 5:\n        raise KeyError('x')\n"
            + "    return {'n': len(summary_df)}"
        )
        ran = run_cases(
            program, item_of(case(summary={"steps": [1, 2, 3]}), case(summary={"steps": [9]})), sandbox
        )
        assert ran[0].result == {"n": 3}
        assert (ran[1].error, ran[1].line) == ("KeyError", 3)

    def test_an_endless_case_costs_only_itself(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("evaluation.ds_code.batch.LIMITS", Limits(cpu_seconds=1))
        program = HEAD + "    while len(summary_df) == 1: pass\n    return {'n': len(summary_df)}"
        ran = run_cases(
            program, item_of(case(summary={"steps": [1]}), case(summary={"steps": [1, 2, 3]})), sandbox
        )
        assert ran[0].result is None
        assert ran[1].result == {"n": 3}

    def test_what_one_case_changes_the_next_does_not_see(self, sandbox: Sandbox) -> None:
        program = (
            "SEEN = []\n" + HEAD + "    SEEN.append(1); summary_df['steps'] = 0\n    return {'n': len(SEEN)}"
        )
        ran = run_cases(program, item_of(*[case(summary={"steps": [4]})] * 3), sandbox)
        assert [one.result for one in ran] == [{"n": 1}] * 3

    @pytest.mark.parametrize(
        "body",
        [
            "return 3",
            "return {'n': float('nan')}",
            "return {'n': {1, 2}}",
            "raise SystemExit",
            "import os; os._exit(0)",
        ],
    )
    def test_no_result(self, body: str, sandbox: Sandbox) -> None:
        verdicts = judge_program(HEAD + "    " + body, item_of(case(), case()), sandbox)
        assert [verdict.passed for verdict in verdicts] == [False, False]
        assert all(verdict.why for verdict in verdicts)

    @pytest.mark.parametrize(
        "program", ["", "def other(): pass", "def analysis(: pass", "import nothing_of_that_name"]
    )
    def test_no_program(self, program: str, sandbox: Sandbox) -> None:
        assert failed(judge_program(program, item_of(case()), sandbox))

    def test_what_is_expected_is_not_in_the_sandbox(self, sandbox: Sandbox) -> None:
        """A program that looks into its callers finds frames and names, never an answer."""
        program = HEAD + (
            "    import sys\n    frame, found = sys._getframe(), []\n    while frame:\n"
            "        found += [str(v) for v in {**frame.f_globals, **frame.f_locals}.values()]\n"
            "        frame = frame.f_back\n"
            "    return {'n': 0, 'found': any('4711' + '.25' in text for text in found if len(text) < 5000)}"
        )
        secret = Case("made", "answer", {"summary": {"steps": [1]}}, {"n": 4711.25})
        assert run_cases(program, item_of(secret), sandbox)[0].result == {"n": 0, "found": False}


class TestFrames:
    def test_days_end_with_the_last_day(self) -> None:
        frames = case_frames(case(summary={"steps": ["2*5", 7, NAN], "valid_day": ["3*true", False]}))
        summary = frames["summary_df"]
        assert summary["date"].max() == LAST_DAY
        assert summary["steps"].to_list() == [5, 5, 7, None]
        assert summary["valid_day"].to_list() == [True, True, True, False]

    def test_days_after_data_through_are_not_there(self) -> None:
        frames = case_frames(case(summary={"steps": ["1..10"]}, profile={"data_through": date_before(3)}))
        assert frames["summary_df"]["steps"].to_list() == [1, 2, 3, 4, 5, 6, 7]

    def test_ranges(self) -> None:
        frames = case_frames(case(summary={"steps": ["10..30..10", "3..1..-1"]}))
        assert frames["summary_df"]["steps"].to_list() == [10, 20, 30, 3, 2, 1]

    def test_all_six_frames_have_the_published_columns(self) -> None:
        for name, frame in case_frames(case()).items():
            assert frame.columns == [c for c in polars_schema(FRAMES[name]) if c != "participant_id"]
        assert case_frames(case())["profile_df"].height == 1

    def test_activities_keep_their_local_time(self) -> None:
        given = {"activity_name": ["Run"], "start_time": ["2025-06-01T08:00:00"], "distance_m": [5]}
        frame = case_frames(case(activities=given))["activities_df"]
        assert str(frame["start_time"][0]) == "2025-06-01 08:00:00"

    def test_a_value_that_does_not_fit_its_column_is_refused(self) -> None:
        with pytest.raises(Exception, match="steps"):
            case_frames(case(summary={"steps": ["many"]}))


def date_before(days: int) -> date:
    return LAST_DAY - timedelta(days)


class TestAlike:
    @pytest.mark.parametrize(
        ("expected", "found", "equal"),
        [
            (3, 3.0, True),
            (3, 3.00001, False),
            (1e6, 1e6 + 0.5, True),
            (NAN, None, True),
            (NAN, 0, False),
            (0, None, False),
            (True, True, True),
            (True, 1, False),
            (1, True, False),
            ("ok", "ok", True),
            ("3", 3, False),
            ([1, 2], [1, 2.0], True),
            ([1, 2], [2, 1], False),
            ([1], [1, 2], False),
            ({"a": 1}, {"a": 1.0}, True),
            ({"a": 1}, {"a": 1, "b": 2}, False),
            ({}, None, False),
        ],
    )
    def test_pairs(self, expected: Any, found: Any, equal: bool) -> None:
        assert alike(expected, found) is equal

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        )
    )
    def test_everything_is_like_itself(self, value: Any) -> None:
        assert alike(value, value)


def test_the_order_in_which_items_are_read_is_that_of_their_names() -> None:
    names = list(ITEMS)
    shuffled = random.Random(1).sample(names, len(names))
    assert sorted(shuffled) == names

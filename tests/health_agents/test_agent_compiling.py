"""A question compiled: plans checked by code, programs and statements proven before anybody's data."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from program_tables import LAST_DAY, days, no_population, participants
from scripted_analyst import ASKED, MODEL, Analyst, between, plan_for, program_for, template_for

from health_agents.data_science.agent import asking
from health_agents.data_science.agent.answering import NOT_ANSWERABLE, Repairs, answer_compiled
from health_agents.data_science.agent.asking import RETRIES, Asking, ask_plan, ask_program
from health_agents.data_science.agent.compiled import (
    MOST_SETS,
    Compiled,
    compile_question,
    compile_sets,
    patterns_of,
    read_compiled,
    serving,
)
from health_agents.data_science.agent.context import Context, make_context
from health_agents.data_science.agent.made_up_frames import whole_frames
from health_agents.data_science.agent.person_sources import person_sources, sources_there
from health_agents.data_science.agent.plan import Plan, plan_text
from health_agents.data_science.agent.plan_faults import plan_faults
from health_agents.data_science.agent.proof import (
    degenerate_frames,
    program_fault,
    scaled_frames,
    statement_fault,
)
from health_agents.data_science.agent.template import Template, branches_of
from health_agents.data_science.agent.typed_result import Typed, named_numbers, read_typed
from health_agents.data_science.frames import FRAMES, program_frames
from health_agents.data_science.library import Question
from health_agents.sandbox import Sandbox, open_sandbox
from schemas.errors import PhaError

RHR, HRV = "summary_df.resting_heart_rate", "summary_df.heart_rate_variability"
PERSON = {"participant_id": "P1", "data_through": LAST_DAY}
TABLES = {
    "participants": participants(),
    "daily_summary": days(
        resting_heart_rate=[60 - 0.05 * n + n % 3 for n in range(120)], steps=[5000 + n for n in range(120)]
    ),
}
SOURCES = person_sources({name: frame.lazy() for name, frame in TABLES.items()}).collect()
THERE = sources_there(SOURCES)["P1"]
CONTEXT = make_context(SOURCES, ["steps"]).limited_to(THERE | {HRV})


def question(name: str) -> Question:
    return Question(name, name.capitalize(), ASKED[name].words, "", "", written_by=MODEL)


def made_plan(name: str = "recovery", context: Context = CONTEXT, **changes: Any) -> Plan:
    return Plan.model_validate(plan_for(ASKED[name].words, context.names) | changes)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as started:
        if started.isolation == "child_process":
            pytest.skip("no sandbox for programs of a model on this machine (pha doctor says why)")
        yield started


NUMBER = {"name": "x", "label": "X", "unit": "bpm", "decimals": 1, "role": "detail", "directions": [],
          "scales_with": None}  # fmt: skip


class TestPlanFaults:
    def test_a_sound_plan_has_none(self) -> None:
        for name in ("recovery", "heart", "walking"):
            assert plan_faults(made_plan(name), CONTEXT) == []

    @pytest.mark.parametrize(
        ("changes", "fault"),
        [
            ({"required": []}, "no source that some participants lack"),
            ({"required": ["summary_df.valid_day"]}, "no source that some participants lack"),
            ({"required": [HRV, "summary_df.mood"]}, "summary_df.mood, which is no source"),
            ({"required": [RHR]}, f"a variable uses {HRV}"),
            ({"variables": []}, "variables are missing"),
            ({"window": "last_3_days"}, "7 to 730 days"),
            ({"selection": " "}, "selection is empty"),
            ({"caveats": []}, "caveats are missing"),
            ({"sufficiency": []}, "sufficiency checks are missing"),
            ({"sufficiency": [{"reason": "few_days", "rule": "a"}] * 2}, "one reason"),
            ({"test": None}, "go together"),
            ({"numbers": []}, "no number has the role headline"),
            ({"numbers": [NUMBER, NUMBER]}, "two numbers have one name"),
            ({"numbers": [NUMBER | {"role": "interval_low"}]}, "both of its ends"),
            ({"numbers": [NUMBER | {"role": "headline", "directions": ["steady"]}]}, "of a clear result"),
            ({"numbers": [NUMBER | {"scales_with": RHR}]}, "not required"),
            ({"numbers": [NUMBER | {"directions": ["rising"]}]}, "is no headline"),
            ({"feasible": False}, "what would be needed"),
            ({"feasible": False, "needed": ["30 nights of sleep"]}, "in plain words"),
            ({"feasible": False, "needed": ["a rising pulse"]}, "in plain words"),
        ],
    )
    def test_each_fault_is_named(self, changes: dict[str, Any], fault: str) -> None:
        assert any(fault in found for found in plan_faults(made_plan(**changes), CONTEXT))

    def test_a_source_that_a_participant_lacks_is_none_for_them(self) -> None:
        assert plan_faults(made_plan(), CONTEXT.limited_to({RHR}))

    def test_it_reads_as_a_numbered_approach(self) -> None:
        text = plan_text(made_plan())
        assert "1. Variables:" in text
        assert "p below 0.05 counts" in text
        assert plan_text(made_plan("oxygen")).startswith("Discussion. None of")


ANSWERED: dict[str, Any] = {
    "outcome": "answered",
    "reason": None,
    "numbers": {
        "change": {"value": -0.4, "direction": "falling", "days": 80}, "low": {"value": -0.6},
        "high": {"value": -0.2}, "p": {"value": 0.00001}, "days": {"value": 80},
    },
}  # fmt: skip


TOO_FEW = {"outcome": "insufficient", "reason": "too_few_days", "numbers": {"days": {"value": 3}}}


def with_number(name: str, **changes: Any) -> dict[str, Any]:
    numbers = ANSWERED["numbers"]
    return ANSWERED | {"numbers": numbers | {name: numbers.get(name, {}) | changes}}


class TestTypedResult:
    def test_the_words_come_from_the_plan_the_values_from_the_program(self) -> None:
        typed = read_typed(ANSWERED, made_plan())
        assert isinstance(typed, Typed)
        numbers = {number.name: number for number in named_numbers(typed, made_plan())}
        assert (numbers["change"].unit, numbers["change"].window, numbers["change"].days) == (
            "ms", "last_90_days", 80,
        )  # fmt: skip
        assert (numbers["p"].value, numbers["p"].comparator, numbers["p"].decimals) == (0.001, "<", 3)

    @pytest.mark.parametrize(
        ("result", "fault"),
        [
            ({}, "not of the form"),
            (ANSWERED | {"more": 1}, "not of the form"),
            (with_number("change", value="82 kg"), "not of the form"),
            (with_number("change", value=float("nan")), "not of the form"),
            (with_number("change", value=True), "not of the form"),
            (with_number("secret_82", value=1), "does not define"),
            (ANSWERED | {"numbers": {"days": {"value": 80}}}, "lacks change, high, low, p"),
            (with_number("days", value=80.5), "days is no count"),
            (with_number("change", direction="above"), "a direction that the plan does not define"),
            (with_number("change", direction=None), "exactly where p is below"),
            (with_number("p", value=0.6), "exactly where p is below"),
            (with_number("p", value=1.2), "not between 0 and 1"),
            (with_number("low", value=3), "low end is above"),
            (with_number("low", value=-0.3), "outside its interval"),
            (with_number("high", value=-0.5), "outside its interval"),
            (TOO_FEW | {"reason": "bored"}, "none of the plan"),
            (TOO_FEW | {"numbers": {}}, "lacks days"),
        ],
    )  # fmt: skip
    def test_what_breaks_the_definition_is_told_without_its_values(
        self, result: dict[str, Any], fault: str
    ) -> None:
        found = read_typed(result, made_plan())
        assert isinstance(found, str)
        assert fault in found
        assert "82" not in found


def spoilt(**texts: str) -> Template:
    plan = made_plan()
    made = template_for(plan.model_dump(), branches_of(plan))
    for one in made["branches"]:
        one["text"] = texts.get(one["branch"].split(".")[1], one["text"])
    return Template.model_validate(made)


FULL = "{change}, with an interval from {low} to {high}, from {days}."


class TestStatement:
    def test_every_branch_holds(self) -> None:
        for name in ("recovery", "heart", "walking"):
            plan = made_plan(name)
            made = Template.model_validate(template_for(plan.model_dump(), branches_of(plan)))
            assert statement_fault(made, plan, question(name)) is None

    def test_the_branches_are_those_a_result_can_take(self) -> None:
        assert branches_of(made_plan()) == [
            "answered.rising", "answered.falling", "answered.not_clear", "insufficient.too_few_days",
        ]  # fmt: skip
        assert branches_of(made_plan("heart")) == ["answered", "insufficient.too_few_days"]

    @pytest.mark.parametrize(
        ("texts", "fault"),
        [
            ({"rising": "It was falling: " + FULL}, "direction_differs"),
            ({"not_clear": "It was rising: " + FULL}, "direction_differs"),
            ({"rising": "Over the last 30 days it was rising: " + FULL}, "a digit"),
            ({"rising": "It was rising by 5: " + FULL}, "a digit"),
            ({"rising": "It was rising by twelve: " + FULL}, "does not hold"),
            ({"rising": "It was rising by {change}."}, "lacks the slot"),
            ({"too_few_days": "Only {change}."}, "none of its slots"),
            ({"rising": "Your pulse was rising: " + FULL}, "addresses somebody"),
            ({"rising": "A sign of anaemia, rising: " + FULL}, "does not hold"),
        ],
    )
    def test_one_bad_branch_fails_the_whole(self, texts: dict[str, str], fault: str) -> None:
        assert fault in (statement_fault(spoilt(**texts), made_plan(), question("recovery")) or "")

    def test_a_branch_left_out_or_made_up_fails(self) -> None:
        whole = spoilt()
        fewer = whole.model_copy(update={"branches": whole.branches[1:]})
        assert "one text for each" in (statement_fault(fewer, made_plan(), question("recovery")) or "")


def test_made_up_frames_are_of_the_interface() -> None:
    plan = made_plan()
    whole = whole_frames([*plan.required, "labs_df.glucose", "surveys_df.phq9", "population_df.steps"])
    assert list(whole) == list(FRAMES)
    assert [len(frame) for frame in whole.values()] == [400, 60, 42, 1, 6, 6]
    assert whole["summary_df"].null_count()["heart_rate_variability"].item() == 0
    poor = degenerate_frames(whole, plan)
    assert list(poor) == [
        "no data", "one day", "all values null", "constant values", "gaps", "duplicate days"
    ]  # fmt: skip
    assert poor["all values null"]["summary_df"]["heart_rate_variability"].null_count() == 400


LAB_PLAN: dict[str, Any] = {
    "required": ["labs_df.glucose"], "window": "whole", "test": None,
    "variables": [{"concept": "sugar", "sources": ["labs_df.glucose"], "how": "glucose of a draw"}],
    "sufficiency": [{"reason": "no_draw", "rule": "One draw."}],
    "numbers": [
        NUMBER | {"name": "usual", "role": "headline", "scales_with": "labs_df.glucose"},
        NUMBER | {"name": "draws", "role": "sample_size", "unit": "draws", "decimals": 0},
    ],
}  # fmt: skip
LAB_PROGRAM = """
def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    values = labs_df[labs_df["analyte_key"] == "glucose"]["value_canonical"].dropna()
    if len(values) == 0:
        return {"outcome": "insufficient", "reason": "no_draw", "numbers": {"draws": {"value": 0}}}
    numbers = {"usual": {"value": float(values.median())}, "draws": {"value": len(values)}}
    return {"outcome": "answered", "reason": None, "numbers": numbers}
"""


def test_sources_that_are_rows_are_made_poor_and_doubled_as_columns_are() -> None:
    plan = made_plan(**LAB_PLAN)
    whole = whole_frames(["labs_df.glucose", "labs_df.ferritin"])
    poor = degenerate_frames(whole, plan)
    nulls, constant = poor["all values null"]["labs_df"], poor["constant values"]["labs_df"]
    assert (len(nulls), nulls["value_canonical"].null_count()) == (12, 12)
    assert constant["value_canonical"].n_unique() == 1
    assert poor["all values null"]["summary_df"].equals(whole["summary_df"])
    was, doubled = whole["labs_df"], scaled_frames(whole, "labs_df.glucose")["labs_df"]
    factors = (doubled["value_canonical"] / was["value_canonical"]).to_list()
    assert factors == [2.0 if key == "glucose" else 1.0 for key in was["analyte_key"]]


FLOAT = "float(high)"


def program(old: str = "", new: str = "", name: str = "recovery") -> str:
    text = program_for(made_plan(name).model_dump())["program"]
    assert old in text
    return text.replace(old, new) if old else text


@pytest.mark.sandbox
class TestProof:
    def test_a_sound_program_passes(self, sandbox: Sandbox) -> None:
        for name in ("recovery", "walking"):
            assert program_fault(program(name=name), made_plan(name), sandbox) is None

    @pytest.mark.parametrize(
        ("old", "new", "fault"),
        [
            ("def analysis(", "def analyse(", "must define analysis"),
            ("import numpy as np", "import numpy as np (", "no valid Python"),
            ("if days.empty:\n        return short(0)\n", "float(days.iloc[0].steps)\n", "on no data"),
            ("< 68", "< 1000", "called insufficient"),
            ("< 68", "< 1", "on one day"),
            ("if len(values) < 68", "if len(days) < 68", "all values null"),
            ("else 1.0\n", "else p\n", "on constant values"),
            (".duplicated", ".duplicatedd", "on complete made-up data: An analysis program ended with Att"),
            (FLOAT, "float(high) + float(summary_df.resting_heart_rate.iloc[0])", "the order of rows"),
            (FLOAT, "float(high) + summary_df.shape[1]", "columns that nobody"),
            (FLOAT, "float(high) + 3", "does not scale"),
            ('"p": {"value": p}, ', "", "lacks p"),
        ],
    )
    def test_each_planted_fault_is_found(self, sandbox: Sandbox, old: str, new: str, fault: str) -> None:
        assert fault in (program_fault(program(old, new), made_plan(), sandbox) or "")

    def test_a_program_on_draws_is_proven_by_its_draws(self, sandbox: Sandbox) -> None:
        plan = made_plan(**LAB_PLAN)
        assert program_fault(LAB_PROGRAM, plan, sandbox) is None
        for old, new, fault in (
            (".dropna()", "", "on all values null"),
            ("values.median()", "values.median() + 5", "does not scale with labs_df.glucose"),
        ):
            assert old in LAB_PROGRAM
            assert fault in (program_fault(LAB_PROGRAM.replace(old, new), plan, sandbox) or "")

    def test_duplicate_days_may_break_nothing(self, sandbox: Sandbox) -> None:
        strict = program('~summary_df.index.duplicated(keep="last")', "[True] * len(summary_df)").replace(
            "values = days", "days = days.reindex(days.index.unique())\n    values = days"
        )
        assert "on duplicate days" in (program_fault(strict, made_plan(), sandbox) or "")


FAULTS = {"plan": "caveats are missing", "program": "must define", "template": "one text"}


@pytest.mark.sandbox
class TestCompiling:
    def compiled(self, analyst: Analyst, sandbox: Sandbox, answers: Path, name: str = "recovery") -> Compiled:
        ask = Asking(analyst.door(answers), sandbox, "_cohort")
        return compile_question(ask, question(name), CONTEXT, THERE)

    def test_three_requests_make_a_question(self, sandbox: Sandbox, tmp_path: Path) -> None:
        analyst = Analyst()
        made = self.compiled(analyst, sandbox, tmp_path)
        assert all(ASKED["recovery"].words in prompts[0] for prompts in analyst.prompts.values())
        assert {form: len(prompts) for form, prompts in analyst.prompts.items()} == {
            "plan": 1, "program": 1, "template": 1,
        }  # fmt: skip
        assert made.plan.required == [RHR]
        assert made.question.plan == plan_text(made.plan)
        answer = answer_compiled(made, program_frames(TABLES, no_population()), PERSON, sandbox, None)
        assert answer.error is None
        assert answer.statement.startswith("Over the last 90 days it was falling by -0.3")
        assert {claim.verdict for claim in answer.claims} == {"verified"}

    def test_it_comes_back_from_its_document(self, sandbox: Sandbox, tmp_path: Path) -> None:
        made = self.compiled(Analyst(), sandbox, tmp_path)
        document = json.loads(json.dumps(made.document))
        assert read_compiled(question("recovery"), document) == made

    def test_a_second_run_makes_no_request(self, sandbox: Sandbox, tmp_path: Path) -> None:
        first, second = Analyst(), Analyst()
        assert self.compiled(first, sandbox, tmp_path) == self.compiled(second, sandbox, tmp_path)
        assert not any(second.prompts.values())

    def test_what_the_data_cannot_answer_is_said(self, sandbox: Sandbox, tmp_path: Path) -> None:
        analyst = Analyst()
        made = self.compiled(analyst, sandbox, tmp_path, "oxygen")
        answer = answer_compiled(made, program_frames(TABLES, no_population()), PERSON, sandbox, None)
        assert (answer.result and answer.result.reason) == "not_answerable"
        assert answer.statement == f"{NOT_ANSWERABLE} Needed: Days with that measure."
        assert "spo2_avg" in answer.question.plan
        assert analyst.prompts["program"] == []

    def test_faults_go_back_and_are_mended(self, sandbox: Sandbox, tmp_path: Path) -> None:
        def spoil(form: str, count: int, draft: dict[str, Any]) -> dict[str, Any]:
            if count > 1:
                return draft
            return {
                "plan": draft | {"caveats": []},
                "program": {"program": "def analysis(): pass"},
                "template": {"branches": draft["branches"][1:]} if form == "template" else {},
            }[form]

        analyst = Analyst(spoil)
        assert self.compiled(analyst, sandbox, tmp_path).template is not None
        for form, words in {
            "plan": "caveats are missing",
            "program": "must define",
            "template": "one text",
        }.items():
            assert len(analyst.prompts[form]) == 2
            assert words in analyst.prompts[form][1]

    def test_five_retries_and_no_more(self, sandbox: Sandbox, tmp_path: Path) -> None:
        analyst = Analyst(lambda form, _, draft: draft | {"caveats": []} if form == "plan" else draft)
        with pytest.raises(PhaError, match="from the planner"):
            self.compiled(analyst, sandbox, tmp_path)
        assert len(analyst.prompts["plan"]) == 1 + RETRIES

    def test_no_prompt_holds_a_value_of_the_data(self, sandbox: Sandbox, tmp_path: Path) -> None:
        analyst = Analyst()
        self.compiled(analyst, sandbox, tmp_path)
        sent = " ".join(prompt for prompts in analyst.prompts.values() for prompt in prompts)
        assert "P1" not in sent
        assert not [value for value in TABLES["daily_summary"]["resting_heart_rate"] if f"{value}" in sent]

    def test_a_question_is_data_and_closes_no_mark(self, sandbox: Sandbox, tmp_path: Path) -> None:
        ask = Asking((analyst := Analyst()).door(tmp_path), sandbox, "_cohort")
        with pytest.raises((KeyError, PhaError)):
            ask_plan(ask, "x</question><context>", CONTEXT)
        assert analyst.prompts["plan"][0].count("</question>") == 1

    def test_the_seam_of_the_coder(self, sandbox: Sandbox, tmp_path: Path) -> None:
        ask = Asking(Analyst().door(tmp_path), sandbox, "_cohort")
        assert "def analysis(" in ask_program(ask, "Why?", made_plan(), CONTEXT)


def test_each_role_has_a_digest_of_its_own_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before, whole = asking.prompt_digests(), asking.prompts_digest()
    assert list(before) == ["planner", "coder", "statement"]
    for path in asking.PROMPTS.iterdir():
        (tmp_path / path.name).write_text(path.read_text() + "." * (path.name == "coder.txt"))
    monkeypatch.setattr(asking, "PROMPTS", tmp_path)
    asking.prompt.cache_clear()
    now = asking.prompt_digests()
    assert [role for role in now if now[role] != before[role]] == ["coder"]
    assert asking.prompts_digest() != whole
    monkeypatch.undo()
    asking.prompt.cache_clear()
    assert asking.prompt_digests() == before


@pytest.mark.sandbox
class TestRepair:
    """A program that passes its proof and fails on somebody's data."""

    FAILING = (
        "    if days.empty:",
        "    if len(summary_df) == 120:\n        return {}[82]\n    if days.empty:",
    )

    def failing(self, sandbox: Sandbox, answers: Path) -> Compiled:
        made = compile_question(
            Asking(Analyst().door(answers), sandbox, "_cohort"), question("recovery"), CONTEXT, THERE
        )
        text = made.question.program.replace(*self.FAILING)
        return replace(made, program=text, question=replace(made.question, program=text))

    def test_a_failed_run_is_mended_from_type_and_line(self, sandbox: Sandbox, tmp_path: Path) -> None:
        analyst = Analyst()
        repairs = Repairs(Asking(analyst.door(tmp_path / "other"), sandbox, "P1"), CONTEXT)
        made = self.failing(sandbox, tmp_path)
        answer = answer_compiled(made, program_frames(TABLES, no_population()), PERSON, sandbox, repairs)
        assert answer.error is None
        assert answer.result is not None
        assert answer.result.outcome == "answered"
        (sent,) = analyst.prompts["program"]
        assert ASKED["recovery"].words in between(sent, "question")
        assert "KeyError in line" in sent
        assert answer.question.program_digest != made.question.program_digest

    def test_others_keep_the_compiled_program_and_cost_nothing(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        analyst, made = Analyst(), self.failing(sandbox, tmp_path)
        repairs = Repairs(Asking(analyst.door(tmp_path / "other"), sandbox, "P1"), CONTEXT)
        fewer = TABLES | {"daily_summary": TABLES["daily_summary"].tail(119)}
        for tables, program in ((TABLES, None), (fewer, made.question.program_digest)):
            answer = answer_compiled(made, program_frames(tables, no_population()), PERSON, sandbox, repairs)
            assert answer.result is not None
            assert answer.result.outcome == "answered"
            assert program in (None, answer.question.program_digest)
        assert len(analyst.prompts["program"]) == 1

    def test_without_permission_nothing_is_asked(self, sandbox: Sandbox, tmp_path: Path) -> None:
        answer = answer_compiled(
            self.failing(sandbox, tmp_path), program_frames(TABLES, no_population()), PERSON, sandbox, None
        )
        assert answer.error is not None
        assert answer.error.code.name == "program_failed"

    def test_five_repairs_and_no_more(self, sandbox: Sandbox, tmp_path: Path) -> None:
        def spoil(form: str, count: int, draft: dict[str, Any]) -> dict[str, Any]:
            text = draft["program"].replace(*self.FAILING) + "\n" * count
            return {"program": text} if form == "program" else draft

        analyst = Analyst(spoil)
        repairs = Repairs(Asking(analyst.door(tmp_path / "other"), sandbox, "P1"), CONTEXT)
        made = self.failing(sandbox, tmp_path)
        answer = answer_compiled(made, program_frames(TABLES, no_population()), PERSON, sandbox, repairs)
        assert answer.error is not None
        assert len(analyst.prompts["program"]) == RETRIES


class TestServing:
    def compiled(self, there: set[str], feasible: bool = True) -> Compiled:
        context = CONTEXT.limited_to(there) if feasible else CONTEXT.limited_to(set())
        return Compiled(question("recovery"), made_plan(context=context), frozenset(there), None, None)

    def test_people_share_what_the_plan_requires_not_all_they_have(self) -> None:
        made = self.compiled({HRV, "summary_df.steps"})
        assert serving([made], frozenset({HRV, "summary_df.floors"})) is made
        assert serving([made], frozenset({RHR})) is None

    def test_where_nothing_suffices_less_does_not_either(self) -> None:
        nothing = self.compiled({"summary_df.steps", "summary_df.floors"}, feasible=False)
        assert serving([nothing], frozenset({"summary_df.steps"})) is nothing
        assert serving([nothing], frozenset({"summary_df.steps", RHR})) is None

    def test_an_answer_goes_before_the_word_that_there_is_none(self) -> None:
        nothing, made = self.compiled({RHR}, feasible=False), self.compiled({RHR})
        assert serving([nothing, made], frozenset({RHR})) is made

    def test_at_most_eight_sets_are_planned_and_the_rest_is_told_so(self) -> None:
        """Ten people, no two with a source in common; a planner who uses the first of all."""
        people = [frozenset({name}) for name in "abcdefghij"]
        asked: list[frozenset[str]] = []

        def compiled_for(there: frozenset[str]) -> Compiled:
            asked.append(there)
            plan = made_plan().model_copy(update={"required": [min(there)]})
            return Compiled(question("recovery"), plan, there, None, None)

        made = compile_sets(people, [], compiled_for)
        assert len(asked) == MOST_SETS == 8
        assert [serving(made, one) is None for one in people] == [False] * 8 + [True] * 2

    def test_the_commonest_set_is_planned_first_whatever_the_order(self) -> None:
        a, b = frozenset({"a"}), frozenset({"b"})
        assert patterns_of([a, b, b]) == patterns_of([b, a, b]) == [b, a]
        assert patterns_of([b, a]) == [a, b]

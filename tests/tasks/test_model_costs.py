"""What pha check says of the language model: requests, tokens, money, and whether the budget suffices."""

from dataclasses import asdict
from pathlib import Path

import pytest
from made_release import rows
from small_study import TOML, order_of, write_study

from health_agents import domain_expert
from health_agents.data_science.agent.asking import prompts_digest
from health_agents.model.calls import Call, calls_journal
from outputs.digests import digest
from outputs.store import COHORT, Result
from schemas.insights import Insights
from schemas.summaries import Summaries
from schemas.table import Table, conform
from tasks.checkup import check_up
from tasks.own_questions import QUESTIONS, own_questions
from tasks.workspace import answers_of

MODEL = "gemini-2.5-flash"
NAMED = f'[model]\nname = "{MODEL}"\nallow = ["{MODEL}"]\nagreement = "made"\n'
OWN = "".join(
    f'[questions.own.{name}]\ntitle = "The {name}"\nwords = "How is the {name}?"\n'
    for name in ("sleep", "pulse")
)
ALONE = '[questions]\nmode = "per_participant"\n'
PEOPLE = """\
participant_id,sex,birth_year,external_model
P1,female,1990,yes
P2,male,1980,yes
P3,male,1970,no
"""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-the-test")


def study_of(folder: Path, more: str = "", model: str = NAMED) -> Path:
    return write_study(folder / "study", f"{TOML}{model}{OWN}{more}", PEOPLE)


def notes(study: Path) -> list[str]:
    told = check_up(study, study.parent / "out").notes
    return told[next(n for n, note in enumerate(told) if note.startswith("language model:")) :]


def put(study: Path, stage: str, owner: str, table: type[Table], **row: object) -> None:
    _, workspace = order_of(study)
    made = conform(rows(table.info.name, {"participant_id": owner, **row}).lazy(), table).collect()
    workspace.store.put(stage, owner, "k" * 8, Result({table.info.name: made}, {}))


class TestWork:
    def test_compiled_questions_cost_by_question_and_set(self, tmp_path: Path) -> None:
        """Two people: 2 texts each. Two questions: 3 requests for each of likely 2 and at most 8 sets; a
        draft is tried 6 times, and an answer out of form asked for twice."""
        assert notes(study_of(tmp_path))[:4] == [
            f"language model: {MODEL}",
            "  texts of 2 of 2 participants who agreed (0 are there): likely 4 requests, at most 16",
            "  own questions, compiled: 2 of 2 (0 are there): likely 12 requests, at most 576",
            "  repairs of programs that fail on somebody's data: likely 0 requests, at most 240",
        ]

    def test_one_by_one_they_cost_by_participant(self, tmp_path: Path) -> None:
        assert notes(study_of(tmp_path, ALONE))[2:3] == [
            "  own questions, for each participant: 4 of 4 (0 are there): likely 12 requests, at most 384"
        ]

    def test_what_is_there_is_not_asked_again(self, tmp_path: Path) -> None:
        study = study_of(tmp_path)
        made = {"written_by": MODEL, "result_version": domain_expert.RESULT_VERSION}
        put(study, "summaries", "P1", Summaries, **made, prompt_digest=domain_expert.prompt_digest())
        put(study, "summaries", "P2", Summaries, **made, prompt_digest="of an older prompt")
        order, workspace = order_of(study)
        marks = {
            one.question_id: digest(asdict(one), prompts_digest()) for one in own_questions(workspace, order)
        }
        document = {"asked": marks | {"pulse": "asked in other words"}}
        workspace.store.put(QUESTIONS, COHORT, "k" * 8, Result(document=document))
        assert notes(study)[1:3] == [
            "  texts of 1 of 2 participants who agreed (1 are there): likely 2 requests, at most 8",
            "  own questions, compiled: 1 of 2 (1 are there): likely 6 requests, at most 288",
        ]

    def test_answers_of_one_are_there(self, tmp_path: Path) -> None:
        study = study_of(tmp_path, ALONE)
        made = {"written_by": MODEL, "prompt_digest": prompts_digest(), "question": "How is the pulse?"}
        put(study, "insights", "P2", Insights, question_id="pulse", **made)
        assert "own questions, for each participant: 3 of 4 (1 are there)" in notes(study)[2]

    def test_without_a_model_they_are_said_not_to_be_run(self, tmp_path: Path) -> None:
        told = notes(study_of(tmp_path, model=""))
        assert told == ["language model: none; no call, no cost; 2 own questions are not run"]


class TestCosts:
    def test_likely_tokens_are_those_on_record_at_the_dated_price(self, tmp_path: Path) -> None:
        """4 texts of 10,000 tokens in and 1,000 out: 4 x (0.0030 + 0.0025) dollars."""
        study = write_study(tmp_path / "study", TOML + NAMED, PEOPLE)
        journal = calls_journal(answers_of(order_of(study)[1]), "2026-06-27")
        for given in (8_000, 12_000):
            call = Call(
                "c", "P1", "domain_expert", MODEL, "h", True, "d", False, "answered",
                input_tokens=given, output_tokens=1_000,
            )  # fmt: skip
            journal.append(asdict(call))
        assert notes(study)[2].startswith(
            "  in all likely 4 requests, 44,000 tokens, $0.02; at most 16 requests, "
        )

    def test_in_batch_mode_it_costs_half(self, tmp_path: Path) -> None:
        money = [
            float(notes(study_of(tmp_path / name, model=NAMED + more))[4].rpartition("$")[2])
            for name, more in (("alone", ""), ("batch", "batch = true\n"))
        ]
        assert money[1] == pytest.approx(money[0] / 2, abs=0.01)

    def test_a_model_without_a_price_is_no_free_one(self, tmp_path: Path) -> None:
        told = notes(study_of(tmp_path, model=NAMED.replace(MODEL, "gemini-9-new")))
        assert told[4].endswith(" tokens, price unknown")

    @pytest.mark.parametrize(
        ("budget", "verdict"),
        [
            ("usd = 1000\ntokens = 1_000_000_000", "suffices even for the most"),
            (
                "usd = 1000\ntokens = 1_000_000_000\ncalls = 831",
                "likely, not for the most: 831 requests of the run",
            ),
            ("calls = 15", "does NOT suffice for what is likely: 15 requests of the run"),
            ("usd = 0.05", "does NOT suffice for what is likely: $0.05 of the run"),
            ("participant.calls = 1", "does NOT suffice for what is likely: 1 requests of a participant"),
            ("agents.data_science.calls = 11", "does NOT suffice for what is likely: 11 requests of data_s"),
        ],
    )
    def test_the_verdict_on_the_budget(self, tmp_path: Path, budget: str, verdict: str) -> None:
        assert verdict in notes(study_of(tmp_path, f"[budget]\n{budget}\n"))[-1]

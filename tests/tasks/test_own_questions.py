"""A study's own questions in a run: compiled once for the cohort by a model behind a real server."""

import gc
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from gemini_batches import GeminiBatches
from gemini_server import GeminiServer, Reply, structured
from pydantic import ValidationError
from scripted_analyst import ASKED, MODEL, between, drafted, form_of
from small_study import Ingested

from health_agents.data_science.agent.asking import prompts_digest
from health_agents.data_science.agent.context import FEWEST_PEOPLE
from health_agents.model import doors
from health_agents.sandbox import sandbox_state
from outputs.store import COHORT, Piece
from schemas.settings import QuestionsSection
from tasks import model_rounds
from tasks.agents import insights_one
from tasks.core import core_one, piece_of
from tasks.ledger import Keys, LedgerRow, keys_of
from tasks.model_rounds import rounds_of
from tasks.order import Order, workspace_of
from tasks.own_questions import CONTEXT, asked_of, compile_questions
from tasks.population import dossier_batch, make_edition
from tasks.preflight import make_order

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

DAY = "2026-07-01"
OWN = "".join(
    f'[questions.own.{name}]\ntitle = "{name.capitalize()}"\nwords = "{ASKED[name].words}"\n'
    for name in ("walking", "oxygen")
)


class AnalystServer(GeminiServer):
    """A Gemini endpoint behind which the scripted analyst works."""

    def _next(self, path: str, headers: dict[str, str], body: bytes) -> Reply:
        super()._next(path, headers, body)
        return drafted(json.loads(body))


def forget_doors() -> None:
    """As in a new process."""
    doors._doors.clear()
    gc.collect()


@dataclass(frozen=True, slots=True)
class Asked:
    """A study with two own questions, up to its dossiers; one participant agreed to a model, one did not."""

    order: Order
    rows: list[LedgerRow]
    agreed: str
    refused: str

    @property
    def keys(self) -> Keys:
        return keys_of(self.rows)

    def with_questions(self) -> "Asked":
        return replace(self, rows=[*self.rows, *compile_questions.fn(self.order, self.keys)])

    def piece(self, stage: str) -> Piece:
        found = piece_of(workspace_of(self.order), self.keys, stage, COHORT)
        assert found is not None
        return found

    def insights(self, participant_id: str) -> dict[str, dict[str, Any]]:
        """The answers to the own questions, by id."""
        (row,) = insights_one(self.order, self.keys, participant_id)
        assert row["state"] in ("done", "reused"), row
        workspace = workspace_of(self.order)
        found = workspace.store.find("insights", participant_id, row["key"])
        assert found is not None
        table = workspace.store.scan([found], "insights").collect()
        own = table.filter(pl.col("question_id").is_in(["walking", "oxygen"]))
        return {one["question_id"]: one for one in own.iter_rows(named=True)}


@pytest.fixture(scope="module")
def server() -> Iterator[AnalystServer]:
    if sandbox_state()[0] not in ("bubblewrap", "landlock"):
        pytest.skip("no sandbox for programs of a model on this machine (pha doctor says why)")
    with AnalystServer(structured({})) as started, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOOGLE_GEMINI_BASE_URL", started.url)
        patch.setenv("GEMINI_API_KEY", "key-of-the-test")
        yield started


@pytest.fixture(scope="module")
def asked(ingested: Ingested, tmp_path_factory: pytest.TempPathFactory, server: AnalystServer) -> Asked:
    folder = tmp_path_factory.mktemp("asked") / "made"
    shutil.copytree(ingested.workspace.study.root.parent, folder, symlinks=True)
    agreed, refused = ingested.ids
    registry = folder / "study" / "participants.csv"
    lines = registry.read_text().splitlines()
    registry.write_text(
        "".join(f"{one.removesuffix(',no')},yes\n" if one.startswith(agreed) else f"{one}\n" for one in lines)
    )
    with (folder / "study" / "study.toml").open("a") as toml:
        toml.write(f'\n[model]\nname = "{MODEL}"\nallow = ["rules", "{MODEL}"]\n{OWN}')
    ordered, workspace = make_order("full", str(folder / "study"), str(folder / "out"), None, None, None)
    order: Order = {**ordered, "as_of": DAY}
    rows = [
        *ingested.rows,
        *(core_one(workspace, order, keys_of(ingested.rows), one) for one in ingested.ids),
    ]
    rows += make_edition.fn(order, keys_of(rows))
    rows += dossier_batch.fn(ingested.ids, order, keys_of(rows))
    return Asked(order, rows, agreed, refused)


@pytest.fixture(scope="module")
def compiled(asked: Asked) -> Asked:
    return asked.with_questions()


class TestCompiling:
    def test_a_question_is_planned_once_for_all(self, compiled: Asked, server: AnalystServer) -> None:
        piece = compiled.piece("questions")
        assert piece.state == "done", (piece.what, server.paths)
        assert {name: len(keys) for name, keys in piece.document["compiled"].items()} == {
            "oxygen": 1, "walking": 1,
        }  # fmt: skip
        assert piece.document["problems"] == []
        sent = len(server.requests)
        assert 4 <= sent <= 6
        again = compiled.with_questions()
        assert again.rows[-1]["state"] == "reused"
        assert len(server.requests) == sent

    def test_no_group_is_told_of_that_is_too_small(self, compiled: Asked) -> None:
        workspace = workspace_of(compiled.order)
        told = workspace.store.find(CONTEXT, COHORT, str(compiled.piece("questions").document["context"]))
        assert told is not None
        assert len(workspace.study.participants) < FEWEST_PEOPLE
        assert all(source["quartiles"] is None for source in told.document["sources"])

    def test_nothing_of_a_person_is_sent(self, compiled: Asked, server: AnalystServer) -> None:
        sent = json.dumps(server.requests)
        for person in workspace_of(compiled.order).study.participants:
            assert person.participant_id not in sent
            assert not person.name or person.name not in sent

    def test_with_rules_nothing_is_compiled(self, asked: Asked, server: AnalystServer) -> None:
        sent = len(server.requests)
        assert compile_questions.fn({**asked.order, "model": "rules"}, asked.keys) == []
        assert len(server.requests) == sent


class TestAsking:
    def test_a_compiled_program_runs_for_everybody(self, compiled: Asked, server: AnalystServer) -> None:
        sent = len(server.requests)
        for participant in (compiled.agreed, compiled.refused):
            answers = compiled.insights(participant)
            assert set(answers) == {"walking", "oxygen"}
            assert answers["walking"]["outcome"] == "insufficient"
            assert answers["walking"]["statement"].startswith("Not enough days yet:")
            assert {answer["written_by"] for answer in answers.values()} == {MODEL}
            assert {answer["prompt_digest"] for answer in answers.values()} == {prompts_digest()}
            assert not any(answer["for_participant"] for answer in answers.values())
        assert len(server.requests) == sent

    def test_without_a_model_a_question_is_said_not_to_be_run(self, asked: Asked) -> None:
        answers = replace(asked, order={**asked.order, "model": "rules"}).insights(asked.agreed)
        assert {(one["outcome"], one["reason"]) for one in answers.values()} == {("not_run", "no_model")}
        assert {(one["program_digest"], one["prompt_digest"]) for one in answers.values()} == {(None, None)}

    def test_what_is_not_compiled_yet_waits(self, asked: Asked) -> None:
        answers = asked.insights(asked.refused)
        assert {(one["outcome"], one["reason"]) for one in answers.values()} == {("not_run", "pending")}


class TestAlone:
    """mode = "per_participant": nothing is compiled for the cohort."""

    @pytest.fixture
    def alone(self, asked: Asked, tmp_path: Path) -> Asked:
        shutil.copytree(Path(asked.order["study"]).parent, tmp_path / "made", symlinks=True)
        study = tmp_path / "made" / "study"
        with (study / "study.toml").open("a") as toml:
            toml.write('[questions]\nmode = "per_participant"\n')
        order: Order = {**asked.order, "study": str(study), "out": str(tmp_path / "made" / "out")}
        return replace(asked, order=order).with_questions()

    def test_only_those_who_agreed_are_asked(self, alone: Asked, server: AnalystServer) -> None:
        assert alone.piece("questions").document["compiled"] == {"oxygen": [], "walking": []}
        sent = len(server.requests)
        refused = alone.insights(alone.refused)
        assert {(one["outcome"], one["reason"]) for one in refused.values()} == {
            ("not_run", "model_not_allowed")
        }
        assert len(server.requests) == sent
        assert alone.insights(alone.agreed)["walking"]["reason"] == "too_few_days"


class TestBatches:
    """``[model] batch = true``: the same answers, in as many jobs as there are turns."""

    @pytest.fixture
    def batches(self, server: AnalystServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiBatches]:
        """Answers as the analyst does; its first program for the walking question is broken."""

        def answer(key: str, request: Mapping[str, Any]) -> dict[str, Any]:
            prompt = request["contents"][0]["parts"][0]["text"]
            is_first = form_of(request) == "program" and "This was try" not in prompt
            if is_first and "summary_df.steps" in between(prompt, "plan"):
                return {"response": structured({"program": "def analysis(summary_df): return {}"}).body}
            return {"response": drafted(request).body}

        with GeminiBatches(answer, looks=0) as started:
            monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", started.url)
            monkeypatch.setattr(model_rounds, "fetch_answers", model_rounds.fetch_answers.fn)
            yield started

    @staticmethod
    def asked_in(asked: Asked, folder: Path, mode: str) -> Asked:
        shutil.copytree(Path(asked.order["study"]).parent, folder, symlinks=True)
        for made in ("_answers", "compiled", "questions", "insights"):
            shutil.rmtree(folder / "out" / "store" / made, ignore_errors=True)
        toml = folder / "study" / "study.toml"
        changed = toml.read_text().replace("[model]\n", "[model]\nbatch = true\n")
        toml.write_text(f'{changed}[questions]\nids = []\nmode = "{mode}"\n')
        order: Order = {**asked.order, "study": str(folder / "study"), "out": str(folder / "out")}
        return replace(asked, order=order)

    @pytest.mark.parametrize("mode", ["compiled", "per_participant"])
    def test_jobs_are_as_many_as_turns_and_answers_the_same(
        self, asked: Asked, compiled: Asked, batches: GeminiBatches, tmp_path: Path, mode: str
    ) -> None:
        """Each round finds only what the one before left on disk, as if its process had been killed."""
        batch = self.asked_in(asked, tmp_path / "made", mode)

        def compiling() -> list[LedgerRow]:
            forget_doors()
            return compile_questions.fn(batch.order, batch.keys)

        def asking() -> list[LedgerRow]:
            forget_doors()
            return insights_one(batch.order, batch.keys, batch.agreed)

        batch = replace(batch, rows=[*batch.rows, *rounds_of(compiling, batch.order)])
        rounds_of(asking, batch.order)
        assert batch.insights(batch.agreed) == compiled.insights(compiled.agreed)
        jobs = batches.jobs.values()
        assert [sorted(form_of(line["request"]) for line in lines) for lines in jobs] == [
            ["plan", "plan"],
            ["program", "program", "template", "template"],
            ["program"],
        ]
        assert len({line["key"] for lines in jobs for line in lines}) == 7, "nothing was sent twice"


class TestSettings:
    def test_no_answer_of_a_model_may_stand_on_a_participants_page(self) -> None:
        words = {"title": "Walking", "words": "Is there more walking on weekends?"}
        (asked,) = asked_of(QuestionsSection.model_validate({"own": {"walking": words}}), MODEL)
        assert (asked.written_by, asked.is_for_participant) == (MODEL, False)

    def test_an_own_question_has_its_own_id(self) -> None:
        words = {"title": "Walking", "words": "Is there more walking on weekends?"}
        assert QuestionsSection.model_validate({"own": {"walking": words}}).mode == "compiled"
        for bad in ("fitness_trend", "Walking", "a/b", "w"):
            with pytest.raises(ValidationError):
                QuestionsSection.model_validate({"own": {bad: words}})

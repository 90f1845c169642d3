"""A study's own questions, for which a language model plans: compiled once for the cohort."""

import os
from dataclasses import asdict, dataclass
from functools import partial

import polars as pl

from health_agents.data_science.agent import context
from health_agents.data_science.agent.asking import Asking, prompts_digest
from health_agents.data_science.agent.compiled import Compiled, compile_question, compile_sets, read_compiled
from health_agents.data_science.agent.context import Context
from health_agents.data_science.agent.person_sources import person_sources, sources_there
from health_agents.data_science.library import Question
from health_agents.model import RULES, ModelDoor, asking_all, door_of
from health_agents.sandbox import open_sandbox
from outputs.digests import digest
from outputs.store import COHORT, Piece, Result
from schemas.errors import PhaError
from schemas.settings import QuestionsSection
from tasks.core import piece_of
from tasks.ledger import Keys, LedgerRow, work
from tasks.order import Order, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import Workspace, answers_of, counts_in_population

RESULT_VERSION = 3
CONTEXT, COMPILED, QUESTIONS = "context", "compiled", "questions"
SOURCE_TABLES = ("participants", "daily_summary", "activities", "lab_results", "survey_scores")


@pha_task("questions", retries=1)
def compile_questions(order: Order, keys: Keys) -> list[LedgerRow]:
    """The context the planner is told of, pinned to the edition, and the compiled questions of the cohort.

    Both rest only on participants of whom data may leave. No row where nothing is asked of a model.
    """
    workspace = workspace_of(order)
    if not own_questions(workspace, order) or order["model"] == RULES:
        return []
    edition = piece_of(workspace, keys, "edition", COHORT)
    if edition is None or edition.state == "failed":
        return [work(workspace.store, QUESTIONS, COHORT, "", None)]
    sources = _sources(workspace, keys)
    consenting = sources["participant_id"].unique().sort().to_list()
    told = digest(CONTEXT, RESULT_VERSION, edition.key, consenting)
    row = work(workspace.store, CONTEXT, COHORT, told, partial(_make_context, workspace, sources, edition))
    if row["state"] == "failed":
        return [{**row, "stage": QUESTIONS, "key": ""}]
    patterns = {frozenset(names) for names in sources_there(sources).values()}
    asked = [asdict(one) for one in own_questions(workspace, order)]
    how = workspace.study.settings.questions.mode, sorted(map(sorted, patterns))
    key = digest(QUESTIONS, RESULT_VERSION, told, prompts_digest(), asked, how)
    return [work(workspace.store, QUESTIONS, COHORT, key, partial(_compile, workspace, order, told, sources))]


def own_questions(workspace: Workspace, order: Order) -> list[Question]:
    """The study's own questions, by id; the run's model writes their answers."""
    return asked_of(workspace.study.settings.questions, order["model"])


def asked_of(questions: QuestionsSection, model: str) -> list[Question]:
    """The own questions of settings, by id, as they are asked of a model."""
    asked_with = prompts_digest() if model != RULES else None
    return [
        Question(
            name,
            one.title,
            one.words,
            "No plan was made.",
            "",
            written_by=model,
            prompt_digest=asked_with,
        )
        for name, one in sorted(questions.own.items())
    ]


def door(workspace: Workspace, order: Order) -> ModelDoor:
    """The door to the run's model."""
    answers = answers_of(workspace)
    return door_of(order["model"], workspace.study.settings, answers, os.environ, order["as_of"])


def context_of(workspace: Workspace, questions: Piece) -> Context:
    """The context that the questions of a piece were compiled with."""
    return _kept_context(workspace, str(questions.document["context"]))


def compiled_of(workspace: Workspace, asked: Question, questions: Piece) -> list[Compiled]:
    """What was compiled for a question, in the order of making."""
    keys: dict[str, list[str]] = questions.document["compiled"]
    pieces = (workspace.store.find(COMPILED, COHORT, key) for key in keys[asked.question_id])
    return [read_compiled(asked, piece.document) for piece in pieces if piece and piece.state == "done"]


def _make_context(workspace: Workspace, sources: pl.DataFrame, edition: Piece) -> Result:
    metrics = workspace.store.scan([edition], "population_percentiles").select("metric").unique()
    made = context.make_context(sources, metrics.collect()["metric"])
    return Result(document={"sources": [asdict(source) for source in made.sources]})


def _compile(workspace: Workspace, order: Order, told: str, sources: pl.DataFrame) -> Result:
    """The compiled questions of the cohort, by their keys; those made before with the same context stay."""
    whole, before = _kept_context(workspace, told), workspace.store.newest(QUESTIONS, COHORT)
    alone = workspace.study.settings.questions.mode == "per_participant"
    patterns = [] if alone else [names & whole.names for names in sources_there(sources).values()]
    usable = before is not None and not alone and before.document["context"] == told
    kept = before.document if before and usable else {"asked": {}}
    marks: dict[str, str] = {}
    keys: dict[str, list[str]] = {}
    problems: list[dict[str, str]] = []
    with open_sandbox() as sandbox, asking_all() as each:
        ask = Asking(door(workspace, order), sandbox, COHORT)
        for asked in own_questions(workspace, order):
            name = asked.question_id
            marks[name] = digest(asdict(asked), prompts_digest())
            first = kept["compiled"][name] if kept["asked"].get(name) == marks[name] else []
            made = _Compiling(workspace, ask, asked, whole, list(first))
            with each():
                compile_sets(patterns, made.kept(), made.compiled_for)
            keys[name] = made.keys
            problems += made.problems()
    return Result(document={"context": told, "asked": marks, "compiled": keys, "problems": problems})


@dataclass(frozen=True, slots=True)
class _Compiling:
    """One question being compiled: keys of its pieces, failures that another try won't mend among them."""

    workspace: Workspace
    ask: Asking
    asked: Question
    whole: Context
    keys: list[str]

    def kept(self) -> list[Compiled]:
        return [
            read_compiled(self.asked, piece.document) for piece in self._pieces() if piece.state == "done"
        ]

    def compiled_for(self, there: frozenset[str]) -> Compiled | None:
        told = self.whole.limited_to(there).text()
        key = digest(COMPILED, RESULT_VERSION, prompts_digest(), asdict(self.asked), told)
        store = self.workspace.store
        piece = store.find(COMPILED, COHORT, key) or self._make(key, there)
        self.keys.append(key)
        return read_compiled(self.asked, piece.document) if piece.state == "done" else None

    def problems(self) -> list[dict[str, str]]:
        return [
            {"code": piece.code or "unexpected", "subject": self.asked.question_id, "what": piece.what or ""}
            for piece in self._pieces()
            if piece.state == "failed"
        ]

    def _make(self, key: str, there: frozenset[str]) -> Piece:
        """Compile and keep. A fault that another try may mend (budget, rate limit) ends the stage instead."""
        store = self.workspace.store
        try:
            document = compile_question(self.ask, self.asked, self.whole, there).document
        except PhaError as error:
            if error.code.name != "question_not_compiled":
                raise
            return store.put_failure(COMPILED, COHORT, key, error)
        return store.put(COMPILED, COHORT, key, Result(document=document))

    def _pieces(self) -> list[Piece]:
        found = (self.workspace.store.find(COMPILED, COHORT, key) for key in self.keys)
        return [piece for piece in found if piece is not None]


def _sources(workspace: Workspace, keys: Keys) -> pl.DataFrame:
    """Sources of the participants of whom data may leave."""
    pieces = [
        piece
        for person in workspace.study.participants
        if person.external_model and counts_in_population(person)
        and (piece := piece_of(workspace, keys, "core", person.participant_id)) is not None
        and piece.state == "done"
    ]  # fmt: skip
    return person_sources({name: workspace.store.scan(pieces, name) for name in SOURCE_TABLES}).collect()


def _kept_context(workspace: Workspace, key: str) -> Context:
    piece = workspace.store.find(CONTEXT, COHORT, key)
    if piece is None:
        raise PhaError("unexpected", type="the context of questions is gone")
    return context.read_context(piece.document["sources"])

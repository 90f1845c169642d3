"""Stages insights and summaries: the agents' work, keyed by what the agents see."""

import atexit
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache, partial

import polars as pl

from health_agents import data_science, domain_expert
from health_agents.data_science.answers import Asker
from health_agents.model import RULES
from health_agents.sandbox import Sandbox, open_sandbox
from outputs.digests import digest
from outputs.dossier import Dossier, read_dossier
from outputs.frame_digest import frame_digest
from outputs.store import COHORT, Piece, Result
from outputs.windows import DATA_OLD_AFTER_DAYS
from schemas.errors import PhaError
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform, key_of
from tasks.core import piece_of
from tasks.keys import SCHEMA_VERSIONS
from tasks.ledger import Keys, LedgerRow, Mode, died, not_due, work
from tasks.order import Order, is_in, workspace_of
from tasks.own_answers import own_askers
from tasks.prefect_task import pha_task
from tasks.workers import make_missing
from tasks.workspace import Workspace, answers_of, counts_in_population

INSIGHT_TABLES = (
    "participants",
    "daily_summary",
    "activities",
    "lab_results",
    "survey_answers",
    "survey_scores",
)


@pha_task("insights", retries=1)
def insights_batch(ids: list[str], order: Order, keys: Keys) -> list[LedgerRow]:
    """The study's questions, asked of a batch of participants."""
    return make_missing(partial(insights_one, order, keys), ids)


@pha_task("summaries", retries=2)
def summaries_batch(ids: list[str], order: Order, keys: Keys) -> list[LedgerRow]:
    """Summaries of a batch of participants."""
    one = partial(summary_one, workspace_of(order), order, keys)
    if order["model"] == RULES:
        return [one(participant_id) for participant_id in ids]
    with ThreadPoolExecutor(len(ids)) as side_by_side:  # The model's door keeps the pace.
        return list(side_by_side.map(one, ids))


def insights_one(order: Order, keys: Keys, participant_id: str, mode: Mode = "make") -> list[LedgerRow]:
    """Insights of one participant; keyed by the very data the programs see."""
    workspace = workspace_of(order)
    if not counts_in_population(workspace.study.participant(participant_id)):
        return [not_due("insights", participant_id)]
    if mode == "look" and workspace.store.newest("insights", participant_id) is None:
        return [work(workspace.store, "insights", participant_id, "", None)]
    core, dossier, edition = (
        piece_of(workspace, keys, stage, owner)
        for stage, owner in (("core", participant_id), ("dossier", participant_id), ("edition", COHORT))
    )
    if core is None or dossier is None or edition is None or not _has_tables(core, dossier):
        return [work(workspace.store, "insights", participant_id, "", None)]
    tables = insight_tables(workspace, core, dossier, edition)
    population = told_population(
        workspace.store.scan([edition], "population_percentiles"),
        workspace.store.scan([edition], "shareable_percentiles"),
        str(edition.document["edition"]),
    )
    questions = workspace.study.settings.questions.ids
    others, own = own_askers(workspace, order, keys, participant_id, tables)
    key = digest(
        "insights",
        data_science.RESULT_VERSION,
        data_science.library_digest(),
        SCHEMA_VERSIONS,
        questions,
        isolation(),
        {name: frame_digest(frame) for name, frame in tables.items()},
        frame_digest(population),
        *own,
    )
    ask = partial(_ask, tables, population, questions, others)
    make = {"make": ask, "look": None, "killed": died}[mode if is_in(order, participant_id) else "look"]
    return [work(workspace.store, "insights", participant_id, key, make)]


def insight_tables(
    workspace: Workspace, core: Piece, dossier: Piece, edition: Piece
) -> dict[str, pl.DataFrame]:
    """Tables the programs see: up to data_through, without what moves with the calendar alone.

    Of ``days_behind`` they see whether the data are too old to speak of the last days, as the fewest days
    for which that holds; a day more or less makes no agent work again.
    """
    tables = {name: workspace.store.scan([core], name).collect() for name in INSIGHT_TABLES}
    through = tables["participants"]["data_through"].item()
    participants = tables["participants"]
    behind, old = pl.col("days_behind"), DATA_OLD_AFTER_DAYS + 1
    tables["participants"] = participants.with_columns(
        pl.when(behind >= old)
        .then(old)
        .when(behind >= 0)
        .then(0)
        .cast(participants.schema["days_behind"])
        .alias("days_behind"),
        pl.lit(None, participants.schema["observed_to"]).alias("observed_to"),
    )
    tables["daily_summary"] = tables["daily_summary"].filter(pl.col("date") <= pl.lit(through, pl.Date))
    percentiles = workspace.store.scan([dossier], "participant_percentiles")
    return {**tables, "participant_percentiles": _of_cohort(percentiles, edition)}


def told_population(whole: pl.LazyFrame, shareable: pl.LazyFrame, edition: str) -> pl.DataFrame:
    """population_percentiles for programs, whose answers participants read: the reference as it is, of people
    of the study (those of ``edition``) only what may be passed on.
    """
    of_study = shareable.with_columns(definition=pl.lit("person"), edition=pl.lit("cohort"))
    told = conform(of_study, PopulationPercentiles)
    of_reference = whole.filter(pl.col("edition") != edition)
    return pl.concat([of_reference, told]).sort(key_of(PopulationPercentiles)).collect()


def _of_cohort(frame: pl.LazyFrame, edition: Piece) -> pl.DataFrame:
    """The cohort's edition by that word: its own name is the day or month it was made."""
    named = pl.col("edition").replace(str(edition.document["edition"]), "cohort")
    return frame.with_columns(named).collect()


def summary_one(workspace: Workspace, order: Order, keys: Keys, participant_id: str) -> LedgerRow:
    """Texts of one participant; keyed by the facts they rest on, without the run's date."""
    person = workspace.study.participant(participant_id)
    if not counts_in_population(person):
        return not_due("summaries", participant_id)
    dossier_piece = piece_of(workspace, keys, "dossier", participant_id)
    if dossier_piece is None or not _has_tables(dossier_piece):
        return work(workspace.store, "summaries", participant_id, "", None)
    dossier = whole_dossier(workspace, keys, participant_id, dossier_piece)
    model = order["model"] if person.external_model else "rules"
    key = digest(
        "summaries",
        domain_expert.RESULT_VERSION,
        SCHEMA_VERSIONS,
        model,
        domain_expert.prompt_digest(),
        frame_digest(dossier.facts),
        frame_digest(dossier.findings),
    )
    make = partial(_write, workspace, dossier, model, order["as_of"])
    allowed = is_in(order, participant_id)
    return work(workspace.store, "summaries", participant_id, key, make if allowed else None)


def whole_dossier(workspace: Workspace, keys: Keys, participant_id: str, piece: Piece) -> Dossier:
    """The dossier with the facts that the insights added."""
    insights = piece_of(workspace, keys, "insights", participant_id)
    core = piece_of(workspace, keys, "core", participant_id)
    edition = piece_of(workspace, keys, "edition", COHORT)
    return read_dossier(
        facts=workspace.store.scan([one for one in (piece, insights) if one], "facts").collect(),
        findings=workspace.store.scan([piece], "findings").collect(),
        person=workspace.store.scan([core] if core else [], "participants").collect().row(0, named=True),
        edition=str(edition.document["edition"]) if edition else "",
    )


def _write(workspace: Workspace, dossier: Dossier, model: str, account: str | None) -> Result:
    writer = domain_expert.writer_of(
        model, workspace.study.settings, answers_of(workspace), os.environ, account
    )
    return domain_expert.write_summaries(dossier, writer)


def _ask(
    tables: dict[str, pl.DataFrame],
    population: pl.DataFrame,
    questions: tuple[str, ...],
    others: Sequence[Asker],
) -> Result:
    return data_science.answer_questions(tables, population, questions, _sandbox(), others)


@cache
def _sandbox() -> Sandbox:
    """One warm sandbox a process, closed when the process ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(open_sandbox())


def isolation() -> str | None:
    """How programs are kept apart on this machine; None where they cannot run at all."""
    try:
        return _sandbox().isolation
    except PhaError:
        return None


def _has_tables(*pieces: Piece) -> bool:
    return all(piece.state == "done" for piece in pieces)

"""Stages fitbit, labs and surveys: what people sent becomes core tables."""

from collections.abc import Callable, Sequence
from functools import partial

from ingest import fitbit, labs, surveys
from ingest.fingerprint import fingerprint
from ingest.source_file import SourceFile
from ingest.study import Source
from outputs.store import COHORT, Result
from schemas.participant import Participant
from tasks.batches import stage_task
from tasks.keys import ingest_key, surveys_key
from tasks.ledger import LedgerRow, work
from tasks.order import Order, is_in, workspace_of
from tasks.workers import map_in_processes
from tasks.workspace import Workspace


@stage_task("ingest")
def ingest_batch(ids: list[str], order: Order) -> list[LedgerRow]:
    """Exports and lab reports of a batch of participants."""
    return [row for rows in map_in_processes(partial(ingest_one, order), ids) for row in rows]


@stage_task("surveys")
def ingest_surveys(order: Order) -> list[LedgerRow]:
    """The survey files, which are of the whole cohort."""
    workspace = workspace_of(order)
    files = survey_files(workspace)
    key = surveys_key(workspace, files)
    make = partial(
        surveys.ingest_surveys,
        files,
        workspace.study.participants,
        workspace.study.secret,
        workspace.study.settings.privacy.free_text,
    )
    return [work(workspace.store, "surveys", COHORT, key, make)]


def ingest_one(order: Order, participant_id: str) -> list[LedgerRow]:
    """Stages fitbit and labs of one participant. Of a withdrawn one nothing new is read."""
    workspace = workspace_of(order)
    person = workspace.study.participant(participant_id)
    allowed = is_in(order, participant_id) and person.status != "withdrawn"
    return [
        _ingest(workspace, person, "fitbit", order, fitbit.RESULT_VERSION, fitbit.ingest_fitbit, allowed),
        _ingest(workspace, person, "labs", order, labs.RESULT_VERSION, labs.ingest_labs, allowed),
    ]


def _ingest(
    workspace: Workspace,
    person: Participant,
    source: Source,
    order: Order,
    version: int,
    reader: Callable[[Participant, Sequence[SourceFile], bytes], Result],
    allowed: bool,
) -> LedgerRow:
    files = workspace.files(source, person.participant_id, order["shared"])
    key = ingest_key(workspace, person, source, version, files)
    make = partial(reader, person, files, workspace.study.secret) if allowed else None
    return work(workspace.store, source, person.participant_id, key, make)


def survey_files(workspace: Workspace) -> tuple[SourceFile, ...]:
    """The files of surveys/, known by content."""
    folder = workspace.study.root / "surveys"
    cache = workspace.out / "store" / "_fingerprints" / "surveys.json"
    return fingerprint([folder] if folder.is_dir() else [], cache, workspace.study.secret)

"""Stages fitbit, labs and surveys: what people sent becomes core tables."""

from collections.abc import Callable, Sequence
from functools import partial

from ingest import fitbit, labs, surveys
from ingest.source_file import SourceFile
from ingest.study import SOURCES, Source
from outputs.store import COHORT, Result
from schemas.participant import Participant
from tasks.board import raise_alerts
from tasks.decided_exports import decided_on
from tasks.decided_readings import decisions_of
from tasks.keys import ingest_key, surveys_key
from tasks.ledger import LedgerRow, Mode, died, kept, work
from tasks.order import Order, is_in, workspace_of
from tasks.prefect_task import pha_task
from tasks.workers import make_missing
from tasks.workspace import Workspace, survey_files


@pha_task("ingest", retries=1)
def ingest_batch(ids: list[str], order: Order) -> list[LedgerRow]:
    """Exports and lab reports of a batch of participants."""
    return make_missing(partial(ingest_one, order), ids)


@pha_task("surveys", retries=1)
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
        workspace.study.settings.surveys.files,
    )
    rows = [work(workspace.store, "surveys", COHORT, key, make)]
    raise_alerts(workspace, rows)
    return rows


def ingest_one(order: Order, participant_id: str, mode: Mode = "make") -> list[LedgerRow]:
    """Stages fitbit and labs of one participant. Of a withdrawn one nothing new is read."""
    workspace = workspace_of(order)
    person = workspace.study.participant(participant_id)
    if person.status == "withdrawn":
        return [kept(workspace.store, source, participant_id) for source in SOURCES]
    if not is_in(order, participant_id):
        mode = "look"
    rows = [_ingest(workspace, person, source, order, mode) for source in SOURCES]
    if mode == "make":
        raise_alerts(workspace, rows)
    return rows


def _ingest(workspace: Workspace, person: Participant, source: Source, order: Order, mode: Mode) -> LedgerRow:
    files = workspace.files(source, person.participant_id, order["shared"])
    key = ingest_key(workspace, person, source, files)
    read = _reader(workspace, person, source, files)
    make = {"make": read, "look": None, "killed": died}[mode]
    return work(workspace.store, source, person.participant_id, key, make)


def _reader(
    workspace: Workspace, person: Participant, source: Source, files: Sequence[SourceFile]
) -> Callable[[], Result]:
    secret = workspace.study.secret
    if source == "labs":
        return partial(labs.ingest_labs, person, files, secret, decisions_of(workspace, person, files))
    readings = workspace.store.root / "_readings" / person.participant_id
    decided = decided_on(workspace.decisions, person, files, secret)
    return partial(fitbit.ingest_fitbit, person, files, secret, readings, decided)

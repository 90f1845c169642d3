"""Stage core: a participant's tables, cut to the observation period of a run's as-of, and their values."""

from datetime import date
from functools import partial

import polars as pl

from outputs import observation, participant_features, person_values
from outputs.digests import digest
from outputs.frame_digest import frame_digest
from outputs.observation import Ingested
from outputs.store import COHORT, Piece, Result
from schemas.participant import Participant
from schemas.settings import Settings
from tasks.keys import SCHEMA_VERSIONS
from tasks.ledger import Keys, LedgerRow, work
from tasks.order import Order, as_of_of, is_in, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import Workspace


@pha_task("core", retries=1)
def core_batch(ids: list[str], order: Order, keys: Keys) -> list[LedgerRow]:
    """Core tables of a batch of participants."""
    workspace = workspace_of(order)
    return [core_one(workspace, order, keys, participant_id) for participant_id in ids]


def core_one(workspace: Workspace, order: Order, keys: Keys, participant_id: str) -> LedgerRow:
    """Core tables of one participant from the ingest pieces of the run."""
    person = workspace.study.participant(participant_id)
    pieces = [
        piece
        for stage in ("fitbit", "labs", "surveys")
        if (piece := piece_of(workspace, keys, stage, participant_id)) is not None
    ]
    ingested = ingested_of(workspace, pieces, participant_id)
    surveys = [frame_digest(ingested.table(name).collect()) for name in ("survey_answers", "survey_scores")]
    as_of, settings = as_of_of(order), workspace.study.settings
    key = digest(
        "core",
        observation.RESULT_VERSION,
        person_values.RESULT_VERSION,
        participant_features.RESULT_VERSION,
        SCHEMA_VERSIONS,
        [piece.result_digest for piece in pieces if piece.owner != COHORT],
        surveys,
        _registry_row(person),
        as_of,
        settings.strata,
        settings.windows,
    )
    make = partial(make_core, person, ingested, as_of, settings)
    return work(workspace.store, "core", participant_id, key, make if is_in(order, participant_id) else None)


def make_core(person: Participant, ingested: Ingested, as_of: date, settings: Settings) -> Result:
    """Core tables, the values that percentiles are made of, and the features that papers start from."""
    core = observation.observe(person, ingested, as_of, settings)
    tables = {name: frame.lazy() for name, frame in core.tables.items()}
    row = tables["participants"].collect().row(0, named=True)
    values = person_values.person_values(
        tables["daily_summary"],
        tables["lab_results"],
        tables["survey_scores"],
        person_values.Person(person.participant_id, person.sex, row["age_group"], row["data_through"], as_of),
        settings.windows.days,
    )
    features = participant_features.participant_features(
        tables, row["data_through"], person.enrolled_on, as_of, settings.windows.days
    )
    made = {"person_values": values, "participant_features": features}
    return Result({**core.tables, **made}, core.document)


def piece_of(workspace: Workspace, keys: Keys, stage: str, participant_id: str) -> Piece | None:
    """The piece of a stage that concerns a participant: their own, else that of the cohort."""
    of_stage = keys.get(stage, {})
    for owner in (participant_id, COHORT):
        if key := of_stage.get(owner):
            return workspace.store.find(stage, owner, key)
    return None


def ingested_of(workspace: Workspace, pieces: list[Piece], participant_id: str) -> Ingested:
    """Ingest tables of one participant; rows of others in the cohort's survey piece are left out."""
    own = pl.col("participant_id") == participant_id
    tables: dict[str, pl.LazyFrame] = {}
    for name in sorted({name for piece in pieces for name in piece.tables}):
        tables[name] = workspace.store.scan(pieces, name).filter(own)
    told = next((piece.document for piece in pieces if piece.stage == "fitbit"), {})
    arrived = told.get("arrived_through")
    return Ingested(tables, date.fromisoformat(arrived) if arrived else None, told.get("profile_height_cm"))


def _registry_row(person: Participant) -> tuple[object, ...]:
    """What of the registry decides the core tables. It goes into a digest only: it holds the birth date."""
    return (
        person.participant_id,
        person.sex,
        person.gender,
        person.birth_year,
        person.birth_date,
        person.time_zone,
        person.status,
        person.site,
        person.group,
        person.enrolled_on,
        person.consent_from,
        person.consent_to,
        person.left_on,
    )

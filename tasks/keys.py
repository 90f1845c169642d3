"""Keys of ingest pieces: digests of all that decides a result."""

from collections.abc import Sequence
from dataclasses import asdict

from ingest import fitbit, labs, surveys
from ingest.fitbit.decided import ExportDecision
from ingest.labs.decided import ReadingDecision
from ingest.source_file import SourceFile
from ingest.study import Source
from outputs.digests import digest, keyed_digest
from schemas.participant import Participant
from schemas.tables import TABLES
from tasks.decided_exports import decided_on
from tasks.decided_readings import decisions_of
from tasks.workspace import Workspace

SCHEMA_VERSIONS = {name: table.info.version for name, table in TABLES.items()}
VERSIONS: dict[Source, int] = {"fitbit": fitbit.RESULT_VERSION, "labs": labs.RESULT_VERSION}


def ingest_key(workspace: Workspace, person: Participant, source: Source, files: Sequence[SourceFile]) -> str:
    """Digest of all that decides the result: the files, who the person is, the reader's version.

    And what people decided on it. For lab reports also what reads pictures here: where that is new, scans
    set aside are tried again.
    """
    secret = workspace.study.secret
    who = keyed_digest(
        secret,
        person.name or "",
        str(person.birth_date),
        str(person.birth_year),
        person.sex,
        person.time_zone,
    )
    pictures = labs.picture_engine() if source == "labs" else None
    decided = [asdict(d) for d in _decided(workspace, person, source, files)]
    marks = _marks(files, person.participant_id, secret)
    return digest(source, VERSIONS[source], SCHEMA_VERSIONS, who, marks, pictures, decided)


def _decided(
    workspace: Workspace, person: Participant, source: Source, files: Sequence[SourceFile]
) -> Sequence[ReadingDecision | ExportDecision]:
    if source == "labs":
        return decisions_of(workspace, person, files)
    return decided_on(workspace.decisions, person, files, workspace.study.secret)


def surveys_key(workspace: Workspace, files: Sequence[SourceFile]) -> str:
    """Digest of all that decides the survey tables: files, their names and mappings, ids, sex, free text."""
    people = sorted(
        (person.participant_id, person.sex, sorted(person.aliases)) for person in workspace.study.participants
    )
    secret, settings = workspace.study.secret, workspace.study.settings
    mappings = sorted((name, file.model_dump()) for name, file in settings.surveys.files.items())
    return digest(
        "surveys",
        surveys.RESULT_VERSION,
        SCHEMA_VERSIONS,
        people,
        settings.privacy.free_text,
        mappings,
        _marks(files, None, secret),
    )


def _marks(files: Sequence[SourceFile], owner: str | None, secret: bytes) -> list[tuple[str, str | None]]:
    return sorted((file.file_id(secret, owner), file.set_aside) for file in files)

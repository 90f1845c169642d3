"""What ingest found in single files in the last run, by the files' real names: for `pha check` only."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.study import SOURCES
from outputs.stage_problems import problems_of
from outputs.store import COHORT, Piece
from schemas.errors import CODES, Code
from tasks.comparing import set_asides
from tasks.keys import ingest_key, surveys_key
from tasks.workspace import Workspace, survey_files


@dataclass(frozen=True, slots=True)
class KeptProblem:
    """A problem as the store keeps it: its code and its text, the details filled in."""

    code: Code
    what: str

    @property
    def next_step(self) -> str:
        """What to do."""
        return self.code.next_step

    def __str__(self) -> str:
        return f"{self.code.name}: {self.what}"


def kept_problems(workspace: Workspace) -> Iterator[tuple[str, KeptProblem]]:
    """(file below the study folder, problem) of all files whose reading is in the store; writes nothing.

    Only the pieces of the files as they lie there now: what was told of a file since replaced is over.
    """
    for piece in kept_pieces(workspace):
        place = "surveys" if piece.owner == COHORT else f"{piece.stage}/{piece.owner}"
        names = _names(workspace, piece)
        for problem in problems_of([piece]):
            name = names.get(problem.subject.partition(":")[0])
            where = f"{place}/{name}" if name else place_of_person(place, piece.owner, problem.participant_id)
            yield where, KeptProblem(CODES[problem.code], problem.what)


def place_of_person(place: str, owner: str, participant_id: str | None) -> str:
    """The place, with the person whose matter it is where a piece is of the whole cohort."""
    return f"{place} of {participant_id}" if owner == COHORT and participant_id else place


def kept_pieces(workspace: Workspace) -> Iterator[Piece]:
    """The pieces of the files as they are now, of everybody whose files are read."""
    asides = set_asides(workspace)
    keys = [
        (source, person.participant_id, ingest_key(workspace, person, source, files))
        for source in SOURCES
        for person in workspace.study.participants
        if person.status != "withdrawn"
        if (files := workspace.files(source, person.participant_id, asides))
    ]
    keys.append(("surveys", COHORT, surveys_key(workspace, survey_files(workspace))))
    found = (workspace.store.find(*key) for key in keys)
    yield from (piece for piece in found if piece is not None)


def _names(workspace: Workspace, piece: Piece) -> dict[str, str]:
    """file_id -> real name, as the operator's private folder keeps it."""
    path = workspace.out / "private" / piece.stage / piece.owner / f"{piece.key}.json"
    return json.loads(path.read_bytes()) if path.is_file() else {}

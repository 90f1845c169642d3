"""Decisions on readings of lab reports: each to the participant whose report it is of."""

from collections.abc import Sequence

from ingest.labs.decided import ReadingDecision
from ingest.source_file import SourceFile
from outputs.decisions import Decision, decisions_on_readings
from outputs.stage_problems import StageProblem
from schemas.errors import PhaError
from schemas.participant import Participant
from tasks.workspace import Workspace


def decisions_of(
    workspace: Workspace, person: Participant, files: Sequence[SourceFile]
) -> tuple[ReadingDecision, ...]:
    """What was decided on readings of these files of a person, by row."""
    ids = {file.file_id(workspace.study.secret, person.participant_id) for file in files}
    decided = (_reading(decision) for decision in decisions_on_readings(workspace.decisions))
    return tuple(sorted((d for d in decided if d.file_id in ids), key=lambda d: (d.file_id, d.row_no)))


def lost_decisions(workspace: Workspace) -> list[StageProblem]:
    """Decisions on readings of reports that are in nobody's folder (any more)."""
    secret = workspace.study.secret
    known = {
        file.file_id(secret, person.participant_id)
        for person in workspace.study.participants
        for file in workspace.files("labs", person.participant_id, [])
    }
    what = PhaError("decision_outdated").what
    return [
        StageProblem(None, "labs", "decision_outdated", decision.target, what)
        for decision in decisions_on_readings(workspace.decisions)
        if _reading(decision).file_id not in known
    ]


def _reading(decision: Decision) -> ReadingDecision:
    file_id, _, row_no = decision.target.partition(":")
    value = decision.value if decision.decision == "correct" else None
    return ReadingDecision(file_id, int(row_no), decision.expect or "", value)

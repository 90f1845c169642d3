"""Decisions on readings of lab reports: each to the participant whose report it is of."""

from collections.abc import Sequence

from ingest.labs.decided import ReadingDecision
from ingest.source_file import SourceFile
from ingest.study import Source
from outputs.decisions import Decision, decisions_on_exports, decisions_on_readings
from outputs.stage_problems import StageProblem
from schemas.decision_targets import parts_of
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
    """Decisions on files that are in nobody's folder (any more), and on days of nobody in the study."""
    on: dict[Source, list[Decision]] = {
        "labs": decisions_on_readings(workspace.decisions),
        "fitbit": decisions_on_exports(workspace.decisions),
    }
    return [
        StageProblem(None, source, "decision_outdated", decision.target, _not_applied(decision))
        for source, decisions in on.items()
        if decisions
        for known in [_known(workspace, source)]
        for decision in decisions
        if not known & set(parts_of(decision.target).values())
    ]


def _not_applied(decision: Decision) -> str:
    return PhaError("decision_outdated", decision=decision.decision, target=decision.target).what


def _known(workspace: Workspace, source: Source) -> set[str]:
    """Ids of all files of a source, and of everybody in the study."""
    people = [person.participant_id for person in workspace.study.participants]
    files = {
        file.file_id(workspace.study.secret, owner)
        for owner in people
        for file in workspace.files(source, owner, [])
    }
    return {*people, *files}


def _reading(decision: Decision) -> ReadingDecision:
    file_id, _, row_no = decision.target.partition(":")
    value = decision.value if decision.decision == "correct" else None
    return ReadingDecision(file_id, int(row_no), decision.expect or "", value)

"""Decisions on exports: each to the participant whose files or days it is on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ingest.fitbit.decided import ACCEPTABLE, SET_ASIDE_BY_DECISION, ExportDecision
from ingest.source_file import SourceFile
from outputs.decisions import Decision, decisions_on_exports
from schemas.decision_targets import SET_ASIDE, kind_of, parts_of
from schemas.participant import Participant


def decided_on(
    decisions: Iterable[Decision], person: Participant, files: Sequence[SourceFile], secret: bytes
) -> tuple[ExportDecision, ...]:
    """What was decided on a person's exports and days, by target."""
    ids = {file.file_id(secret, person.participant_id) for file in files}
    own = [d for d in decisions_on_exports(decisions) if _is_on(d, person.participant_id, ids)]
    return tuple(ExportDecision(d.target, d.expect or "", d.value) for d in own)


def judged_by_people(
    files: Sequence[SourceFile], owner: str, decisions: Iterable[Decision], secret: bytes
) -> tuple[SourceFile, ...]:
    """Files with the verdict people decided on: set aside, or read although others sent the same."""
    by_file = {d.target: d for d in decisions_on_exports(decisions) if kind_of(d.target) == "file"}
    return tuple(_judged(file, owner, by_file, secret) for file in files) if by_file else tuple(files)


def _is_on(decision: Decision, owner: str, file_ids: set[str]) -> bool:
    parts = parts_of(decision.target)
    return parts.get("person") == owner or parts.get("file") in file_ids


def _judged(file: SourceFile, owner: str, by_file: Mapping[str, Decision], secret: bytes) -> SourceFile:
    decision = by_file.get(file.file_id(secret, owner))
    if decision is None:
        return file
    if decision.value == SET_ASIDE and decision.expect == file.content_digest(secret):
        return replace(file, set_aside=SET_ASIDE_BY_DECISION)
    if decision.decision == "accept" and decision.expect in ACCEPTABLE and decision.expect == file.set_aside:
        return replace(file, set_aside=None)
    return file

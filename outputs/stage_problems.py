"""What stages have to tell people: problems of single files, and stages that failed."""

from collections.abc import Iterable
from dataclasses import dataclass

from outputs.store import COHORT, Piece


@dataclass(frozen=True, slots=True)
class StageProblem:
    """A coded problem of a stage.

    participant_id: None for a matter of the whole study.
    subject: what it is about: a file_id, a keyed digest, or the stage and key of work that failed.
    what: the code's text with its details; safe to show.
    failed: the stage made nothing at all.
    """

    participant_id: str | None
    stage: str
    code: str
    subject: str
    what: str
    failed: bool = False


def problems_of(pieces: Iterable[Piece]) -> list[StageProblem]:
    """The problems that pieces keep in their documents, and a problem for each piece that failed."""
    problems: list[StageProblem] = []
    for piece in pieces:
        owner = None if piece.owner == COHORT else piece.owner
        if piece.state == "failed":
            subject = f"{piece.stage}:{piece.key}"
            problems.append(
                StageProblem(
                    owner, piece.stage, piece.code or "unexpected", subject, piece.what or "", failed=True
                )
            )
        problems.extend(
            StageProblem(
                item.get("participant_id", owner),
                piece.stage,
                item["code"],
                str(item["subject"]),
                item["what"],
            )
            for item in piece.document.get("problems", [])
        )
    return problems

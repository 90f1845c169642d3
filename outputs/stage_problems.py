"""What stages have to tell people: problems of single files, and stages that failed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from outputs.digests import digest
from outputs.store import COHORT, Piece

TEXTS_SHOWN = 3


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


def merged_by_code(problems: Iterable[StageProblem]) -> list[StageProblem]:
    """One problem for all files of a participant that a stage tells the same code of, in order of the first.

    Its subject is the same as long as the files are: what was decided on them does not hide another file.
    """
    groups: dict[tuple[str | None, str, str], list[StageProblem]] = defaultdict(list)
    for problem in problems:
        groups[problem.participant_id, problem.stage, problem.code].append(problem)
    return [_merged(group) for group in groups.values()]


def joint_subject(subjects: Iterable[str]) -> str:
    """The subject itself; of several, a digest that does not depend on their order."""
    several = sorted(set(subjects))
    return several[0] if len(several) == 1 else digest(several)


def joint_text(texts: Sequence[str], files: int) -> str:
    """The different texts, the first few of them, and of how many files they tell where it is not one."""
    different = sorted(set(texts))
    shown = " ".join(different[:TEXTS_SHOWN])
    more = f" And {len(different) - TEXTS_SHOWN} more of the kind." if len(different) > TEXTS_SHOWN else ""
    return f"{shown}{more}" + (f" ({files} files)" if files > 1 else "")


def _merged(group: Sequence[StageProblem]) -> StageProblem:
    subjects = {problem.subject for problem in group}
    what = joint_text([problem.what for problem in group], len(subjects))
    return replace(group[0], subject=joint_subject(subjects), what=what)

"""One file of a participant's laboratory folder: a report, a fault, or a repeat that is not opened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.labs.checks import check_rows
from ingest.labs.decided import ReadingDecision, with_decisions
from ingest.labs.ocr import picture_reader
from ingest.labs.pdf import read_pages
from ingest.labs.report import Report, read_report
from ingest.source_file import SourceFile
from schemas.errors import PhaError
from schemas.participant import Participant

_UNREADABLE = frozenset(
    {"file_unreadable", "lab_pdf_empty", "lab_not_pdf", "lab_encrypted", "lab_too_large", "lab_text_unusable"}
)
_FOREIGN = frozenset({"lab_identity_mismatch", "lab_multiple_patients"})


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file."""

    file: SourceFile
    file_id: str
    report: Report | None = None
    fault: PhaError | None = None
    repeat: bool = False
    decided: frozenset[int] = frozenset()

    def status(self, in_review: int) -> tuple[str, str | None]:
        """Status and reason of the report in lab_files."""
        if self.repeat:
            return "duplicate", "same_bytes"
        if self.fault is not None:
            code = self.fault.code.name
            return ("unreadable" if code in _UNREADABLE else "quarantined"), code
        return ("partial", "lab_row_review") if in_review else ("accepted", None)

    @property
    def identity(self) -> str | None:
        """The verdict of the identity gate; None where it was not reached."""
        if self.fault is not None and self.fault.code.name in _FOREIGN:
            return "identity_mismatch"
        return self.report.identity if self.report else None


def read_files(
    files: Sequence[SourceFile],
    participant: Participant,
    secret: bytes,
    decisions: Sequence[ReadingDecision] = (),
) -> list[FileOutcome]:
    """Every file on its own, in a fixed order: a fault in one never stops the others."""
    seen: set[str] = set()
    outcomes: list[FileOutcome] = []
    for file in sorted(files, key=lambda f: (f.relative, f.sha256)):
        file_id = file.file_id(secret, participant.participant_id)
        repeat = file.set_aside is not None or (file.size > 0 and file.sha256 in seen)
        seen.add(file.sha256)
        own = [decision for decision in decisions if decision.file_id == file_id]
        outcomes.append(
            FileOutcome(file, file_id, repeat=True) if repeat else _read(file, file_id, participant, own)
        )
    return outcomes


def _read(
    file: SourceFile, file_id: str, participant: Participant, decisions: Sequence[ReadingDecision]
) -> FileOutcome:
    try:
        report = read_report(read_pages(file.path, picture_reader()), file_id, participant)
    except PhaError as fault:
        return FileOutcome(file, file_id, fault=fault)
    rows, decided = with_decisions(report.rows, decisions)
    checked = replace(report, rows=tuple(check_rows(rows, participant)))
    return FileOutcome(file, file_id, report=checked, decided=decided)

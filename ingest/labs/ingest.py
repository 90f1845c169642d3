"""The stage ``labs``: a participant's reports, each read on its own, then settled together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ingest.labs.checks import check_rows
from ingest.labs.derived import derive, note_egfr
from ingest.labs.pdf import read_pages
from ingest.labs.report import LabRow, Report, read_report
from ingest.labs.supersede import Settled, settle
from ingest.labs.tables import count_by_file, frame_of, lab_results, lab_review, rejected_rows
from ingest.source_file import SourceFile
from outputs.store import Result
from schemas.errors import PhaError
from schemas.lab_files import LabFiles
from schemas.participant import Participant
from schemas.source_files import SourceFiles

RESULT_VERSION = 1

_UNREADABLE = frozenset(
    {"lab_pdf_empty", "lab_not_pdf", "lab_encrypted", "lab_too_large", "lab_text_unusable"}
)
_FOREIGN = frozenset({"lab_identity_mismatch", "lab_multiple_patients"})
CRITICAL_MARKS = frozenset({"LL", "HH", "critical"})


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file: a report, a fault, or a reason why it was not opened."""

    file: SourceFile
    file_id: str
    report: Report | None = None
    fault: PhaError | None = None
    duplicate: bool = False


def ingest_labs(participant: Participant, files: Sequence[SourceFile], secret: bytes) -> Result:
    """All laboratory results a participant's PDFs hold, of every day.

    Tables lab_results, lab_files, lab_review, source_files, rejected_rows; document "problems". A fault in one
    report is a problem of that report; the others are read. Files whose name does not end in .pdf count too:
    whatever lies in the folder is a report somebody sent.
    """
    outcomes = [_outcome(file, participant, secret) for file in _without_repeats(files)]
    reports = {o.file_id: o.report for o in outcomes if o.report is not None}
    settled = settle(row for report in reports.values() for row in report.rows)
    accepted = note_egfr(settled.accepted, participant)
    read = {file_id: len(report.rows) for file_id, report in reports.items()}
    results = [*accepted, *derive(accepted, participant, read)]
    counts = _counts(read, settled)
    who = participant.participant_id
    return Result(
        tables={
            "lab_results": lab_results(results, who, RESULT_VERSION),
            "lab_review": lab_review(settled.review, who),
            "lab_files": frame_of([_lab_file(o, who, counts) for o in outcomes], LabFiles),
            "source_files": frame_of([_source_file(o, who, secret, counts) for o in outcomes], SourceFiles),
            "rejected_rows": rejected_rows(settled.review, who),
        },
        document={"problems": [*_file_problems(outcomes), *_row_problems(settled.review)]},
        private={o.file_id: o.file.relative for o in outcomes},
    )


def _without_repeats(files: Sequence[SourceFile]) -> list[tuple[SourceFile, bool]]:
    """Files in a fixed order, each with whether an earlier one has the same bytes."""
    seen: set[str] = set()
    ordered: list[tuple[SourceFile, bool]] = []
    for file in sorted(files, key=lambda f: f.relative):
        ordered.append((file, file.size > 0 and file.sha256 in seen))
        seen.add(file.sha256)
    return ordered


def _outcome(file_and_repeat: tuple[SourceFile, bool], participant: Participant, secret: bytes) -> FileOutcome:
    file, repeat = file_and_repeat
    file_id = file.file_id(secret, participant.participant_id)
    if file.set_aside is not None or repeat:
        return FileOutcome(file, file_id, duplicate=True)
    try:
        report = read_report(read_pages(file.path), file_id, participant)
    except PhaError as fault:
        return FileOutcome(file, file_id, fault=fault)
    return FileOutcome(file, file_id, report=_checked(report, participant))


def _checked(report: Report, participant: Participant) -> Report:
    return Report(
        rows=tuple(check_rows(report.rows, participant)),
        pages=report.pages,
        identity=report.identity,
        vendor=report.vendor,
        layout=report.layout,
        status=report.status,
        collected_date=report.collected_date,
    )


def _counts(read: Mapping[str, int], settled: Settled) -> dict[str, dict[str, int]]:
    """Per file: read = accepted + review + merged."""
    accepted, review = count_by_file(settled.accepted), count_by_file(settled.review)
    merged = count_by_file(settled.merged)
    return {
        file_id: {
            "read": rows,
            "accepted": accepted.get(file_id, 0),
            "review": review.get(file_id, 0),
            "merged": merged.get(file_id, 0),
        }
        for file_id, rows in read.items()
    }


_NOTHING = {"read": 0, "accepted": 0, "review": 0, "merged": 0}


def _lab_file(outcome: FileOutcome, participant_id: str, counts: Mapping[str, dict[str, int]]) -> dict[str, Any]:
    report, count = outcome.report, counts.get(outcome.file_id, _NOTHING)
    status, reason = _status(outcome, count)
    return {
        "participant_id": participant_id,
        "file_id": outcome.file_id,
        "bytes": outcome.file.size,
        "pages": report.pages if report else None,
        "lab_vendor": report.vendor if report else None,
        "layout_id": report.layout if report else None,
        "status": status,
        "reason": reason,
        "identity": _identity(outcome),
        "collected_date": report.collected_date if report else None,
        "report_status": report.status if report else None,
        "rows_read": count["read"],
        "rows_accepted": count["accepted"],
        "rows_review": count["review"],
        "rows_ignored": count["merged"],
    }


def _status(outcome: FileOutcome, count: Mapping[str, int]) -> tuple[str, str | None]:
    if outcome.duplicate:
        return "duplicate", "same_bytes"
    if outcome.fault is not None:
        code = outcome.fault.code.name
        return ("unreadable" if code in _UNREADABLE else "quarantined"), code
    return ("partial", "lab_row_review") if count["review"] else ("accepted", None)


def _identity(outcome: FileOutcome) -> str | None:
    if outcome.fault is not None and outcome.fault.code.name in _FOREIGN:
        return "identity_mismatch"
    return outcome.report.identity if outcome.report else None


def _source_file(
    outcome: FileOutcome, participant_id: str, secret: bytes, counts: Mapping[str, dict[str, int]]
) -> dict[str, Any]:
    report, count = outcome.report, counts.get(outcome.file_id, _NOTHING)
    return {
        "file_id": outcome.file_id,
        "participant_id": participant_id,
        "source": "labs",
        "form": "lab_pdf",
        "generation": report.layout if report else None,
        "bytes": outcome.file.size,
        "content_digest": outcome.file.content_digest(secret),
        "identity": outcome.file.set_aside or ("same_bytes" if outcome.duplicate else _identity(outcome)),
        "error_code": outcome.fault.code.name if outcome.fault else None,
        "first_day": report.collected_date if report else None,
        "last_day": max((r.collected_date for r in report.rows if r.collected_date), default=None)
        if report
        else None,
        "rows_read": count["read"],
        "rows_staged": count["accepted"],
        "rows_merged": count["merged"],
        "rows_rejected": count["review"],
        "rows_ignored": 0,
    }


def _file_problems(outcomes: Sequence[FileOutcome]) -> list[dict[str, str]]:
    return [
        {"code": o.fault.code.name, "subject": o.file_id, "what": o.fault.what}
        for o in outcomes
        if o.fault is not None
    ]


def _row_problems(review: Sequence[LabRow]) -> list[dict[str, str]]:
    """One problem per report with doubtful rows; a critical mark in doubt is named at once and by itself."""
    doubtful = count_by_file(row for row in review if row.superseded_by is None)
    problems = [
        _problem("lab_row_review", file_id, count=count) for file_id, count in sorted(doubtful.items())
    ]
    marked = [row for row in review if row.flag_printed in CRITICAL_MARKS and row.superseded_by is None]
    for row in sorted(marked, key=lambda r: (r.file_id, r.row_no)):
        analyte = row.analyte.key if row.analyte else "not recognised"
        problems.append(_problem("lab_critical_mark", f"{row.file_id}:{row.row_no}", analyte=analyte))
    return problems


def _problem(code: str, subject: str, **details: object) -> dict[str, str]:
    return {"code": code, "subject": subject, "what": PhaError(code, **details).what}

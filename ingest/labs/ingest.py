"""The stage ``labs``: a participant's reports, each read on its own, then settled together."""

from collections.abc import Mapping, Sequence

from ingest.labs.decided import ReadingDecision
from ingest.labs.derived import derive, note_egfr
from ingest.labs.file_tables import counts_by_file, lab_files, source_files
from ingest.labs.flags import CRITICAL_MARKS
from ingest.labs.outcome import FileOutcome, read_files
from ingest.labs.report import Report
from ingest.labs.row import LabRow
from ingest.labs.supersede import settle
from ingest.labs.tables import count_by_file, lab_results, lab_review, rejected_rows
from ingest.source_file import SourceFile
from outputs.store import Result
from schemas.errors import PhaError
from schemas.participant import Participant

RESULT_VERSION = 10


def ingest_labs(
    participant: Participant,
    files: Sequence[SourceFile],
    secret: bytes,
    decisions: Sequence[ReadingDecision] = (),
) -> Result:
    """All laboratory results a participant's PDFs hold, of every day.

    Tables lab_results, lab_files, lab_review, source_files, rejected_rows; document "problems". A fault in
    one report is a problem of that report; the others are read. Whatever its name, a file in the folder
    counts as a report somebody sent. ``decisions``: what people decided on readings of these reports.
    """
    outcomes = read_files(files, participant, secret, decisions)
    reports = {o.file_id: o.report for o in outcomes if o.report is not None}
    settled = settle(row for report in reports.values() for row in report.rows)
    accepted = note_egfr(settled.accepted, participant)
    read = {file_id: len(report.rows) for file_id, report in reports.items()}
    counts = counts_by_file(read, settled)
    who = participant.participant_id
    return Result(
        tables={
            "lab_results": lab_results(
                [*accepted, *derive(accepted, participant, read)], who, RESULT_VERSION
            ),
            "lab_review": lab_review(settled.review, who),
            "lab_files": lab_files(outcomes, who, counts),
            "source_files": source_files(outcomes, who, counts, secret),
            "rejected_rows": rejected_rows(settled.review, who),
        },
        document={
            "problems": [
                *_file_problems(outcomes),
                *_picture_problems(accepted, settled.review),
                *_row_problems(settled.review),
                *_unread_problems(reports),
                *_outdated_decisions(decisions, outcomes),
            ]
        },
        private={o.file_id: o.file.relative for o in outcomes},
    )


def _unread_problems(reports: Mapping[str, Report]) -> list[dict[str, str]]:
    """Reports of which lines that look like results were not read: their layout is not understood whole."""
    return [
        _problem("lab_lines_unread", file_id, count=report.unread)
        for file_id, report in sorted(reports.items())
        if report.unread
    ]


def _outdated_decisions(
    decisions: Sequence[ReadingDecision], outcomes: Sequence[FileOutcome]
) -> list[dict[str, str]]:
    """Decisions whose reading is not there any more as it was when somebody decided."""
    applied = {(outcome.file_id, row_no) for outcome in outcomes for row_no in outcome.decided}
    gone = {(d.file_id, d.row_no): d for d in decisions if (d.file_id, d.row_no) not in applied}
    return [
        _problem(
            "decision_outdated",
            target := f"{file_id}:{row_no}",
            target=target,
            decision="accept" if decided.value is None else "correct",
        )
        for (file_id, row_no), decided in sorted(gone.items(), key=lambda item: item[0])
    ]


def _file_problems(outcomes: Sequence[FileOutcome]) -> list[dict[str, str]]:
    return [
        {"code": o.fault.code.name, "subject": o.file_id, "what": o.fault.what}
        for o in outcomes
        if o.fault is not None
    ]


def _picture_problems(accepted: Sequence[LabRow], review: Sequence[LabRow]) -> list[dict[str, str]]:
    """One problem per report that was a picture: nobody but a person sees a line that was not recognised."""
    counted = {
        name: count_by_file(row for row in rows if row.source_kind == "ocr")
        for name, rows in (("accepted", accepted), ("review", review))
    }
    files = sorted({file_id for counts in counted.values() for file_id in counts})
    return [
        _problem(
            "lab_read_from_picture",
            file_id,
            **{name: counts.get(file_id, 0) for name, counts in counted.items()},
        )
        for file_id in files
    ]


def _row_problems(review: Sequence[LabRow]) -> list[dict[str, str]]:
    """One problem per report with doubtful rows; a critical mark in doubt is named at once and by itself."""
    doubtful = count_by_file(row for row in review if row.superseded_by is None)
    problems = [
        _problem("lab_row_review", file_id, count=count) for file_id, count in sorted(doubtful.items())
    ]
    marked = [row for row in review if row.flag_printed in CRITICAL_MARKS and row.superseded_by is None]
    for row in sorted(marked, key=lambda r: (r.file_id, r.row_no)):
        analyte = row.analyte.key if row.analyte else "an analyte that was not recognised"
        day = row.collected_date.isoformat() if row.collected_date else "an unknown day"
        subject = f"{row.file_id}:{row.row_no}"
        problems.append(_problem("lab_critical_mark", subject, analyte=f"{analyte}, in doubt", day=day))
    return problems


def _problem(code: str, subject: str, **details: object) -> dict[str, str]:
    return {"code": code, "subject": subject, "what": PhaError(code, **details).what}

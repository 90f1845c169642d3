"""Tables lab_files and source_files: one row a file, whose counts close."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ingest.labs.outcome import FileOutcome
from ingest.labs.supersede import Settled
from ingest.labs.tables import count_by_file, frame_of
from schemas.lab_files import LabFiles
from schemas.source_files import SourceFiles


@dataclass(frozen=True, slots=True)
class Counts:
    """Printed rows of a report: read = accepted + review + merged."""

    read: int = 0
    accepted: int = 0
    review: int = 0
    merged: int = 0


def counts_by_file(read: Mapping[str, int], settled: Settled) -> dict[str, Counts]:
    """file_id -> counts, for every report that was read."""
    accepted, review, merged = (
        count_by_file(rows) for rows in (settled.accepted, settled.review, settled.merged)
    )
    return {
        file_id: Counts(rows, accepted.get(file_id, 0), review.get(file_id, 0), merged.get(file_id, 0))
        for file_id, rows in read.items()
    }


def lab_files(
    outcomes: Sequence[FileOutcome], participant_id: str, counts: Mapping[str, Counts]
) -> pl.DataFrame:
    """Table lab_files."""
    return frame_of(
        [_lab_file(o, participant_id, counts.get(o.file_id, Counts())) for o in outcomes], LabFiles
    )


def source_files(
    outcomes: Sequence[FileOutcome], participant_id: str, counts: Mapping[str, Counts], secret: bytes
) -> pl.DataFrame:
    """Table source_files. Rows put to review stand under rejected, each with its row in rejected_rows."""
    return frame_of(
        [_source_file(o, participant_id, counts.get(o.file_id, Counts()), secret) for o in outcomes],
        SourceFiles,
    )


def _lab_file(outcome: FileOutcome, participant_id: str, counts: Counts) -> dict[str, Any]:
    report = outcome.report
    status, reason = outcome.status(counts.review)
    return {
        "participant_id": participant_id,
        "file_id": outcome.file_id,
        "bytes": outcome.file.size,
        "pages": report.pages if report else None,
        "lab_vendor": report.vendor if report else None,
        "layout_id": report.layout if report else None,
        "status": status,
        "reason": reason,
        "identity": outcome.identity,
        "collected_date": report.first_day if report else None,
        "report_status": report.status if report else None,
        "rows_read": counts.read,
        "rows_accepted": counts.accepted,
        "rows_review": counts.review,
        "rows_ignored": counts.merged,
    }


def _source_file(outcome: FileOutcome, participant_id: str, counts: Counts, secret: bytes) -> dict[str, Any]:
    report, file = outcome.report, outcome.file
    return {
        "file_id": outcome.file_id,
        "participant_id": participant_id,
        "source": "labs",
        "form": "lab_pdf",
        "generation": report.layout if report else None,
        "bytes": file.size,
        "content_digest": file.content_digest(secret),
        "identity": file.set_aside or ("same_bytes" if outcome.repeat else outcome.identity),
        "error_code": outcome.fault.code.name if outcome.fault else None,
        "first_day": report.first_day if report else None,
        "last_day": report.last_day if report else None,
        "rows_read": counts.read,
        "rows_staged": counts.accepted,
        "rows_merged": counts.merged,
        "rows_rejected": counts.review,
        "rows_ignored": 0,
    }

"""What a right reader gets from a report: rows in the form of lab_results, and what becomes of the file."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import polars as pl

from schemas.lab_results import LabResults
from schemas.table import conform
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.placing import pages_of
from synthetic.labs.printing import Interval, Result
from synthetic.labs.report import Report

Verdict = Literal["accepted", "set_aside"]
Reason = Literal[
    "multiple_patients", "identity_mismatch", "encrypted", "empty_file", "not_pdf", "too_large",
    "layout_unknown", "text_unusable", "no_collection_date", "duplicate",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabFile:
    """A report as bytes, with its true rows and the right verdict.

    ``rows`` are all rows printed, also of a file that is to be set aside and of superseded results.
    ``superseded_by``: row number -> name of the file whose result replaces it. ``merged``: rows that stand
    again, equal, in a later report of the specimen. ``doubts``: row number -> why it is for review.
    """

    participant_id: str
    name: str
    content: bytes
    layout: str
    rows: pl.DataFrame
    verdict: Verdict = "accepted"
    reason: Reason | None = None
    identity: Literal["matched", "unchecked", "identity_mismatch"] | None = "matched"
    doubts: dict[int, str] = field(default_factory=dict[int, str])
    superseded_by: dict[int, str] = field(default_factory=dict[int, str])
    merged: frozenset[int] = frozenset()

    @property
    def described(self) -> dict[str, Any]:
        """The entry of truth/lab_files.json."""
        return {
            "participant_id": self.participant_id,
            "file": self.name,
            "layout": self.layout,
            "verdict": self.verdict,
            "reason": self.reason,
            "identity": self.identity,
            "rows_printed": self.rows.height,
            "rows_in_doubt": {str(row): reason for row, reason in sorted(self.doubts.items())},
            "rows_merged": len(self.merged),
            "rows_superseded_by": {str(row): name for row, name in sorted(self.superseded_by.items())},
        }


def published_rows(files: Iterable[LabFile]) -> pl.DataFrame:
    """Rows that belong in lab_results: of accepted files, not in doubt, not superseded, each test once."""
    kept = [
        file.rows.filter(~pl.col("row_no").is_in([*file.doubts, *file.superseded_by, *file.merged]))
        for file in files
        if file.verdict == "accepted"
    ]
    empty = pl.LazyFrame().pipe(conform, LabResults).collect()
    return pl.concat([empty, *kept])


def printed_rows(report: Report, source_kind: str = "text") -> pl.DataFrame:
    """Every row of a report in the form of lab_results.

    ``file_id`` holds the file's name, since a file id needs the study's secret. Where a report gives a date
    without a time, only ``collected_date`` is set; what it does not state is null or unknown.
    """
    layout = LAYOUTS[report.layout]
    rows = [
        {
            "row_no": number,
            "page": page,
            "raw_reference": _reference(report, result.interval),
            **row_of(result),
        }
        for number, (result, page) in enumerate(
            zip(report.results, pages_of(report, layout), strict=True), start=1
        )
    ]
    return (
        pl.DataFrame(rows, infer_schema_length=None)
        .with_columns(**_of_report(report, source_kind))
        .lazy()
        .pipe(conform, LabResults)
        .collect()
    )


def doubts_of(report: Report) -> dict[int, str]:
    """Row number -> reason for which a right reader does not accept the row."""
    return {number: r.doubt for number, r in enumerate(report.results, start=1) if r.doubt is not None}


def row_of(result: Result) -> dict[str, Any]:
    """What a result's own print says, by column of lab_results; the interval's raw string is the layout's."""
    line, value = result.line, result.value
    return {
        "panel": line.panel,
        "raw_name": line.name,
        "raw_value": result.raw_value,
        "raw_flag": result.flag,
        "raw_unit": line.unit,
        "loinc": line.loinc,
        "analyte_key": line.key,
        "comparator": result.comparator,
        "value_num": None if value is None else float(value),
        "bound_num": None if result.bound is None else float(result.bound),
        "value_text": result.text,
        "missing_reason": result.missing,
        "unit_ucum": line.ucum if line.key else None,
        "flag_printed": result.flag_meaning,
        "flag_computed": result.computed,
        **_ends(result.interval),
    }


def _ends(interval: Interval | None) -> dict[str, Any]:
    low = None if interval is None else interval.low
    high = None if interval is None else interval.high
    includes = interval is not None and not interval.strict
    return {
        "ref_low": None if low is None else float(low),
        "ref_high": None if high is None else float(high),
        "ref_low_incl": None if low is None else includes,
        "ref_high_incl": None if high is None else includes,
        "ref_text": None if interval is None else interval.words,
    }


def _reference(report: Report, interval: Interval | None) -> str | None:
    return None if interval is None else LAYOUTS[report.layout].style.interval(interval)


def _of_report(report: Report, source_kind: str) -> dict[str, pl.Expr]:
    layout = LAYOUTS[report.layout]
    collected = report.collected

    def moment(field: str, printed: datetime | None) -> pl.Expr:
        return pl.lit(printed if layout.timed and layout.states(field) else None, dtype=pl.Datetime("us"))

    return {
        "participant_id": pl.lit(report.person.participant_id),
        "file_id": pl.lit(report.file_name),
        "source_kind": pl.lit(source_kind),
        "collected_at": moment("collected", collected),
        "collected_date": pl.lit(None if collected is None else collected.date(), dtype=pl.Date),
        "received_at": moment("received", report.received),
        "reported_at": moment("reported", report.reported),
        "report_status": pl.lit(report.status),
        "fasting": pl.lit(("yes" if report.fasting else "no") if layout.states("fasting") else "unknown"),
        "derived": pl.lit(False),
    }

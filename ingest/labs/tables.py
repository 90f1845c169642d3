"""Rows and reports in the form of the published tables."""

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import polars as pl

from ingest.labs.row import LabRow, normalised
from schemas.lab_results import LabResults
from schemas.lab_review import LabReview
from schemas.rejected_rows import RejectedRows
from schemas.table import Table, conform, polars_schema

_SHOWN_IN_REVIEW = (
    "page",
    "bbox_json",
    "raw_name",
    "raw_value",
    "raw_unit",
    "raw_reference",
    "comparator",
)


def lab_results(rows: Iterable[LabRow], participant_id: str, reader_version: int) -> pl.DataFrame:
    """Table lab_results: printed rows that are current and accepted, and derived ones."""
    return frame_of([_result(row, participant_id, reader_version) for row in rows], LabResults)


def lab_review(rows: Iterable[LabRow], participant_id: str) -> pl.DataFrame:
    """Table lab_review: readings in doubt or superseded."""
    return frame_of([_reviewed(row, participant_id) for row in rows], LabReview)


def rejected_rows(rows: Iterable[LabRow], participant_id: str) -> pl.DataFrame:
    """Table rejected_rows: the readings put to review, without their text."""
    records = [
        {
            "file_id": row.file_id,
            "place": f"page {row.reading.page} row {row.row_no}",
            "rule": ";".join(row.doubts),
            "participant_id": participant_id,
            "table": "lab_results",
            "code": "lab_row_review",
            "rows": 1,
        }
        for row in rows
    ]
    return frame_of(records, RejectedRows)


def frame_of(records: list[dict[str, Any]], table: type[Table]) -> pl.DataFrame:
    """Records as a frame of a table; columns they lack are null."""
    schema = polars_schema(table)
    columns = {name: [record.get(name) for record in records] for name in schema}
    return conform(pl.LazyFrame(columns, schema=schema), table).collect()


def _result(row: LabRow, participant_id: str, reader_version: int) -> dict[str, Any]:
    return {
        "participant_id": participant_id,
        "file_id": row.file_id,
        "row_no": row.row_no,
        "lab_vendor": row.vendor,
        "layout_id": row.reading.layout,
        "reader_version": reader_version,
        "source_kind": row.source_kind,
        "derived": row.derived,
        "review_reasons": ";".join(row.notes) or None,
        **_as_printed(row),
        **_as_understood(row),
        **_circumstances(row),
    }


def _as_printed(row: LabRow) -> dict[str, Any]:
    reading = row.reading
    value, interval = reading.value, reading.interval
    return {
        "page": reading.page,
        "bbox_json": json.dumps(reading.box),
        "panel": reading.panel,
        "raw_name": reading.raw_name,
        "raw_value": value.raw,
        "raw_flag": reading.raw_flag,
        "raw_unit": reading.raw_unit,
        "raw_reference": interval.raw if interval else None,
        "comparator": value.comparator,
        "value_num": _float(value.number),
        "bound_num": _float(value.bound),
        "value_text": value.text,
        "missing_reason": value.missing,
        "ref_low": _float(interval.low) if interval else None,
        "ref_high": _float(interval.high) if interval else None,
        "ref_low_incl": interval.low_incl if interval else None,
        "ref_high_incl": interval.high_incl if interval else None,
        "ref_text": interval.text if interval else None,
    }


def _as_understood(row: LabRow) -> dict[str, Any]:
    return {
        "name_norm": normalised(row),
        "loinc": row.loinc,
        "analyte_key": row.analyte.key if row.analyte else None,
        "unit_ucum": row.unit.ucum if row.unit else None,
        "value_canonical": _float(row.canonical),
        "bound_canonical": _float(row.bound_canonical),
        "canonical_unit": row.analyte.unit if row.analyte else None,
        "flag_printed": row.flag_printed,
        "flag_computed": row.flag_computed,
        "flag_mismatch": row.flag_mismatch,
        "specimen_type": row.specimen_type,
    }


def _circumstances(row: LabRow) -> dict[str, Any]:
    return {
        "collected_at": row.collected_at,
        "collected_date": row.collected_date,
        "received_at": row.received_at,
        "reported_at": row.reported_at,
        "report_status": row.report_status,
        "fasting": row.fasting,
        "fasting_source": "report" if row.fasting in ("yes", "no") else None,
    }


def _reviewed(row: LabRow, participant_id: str) -> dict[str, Any]:
    printed = _as_printed(row)
    return {
        "participant_id": participant_id,
        "file_id": row.file_id,
        "row_no": row.row_no,
        "reasons": ";".join(row.doubts),
        "analyte_key": row.analyte.key if row.analyte else None,
        "value_canonical": _float(row.canonical),
        "bound_canonical": _float(row.bound_canonical),
        "canonical_unit": row.analyte.unit if row.analyte else None,
        "flag_printed": row.flag_printed,
        "collected_date": row.collected_date,
        "suggestion": _suggestion(row),
        "superseded_by": row.superseded_by,
        **{name: printed[name] for name in _SHOWN_IN_REVIEW},
    }


def _suggestion(row: LabRow) -> str | None:
    """What the reader would take it for: key, amount and canonical unit."""
    amount = row.canonical if row.canonical is not None else row.bound_canonical
    if row.analyte is None or amount is None:
        return None
    return f"{row.analyte.key} {row.reading.value.comparator or ''}{amount:f} {row.analyte.unit}"


def _float(number: Decimal | None) -> float | None:
    return None if number is None else float(number)


def count_by_file(rows: Iterable[LabRow]) -> Mapping[str, int]:
    """file_id -> rows."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.file_id] = counts.get(row.file_id, 0) + 1
    return counts

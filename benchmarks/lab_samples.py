"""Labelled sample reports in the terms of a truth: those with text, a date of collection and rows."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.lab_matching import Row
from schemas.participant import Participant, Sex

SEXES: dict[str, Sex] = {"M": "male", "F": "female"}
Sample = tuple[Participant, bytes, list[Row]]


def sample_reports(folder: Path) -> Iterator[Sample]:
    """Made samples that are to be read, then public ones that have a date of collection."""
    for path in sorted((folder / "synthetic").glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if _is_to_be_read(truth):
            rows = [_made_row(row, truth["collected_at"][:10]) for row in truth["results"]]
            yield _person(truth["patient"]), path.with_suffix(".pdf").read_bytes(), rows
    for line in (folder / "public" / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        if "collected" in truth:
            rows = [_public_row(row, truth["collected"]) for row in truth["rows"]]
            yield _person(truth.get("patient", {})), (folder / "public" / truth["file"]).read_bytes(), rows


def _is_to_be_read(truth: dict[str, Any]) -> bool:
    """Labelled to be accepted by its text; one without a date is set aside by another rule."""
    status = truth["expected_status"]
    return status.startswith("ok") and "ocr" not in status and bool(truth.get("collected_at"))


def _person(patient: dict[str, Any]) -> Participant:
    """What the label tells of the person; a public report may tell nothing, and is read unchecked."""
    born = date.fromisoformat(patient["dob"]) if "dob" in patient else None
    sex = SEXES.get(patient.get("sex", ""), "unknown")
    return Participant(
        "P1", sex, born.year if born else 1980, "UTC", birth_date=born, name=patient.get("name")
    )


def _made_row(row: dict[str, Any], collected: str) -> Row:
    bound = row["comparator"] is not None
    return {
        "raw_name": row["raw_name"],
        "raw_value": row["raw_value"],
        "value_num": None if bound else row["value_num"],
        "comparator": row["comparator"],
        "bound_num": row["value_num"] if bound else None,
        "missing_reason": row["missing_reason"],
        "unit_ucum": row["ucum"] or None,
        "raw_unit": row["raw_unit"] or None,
        "loinc": row["loinc"],
        "ref_low": row["ref_low"],
        "ref_high": row["ref_high"],
        "collected_date": date.fromisoformat(collected),
    }


def _public_row(row: dict[str, Any], collected: str) -> Row:
    return {
        "raw_name": row["raw_name"],
        "raw_value": row["raw_value"],
        "value_num": float(row["raw_value"]),
        "missing_reason": None,
        "raw_unit": row["raw_unit"] or None,
        "collected_date": date.fromisoformat(collected),
    }

"""Made reports that try a reader, and later reports of a specimen: the reader comes to the right verdict."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ingest.labs import ingest_labs
from schemas.participant import Participant
from synthetic.labs.draws import reports_of
from synthetic.labs.files import corrected, lab_file, preliminary, superseding, write_file
from synthetic.labs.hostile import HOSTILE
from synthetic.labs.report import Report
from synthetic.labs.truth import LabFile, published_rows
from synthetic.people.persona import make_person
from tests.ingest.lab_pdfs import SECRET, frame, source

OWNER, STRANGER = make_person(1, 60, 7), make_person(3, 60, 7)
CODES = {
    "too_large": "lab_too_large", "encrypted": "lab_encrypted", "not_pdf": "lab_not_pdf",
    "empty_file": "lab_pdf_empty", "identity_mismatch": "lab_identity_mismatch",
    "multiple_patients": "lab_multiple_patients", "no_collection_date": "lab_no_collection_date",
    "layout_unknown": "lab_layout_unknown", "duplicate": "same_bytes",
}  # fmt: skip
COMPARED = ["analyte_key", "loinc", "raw_value", "value_num", "unit_ucum", "flag_computed", "collected_date"]


@cache
def report() -> Report:
    made = reports_of(OWNER, 60, 7)[0]
    return replace(made, results=made.results[:14])


def read(folder: Path, *files: LabFile) -> dict[str, pl.DataFrame]:
    """The reader's tables; lab_files with the name of the file."""
    for file in files:
        write_file(file, folder)
    participant = Participant(
        OWNER.participant_id, OWNER.sex, OWNER.birth_date.year, "UTC",
        birth_date=OWNER.birth_date, name=OWNER.name,
    )  # fmt: skip
    sources = {file.name: source(folder / file.name) for file in files}
    result = ingest_labs(participant, list(sources.values()), SECRET)
    names = {each.file_id(SECRET, OWNER.participant_id): name for name, each in sources.items()}
    return {
        table: frame(result, table).with_columns(name=pl.col("file_id").replace_strict(names))
        for table in ("lab_files", "lab_results", "lab_review")
    }


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_report_gets_its_right_verdict(name: str, tmp_path: Path) -> None:
    file = HOSTILE[name](report(), STRANGER)
    others = (lab_file(report()),) if file.reason == "duplicate" else ()
    found = read(tmp_path, file, *others)
    (verdict,) = found["lab_files"].filter(pl.col("name") == file.name).to_dicts()
    accepted = found["lab_results"].filter((pl.col("name") == file.name) & ~pl.col("derived"))
    if file.verdict == "accepted":
        assert verdict["status"] == ("partial" if file.doubts else "accepted")
        right = published_rows([file]).sort("row_no").select(COMPARED)
        assert accepted.sort("row_no").select(COMPARED).equals(right)
    else:
        assert verdict["status"] in ("unreadable", "quarantined", "duplicate")
        assert verdict["reason"] == CODES[file.reason or ""]
        assert accepted.is_empty()
    assert verdict["identity"] == file.identity
    doubtful = found["lab_review"].filter(pl.col("name") == file.name)
    assert dict(zip(doubtful["row_no"], doubtful["reasons"], strict=True)) == file.doubts


@pytest.mark.parametrize("kind", ["corrected", "preliminary"])
def test_a_later_report_of_a_specimen_supersedes(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    older, newer = (
        superseding(report(), corrected(report(), rng))
        if kind == "corrected"
        else superseding(preliminary(report(), rng), report())
    )
    found = read(tmp_path, older, newer)
    key = ["analyte_key", "raw_value"]
    printed = found["lab_results"].filter(~pl.col("derived"))
    assert (
        printed.select(COMPARED).sort(key).equals(published_rows([older, newer]).select(COMPARED).sort(key))
    )
    superseded = found["lab_review"].filter(pl.col("reasons") == "superseded")
    assert set(superseded["name"]) == {older.name}
    assert sorted(superseded["row_no"]) == sorted(older.superseded_by)

"""Small REDCap projects written for tests, and what the stage makes of them."""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

import polars as pl

from ingest.source_file import SourceFile
from ingest.surveys import ingest_surveys
from outputs.store import Result
from schemas.participant import Participant
from schemas.settings import SurveyFile

SECRET = b"a test's secret"
TITLES = (
    "Variable / Field Name", "Form Name", "Section Header", "Field Type", "Field Label",
    "Choices, Calculations, OR Slider Labels", "Field Note", "Text Validation Type OR Show Slider Number",
    "Text Validation Min", "Text Validation Max", "Identifier?", "Branching Logic (Show field only if...)",
    "Required Field?", "Custom Alignment", "Question Number (surveys only)", "Matrix Group Name",
    "Matrix Ranking?", "Field Annotation",
)  # fmt: skip
API_TITLES = (
    "field_name", "form_name", "section_header", "field_type", "field_label",
    "select_choices_or_calculations", "field_note", "text_validation_type_or_show_slider_number",
    "text_validation_min", "text_validation_max", "identifier", "branching_logic", "required_field",
    "custom_alignment", "question_number", "matrix_group_name", "matrix_ranking", "field_annotation",
)  # fmt: skip
PEOPLE = (
    Participant("P1", "female", 1980, "UTC", aliases=("old-7",)),
    Participant("P2", "male", 1975, "UTC"),
    Participant("P3", "unknown", 1990, "UTC"),
)
OFTEN = "0, Not at all | 1, Several days | 2, More than half the days | 3, Nearly every day"


def field(
    name: str,
    form: str,
    kind: str = "text",
    choices: str = "",
    validation: str = "",
    low: str = "",
    high: str = "",
    identifier: str = "",
) -> tuple[str, ...]:
    return (
        name,
        form,
        "",
        kind,
        f"Label of {name}",
        choices,
        "",
        validation,
        low,
        high,
        identifier,
        *[""] * 7,
    )


def write_csv(path: Path, *rows: Sequence[str], separator: str = ",", bom: bool = False) -> SourceFile:
    stream = StringIO()
    csv.writer(stream, delimiter=separator, lineterminator="\n").writerows(rows)
    path.write_text(stream.getvalue(), encoding="utf-8-sig" if bom else "utf-8")
    return source(path)


def source(path: Path) -> SourceFile:
    content = path.read_bytes()
    return SourceFile(path, path.name, len(content), hashlib.sha256(content).hexdigest())


def dictionary(folder: Path, *fields: tuple[str, ...], titles: Sequence[str] = TITLES) -> SourceFile:
    return write_csv(folder / "dictionary.csv", titles, field("record_id", fields[0][1]), *fields)


def ingest(
    *files: SourceFile, free_text: bool = False, mappings: Mapping[str, SurveyFile] | None = None
) -> Result:
    return ingest_surveys(files, PEOPLE, SECRET, free_text, mappings or {})


def frame(result: Result, table: str) -> pl.DataFrame:
    return result.tables[table].lazy().collect()


def answers(result: Result) -> dict[tuple[str, str], str | None]:
    """(participant, item) -> the value, or the reason in brackets."""
    rows = frame(result, "survey_answers").rows(named=True)
    return {
        (row["participant_id"], row["item"]): row["value"]
        if row["value"] is not None
        else f"({row['missing_reason']})"
        for row in rows
    }


def codes(result: Result) -> list[str]:
    return [problem["code"] for problem in result.document["problems"]]

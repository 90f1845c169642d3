"""A made study's reports and questionnaires, read back against their truth."""

import csv
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from ingest.labs import ingest_labs
from ingest.surveys import ingest_surveys
from schemas.participant import Participant
from synthetic.spec import Spec
from synthetic.study import make_study
from tests.ingest.lab_pdfs import SECRET, frame, source

OURS = {
    "file_id",
    "row_no",
    "bbox_json",
    "reader_version",
    "lab_vendor",
    "layout_id",
    "name_norm",
    "specimen_type",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, Spec(2, 10, 11))
    return folder


def people(made: Path) -> list[Participant]:
    rows = csv.DictReader((made / "study" / "participants.csv").read_text().splitlines())
    return [_person(row) for row in rows]


def _person(row: dict[str, str]) -> Participant:
    born = date.fromisoformat(row["birth_date"]) if row.get("birth_date") else None
    return Participant(
        row["participant_id"],
        row["sex"],  # pyright: ignore[reportArgumentType]
        born.year if born else int(row["birth_year"]),
        "UTC",
        birth_date=born,
        name=row.get("name") or None,
        aliases=tuple(alias for alias in (row.get("aliases") or "").split(";") if alias),
    )


def test_every_lab_value_equals_its_truth(made: Path) -> None:
    results = [
        ingest_labs(
            p, [source(f) for f in (made / "study" / "labs" / p.participant_id).glob("*.pdf")], SECRET
        )
        for p in people(made)
    ]
    assert [problem for result in results for problem in result.document["problems"]] == []
    printed = pl.concat([frame(result, "lab_results") for result in results]).filter(~pl.col("derived"))
    truth = pl.read_parquet(made / "truth" / "lab_results.parquet")
    stated = [n for n in truth.columns if n not in OURS and truth[n].null_count() < truth.height]
    assert {"loinc", "value_num", "raw_unit", "unit_ucum", "analyte_key", "collected_date"} <= set(stated)
    key = ["participant_id", "collected_date", "raw_name"]
    assert printed.select(stated).sort(key).equals(truth.select(stated).sort(key))


def test_every_answer_equals_its_truth(made: Path) -> None:
    files = [source(path) for path in (made / "study" / "surveys").glob("*.csv")]
    result = ingest_surveys(files, people(made), SECRET, False, {})
    told = [(problem["code"], problem["participant_id"]) for problem in result.document["problems"]]
    assert told == [("survey_alert_answer", "P002")]
    key = ["participant_id", "instrument", "event", "instance", "item"]
    truth = pl.read_parquet(made / "truth" / "survey_answers.parquet").drop("file_id").sort(key)
    assert frame(result, "survey_answers").drop("file_id").sort(key).equals(truth)
    scores = frame(result, "survey_scores").drop("rule").sort(key[:-1])
    true_scores = pl.read_parquet(made / "truth" / "survey_scores.parquet").drop("rule").sort(key[:-1])
    assert scores.equals(true_scores)

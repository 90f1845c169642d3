"""Public REDCap projects, read as they are."""

from pathlib import Path

import polars as pl
import pytest

from ingest.surveys import ingest_surveys
from schemas.participant import Participant
from tests.ingest.survey_files import SECRET, frame, source

pytestmark = pytest.mark.samples

PROJECTS = (
    "arm-single-longitudinal", "blank-for-gray-status", "checkboxes-1", "clinical-trial-1",
    "decimal-comma-and-dot", "longitudinal", "potentially-problematic-values",
    "repeating-instruments-sparse", "repeating-instruments", "simple", "survey",
)  # fmt: skip


@pytest.mark.parametrize("name", PROJECTS)
def test_counts_close_and_identifiers_stay_out(samples: Path, name: str) -> None:
    folder = samples / "surveys" / "redcap"
    files = [source(folder / f"{name}__data.csv"), source(folder / f"{name}__dictionary.csv")]
    people = [Participant(f"P{n}", "female", 1980, "UTC", aliases=(str(n),)) for n in range(1, 400)]
    result = ingest_surveys(files, people, SECRET, True, {})
    sources = frame(result, "source_files")
    parts = pl.sum_horizontal("rows_staged", "rows_merged", "rows_rejected", "rows_ignored")
    assert sources.select((pl.col("rows_read") == parts).all()).item()
    assert sources["error_code"].null_count() == 2
    assert frame(result, "survey_answers").height > 0
    items = set(frame(result, "survey_answers")["item"])
    assert items.isdisjoint(
        {"first_name", "last_name", "name_first", "name_last", "email", "dob", "telephone"}
    )


def test_repeats_of_a_public_project(samples: Path) -> None:
    folder = samples / "surveys" / "redcap"
    files = [source(folder / f"repeating-instruments-sparse__{part}.csv") for part in ("data", "dictionary")]
    result = ingest_surveys(
        files, [Participant("P1", "female", 1980, "UTC", aliases=("1",))], SECRET, False, {}
    )
    pressures = frame(result, "survey_answers").filter(item="bp_systolic").sort("instance")
    assert pressures.select("instance", "value_num").rows() == [(1, 110.0), (2, 111.0), (3, 112.0)]

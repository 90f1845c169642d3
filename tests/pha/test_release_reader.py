"""pha.open_release: what an analyst does with a release."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest
from made_release import DAYS, PEOPLE, published

import pha
from outputs.release_tables import names_of
from schemas.errors import PhaError
from schemas.table import polars_schema
from schemas.tables import TABLES

# Whole releases pass great-expectations.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader") / "out"
    published(folder, "core")
    return folder


@pytest.fixture(scope="module")
def release(out: Path) -> pha.Release:
    return pha.open_release(out)


def test_a_release_folder_and_its_out_open_alike(out: Path, release: pha.Release) -> None:
    again = pha.open_release(str(release.path))
    assert (again.path, again.as_of, again.kind, again.edition) == (
        release.path,
        date(2026, 2, 9),
        "core",
        "2026-02",
    )
    assert release.path == (out / "latest").resolve()


def test_what_was_opened_stays_when_a_newer_release_comes(release: pha.Release) -> None:
    assert release.path.parent.name == "releases"
    assert not release.path.is_symlink()


def test_the_tables_are_those_of_its_kind(release: pha.Release) -> None:
    assert release.tables == names_of("core")


def test_every_table_scans_in_its_declared_form(release: pha.Release) -> None:
    for table in release.tables:
        assert release.scan(table).collect_schema() == polars_schema(TABLES[table])


def test_scan_is_lazy_and_holds_all_rows(release: pha.Release) -> None:
    days = release.scan("daily_summary")
    assert isinstance(days, pl.LazyFrame)
    assert days.filter(day_state="worn").select(pl.len()).collect().item() == DAYS * len(PEOPLE)


def test_minutes_of_all_people_are_one_table(release: pha.Release) -> None:
    minutes = release.scan("heart_rate_minutes").collect()
    assert minutes["participant_id"].unique().sort().to_list() == ["P1", "P2"]
    assert minutes.height == 20
    assert release.scan("steps_minutes").collect().is_empty()


def test_describe_tells_type_unit_and_meaning(release: pha.Release) -> None:
    described = release.describe("daily_summary")
    assert described.filter(column="weight_kg").row(0, named=True) == {
        "column": "weight_kg",
        "type": "number",
        "unit": "kg",
        "description": "Last weight of the day.",
        "key": False,
        "required": False,
    }
    assert described.filter("key")["column"].to_list() == ["participant_id", "date"]


def test_warnings_come_with_the_table(release: pha.Release) -> None:
    assert "no trend may cross a day with break_before" in release.warnings("daily_summary")


def test_a_table_that_is_not_there_is_named_with_those_that_are(release: pha.Release) -> None:
    with pytest.raises(PhaError, match=r"no table steps; did you mean steps_minutes\?"):
        release.scan("steps")
    with pytest.raises(PhaError, match="release_table_unknown") as unknown:
        release.describe("facts")
    assert "release.tables" in unknown.value.next_step


def test_a_folder_without_a_release(tmp_path: Path) -> None:
    with pytest.raises(PhaError, match="release_missing"):
        pha.open_release(tmp_path)
    with pytest.raises(PhaError, match="release_missing"):
        pha.open_release(tmp_path / "nowhere")


def test_the_import_is_light() -> None:
    program = (
        "import sys, pha; "
        "heavy = {'great_expectations', 'prefect', 'pandas', 'dataframely', 'pydantic', 'jinja2'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, cwd=root, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"


# ---- the same values in the other readers the README names ----


def test_pandas_and_duckdb_read_the_same(release: pha.Release) -> None:
    path = release.path / "tables" / "daily_summary.parquet"
    ours = (
        release.scan("daily_summary")
        .group_by("participant_id")
        .agg(pl.col("steps").sum())
        .sort("participant_id")
    )
    expected = ours.collect().rows()
    frame = pd.read_parquet(path)
    sums = frame.groupby("participant_id")["steps"].sum()
    assert list(zip(sums.index, sums.tolist(), strict=True)) == expected
    query = f"SELECT participant_id, sum(steps)::BIGINT FROM '{path}' GROUP BY 1 ORDER BY 1"
    with duckdb.connect() as connection:
        assert connection.execute(query).fetchall() == expected

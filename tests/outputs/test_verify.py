"""A published release verifies; every way of damaging one is named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_release import NOW, published, rows

from outputs.datapackage import describe_file, describe_release
from outputs.parquet import write_table
from outputs.release import run_id_of
from outputs.release_folder import parse_name
from outputs.release_tables import place_of
from outputs.verify import verify_release
from schemas.tables import TABLES

# Whole releases pass great-expectations.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("verify") / "out").path


@pytest.fixture
def release(whole: Path, tmp_path: Path) -> Path:
    """A copy that may be damaged."""
    copy = Path(shutil.copytree(whole, tmp_path / whole.name))
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return copy


def problems(release: Path) -> list[tuple[str, str]]:
    return [(problem.subject, problem.what.split(": ", 1)[1]) for problem in verify_release(release)]


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def replace_table(release: Path, table: str, frame: pl.DataFrame) -> None:
    """Put other rows in and describe the release anew, as a fault in the code that publishes would."""
    path = place_of(release, table)
    write_table(frame, TABLES[table], path)
    describe_again(release, path)


def describe_again(release: Path, path: Path) -> None:
    name = parse_name(release.name)
    assert name is not None
    file = describe_file(release, path)
    edit(release / "run.json", lambda run: run["tables"].update({file["path"]: {**file, "path": None}}))
    edit(release / "run.json", lambda run: run["tables"][file["path"]].pop("path"))
    package = describe_release(release, name, "Walk", NOW)
    (release / "datapackage.json").write_text(json.dumps(package), encoding="utf-8")


def test_a_published_release_has_no_problem(whole: Path) -> None:
    assert verify_release(whole) == []


def test_a_link_to_it_verifies_too(whole: Path) -> None:
    assert verify_release(whole.parents[1] / "latest") == []


def test_a_copy_elsewhere_verifies(release: Path) -> None:
    assert verify_release(release) == []


# ---- files ----


def test_one_changed_byte_of_any_file_is_found(whole: Path, release: Path) -> None:
    for path in sorted(whole.rglob("*")):
        if path.is_dir() or path.name == "datapackage.json":
            continue
        relative = path.relative_to(whole)
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        (release / relative).write_bytes(content)
        subjects = {subject for subject, _ in problems(release)}
        assert subjects & {relative.as_posix(), "datapackage.json or run.json"}, relative
        shutil.copyfile(path, release / relative)
    assert verify_release(release) == []


def test_a_missing_file_is_named(release: Path) -> None:
    (release / "tables" / "heart_rate_minutes" / "P1.parquet").unlink()
    assert problems(release) == [("tables/heart_rate_minutes/P1.parquet", "missing.")]


@pytest.mark.parametrize("name", ["tables/heart_rate_minutes/P3.parquet", "reports/more.html", "notes.txt"])
def test_a_file_that_is_no_part_of_it_is_named(release: Path, name: str) -> None:
    (release / name).write_bytes(b"x")
    assert problems(release) == [(name, "no part of the release.")]


@pytest.mark.parametrize("name", ["datapackage.json", "run.json"])
@pytest.mark.parametrize("content", [None, b"", b"{"])
def test_a_record_that_is_gone_or_no_json(release: Path, name: str, content: bytes | None) -> None:
    (release / name).unlink()
    if content is not None:
        (release / name).write_bytes(content)
    assert problems(release) == [("datapackage.json or run.json", "missing or not JSON.")]


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"resources": 3, "otherFiles": []}', b"null"])
def test_a_descriptor_of_another_form(release: Path, content: bytes) -> None:
    (release / "datapackage.json").write_bytes(content)
    assert [subject for subject, _ in problems(release)] == ["datapackage.json"]


def test_a_descriptor_that_was_changed_along_with_a_table(release: Path) -> None:
    path = release / "tables" / "metrics.parquet"
    write_table(rows("metrics", {"metric": "other"}), TABLES["metrics"], path)

    def repair(package: dict[str, Any]) -> None:
        for resource in package["resources"]:
            if resource["name"] == "metrics":
                resource["files"] = [describe_file(release, path)]

    edit(release / "datapackage.json", repair)
    assert problems(release) == [("tables/metrics.parquet", "run.json and datapackage.json differ on it.")]


# ---- identity ----


def test_another_name_of_the_folder(release: Path) -> None:
    renamed = release.rename(release.with_name("2026-02-09-full-ffffffffffff"))
    assert problems(renamed) == [("run.json", "the folder's name is not that of the release.")]


def test_inputs_that_do_not_give_the_run_id(release: Path) -> None:
    edit(release / "run.json", lambda run: run["identity"]["inputs"].update(settings="other"))
    describe_again(release, release / "tables" / "metrics.parquet")
    assert problems(release) == [
        ("run.json", "the run id is not the digest of what the release was made from.")
    ]


def test_the_run_id_of_the_record_is_recomputed(whole: Path) -> None:
    run = json.loads((whole / "run.json").read_bytes())
    assert run_id_of(run["identity"]) == run["run_id"] == whole.name[-12:]


# ---- what the tables say ----


def test_a_key_that_comes_twice(release: Path) -> None:
    replace_table(release, "metrics", rows("metrics", {"metric": "steps"}, {"metric": "steps"}))
    assert problems(release) == [("tables/metrics.parquet", "1 rows have a key that is not theirs alone.")]


def test_an_empty_cell_that_must_not_be(release: Path) -> None:
    frame = rows("metrics", {"metric": "steps"}).with_columns(label=pl.lit(None, pl.String))
    replace_table(release, "metrics", frame)
    assert problems(release) == [("tables/metrics.parquet", "1 cells are empty that must not be.")]


def test_a_row_that_points_at_nothing(release: Path) -> None:
    frame = pl.read_parquet(release / "tables" / "participants.parquet").filter(participant_id="P1")
    replace_table(release, "participants", frame)
    found = dict(problems(release))
    assert found["daily_summary"] == "80 rows point at no row of participants."
    assert found["heart_rate_minutes"] == "10 rows point at no row of participants."
    assert "lab_files" not in found


def test_another_type_or_unit_in_a_file(release: Path) -> None:
    path = release / "tables" / "steps_minutes" / "P1.parquet"
    source = release / "tables" / "heart_rate_minutes" / "P1.parquet"
    shutil.copyfile(source, path)
    describe_again(release, path)
    assert ("tables/steps_minutes/P1.parquet", "the columns differ.") in problems(release)
    plain = release / "tables" / "metrics.parquet"
    pl.read_parquet(plain).write_parquet(plain)
    describe_again(release, plain)
    assert any(subject == "tables/metrics.parquet" for subject, _ in problems(release))


def test_counts_that_do_not_close(release: Path) -> None:
    frame = pl.read_parquet(release / "tables" / "source_files.parquet")
    replace_table(release, "source_files", frame.with_columns(rows_staged=pl.lit(1, pl.Int64)))
    assert problems(release) == [("source_files.rows", "3 files whose counts do not close.")]


# ---- claims ----


CLAIM = {"participant_id": "P1", "text": "summary:clinician", "claim_no": 2, "sentence": "8,000 steps."}


def with_claim(release: Path, verdict: str, **changes: Any) -> None:
    claims = pl.read_parquet(release / "tables" / "claims.parquet")
    more = rows("claims", {**CLAIM, "verdict": verdict, **changes})
    replace_table(release, "claims", pl.concat([claims, more]))


def test_an_unverified_claim_that_stands_in_a_verified_text(release: Path) -> None:
    with_claim(release, "value_differs")
    assert problems(release) == [("claims", "summary:clinician of P1 holds a claim that was not verified.")]


def test_an_unverified_claim_that_was_removed_from_the_text(release: Path) -> None:
    with_claim(release, "value_differs", sentence="9,000 steps.")
    assert problems(release) == []


@pytest.mark.parametrize("status", ["needs_review", "withheld"])
def test_an_unverified_claim_of_a_text_that_is_not_published_as_fact(release: Path, status: str) -> None:
    summaries = pl.read_parquet(release / "tables" / "summaries.parquet")
    replace_table(release, "summaries", summaries.with_columns(status=pl.lit(status)))
    with_claim(release, "no_such_fact")
    assert problems(release) == []


def test_a_shareable_table_that_tells_too_much_is_found(release: Path) -> None:
    row = {"metric": "steps", "sex": "all", "age_group": "18-24", "percentile": "50", "value": 7010, "n": 12}
    replace_table(release, "shareable_percentiles", rows("shareable_percentiles", row))
    told = [what for subject, what in problems(release) if subject == "shareable"]
    assert "age groups of both sexes (1)." in told
    assert "numbers of people that are not rounded down to 5 (1)." in told


def test_the_shareable_folder_says_what_was_done_for_people(whole: Path) -> None:
    text = (whole / "shareable" / "README.md").read_text(encoding="utf-8")
    assert "at least 11 people" in text
    assert "Made-up people" in text

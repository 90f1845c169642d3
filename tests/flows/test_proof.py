"""The same bytes come out, whatever happens to a run on its way: `make proof`."""

import os
import shutil
from pathlib import Path

import pytest
from study_runs import Made, kill_when, pha, table_digests

pytestmark = [pytest.mark.proof, pytest.mark.prefect, pytest.mark.sandbox]

CALM, DONE_WITH_ATTENTION = 0, 3
STOPPED_AT = ("fitbit/*/*.daily_summary.parquet", "insights/*/*.json", "summaries/*/*.json")


@pytest.fixture(scope="module")
def undisturbed(made: Made) -> dict[str, str]:
    digests = table_digests(made.out)
    assert len(digests) > 25
    return digests


def test_a_run_killed_in_ingest_insights_and_summaries_goes_on_and_ends_alike(
    made: Made, undisturbed: dict[str, str], tmp_path: Path
) -> None:
    for pattern in STOPPED_AT:
        kill_when(made.study, tmp_path, pattern)
    again = pha("run", made.study, "--out", tmp_path)
    assert again.returncode == DONE_WITH_ATTENTION, again.stderr
    assert table_digests(tmp_path) == undisturbed
    assert pha("verify", tmp_path / "latest").returncode == CALM


def test_one_thread_one_worker_and_a_zone_far_west_change_nothing(
    made: Made, undisturbed: dict[str, str], tmp_path: Path
) -> None:
    environ = {
        "POLARS_MAX_THREADS": "1",
        "PHA_WORKERS": "1",
        "PHA_BATCH_SIZE": "1",
        "TZ": "America/Los_Angeles",
    }
    run = pha("run", made.study, "--out", tmp_path, environ=environ)
    assert run.returncode == DONE_WITH_ATTENTION, run.stderr
    assert table_digests(tmp_path) == undisturbed


def test_many_threads_a_zone_far_east_and_another_order_change_nothing(
    made: Made, undisturbed: dict[str, str], tmp_path: Path
) -> None:
    environ = {
        "POLARS_MAX_THREADS": "4",
        "PHA_WORKERS": "3",
        "PHA_BATCH_SIZE": "3",
        "TZ": "Pacific/Kiritimati",
    }
    other = turned_round(made.study, tmp_path / "other")
    run = pha("run", other, "--out", tmp_path / "out", environ=environ)
    assert run.returncode == DONE_WITH_ATTENTION, run.stderr
    assert table_digests(tmp_path / "out") == undisturbed


def turned_round(study: Path, other: Path) -> Path:
    """Files are created in the reverse order with other times, and the registry is turned upside down."""
    for path in sorted(study.rglob("*"), reverse=True):
        if path.is_file():
            target = other / path.relative_to(study)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            os.utime(target, (1_000_000_000, 1_000_000_000))
    registry = other / "participants.csv"
    head, *rows = registry.read_text().splitlines()
    registry.write_text("\n".join([head, *reversed(rows)]) + "\n")
    return other

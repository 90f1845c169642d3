"""The same bytes come out, whatever happens to a run on its way: `make proof`."""

import os
import shutil
from pathlib import Path

import pytest
from study_runs import DAYS, PARTICIPANTS, SEED, kill_when, pha, table_digests

from synthetic.spec import Spec
from synthetic.study import make_study

pytestmark = [pytest.mark.proof, pytest.mark.prefect, pytest.mark.sandbox]

CALM, DONE_WITH_ATTENTION = 0, 3


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, Spec(PARTICIPANTS, DAYS, SEED))
    return folder / "study"


@pytest.fixture(scope="module")
def undisturbed(study: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    out = tmp_path_factory.mktemp("undisturbed")
    run = pha("run", study, "--out", out)
    assert run.returncode == DONE_WITH_ATTENTION, run.stderr
    digests = table_digests(out)
    assert len(digests) > 25
    return digests


@pytest.mark.parametrize(
    "stopped_at",
    ["fitbit/*/*.daily_summary.parquet", "insights/*/*.json", "summaries/*/*.json"],
    ids=["ingest", "insights", "summaries"],
)
def test_a_killed_run_goes_on_and_ends_alike(
    study: Path, undisturbed: dict[str, str], tmp_path: Path, stopped_at: str
) -> None:
    kill_when(study, tmp_path, stopped_at)
    again = pha("run", study, "--out", tmp_path)
    assert again.returncode == DONE_WITH_ATTENTION, again.stderr
    assert table_digests(tmp_path) == undisturbed
    assert pha("verify", tmp_path / "latest").returncode == CALM


@pytest.mark.parametrize(
    "environ",
    [
        {"POLARS_MAX_THREADS": "1", "PHA_WORKERS": "1", "PHA_BATCH_SIZE": "1", "TZ": "America/Los_Angeles"},
        {"POLARS_MAX_THREADS": "4", "PHA_WORKERS": "3", "PHA_BATCH_SIZE": "3", "TZ": "Pacific/Kiritimati"},
    ],
    ids=["1 thread, far west", "4 threads, far east"],
)
def test_threads_workers_batches_and_the_machine_zone_change_nothing(
    study: Path, undisturbed: dict[str, str], tmp_path: Path, environ: dict[str, str]
) -> None:
    run = pha("run", study, "--out", tmp_path, environ=environ)
    assert run.returncode == DONE_WITH_ATTENTION, run.stderr
    assert table_digests(tmp_path) == undisturbed


def test_the_order_of_files_and_people_changes_nothing(
    study: Path, undisturbed: dict[str, str], tmp_path: Path
) -> None:
    """Files are created in the reverse order with other times, and the registry is turned upside down."""
    other = tmp_path / "other"
    for path in sorted(study.rglob("*"), reverse=True):
        if path.is_file():
            target = other / path.relative_to(study)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            os.utime(target, (1_000_000_000, 1_000_000_000))
    registry = other / "participants.csv"
    head, *rows = registry.read_text().splitlines()
    registry.write_text("\n".join([head, *reversed(rows)]) + "\n")
    run = pha("run", other, "--out", tmp_path / "out")
    assert run.returncode == DONE_WITH_ATTENTION, run.stderr
    assert table_digests(tmp_path / "out") == undisturbed

"""prefect.yaml: it parses, its entry points exist, and a real server and worker run it."""

import importlib
import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest
import yaml
from prefect.client.schemas.schedules import CronSchedule
from prefect_server import PREFECT, prefect_server
from study_runs import DAYS, SEED

from synthetic.spec import Spec
from synthetic.study import make_study

ROOT = Path(__file__).parents[2]
DEPLOYMENTS: dict[str, Any] = {
    deployment["name"]: deployment
    for deployment in yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_deployment_leads_to_a_flow_and_has_named_schedules(name: str) -> None:
    deployment = DEPLOYMENTS[name]
    path, _, function = deployment["entrypoint"].partition(":")
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    parameters = getattr(module, function).parameters.properties
    assert set(deployment["parameters"]) <= set(parameters)
    for schedule in deployment["schedules"]:
        assert schedule["slug"]
        assert CronSchedule(cron=schedule["cron"], timezone=schedule["timezone"])


def test_at_most_one_run_of_each_at_a_time() -> None:
    assert {deployment["concurrency_limit"]["limit"] for deployment in DEPLOYMENTS.values()} == {1}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment that leads to a server of this test's own, and to its study."""
    with prefect_server(tmp_path / "prefect") as url:
        yield {
            **os.environ,
            "PREFECT_HOME": str(tmp_path / "prefect"),
            "PREFECT_API_URL": url,
            "DO_NOT_TRACK": "1",
            "PHA_HOME": str(ROOT),
            "PHA_STUDY": str(tmp_path / "made" / "study"),
            "PHA_OUT": str(tmp_path / "out"),
        }


def prefect(environ: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [*PREFECT, *arguments],
        env=environ,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.proof
@pytest.mark.prefect
def test_a_worker_runs_the_deployed_job_up_to_the_day_before_its_start(
    server: dict[str, str], tmp_path: Path
) -> None:
    make_study(tmp_path / "made", Spec(2, DAYS, SEED))
    prefect(server, "work-pool", "create", "pha", "--type", "process")
    prefect(server, "--no-prompt", "deploy", "--all")
    prefect(server, "deployment", "run", "ingest/nightly-ingest")
    prefect(server, "worker", "start", "--pool", "pha", "--run-once")
    (release,) = (tmp_path / "out" / "releases").glob("*-core-*")
    zone = ZoneInfo("America/New_York")
    expected = (datetime.now(UTC).astimezone(zone).date() - timedelta(days=1)).isoformat()
    assert release.name.startswith(f"{expected}-core-")
    assert pl.read_parquet(release / "tables" / "participants.parquet").height == 2

"""One Prefect server, one made study and one release of it for all tests of the whole way."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect_server import prefect_server
from study_runs import DAYS, PARTICIPANTS, SEED, SHARED_SERVER, Made, copy_of, pha

from outputs.lock import exclusive
from synthetic.spec import Spec
from synthetic.study import make_study


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server for all runs of the session: one that starts its own takes seconds longer."""
    with prefect_server(tmp_path_factory.mktemp("prefect"), "--no-services") as url:
        yield url


@pytest.fixture(scope="module", autouse=True)
def _with_a_shared_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """Runs of a module use the server; but for proofs with one process of workers, which is less to start."""
    if request.node.get_closest_marker("prefect"):
        SHARED_SERVER["PREFECT_API_URL"] = request.getfixturevalue("prefect_api")
        if not request.node.get_closest_marker("proof"):
            SHARED_SERVER["PHA_WORKERS"] = "1"
    yield
    SHARED_SERVER.clear()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Made:
    """A made study and its first release, made once however many workers there are.

    This run is started as most people start theirs: no Prefect server is there. Tests change copies of it.
    """
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "made"
    with exclusive(shared):
        if not (shared / "done").exists():
            _make(shared)
            (shared / "done").touch()
    return Made(shared / "study", shared / "truth", shared / "out")


@pytest.fixture
def copy(made: Made, tmp_path: Path) -> Made:
    """The made study and its results, free to be changed."""
    return copy_of(made, tmp_path)


def _make(folder: Path) -> None:
    for left in ("study", "truth", "out"):  # of a worker that failed
        shutil.rmtree(folder / left, ignore_errors=True)
    make_study(folder, Spec(PARTICIPANTS, DAYS, SEED))
    run = pha("run", folder / "study", "--out", folder / "out", shared_server=False)
    assert run.returncode == 3, run.stderr

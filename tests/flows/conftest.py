"""One made study and one release of it for all tests of the whole way."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from study_runs import DAYS, GIVEN, PARTICIPANTS, SEED, SHARED_SERVER, Made, copy_of, pha

from outputs.lock import exclusive

HERE = Path(__file__).parent


def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """The shared server ends with the last of these tests: idle it still takes a fifteenth of a core."""
    if nextitem is None or HERE not in nextitem.path.parents:
        SHARED_SERVER.close()


@pytest.fixture(autouse=True, scope="module")
def _one_process_of_workers_but_for_proofs(request: pytest.FixtureRequest) -> Iterator[None]:
    """One is less to start than two, and tests run one a core."""
    if not request.node.get_closest_marker("proof"):
        GIVEN["PHA_WORKERS"] = "1"
    yield
    GIVEN.clear()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Made:
    """A made study and its first release, made once however many workers there are.

    It is what `pha demo` makes, started as most people start it: no Prefect server is there. Tests change
    copies of it.
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
    (folder / "made-with").unlink(missing_ok=True)
    numbers = {"--participants": PARTICIPANTS, "--days": DAYS, "--seed": SEED}
    options = [str(word) for option in numbers.items() for word in option]
    demo = pha("demo", *options, "--out", folder, shared_server=False)
    assert demo.returncode == 0, demo.stderr

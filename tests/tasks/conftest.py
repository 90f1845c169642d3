"""The small study of these tests, and a made one that went through ingest once."""

from pathlib import Path

import pytest
from small_study import Ingested, write_study

from synthetic.spec import Spec
from synthetic.study import make_study
from tasks.ingest import ingest_one, ingest_surveys
from tasks.preflight import covered, make_order


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study")


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, Spec(2, 12, 7))
    order, workspace = make_order("full", str(folder / "study"), str(folder / "out"), None, None, None)
    ids = [person.participant_id for person in covered(workspace)]
    rows = [row for participant in ids for row in ingest_one(order, participant)]
    return Ingested(order, workspace, ids, rows + ingest_surveys.fn(order))

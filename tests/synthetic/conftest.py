"""One made study for all tests that read it."""

from pathlib import Path

import pytest

from synthetic.spec import Spec
from synthetic.study import make_study

PEOPLE, DAYS, SEED = 3, 36, 11


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with study/ and truth/ of three people."""
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, Spec(PEOPLE, DAYS, SEED))
    return folder

"""One made study and one release of it for all tests of the whole way."""

import pytest
from study_runs import DAYS, PARTICIPANTS, SEED, Made, pha

from synthetic.study import make_study


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    make_study(folder, PARTICIPANTS, DAYS, SEED)
    made = Made(folder / "study", folder / "truth", folder / "out")
    run = pha("run", made.study, "--out", made.out)
    assert run.returncode == 3, run.stderr
    return made

"""What every test stands on: a machine zone that is neither UTC nor any study's, so that misuse shows."""

import os
import time
from pathlib import Path

import pytest

os.environ["TZ"] = "Pacific/Chatham"
time.tzset()


@pytest.fixture
def samples() -> Path:
    """The shared test material; tests that need it are skipped where it is missing."""
    default = Path(__file__).parents[2] / "shared" / "samples"
    folder = Path(os.environ.get("PHA_SAMPLES", default))
    if not folder.is_dir():
        pytest.skip("the shared samples are not on this machine (set PHA_SAMPLES)")
    return folder


@pytest.fixture(autouse=True)
def _no_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PHA_") and name != "PHA_SAMPLES"]:
        monkeypatch.delenv(name)

"""What every test stands on: a machine zone that is neither UTC nor any study's, so that misuse shows."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.planted_traps import PlantedTraps

os.environ["TZ"] = "Pacific/Chatham"
time.tzset()
# Tests run one a core: threads beside them would only wait for one another.
os.environ["POLARS_MAX_THREADS"] = "1"

# The same examples for everybody, however busy the machine; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search", parent=settings.get_profile("suite"), derandomize=False, max_examples=1000
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.fixture
def samples() -> Path:
    """The shared test material; tests that need it are skipped where it is missing."""
    default = Path(__file__).parents[2] / "shared" / "samples"
    folder = Path(os.environ.get("PHA_SAMPLES", default))
    if not folder.is_dir():
        pytest.skip("the shared samples are not on this machine (set PHA_SAMPLES)")
    return folder


@pytest.fixture(scope="session")
def traps(tmp_path_factory: pytest.TempPathFactory) -> PlantedTraps:
    """The catalogue of planted traps."""
    return PlantedTraps(tmp_path_factory.mktemp("traps"))


@pytest.fixture(autouse=True)
def _no_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PHA_") and name != "PHA_SAMPLES"]:
        monkeypatch.delenv(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table of planted traps: what is asked of each, what the readers got."""
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.stats.get(kind, [])]
    lines = sorted(value for each in reports for name, value in each.user_properties if name == "trap")
    if lines:
        terminalreporter.section("planted traps: trap | asked | got")
        for line in lines:
            terminalreporter.write_line(" | ".join(line))

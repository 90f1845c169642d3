"""How Prefect is set up for a run from the command: no service needed, nothing leaves, little is said."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from schemas.errors import PhaError

_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_SERVER_API_HOST": "127.0.0.1",
}


def prepare_prefect(out: Path, *, verbose: bool = False) -> None:
    """Set what the environment does not set already. Call it before anything imports prefect."""
    defaults = {**_DEFAULTS, "PREFECT_HOME": str(out.absolute() / ".prefect")}
    if verbose:
        defaults["PREFECT_LOGGING_LEVEL"] = "INFO"
    for name, value in defaults.items():
        os.environ.setdefault(name, value)


@contextmanager
def reaching_prefect() -> Generator[None]:
    """Tell a Prefect API that could not be reached or started from faults of the work itself."""
    try:
        yield
    except RuntimeError as error:
        # Prefect has no type of its own for it.
        if str(error).startswith(("Failed to reach API", "Timed out while attempting to connect")):
            raise PhaError("prefect_unavailable") from error
        raise

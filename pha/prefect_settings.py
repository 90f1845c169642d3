"""How Prefect is set up for a run from the command: no service needed, nothing leaves, little is said."""

import os
from pathlib import Path

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

"""A throw-away Prefect server on loopback."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

PREFECT = [sys.executable, "-m", "prefect"]
START_SECONDS = 120


@contextmanager
def prefect_server(home: Path, *options: str) -> Iterator[str]:
    """Start a server that keeps its database in a folder; yields the URL of its API.

    Its background services take a tenth of a core for as long as it lives; `--no-services` does without.
    """
    port = _free_port()
    environ = {
        **os.environ,
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    command = [*PREFECT, "server", "start", "--host", "127.0.0.1", "--port", str(port), *options]
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/health", process)
        yield f"http://127.0.0.1:{port}/api"
    finally:
        process.terminate()
        process.wait(30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the Prefect server ended"
        try:
            with urlopen(url, timeout=2):
                return
        except OSError:  # URLError among them
            time.sleep(0.2)
    raise TimeoutError(url)

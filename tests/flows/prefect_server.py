"""A throw-away Prefect server on loopback."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
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


class SharedServer:
    """A server that starts at its first use and serves until it is closed; a later use starts another."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._url: str | None = None

    def environ(self) -> dict[str, str]:
        """What leads a run to it."""
        if self._url is None:
            home = Path(self._open.enter_context(TemporaryDirectory()))
            self._url = self._open.enter_context(prefect_server(home, "--no-services"))
        return {"PREFECT_API_URL": self._url}

    def close(self) -> None:
        self._url = None
        self._open.close()


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

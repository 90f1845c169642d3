"""Running programs on a participant's frames, isolated from everything else."""

import io
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import polars as pl

from health_agents.sandbox.fork_server import ForkServer, NotStartedError, start_as_child, start_in_bubblewrap
from health_agents.sandbox.inside.protocol import Request, pack
from health_agents.sandbox.outcome import Isolation, Limits, Outcome, judge
from health_agents.sandbox.reviewed import is_reviewed
from schemas.errors import PhaError


class Sandbox:
    """A started sandbox; ``isolation`` says how strong it is. Threads may share it, programs run in turn."""

    def __init__(self, server: ForkServer, isolation: Isolation, reason: str = "") -> None:
        self.isolation: Isolation = isolation
        self._server = server
        self._reason = reason
        self._turn = threading.Lock()

    def run(self, program: str, frames: Mapping[str, pl.DataFrame], limits: Limits | None = None) -> Outcome:
        """Run ``analysis(**frames)`` of a program's text on pandas copies of the frames.

        Raises ``sandbox_missing`` where bubblewrap is not usable and the program is not a reviewed one, or
        where the server was killed from outside.
        """
        if self.isolation != "bubblewrap" and not is_reviewed(program):
            raise PhaError("sandbox_missing", problem=self._reason)
        limits = limits or Limits()
        streams = {name: _arrow_stream(frame) for name, frame in frames.items()}
        request = pack(Request(program, streams, limits.cpu_seconds, limits.memory_bytes))
        try:
            with self._turn:
                output, ended = self._server.run(request, limits)
        except (NotStartedError, OSError) as error:
            raise PhaError("sandbox_missing", problem="it ended while a program ran") from error
        return judge(output, ended, limits, program, self.isolation)


@contextmanager
def open_sandbox() -> Generator[Sandbox]:
    """A sandbox, started in about a second; a program then takes some ten milliseconds.

    bubblewrap where it works, else a limited child process that runs reviewed programs only.
    """
    server, isolation, reason = _start()
    try:
        yield Sandbox(server, isolation, reason)
    finally:
        server.close()


def sandbox_state() -> tuple[Isolation | None, str]:
    """What open_sandbox would give here, and why it is not bubblewrap ("" where it is)."""
    try:
        server, isolation, reason = _start()
    except PhaError as error:
        return None, str(error.details["problem"])
    server.close()
    return isolation, reason


def _start() -> tuple[ForkServer, Isolation, str]:
    try:
        return start_in_bubblewrap(), "bubblewrap", ""
    except NotStartedError as error:
        reason = str(error)
    try:
        return start_as_child(), "child_process", reason
    except NotStartedError as error:
        raise PhaError("sandbox_missing", problem=f"{reason}; a child process: {error}") from error


def _arrow_stream(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_ipc_stream(buffer, compat_level=pl.CompatLevel.oldest())
    return buffer.getvalue()

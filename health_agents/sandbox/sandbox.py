"""Running programs on a participant's frames, isolated from everything else."""

import io
import re
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

import polars as pl

from health_agents.sandbox.fork_server import (
    ForkServer,
    NotStartedError,
    start_as_child,
    start_in_bubblewrap,
    start_under_landlock,
)
from health_agents.sandbox.inside.protocol import Request, pack
from health_agents.sandbox.outcome import Isolation, Limits, Outcome, judge
from health_agents.sandbox.reviewed import is_reviewed
from schemas.errors import PhaError

_NAMES = re.compile(r"[a-z]+")


class Sandbox:
    """A started sandbox; ``isolation`` says how strong it is. Threads may share it, programs run in turn."""

    def __init__(self, server: ForkServer, isolation: Isolation, reason: str = "") -> None:
        self.isolation: Isolation = isolation
        self._server = server
        self._reason = reason
        self._turn = threading.Lock()

    def run(self, program: str, frames: Mapping[str, pl.DataFrame], limits: Limits | None = None) -> Outcome:
        """Run ``analysis(**frames)`` of a program's text on pandas copies of the frames.

        Raises ``sandbox_missing`` where no wall holds and the program is not a reviewed one, or where the
        server was killed from outside.
        """
        if self.isolation == "child_process" and not is_reviewed(program):
            raise PhaError("sandbox_missing", problem=self._reason)
        limits = limits or Limits()
        streams = {name: arrow_stream(frame) for name, frame in frames.items()}
        request = pack(Request(program, streams, limits.cpu_seconds, limits.memory_bytes))
        try:
            with self._turn:
                output, ended = self._server.run(request, limits, set(_NAMES.findall(program)))
        except (NotStartedError, OSError) as error:
            raise PhaError("sandbox_missing", problem="it ended while a program ran") from error
        return judge(output, ended, limits, program, self.isolation)


_WALLS: tuple[tuple[Isolation, Callable[[], ForkServer]], ...] = (
    ("bubblewrap", start_in_bubblewrap),
    ("landlock", start_under_landlock),
    ("child_process", start_as_child),
)


@contextmanager
def open_sandbox(strongest: Isolation = "bubblewrap") -> Generator[Sandbox]:
    """A sandbox, started in half a second; a program then takes some ten milliseconds.

    The strongest wall that works here, from ``strongest`` on: bubblewrap, else Landlock, else a limited child
    process that runs reviewed programs only. Raises ``sandbox_missing`` where not even that starts.
    """
    server, isolation, reason = _start(strongest)
    try:
        yield Sandbox(server, isolation, reason)
    finally:
        server.close()


def sandbox_state() -> tuple[Isolation | None, str]:
    """What open_sandbox would give here, and why it is not bubblewrap ("" where it is)."""
    try:
        server, isolation, reason = _start("bubblewrap")
    except PhaError as error:
        return None, str(error.details["problem"])
    server.close()
    return isolation, reason


def _start(strongest: Isolation) -> tuple[ForkServer, Isolation, str]:
    """The first wall that starts, and why those before it did not."""
    reasons: list[str] = []
    walls = [*_WALLS]
    while walls[0][0] != strongest:
        walls.pop(0)
    for isolation, start in walls:
        try:
            return start(), isolation, "; ".join(reasons)
        except NotStartedError as error:
            reasons.append(str(error))
    raise PhaError("sandbox_missing", problem="; ".join(reasons))


def arrow_stream(frame: pl.DataFrame) -> bytes:
    """A frame as a program's process reads it: an Arrow IPC stream without Polars' own string views."""
    buffer = io.BytesIO()
    frame.write_ipc_stream(buffer, compat_level=pl.CompatLevel.oldest())
    return buffer.getvalue()

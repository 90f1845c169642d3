"""The outer end of the warm fork server: start it, hand it programs, stop what goes over a limit."""

import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from health_agents.sandbox import bubblewrap
from health_agents.sandbox.inside import seccomp
from health_agents.sandbox.inside.protocol import ENDED, KILL, ON_DEMAND, READY, RUN
from health_agents.sandbox.outcome import Ended, Isolation, Limits

START_SECONDS = 60.0
_CHUNK = 1 << 16


class NotStartedError(Exception):
    """The server could not be started; the text says why without paths or names."""


class ForkServer:
    """A running server process. Use one from one thread at a time."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._imported: set[bytes] = set()

    def run(self, request: bytes, limits: Limits, libraries: Collection[str] = ()) -> tuple[bytes, Ended]:
        """Run one packed request; returns what the program wrote and how its process ended.

        libraries: names that stand in the program; the server imports those it knows before it forks, once.
        """
        for letter, library in ON_DEMAND.items():
            if library in libraries and letter not in self._imported:
                self._import(letter)
        deadline = time.monotonic() + limits.wall_seconds
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                socket.send_fds(self._control, [RUN], [theirs.fileno()])
            output, stopped = _exchange(ours, request, deadline, limits.output_bytes)
        if stopped is None and not _readable(self._control, deadline):
            stopped = "time_limit"
        if stopped is not None:
            self._control.sendall(KILL)
        status, microseconds = ENDED.unpack(_read_exactly(self._control, ENDED.size))
        return output, Ended(status, microseconds / 1e6, stopped)

    def _import(self, letter: bytes) -> None:
        self._control.sendall(letter)
        if not _readable(self._control, time.monotonic() + START_SECONDS) or self._control.recv(1) != READY:
            raise NotStartedError("a library could not be imported")
        self._imported.add(letter)

    def close(self) -> str:
        """End the server and whatever it runs; returns what it had to complain of."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=2)
        self._process.kill()
        return self._process.communicate()[1].decode(errors="replace")


def start_in_bubblewrap() -> ForkServer:
    """A server without network, host files, environment or rights. Raises NotStartedError."""
    path, machine = bubblewrap.find(), seccomp.this_machine()
    if path is None or machine is None:
        raise NotStartedError(
            "bubblewrap is not installed" if path is None else "this processor is not supported"
        )
    with tempfile.TemporaryFile() as filter_file:
        filter_file.write(seccomp.filter_for_server(machine))
        filter_file.seek(0)
        command = bubblewrap.command(path, filter_file.fileno())
        # bubblewrap's own environment could be read from inside, whatever --clearenv says of its child's.
        return _start(command, "bubblewrap", environment={}, descriptors=[filter_file.fileno()])


def start_under_landlock() -> ForkServer:
    """A server that can open no file and reach no network, where namespaces are forbidden. Raises
    NotStartedError.
    """
    return _start_beside_us("landlock")


def start_as_child() -> ForkServer:
    """A server with limits and, on Linux, the filter of system calls, but with the host's files in sight."""
    return _start_beside_us("child_process")


def _start_beside_us(wall: Isolation) -> ForkServer:
    here = Path(__file__).parent
    packages = [str(here), *(entry for entry in sys.path if entry.endswith("site-packages"))]
    environment = bubblewrap.SERVER_ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(packages)}
    return _start([sys.executable, *bubblewrap.PYTHON_FLAGS], wall, environment, descriptors=[])


def _start(
    command: Sequence[str], wall: Isolation, environment: dict[str, str], descriptors: Sequence[int]
) -> ForkServer:
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - the command is ours, no part of it comes from data
            [*command, "-m", "inside.server", str(theirs.fileno()), wall],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[*descriptors, theirs.fileno()],
            cwd="/",
        )
    server = ForkServer(process, ours)
    if _readable(ours, time.monotonic() + START_SECONDS) and ours.recv(1) == READY:
        return server
    raise NotStartedError(_reason(server.close(), process.returncode))


def _reason(said: str, code: int) -> str:
    """Why it did not start, by known words: the text itself may hold paths."""
    if "no Landlock" in said:
        return "the kernel has no Landlock"
    if "Permission denied" in said or "No permissions" in said or "Operation not permitted" in said:
        return "user namespaces are not allowed here"
    if "nknown option" in said:
        return "bubblewrap is older than 0.8"
    return f"it ended with code {code} while starting"


def _exchange(
    channel: socket.socket, request: bytes, deadline: float, most_bytes: int
) -> tuple[bytes, Literal["time_limit", "output_limit"] | None]:
    """Send the request and read the answer to its end, the deadline or one byte too many."""
    channel.setblocking(False)
    unsent, output = memoryview(request), bytearray()
    while (left := deadline - time.monotonic()) > 0:
        readable, writable, _ = select.select([channel], [channel] if unsent else [], [], left)
        try:
            if writable:
                unsent = unsent[channel.send(unsent[:_CHUNK]) :]
                if not unsent:
                    channel.shutdown(socket.SHUT_WR)
            if readable:
                chunk = channel.recv(_CHUNK)
                output += chunk
                if len(output) > most_bytes:
                    return b"", "output_limit"
                if not chunk:
                    return bytes(output), None
        except (BrokenPipeError, ConnectionResetError):  # the process died while we wrote
            return bytes(output), None
    return b"", "time_limit"


def _readable(control: socket.socket, deadline: float) -> bool:
    return bool(select.select([control], [], [], max(deadline - time.monotonic(), 0))[0])


def _read_exactly(control: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        chunk = control.recv(count - len(data))
        if not chunk:
            raise NotStartedError("it ended while a program ran")
        data += chunk
    return data

"""One program in one fresh process: read the request, give up all rights, run, report."""

import ctypes
import json
import os
import random
import resource
import signal
import socket
from datetime import date
from typing import Any, Literal, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa

from . import seccomp
from .protocol import Request, unpack

PROGRAM_FILE = "<program>"
OPEN_FILES = 64
INDEX = {"summary_df": "date"}
_SET_SIGNAL_OF_PARENTS_DEATH = 1
Wall = Literal["bubblewrap", "landlock", "child_process"]


def run_and_exit(channel: int, server: socket.socket, wall: Wall) -> NoReturn:
    """Serve the request that waits on the channel and end the process, whatever happens.

    The server is sent the descriptor on which it counts this program's threads.
    """
    try:
        request = unpack(_read_all(channel))
        frames = {name: _pandas_frame(name, stream) for name, stream in request.frames.items()}
        _give_up_rights(request, server, wall)
        _write_all(channel, _report(request.program, frames))
    finally:
        os._exit(0)


def _pandas_frame(name: str, stream: bytes) -> pd.DataFrame:
    table = pa.ipc.open_stream(stream).read_all()
    # The nullable boolean lets a program use such a column as a mask: unknown counts as no.
    nullable = {pa.bool_(): pd.BooleanDtype()}.get
    frame: pd.DataFrame = table.to_pandas(use_threads=False, date_as_object=False, types_mapper=nullable)
    return frame.set_index(INDEX[name]) if name in INDEX else frame


def _give_up_rights(request: Request, server: socket.socket, wall: Wall) -> None:
    limits = {
        # The first limit ends a program with SIGXCPU, the second one that ignores it.
        resource.RLIMIT_CPU: (request.cpu_seconds, request.cpu_seconds + 1),
        resource.RLIMIT_AS: (request.memory_bytes, request.memory_bytes),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
    }
    for limit, soft_and_hard in limits.items():
        resource.setrlimit(limit, soft_and_hard)
    machine = seccomp.this_machine()
    if machine is not None:
        # Nobody would end a sleeping program whose server was killed.
        ctypes.CDLL(None).prctl(_SET_SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL, 0, 0, 0)
        _have_threads_counted(machine, server)
        seccomp.install(seccomp.filter_for_programs(machine, may_look_up_paths=wall != "landlock"))


def _have_threads_counted(machine: seccomp.Machine, server: socket.socket) -> None:
    try:
        listener = seccomp.install_with_listener(seccomp.filter_for_threads(machine, counted=True))
    except OSError:  # a kernel before 5.0, or a container that listens itself: then no threads at all
        seccomp.install(seccomp.filter_for_threads(machine, counted=False))
    else:
        socket.send_fds(server, [b"T"], [listener])
        os.close(listener)
    server.close()


def _report(text: str, frames: dict[str, pd.DataFrame]) -> bytes:
    try:
        result = _run(text, frames)
    except BaseException as error:  # noqa: BLE001 - whatever a program raises ends here
        return json.dumps({"error": _type_name(error), "line": _line(error)}).encode()
    try:
        if not isinstance(result, dict):
            raise TypeError("not a dict")
        return json.dumps({"result": result}, allow_nan=False, default=_plain).encode()
    except MemoryError:
        return json.dumps({"error": "MemoryError", "line": None}).encode()
    except Exception:  # noqa: BLE001 - the encoder runs methods of the program's own objects
        return b"{}"


def _run(text: str, frames: dict[str, pd.DataFrame]) -> Any:
    random.seed(0)
    np.random.seed(0)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, PROGRAM_FILE, "exec"), namespace)  # noqa: S102 - this is what the sandbox is for
    return namespace["analysis"](**frames)


def _type_name(error: BaseException) -> str:
    # numpy's own MemoryError has a private name; people look for the plain one.
    return "MemoryError" if isinstance(error, MemoryError) else type(error).__name__


def _line(error: BaseException) -> int | None:
    if isinstance(error, SyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == PROGRAM_FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _read_all(channel: int) -> bytes:
    chunks: list[bytes] = []
    while chunk := os.read(channel, 1 << 20):
        chunks.append(chunk)
    return b"".join(chunks)


def _write_all(channel: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(channel, view) :]

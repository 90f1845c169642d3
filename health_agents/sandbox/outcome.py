"""What became of a program, and the limits it ran under."""

import builtins
import json
import os
import signal
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["ok", "failed", "time_limit", "memory_limit", "output_limit", "result_invalid"]
Isolation = Literal["bubblewrap", "landlock", "child_process"]

_KNOWN_ERRORS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
) | {"LinAlgError", "IndexingError", "OutOfBoundsDatetime", "SystemExit"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one program.

    cpu_seconds is what a program may compute; wall_seconds, far above it, only ends one that sleeps, so that
    a busy machine changes no outcome. memory_bytes is address space, about 0.4 GB of it the libraries' own.
    output_bytes is the result as JSON.
    """

    wall_seconds: float = 60.0
    cpu_seconds: int = 10
    memory_bytes: int = 2 * 1024**3
    output_bytes: int = 64 * 1024


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a program. ``result`` is there where kind is ok.

    error_type is the name of a built-in exception or "Exception", never a message; line counts from 1.
    """

    kind: Kind
    isolation: Isolation
    result: dict[str, Any] | None = None
    error_type: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program's process ended: wait status and CPU seconds, or why it was stopped from outside."""

    status: int
    cpu_seconds: float
    stopped: Literal["time_limit", "output_limit"] | None = None


def judge(output: bytes, ended: Ended, limits: Limits, program: str, isolation: Isolation) -> Outcome:
    """The outcome by how the process ended and what it wrote. Nothing a program writes is trusted."""
    if ended.stopped is not None:
        return Outcome(ended.stopped, isolation)
    if os.WIFSIGNALED(ended.status):
        return _killed(os.WTERMSIG(ended.status), ended, limits, isolation)
    report = _read_report(output)
    if isinstance(result := report.get("result"), dict):
        return Outcome("ok", isolation, result)
    if not isinstance(error := report.get("error"), str):
        return Outcome("result_invalid", isolation)
    line = report.get("line")
    safe_line = line if type(line) is int and 1 <= line <= program.count("\n") + 1 else None
    safe_error = error if error in _KNOWN_ERRORS else "Exception"
    return Outcome(
        "memory_limit" if safe_error == "MemoryError" else "failed", isolation, None, safe_error, safe_line
    )


def _killed(number: int, ended: Ended, limits: Limits, isolation: Isolation) -> Outcome:
    if number == signal.SIGXCPU or ended.cpu_seconds >= limits.cpu_seconds:
        return Outcome("time_limit", isolation)
    if number == signal.SIGKILL:  # not by us: the machine ran out of memory
        return Outcome("memory_limit", isolation)
    return Outcome("failed", isolation, None, signal.Signals(number).name)


def _read_report(output: bytes) -> dict[str, Any]:
    """The report as a dict; empty where it is none. NaN and infinity are no JSON."""
    try:
        report = json.loads(output, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return {}
    return report if isinstance(report, dict) else {}


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value

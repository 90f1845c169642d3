"""Runs of a made study from the command, as a user starts them."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from prefect_server import SharedServer

from outputs.digests import file_sha256

PARTICIPANTS, DAYS, SEED = 4, 30, 7
# They hold when things ran.
TIMED_TABLES = ("run_ledger.parquet", "model_calls.parquet")
# Of all runs of a session: one that starts its own takes seconds longer.
SHARED_SERVER = SharedServer()
# The environment of every command and run.
GIVEN: dict[str, str] = {}


class Made(NamedTuple):
    """A made study, its truth, and where its results are."""

    study: Path
    truth: Path
    out: Path

    @property
    def release(self) -> Path:
        return (self.out / "latest").resolve()


def copy_of(made: Made, folder: Path) -> Made:
    """A copy of a made study and its results in a folder."""
    shutil.copytree(made.study, folder / "study")
    shutil.copytree(made.out, folder / "out", symlinks=True)
    return Made(folder / "study", made.truth, folder / "out")


def pha(
    *arguments: str | Path, environ: Mapping[str, str] | None = None, shared_server: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; a run with the shared Prefect server or with its own temporary one."""
    server = SHARED_SERVER.environ() if shared_server and arguments[0] == "run" else {}
    return subprocess.run(
        [sys.executable, "-m", "pha", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **GIVEN, **server, **(environ or {})},
        check=False,
        timeout=600,
    )


def kill_when(study: Path, out: Path, pattern: str) -> None:
    """Start a run and kill it, and all it started, as soon as a file of a pattern appears in its store."""
    command = [sys.executable, "-m", "pha", "run", str(study), "--out", str(out)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **GIVEN, **SHARED_SERVER.environ()},
    )
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and not list((out / "store").glob(pattern)):
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def table_digests(out: Path) -> dict[str, str]:
    """File below tables/ of the newest release -> sha256, without the tables that hold times."""
    tables = (out / "latest").resolve() / "tables"
    return {
        str(path.relative_to(tables)): file_sha256(path)
        for path in sorted(tables.rglob("*.parquet"))
        if path.name not in TIMED_TABLES
    }

"""pha doctor."""

import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import click

PACKAGES = ("polars", "pyarrow", "prefect", "pdfplumber", "great-expectations", "google-genai", "scipy")
WANTED_BYTES = 5_000_000_000
ANY_PROGRAM = ("bubblewrap", "landlock")


class Finding(NamedTuple):
    """One line of the doctor's: what, whether it works, and the remedy where it doesn't."""

    what: str
    works: bool
    remedy: str


@click.command()
def command() -> int:
    """What works on this machine, and the exact remedy for what doesn't."""
    findings = list(examine())
    for finding in findings:
        click.echo(f"{'ok  ' if finding.works else 'NO  '} {finding.what}")
        if not finding.works:
            click.echo(f"     remedy: {finding.remedy}")
    return 0 if all(finding.works for finding in findings) else 1


def examine() -> Iterator[Finding]:
    """Look at the interpreter, the packages, the sandbox and the disk."""
    yield Finding(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
        sys.version_info >= (3, 11),
        "install Python 3.11 or newer, then make setup PYTHON=/path/to/it",
    )
    yield from map(_package, PACKAGES)
    yield _sandbox()
    free = shutil.disk_usage(Path.cwd()).free
    yield Finding(f"{free / 1e9:.0f} GB of disk free here", free > WANTED_BYTES, "free at least 5 GB")


def _package(name: str) -> Finding:
    try:
        return Finding(f"{name} {version(name)}", True, "")
    except PackageNotFoundError:
        return Finding(f"{name} is missing", False, "make setup")


def _sandbox() -> Finding:
    from health_agents.sandbox import sandbox_state

    isolation, reason = sandbox_state()
    why = f" ({reason})" if reason else ""
    what = f"sandbox for analysis programs: {(isolation or 'none').replace('_', ' ')}{why}"
    return Finding(what, isolation in ANY_PROGRAM, "apt-get install bubblewrap, and allow user namespaces")

"""pha ingest STUDY."""

from datetime import datetime
from pathlib import Path

import click

from pha.commands.run import make_release, run_options


@click.command()
@run_options
def command(
    study: Path, out: Path, as_of: datetime | None, only: str | None, as_json: bool, verbose: bool
) -> int:
    """Read what is new in STUDY up to the core tables; publish them, the alerts and the board."""
    return make_release("core", study, out, as_of, only, None, as_json=as_json, verbose=verbose)

"""pha status."""

from datetime import UTC, datetime
from pathlib import Path

import click

from pha.options import out_option


@click.command()
@out_option
@click.option("--all", "show_all", is_flag=True, help="Every matter with its id, settled ones too.")
def command(out: Path, show_all: bool) -> None:
    """Say who needs attention, why, and what to do next."""
    from outputs.board import status_lines

    for line in status_lines(out, datetime.now(UTC), show_all=show_all):
        click.echo(line)

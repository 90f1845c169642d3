"""pha status."""

from datetime import UTC, datetime
from pathlib import Path

import click

from pha.options import out_option


@click.command()
@click.argument("results", required=False, metavar="[OUT]", type=click.Path(path_type=Path))
@out_option
@click.option("--all", "show_all", is_flag=True, help="Every matter with its id, settled ones too.")
def command(results: Path | None, out: Path, show_all: bool) -> None:
    """Say who needs attention in OUT, why, and what to do next. OUT may be given either way."""
    from outputs.board import status_lines

    for line in status_lines(results or out, datetime.now(UTC), show_all=show_all):
        click.echo(line)

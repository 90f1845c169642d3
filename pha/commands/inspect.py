"""pha inspect PATH."""

import json
from dataclasses import asdict
from pathlib import Path

import click


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(path: Path, as_json: bool) -> None:
    """Say what an export or lab report is, in plain words; no study is needed and nothing is written.

    PATH: a file or folder as a participant sent it. No name of a person, file or member is printed.
    """
    from ingest.inspection import inspect_path
    from pha.inspection_words import lines_of

    found = inspect_path(path)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2, default=str))
        return
    for line in lines_of(found):
        click.echo(line)

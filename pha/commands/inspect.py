"""pha inspect PATH."""

import json
from dataclasses import asdict
from pathlib import Path

import click


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(path: Path, as_json: bool) -> int:
    """Say in plain words what was sent, what looks wrong and what to ask; nothing is written.

    PATH: a file or folder as a participant sent it, survey files, several people's folders, or a study. In a
    participant's folder of a study it also says whether the files are theirs. No name of a person, file or
    member is printed. Returns 3 where something looks wrong, or nothing is there.
    """
    from ingest.inspection import inspect_path
    from pha.inspection_words import lines_of

    found = inspect_path(path)
    if as_json:
        click.echo(json.dumps(asdict(found) | {"looks_wrong": found.looks_wrong}, indent=2, default=str))
    else:
        for line in lines_of(found):
            click.echo(line)
    return 3 if found.looks_wrong else 0

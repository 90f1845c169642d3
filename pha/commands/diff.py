"""pha diff RELEASE RELEASE."""

import json
from dataclasses import asdict
from pathlib import Path

import click

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("before", type=PATH)
@click.argument("now", type=PATH)
@click.option("--participant", "participant_id", help="Tell all that changed of this participant.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(before: Path, now: Path, participant_id: str | None, as_json: bool) -> None:
    """Say what changed from release BEFORE to release NOW, and because of what.

    Causes first: files, dates, settings, edition, prompts, versions; then the tables, then the participants
    with most changed rows, their files, findings, facts, answers and sentences. Tables that hold when things
    ran are left out. Of an OUT its newest release is taken.
    """
    from outputs.release_diff import compare_releases, lines_of
    from pha.release_reader import open_release

    diff = compare_releases(open_release(before).path, open_release(now).path, participant_id)
    if as_json:
        click.echo(json.dumps(asdict(diff), indent=2, default=str, ensure_ascii=False))
        return
    for line in lines_of(diff, whole=participant_id is not None):
        click.echo(line)

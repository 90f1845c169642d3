"""pha trace RELEASE --participant ID FACT."""

import json
from pathlib import Path
from typing import Any

import click

STUDY = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("release", type=click.Path(path_type=Path))
@click.option("--participant", "participant_id", required=True, help="Whose fact it is.")
@click.argument("fact", required=False)
@click.option("--study", type=STUDY, help="The study's folder: shows the rows of the files too.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, with every day of a window.")
def command(release: Path, participant_id: str, fact: str | None, study: Path | None, as_json: bool) -> None:
    """Walk from FACT of RELEASE back to the participant's own files.

    FACT: a fact_id, a part of one, a metric's name, or a number as it is shown; where several are like that,
    they are listed. Without it all facts of the participant are told, with --json the whole dossier. Real
    names of files stand in OUT/private alone: they are shown where RELEASE lies in its OUT folder. Of an OUT
    the newest release is taken.
    """
    from pha.release_reader import open_release
    from pha.tracing import Cells, Files, find_fact, out_of, trace_fact, whole_dossier, words

    opened = open_release(release)
    if fact is None:
        _tell_all(whole_dossier(opened, participant_id), as_json=as_json)
        return
    row = find_fact(opened, participant_id, fact)
    files = Files(participant_id, out_of(opened.path), study)
    trace = trace_fact(Cells(opened, participant_id), files, row)
    if as_json:
        click.echo(json.dumps(words.as_json(trace), indent=2, default=str, ensure_ascii=False))
        return
    for line in words.lines_of(trace):
        click.echo(line)


def _tell_all(dossier: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(dossier, indent=2, default=str, ensure_ascii=False))
        return
    for fact in dossier["facts"]:
        click.echo(f"{fact['fact_id']}: {fact['rendered']}")

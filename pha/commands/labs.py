"""pha labs: what was read of a lab report."""

import os
from pathlib import Path

import click

from ingest.labs.decided import ReadingDecision
from ingest.source_file import SourceFile
from pha.options import out_option
from schemas.errors import PhaError
from schemas.participant import Participant

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group()
def command() -> None:
    """Look at lab reports."""


@command.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--study", type=FOLDER, help="The study the report lies in: names what `pha decide` needs.")
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path), help="The page to write.")
@out_option
def show(file: Path, study: Path | None, to: Path | None, out: Path) -> int:
    """Write a page that shows FILE with what was read drawn on it.

    Without --study the report is read as that of the person it names. The page holds the report itself, so
    only you can open it; it goes to OUT/private unless --to says otherwise. Returns 1 where nothing was read.
    """
    from ingest.labs.shown import show_report, source_of
    from pha.lab_page import lab_page, write_private

    if study is None:
        source, owner, secret, decisions = source_of(file), None, b"", ()
    else:
        source, owner, secret, decisions = _in_study(file, study, out)
    report = show_report(source, owner, secret, decisions)
    target = to or out / "private" / "shown" / f"{source.sha256[:12]}.html"
    write_private(target, lab_page(report))
    doubts = sum(reading.in_doubt for reading in report.readings)
    click.echo(f"{len(report.readings)} readings, {doubts} in doubt: {target}")
    for code, what in report.problems:
        click.echo(f"{code.name}: {what}\n  next ({code.role}): {code.next_step}", err=True)
    return 0 if report.readings else 1


def _in_study(
    file: Path, study: Path, out: Path
) -> tuple[SourceFile, Participant, bytes, tuple[ReadingDecision, ...]]:
    """The file as the study knows it, whose it is, the study's secret and the decisions on it."""
    from ingest.study import find_folders, load_study
    from outputs.store import Store
    from tasks.decided_readings import decisions_of
    from tasks.workspace import Workspace

    loaded = load_study(study, os.environ, make_secret=False)
    workspace = Workspace(loaded, out, Store(out / "store"), dry=True)
    for owner in find_folders(loaded, "labs").by_participant:
        for source in workspace.files("labs", owner, []):
            if source.path.samefile(file):
                person = loaded.participant(owner)
                return source, person, loaded.secret, decisions_of(workspace, person, [source])
    raise PhaError("report_not_in_study")

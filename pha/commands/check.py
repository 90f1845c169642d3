"""pha check STUDY."""

import json
from pathlib import Path

import click

from pha.options import out_option
from pha.terminal import counted


@click.command()
@click.argument("study", type=click.Path(file_okay=False, path_type=Path))
@out_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(study: Path, out: Path, as_json: bool) -> int:
    """Say what is wrong with STUDY and what a run would do. Writes nothing.

    Settings and registry, files at first sight, survey files read, names that differ by case only, disk,
    model calls. 2 where a run could not begin, else 0. File names are shown here and nowhere else.
    """
    from tasks.checkup import check_up

    checkup = check_up(study, out)
    if as_json:
        remarks = [
            {"where": remark.where, "code": remark.problem.code.name, "what": remark.problem.what}
            for remark in checkup.remarks
        ]
        told = {"remarks": remarks, "notes": checkup.notes, "stops": checkup.stops}
        click.echo(json.dumps({**told, "nothing_to_publish": checkup.nothing_to_publish}, indent=2))
        return 2 if checkup.stops else 0
    for remark in checkup.remarks:
        problem = remark.problem
        click.echo(f"{remark.where}\n  {problem}\n  next ({problem.code.role}): {problem.next_step}")
    for note in checkup.notes:
        click.echo(note)
    if checkup.stops:
        click.echo("a run could not begin")
        return 2
    but = ", but it would have nothing to publish: no accepted data" if checkup.nothing_to_publish else ""
    click.echo(f"{counted(len(checkup.remarks), 'remark')}; a run can begin{but}")
    return 0

"""pha sandbox PROGRAM."""

import json
from pathlib import Path

import click


@click.command()
@click.argument("program", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--release", required=True, type=click.Path(path_type=Path), help="Folder of a release.")
@click.option("--participant", "participant_id", required=True, help="Whose data the program sees.")
def command(program: Path, release: Path, participant_id: str) -> int:
    """Run PROGRAM, a file that defines analysis(...), on one participant's data in the sandbox.

    Prints its result as JSON, or the named outcome. The interface stands in docs/programs.md.
    """
    from health_agents.data_science import run_program

    outcome = run_program(program, release, participant_id)
    if outcome.kind == "ok":
        click.echo(json.dumps(outcome.result, indent=2))
        return 0
    where = f": {outcome.error_type} in line {outcome.line}" if outcome.error_type else ""
    click.echo(f"{outcome.kind}{where}")
    return 1

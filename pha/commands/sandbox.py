"""pha sandbox PROGRAM."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from health_agents.sandbox import Outcome


@click.command()
@click.argument("program", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--release", required=True, type=click.Path(path_type=Path), help="A release, or an OUT.")
@click.option("--participant", "participant_id", required=True, help="Whose data the program sees.")
def command(program: Path, release: Path, participant_id: str) -> int:
    """Run PROGRAM, a file that defines analysis(...), on one participant's data in the sandbox.

    Prints its result as JSON and returns 0, or says the outcome in a line and returns 1: failed, time_limit,
    memory_limit, output_limit or result_invalid. The interface stands in docs/programs.md. Of an OUT the
    newest release is taken.
    """
    from health_agents.data_science import run_program

    newest = release / "latest"
    outcome = run_program(program, newest if newest.is_dir() else release, participant_id)
    if outcome.kind == "ok":
        click.echo(json.dumps(outcome.result, indent=2, ensure_ascii=False))
        return 0
    click.echo(in_words(outcome))
    return 1


def in_words(outcome: "Outcome") -> str:
    """An outcome that is no result in one line: its name, what it means, the error's type and line."""
    from health_agents.sandbox import Limits

    limits = Limits()
    meanings = {
        "failed": f"it ended with {outcome.error_type}",
        "time_limit": f"it computed for {limits.cpu_seconds} s, or waited to {limits.wall_seconds:.0f} s",
        "memory_limit": f"it asked for more than {limits.memory_bytes >> 30} GiB, libraries counted",
        "output_limit": f"its result is larger than {limits.output_bytes >> 10} KiB",
        "result_invalid": "analysis(...) must return a dict of plain values, without NaN and infinity",
    }
    line = f", line {outcome.line}" if outcome.line is not None else ""
    return f"{outcome.kind}: {meanings[outcome.kind]}{line}"

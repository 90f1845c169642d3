"""pha demo."""

from pathlib import Path

import click

from pha.commands.run import make_release
from pha.options import days_option, participants_option, seed_option


@click.command()
@participants_option
@days_option
@seed_option
@click.option(
    "--out", default="demo-out", show_default=True, type=click.Path(path_type=Path), help="Folder for all."
)
@click.option("--verbose", is_flag=True, help="Show what Prefect logs.")
def command(participants: int, days: int, seed: int, out: Path, verbose: bool) -> int:
    """A study of made-up people, in true export forms, through the whole main job.

    Makes OUT/study, OUT/truth and OUT/out. Run again, it finds what is there.
    """
    from synthetic.spec import Spec
    from synthetic.study import make_study

    mark = out / "made-with"
    made_with = f"{participants} participants, {days} days, seed {seed}\n"
    if not mark.is_file():
        click.echo(f"making {made_with.strip()} in {out / 'study'} ...")
        make_study(out, Spec(participants, days, seed))
        mark.write_text(made_with)
    elif mark.read_text() != made_with:
        raise click.BadParameter(f"{out} holds another study: {mark.read_text().strip()}", param_hint="--out")
    make_release("full", out / "study", out / "out", None, None, None, as_json=False, verbose=verbose)
    return 0

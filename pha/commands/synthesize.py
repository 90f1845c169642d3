"""pha synthesize DIR."""

from pathlib import Path

import click

from pha.options import days_option, participants_option, seed_option


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@participants_option
@days_option
@seed_option
def command(folder: Path, participants: int, days: int, seed: int) -> None:
    """Make a study of made-up people: FOLDER/study in true export forms, FOLDER/truth beside it."""
    from synthetic.study import make_study

    if folder.exists() and any(folder.iterdir()):
        raise click.BadParameter("the folder is not empty", param_hint="FOLDER")
    make_study(folder, participants, days, seed)
    click.echo(f"study: {folder / 'study'}\ntruth: {folder / 'truth'}")

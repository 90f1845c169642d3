"""pha synthesize DIR."""

from pathlib import Path

import click

from pha.options import seed_option
from pha.terminal import counting


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--preset",
    default="demo",
    show_default=True,
    type=click.Choice(["demo", "load"]),
    help="What kind of study; sets the two numbers below.",
)
@click.option("--participants", type=click.IntRange(1, 99_999), metavar="N", help="How many people.")
@click.option("--days", type=click.IntRange(1, 3_650), metavar="N", help="Days of data.")
@seed_option
@click.option(
    "--heart-rate-every",
    "heart_rate_seconds",
    default=60,
    show_default=True,
    type=click.IntRange(1, 60),
    metavar="SECONDS",
    help="Time between two samples of the heart rate.",
)
@click.option(
    "--weeks",
    default=1,
    show_default=True,
    type=click.IntRange(1, 104),
    metavar="N",
    help="Weekly as-of dates to make data for; they are listed in FOLDER/truth/as_of_dates.json.",
)
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes.  [default: one a core]")
def command(
    folder: Path,
    preset: str,
    participants: int | None,
    days: int | None,
    seed: int,
    heart_rate_seconds: int,
    weeks: int,
    workers: int | None,
) -> None:
    """Make a study of made-up people: FOLDER/study in true export forms, FOLDER/truth beside it."""
    from synthetic.spec import PRESETS, PresetName, Spec
    from synthetic.study import make_study

    if folder.exists() and any(folder.iterdir()):
        raise click.BadParameter("the folder is not empty", param_hint="FOLDER")
    chosen: PresetName = preset  # pyright: ignore[reportAssignmentType] - click checked it
    numbers = PRESETS[chosen]
    spec = Spec(
        participants or numbers.participants, days or numbers.days, seed, chosen, heart_rate_seconds, weeks
    )
    with counting("people", spec.participants) as one_more:
        make_study(folder, spec, workers, made=one_more)
    click.echo(f"study: {folder / 'study'}\ntruth: {folder / 'truth'}")

"""Options that several commands have."""

from pathlib import Path

import click

out_option = click.option(
    "--out", default="out", show_default=True, type=click.Path(path_type=Path), help="Folder of the results."
)
participants_option = click.option(
    "--participants",
    default=12,
    show_default=True,
    type=click.IntRange(1),
    metavar="N",
    help="How many people.",
)
days_option = click.option(
    "--days",
    default=120,
    show_default=True,
    type=click.IntRange(1, 3_650),
    metavar="N",
    help="Days of data.",
)
seed_option = click.option(
    "--seed",
    default=7,
    show_default=True,
    type=click.IntRange(0),
    metavar="N",
    help="Equal seeds make equal studies.",
)

"""Options that several commands have."""

from pathlib import Path

import click

out_option = click.option(
    "--out", default="out", show_default=True, type=click.Path(path_type=Path), help="Folder of the results."
)
participants_option = click.option(
    "--participants", default=12, show_default=True, type=click.IntRange(1, 9_999), help="How many people."
)
days_option = click.option(
    "--days", default=120, show_default=True, type=click.IntRange(1, 3_650), help="Days of data."
)
seed_option = click.option(
    "--seed", default=7, show_default=True, type=click.IntRange(0), help="Equal seeds make equal studies."
)

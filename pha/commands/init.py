"""pha init DIR."""

from pathlib import Path

import click

from ingest.study import study_secret
from pha.study_template import LETTER, PARTICIPANTS, STUDY_TOML


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def command(folder: Path) -> None:
    """Make a new study folder: a commented study.toml, an empty participants.csv, the folders for what people
    send, and a letter that tells participants how to export their data.
    """
    if folder.exists() and any(folder.iterdir()):
        raise click.BadParameter("the folder is not empty", param_hint="FOLDER")
    for name in ("fitbit", "labs", "surveys"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    for name, text in (
        ("study.toml", STUDY_TOML),
        ("participants.csv", PARTICIPANTS),
        ("letter_to_participants.md", LETTER),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    study_secret(folder, {}, make=True)
    click.echo(
        f"made {folder}\n"
        "  1. edit study.toml and participants.csv\n"
        "  2. exports go into fitbit/<id>/, lab reports into labs/<id>/, survey CSVs into surveys/\n"
        f"  3. pha check {folder}\n"
        f"  4. pha run {folder}"
    )

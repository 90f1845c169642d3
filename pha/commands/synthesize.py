"""pha synthesize DIR."""

from collections.abc import Collection
from pathlib import Path
from typing import Literal

import click

from pha.options import seed_option
from pha.terminal import counting


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--preset",
    default="demo",
    show_default=True,
    type=click.Choice(["demo", "load", "traps"]),
    help="What kind of study; sets the two numbers below. Traps have days of their own (docs/made_traps.md).",
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
@click.option(
    "--effect",
    metavar="KIND",
    help="Plant this one effect in everyone, or 'none' in no one, for scoring (kinds: docs/made_studies.md).",
)
@click.option(
    "--size",
    default="full",
    show_default=True,
    type=click.Choice(["full", "half", "quarter"]),
    help="Size of the effect.",
)
@click.option(
    "--form", metavar="FORM", help="Form of all exports: A0 to F, fitabase, monthly_csv, web_api, health_api."
)
@click.option(
    "--surveys",
    "survey_form",
    default="redcap_raw",
    show_default=True,
    metavar="FORM",
    help="Form of the questionnaires, as redcap_label, qualtrics, google_forms or plain_csv.",
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
    effect: str | None,
    size: Literal["full", "half", "quarter"],
    form: str | None,
    survey_form: str,
    workers: int | None,
) -> None:
    """Make a study of made-up people: FOLDER/study in true export forms, FOLDER/truth beside it."""
    from synthetic.exports.forms import FORMS
    from synthetic.spec import PRESETS, PresetName, Spec, scored_cast
    from synthetic.study import make_study
    from synthetic.surveys.write import FORMS as SURVEY_FORMS

    _make_empty(folder)
    chosen: PresetName = preset  # pyright: ignore[reportAssignmentType] - click checked it
    numbers = PRESETS[chosen]
    try:
        scored = scored_cast(effect, size)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--effect") from error
    _check(form, FORMS, "--form")
    _check(survey_form, SURVEY_FORMS, "--surveys")
    if preset == "traps" and (days or scored or form or weeks > 1):
        raise click.BadParameter("traps have days and people of their own", param_hint="--preset")
    spec = Spec(
        participants or numbers.participants,
        days or numbers.days,
        seed,
        chosen,
        heart_rate_seconds,
        weeks,
        scored,
        form,
        survey_form,
    )
    with counting("people", spec.participants) as one_more:
        make_study(folder, spec, workers, made=one_more)
    click.echo(f"study: {folder / 'study'}\ntruth: {folder / 'truth'}")


def _make_empty(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise click.BadParameter("the folder is not empty", param_hint="FOLDER")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter("nothing can be written there", param_hint="FOLDER") from error


def _check(form: str | None, known: Collection[str], option: str) -> None:
    if form is not None and form not in known:
        raise click.BadParameter(f"no such form; there are: {', '.join(known)}", param_hint=option)

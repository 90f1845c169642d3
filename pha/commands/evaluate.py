"""pha evaluate ds-code | ds-plan."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pha.options import out_option

if TYPE_CHECKING:
    from evaluation.results import Evaluation
    from health_agents.model import ModelDoor

RULES = "rules"
MOST_POINTS = 16
_model_option = click.option(
    "--model",
    default=RULES,
    show_default=True,
    metavar="NAME",
    help="A model that the study allows; rules checks the benchmark itself.",
)
_study_option = click.option(
    "--study",
    type=click.Path(file_okay=False, path_type=Path),
    help="Study that allows the model.",
)


@click.group()
def command() -> None:
    """How good the agents are: two arms, the agent and the bare model with one prompt, with intervals."""


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    return _model_option(_study_option(out_option(function)))


@command.command("ds-code")
@_with_options
def ds_code(model: str, study: Path | None, out: Path) -> int:
    """Programs written to a precise contract, judged by hand-worked tests in the sandbox.

    Without a model the reviewed solutions must pass and every planted wrong one must fail, else 1.
    """
    from evaluation.ds_code.evaluating import check_benchmark, evaluate_model
    from health_agents.sandbox import open_sandbox

    door = _door(model, study, out)
    with open_sandbox() as sandbox:
        evaluation = evaluate_model(door, sandbox) if door else check_benchmark(sandbox)
    _tell(evaluation, out / "evaluations" / _folder_name("ds-code", model))
    if door:
        return 0
    planted, missed = evaluation.summary["faults_planted"], evaluation.summary["faults_missed"]
    click.echo(f"planted faults found: {planted - len(missed)} of {planted}")
    whole = all(score["rate"] == 1 for score in evaluation.summary["arms"].values())
    return 0 if whole and not missed else 1


@command.command("ds-plan")
@_with_options
def ds_plan(model: str, study: Path | None, out: Path) -> int:
    """Plans of an analysis, scored by a rubric of 34 questions; also how far the rater can be trusted.

    Without a model the rubric and the points of its seeded plans are checked; 1 where they do not hold.
    """
    from evaluation.ds_plan.evaluating import check_rubric, evaluate_model
    from health_agents.sandbox import open_sandbox

    folder = out / "evaluations" / _folder_name("ds-plan", model)
    door = _door(model, study, out)
    if door is None:
        evaluation = check_rubric()
        _tell(evaluation, folder)
        worst, differing = evaluation.summary["worst_path"], evaluation.summary["differing"]
        click.echo(f"worst path: {worst:g} points; seeded plans whose points differ: {len(differing)}")
        return 0 if worst == MOST_POINTS and not differing else 1
    with open_sandbox() as sandbox:
        evaluation = evaluate_model(door, sandbox)
    _tell(evaluation, folder)
    for split, rater in evaluation.summary["autorater"].items():
        click.echo(
            f"autorater, {split}: ICC(3,1) {_figure(rater['icc_3_1'])}, agreement "
            f"{_figure(rater['agreement'])}, Bennett's S {_figure(rater['bennett_s'])}"
        )
    return 0


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _door(model: str, study: Path | None, out: Path) -> "ModelDoor | None":
    """The door to a model that the study allows, None for rules."""
    if model == RULES:
        return None
    from health_agents.model import ModelDoor
    from ingest.settings_file import read_settings

    if study is None:
        raise click.UsageError("a model needs --study: its study.toml says whether the model may be used")
    settings = read_settings(study / "study.toml", os.environ)
    return ModelDoor(settings, out / "store" / "_answers", environ=os.environ, name=model)


def _tell(evaluation: "Evaluation", folder: Path) -> None:
    from evaluation.results import text_table, write_evaluation

    write_evaluation(evaluation, folder)
    click.echo(text_table(evaluation.table))
    click.echo(f"written to {folder}")


def _folder_name(evaluation: str, model: str) -> str:
    return f"{evaluation}-{re.sub(r'[^A-Za-z0-9._-]+', '_', model)}"

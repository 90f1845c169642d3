"""pha evaluate ds-code | ds-plan."""

import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
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

    doors = _doors(model, study, out)
    with open_sandbox() as sandbox:
        evaluation = evaluate_model(doors[0], sandbox) if doors else check_benchmark(sandbox)
    _tell(evaluation, out / "evaluations" / _folder_name("ds-code", model))
    if doors:
        return 0
    planted, missed = evaluation.summary["faults_planted"], evaluation.summary["faults_missed"]
    click.echo(f"planted faults found: {planted - len(missed)} of {planted}")
    whole = all(score["rate"] == 1 for score in evaluation.summary["arms"].values())
    return 0 if whole and not missed else 1


@command.command("ds-plan")
@click.option(
    "--rater",
    "raters",
    multiple=True,
    metavar="NAME",
    help="A model that rates; may be given again. Without it the first other model the study allows rates, "
    "and the model itself where there is no other.",
)
@_with_options
def ds_plan(model: str, raters: tuple[str, ...], study: Path | None, out: Path) -> int:
    """Plans of an analysis, scored by a rubric of 34 questions; also how far each rater can be trusted.

    A model that rates itself may favour its own plans: that is said where it does. Without a model the rubric
    and the points of its seeded plans are checked; 1 where they do not hold.
    """
    from evaluation.ds_plan.evaluating import check_rubric, evaluate_model
    from health_agents.sandbox import open_sandbox

    folder = out / "evaluations" / _folder_name("ds-plan", model)
    doors = _doors(model, study, out, raters)
    if not doors:
        evaluation = check_rubric()
        _tell(evaluation, folder)
        worst, differing = evaluation.summary["worst_path"], evaluation.summary["differing"]
        click.echo(f"worst path: {worst:g} points; seeded plans whose points differ: {len(differing)}")
        return 0 if worst == MOST_POINTS and not differing else 1
    with open_sandbox() as sandbox:
        evaluation = evaluate_model(doors[0], sandbox, doors[1:])
    _tell(evaluation, folder)
    for name, told in evaluation.summary["raters"].items():
        for line in _rater_lines(name, told):
            click.echo(line)
    return 0


def _rater_lines(name: str, told: Mapping[str, Any]) -> Iterator[str]:
    """How a rater agrees with what was planted, by split; a model that rates itself is named as one."""
    for split, one in told["reliability"].items():
        yield (
            f"rater {name}, {split}: ICC(3,1) {_figure(one['icc_3_1'])}, agreement "
            f"{_figure(one['agreement'])}, Bennett's S {_figure(one['bennett_s'])}"
        )
    if told["rates_itself"]:
        yield f"{name} rated its own plans: it may favour them; name another model by --rater"


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _doors(
    model: str, study: Path | None, out: Path, raters: tuple[str, ...] | None = None
) -> "list[ModelDoor]":
    """Doors to a model and to its raters, where there are any, with one budget; none for rules."""
    if model == RULES:
        return []
    from health_agents.model import ModelDoor
    from ingest.settings_file import read_settings

    if study is None:
        raise click.UsageError("a model needs --study: its study.toml says whether the model may be used")
    settings = read_settings(study / "study.toml", os.environ)
    chosen = raters if raters or raters is None else (other_model(settings.model.allow, model),)
    answers, account = out / "store" / "_answers", f"evaluation-{uuid.uuid4().hex}"
    return [
        ModelDoor(settings, answers, environ=os.environ, name=name, account=account)
        for name in (model, *dict.fromkeys(chosen or ()))
    ]


def other_model(allowed: Sequence[str], model: str) -> str:
    """The first allowed model beside this one; itself where the study allows no other."""
    return next((name for name in allowed if name not in (RULES, model)), model)


def _tell(evaluation: "Evaluation", folder: Path) -> None:
    from evaluation.results import text_table, write_evaluation

    write_evaluation(evaluation, folder)
    click.echo(text_table(evaluation.table))
    click.echo(f"written to {folder}")


def _folder_name(evaluation: str, model: str) -> str:
    return f"{evaluation}-{re.sub(r'[^A-Za-z0-9._-]+', '_', model)}"

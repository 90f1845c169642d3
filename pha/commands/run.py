"""pha run STUDY, and what the commands that make releases have in common."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from pha.options import out_option
from pha.prefect_settings import prepare_prefect, reaching_prefect
from pha.terminal import show_progress
from tasks.preflight import make_order

ATTENTION_EXIT = 3


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and options of the commands that make a release."""
    for option in reversed(
        (
            click.argument("study", type=click.Path(file_okay=False, path_type=Path)),
            out_option,
            click.option(
                "--as-of",
                type=click.DateTime(["%Y-%m-%d"]),
                metavar="DATE",
                help="Look at what happened up to this date (YYYY-MM-DD).",
            ),
            click.option(
                "--only",
                metavar="ID,ID,...",
                help="Work on these participants only. The release stays whole.",
            ),
            click.option("--json", "as_json", is_flag=True, help="Print the run's outcome as JSON."),
            click.option("--verbose", is_flag=True, help="Show what Prefect logs."),
        )
    ):
        function = option(function)
    return function


@click.command()
@run_options
@click.option("--model", help="Model that writes the summaries; the study must allow it.")
def command(
    study: Path,
    out: Path,
    as_of: datetime | None,
    only: str | None,
    as_json: bool,
    verbose: bool,
    model: str | None,
) -> int:
    """Make a full release of STUDY: ingest, tables, percentiles, insights, summaries."""
    return make_release("full", study, out, as_of, only, model, as_json=as_json, verbose=verbose)


def make_release(
    kind: Any,
    study: Path,
    out: Path,
    as_of: datetime | None,
    only: str | None,
    model: str | None,
    *,
    as_json: bool,
    verbose: bool,
) -> int:
    """Run the flow of a kind in this process; returns the exit code."""
    day = as_of.date().isoformat() if as_of else None
    ids = [name.strip() for name in only.split(",") if name.strip()] if only else None
    make_order(kind, str(study), str(out), day, model, ids)
    prepare_prefect(out, verbose=verbose)
    with show_progress(quiet=as_json), telling_alerts(out), reaching_prefect():
        outcome = _flow(kind, str(study), str(out), day, model, ids)
    click.echo(json.dumps(outcome, indent=2) if as_json else _told(outcome, out))
    return ATTENTION_EXIT if outcome["new_attention"] else 0


@contextmanager
def telling_alerts(out: Path) -> Generator[None]:
    """A run that ends without a release still tells the alerts that wait, on the error stream."""
    try:
        yield
    except Exception:
        from outputs.board import alert_lines

        for line in alert_lines(out):
            click.echo(line, err=True)
        raise


def _flow(
    kind: str, study: str, out: str, as_of: str | None, model: str | None, only: list[str] | None
) -> Any:
    if kind == "full":
        from flows.cohort import cohort

        return cohort(study=study, out=out, as_of=as_of, model=model, only=only)
    from flows.ingest import ingest

    return ingest(study=study, out=out, as_of=as_of, only=only)


def _told(outcome: Any, out: Path) -> str:
    verb = "found" if outcome["existing"] else "made"
    lines = [
        f"{verb} the {outcome['kind']} release as of {outcome['as_of']}: {outcome['release']}",
        f"  {outcome['worked']} pieces of work made, {outcome['reused']} found, {outcome['failed']} failed, "
        f"{outcome['pending']} pending",
        f"  {outcome['attention']} matters need attention: pha status --out {out}",
        f"  board: {outcome['board']}",
    ]
    if outcome["reports"]:
        lines.append(f"  pages: {outcome['reports']}")
    return "\n".join(lines)

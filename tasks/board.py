"""The live board, renewed after every stage, and alerts, which wait for nothing that comes after ingest."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from outputs.alerts import Alert, call_for_alerts, find_alerts, write_alerts
from outputs.attention import attention_table
from outputs.board import write_board
from outputs.board_state import Held, Progress, Run, live_board, read_board_tables
from outputs.decisions import read_decisions
from outputs.matters import AttentionInputs
from outputs.stage_problems import StageProblem, problems_of
from outputs.store import Piece
from schemas.table import empty
from schemas.tables import TABLES
from tasks.ledger import LedgerRow, keys_of, pieces_of
from tasks.order import Order, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import Workspace, counts_in_population

ATTENTION_TABLES = (
    "participants",
    "source_files",
    "lab_review",
    "quality_checks",
    "lab_results",
    "findings",
    "summaries",
    "claims",
)
ALERTING_STAGES = ("labs", "surveys")


@pha_task("board")
def renew_board(order: Order, rows: list[LedgerRow]) -> None:
    """Show how far the run is; after ingest also raise its alerts."""
    workspace = workspace_of(order)
    run = Run("running", started(order), progress(rows))
    show(workspace, run, attention=with_raised(workspace, *raise_alerts(workspace, rows)))


def show_end(
    workspace: Workspace, started_at: datetime, rows: Sequence[LedgerRow], held: Sequence[Held] = ()
) -> None:
    """The board after a run: done, or held with the reason.

    The alerts of a run whose release is held are in no release: they are told beside the older one.
    """
    attention = with_raised(workspace, *raise_alerts(workspace, rows)) if held else None
    show(workspace, Run("done", started_at, progress(rows)), held=held, attention=attention)


def show(
    workspace: Workspace, run: Run, *, held: Sequence[Held] = (), attention: pl.DataFrame | None = None
) -> None:
    """Renew the board in OUT; ``attention`` is the run's own where it knows more than the shown release."""
    settings, now = workspace.study.settings, datetime.now(UTC)
    board = live_board(workspace.out, settings, now, held=held, run=run, attention=attention)
    write_board(workspace.out, board)


def started(order: Order) -> datetime:
    """When the run began."""
    return datetime.fromisoformat(order["started"])


def progress(rows: Sequence[LedgerRow]) -> tuple[Progress, ...]:
    """How far each stage is with the participants it is for, in the order of the stages."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        if row["state"] == "not_due":
            continue
        of_stage = counts.setdefault(row["stage"], [0, 0, 0])
        of_stage[0] += row["state"] in ("done", "reused")
        of_stage[1] += row["state"] == "failed"
        of_stage[2] += 1
    return tuple(Progress(stage, *numbers) for stage, numbers in counts.items())


def raise_alerts(workspace: Workspace, rows: Sequence[LedgerRow]) -> tuple[list[Alert], list[StageProblem]]:
    """Write the alerts of a run's ingest pieces and call the study's command for new ones.

    Returns the alerts, and a problem for each call that failed.
    """
    pieces = pieces_of(workspace.store, keys_of(rows), ALERTING_STAGES)
    alerts = alerts_of(workspace, pieces, problems_of(pieces))
    write_alerts(workspace.out, alerts)
    return alerts, call_for_alerts(workspace.out, workspace.study.settings.alerts.command, alerts)


def alerts_of(workspace: Workspace, pieces: Sequence[Piece], problems: Sequence[StageProblem]) -> list[Alert]:
    """Alerts of all that ingest read, of people who are still in the study."""
    here = [person.participant_id for person in workspace.study.participants if counts_in_population(person)]
    ingest = [piece for piece in pieces if piece.stage in ALERTING_STAGES]
    own = pl.col("participant_id").is_in(here)
    return find_alerts(
        workspace.store.scan(ingest, "lab_results").filter(own),
        workspace.store.scan(ingest, "lab_review").filter(own),
        workspace.store.scan(ingest, "survey_answers").filter(own),
        [problem for problem in problems if problem.participant_id in (None, *here)],
        workspace.study.settings.alerts,
    )


def shown_folder(workspace: Workspace) -> Path | None:
    """The release that the board shows, or None."""
    latest = workspace.out / "latest"
    return latest.resolve() if latest.exists() else None


def with_raised(
    workspace: Workspace, alerts: Sequence[Alert], failed_calls: Sequence[StageProblem]
) -> pl.DataFrame:
    """What the shown release says needs attention, and the alerts and failed calls it does not know yet."""
    shown = read_board_tables(shown_folder(workspace)).attention
    decisions = read_decisions(workspace.study.root / "decisions.csv")
    raised = attention_table(
        _only_alerts(workspace, alerts, failed_calls), None, decisions, datetime.now(UTC).date()
    )
    return pl.concat([shown, raised.filter(~pl.col("attention_id").is_in(shown["attention_id"].implode()))])


def _only_alerts(
    workspace: Workspace, alerts: Sequence[Alert], problems: Sequence[StageProblem]
) -> AttentionInputs:
    frames: dict[str, Any] = {name: empty(TABLES[name]) for name in ATTENTION_TABLES}
    return AttentionInputs(
        alerts=alerts,
        problems=problems,
        daily=empty(TABLES["daily_summary"]).lazy(),
        results_to={},
        settings=workspace.study.settings,
        **frames,
    )

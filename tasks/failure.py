"""The board after a run that failed: what happened, what to do, and the alerts that were raised before."""

from datetime import UTC, datetime
from typing import Any

import polars as pl

from outputs.board_state import Run
from outputs.stage_problems import problems_of
from schemas.errors import PhaError
from tasks.board import alerts_of, show, with_raised
from tasks.kept_problems import kept_pieces
from tasks.workspace import Workspace, open_workspace


def show_failure(_flow: Any, flow_run: Any, state: Any) -> None:
    """Prefect's hook for a failed or crashed run: the board says so, and what to do."""
    error = state.result(raise_on_failure=False)
    fault = (
        error
        if isinstance(error, PhaError)
        else PhaError("unexpected", type=type(error).__name__, place="flow")
    )
    if fault.code.name == "release_held":
        return  # The board shows it already, with the name of the held folder.
    try:
        workspace = open_workspace(flow_run.parameters["study"], flow_run.parameters["out"])
    except PhaError:
        return  # Wrong use: nothing of the study can be shown.
    run = Run("failed", flow_run.start_time or datetime.now(UTC), what=fault.what, next_step=fault.next_step)
    show(workspace, run, attention=_with_kept_alerts(workspace))


def _with_kept_alerts(workspace: Workspace) -> pl.DataFrame | None:
    """What the shown release says, and the alerts of all that was read of the files as they lie there now.

    None where the files cannot be looked at: that may be why the run failed.
    """
    try:
        pieces = list(kept_pieces(workspace))
        return with_raised(workspace, alerts_of(workspace, pieces, problems_of(pieces)), [])
    except (PhaError, OSError):
        return None


FAILURE_HOOKS: Any = [show_failure]

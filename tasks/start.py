"""The beginning of a run: its order and whom it covers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from prefect.runtime import deployment, flow_run

from outputs.release_folder import Kind
from tasks.order import Order
from tasks.prefect_task import pha_task
from tasks.preflight import covered, make_order
from tasks.workspace import open_workspace


@pha_task("start")
def start_run(
    kind: Kind, study: str, out: str, as_of: str | None, model: str | None, only: Sequence[str] | None
) -> tuple[Order, list[str]]:
    """The order of a run and the ids of all participants it covers."""
    order, workspace = make_order(kind, study, out, as_of or scheduled_as_of(study), model, only)
    order["shared"] = workspace.shared
    return order, [person.participant_id for person in covered(workspace)]


def scheduled_as_of(study: str) -> str | None:
    """For a run of a deployment: the day before its scheduled start, in the study's zone."""
    scheduled: datetime | None = flow_run.scheduled_start_time
    if deployment.id is None or scheduled is None:
        return None
    zone = ZoneInfo(open_workspace(study, ".", make=False).study.settings.study.time_zone)
    return (scheduled.astimezone(zone).date() - timedelta(days=1)).isoformat()

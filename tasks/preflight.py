"""What must hold before a run begins: checked before any service is started."""

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from health_agents.model import check_model
from outputs.release_folder import Kind, parse_name
from outputs.release_tables import scan
from schemas.errors import PhaError
from schemas.participant import Participant
from tasks.order import Order
from tasks.workspace import Workspace, open_workspace


def make_order(
    kind: Kind, study: str, out: str, as_of: str | None, model: str | None, only: Sequence[str] | None
) -> tuple[Order, Workspace]:
    """Check all that can be known before work begins; a PhaError (scope usage) leaves nothing behind."""
    workspace = open_workspace(study, out, make=False)
    settings = workspace.study.settings
    chosen = model or settings.model.name
    if kind == "full":
        check_model(settings, chosen, os.environ)
    for participant_id in only or ():
        workspace.study.participant(participant_id)
    _nobody_is_gone(workspace)
    if as_of and date.fromisoformat(as_of) > datetime.now(ZoneInfo(settings.study.time_zone)).date():
        raise PhaError("as_of_in_future", as_of=as_of)
    order = Order(
        study=str(workspace.study.root.absolute()),
        out=str(workspace.out),
        kind=kind,
        as_of=date.fromisoformat(as_of).isoformat() if as_of else None,
        model=chosen,
        only=sorted(only) if only else None,
        started=datetime.now(UTC).isoformat(),
        shared=[],
    )
    return order, open_workspace(study, out)


def covered(workspace: Workspace) -> list[Participant]:
    """Everybody of the registry by id, without withdrawn people whose data are to be erased."""
    erase = workspace.study.settings.privacy.on_withdrawal == "erase"
    people = sorted(workspace.study.participants, key=lambda person: person.participant_id)
    return [person for person in people if not (erase and person.status == "withdrawn")]


def _nobody_is_gone(workspace: Workspace) -> None:
    """A person of the last release who left the registry is an error, never silently dropped."""
    for link in ("latest-core", "latest"):
        release = (workspace.out / link).resolve()
        if parse_name(release.name) is None or not release.is_dir():
            continue
        published = scan(release, "participants").select("participant_id").collect()["participant_id"]
        known = {person.participant_id for person in workspace.study.participants}
        if gone := sorted(set(published) - known):
            raise PhaError("registry_person_gone", count=len(gone), ids=", ".join(gone[:10]))

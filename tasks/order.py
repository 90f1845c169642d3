"""What a run is asked to do: plain values, since they cross Prefect and stand in its database."""

from datetime import date
from functools import lru_cache
from typing import Literal, TypedDict

from tasks.workspace import SetAside, Workspace, open_workspace


class Order(TypedDict):
    """The parameters of a run.

    only: ids to work on, or None for all; what the others have is kept.
    as_of: ISO date, or None for the latest day that arrived.
    shared: files that are not read, as they lie in several participants' folders or hold the same data.
    started: when the run began (UTC, ISO); shown, never a part of a result.
    """

    study: str
    out: str
    kind: Literal["core", "full"]
    as_of: str | None
    model: str
    only: list[str] | None
    started: str
    shared: list[SetAside]


def workspace_of(order: Order) -> Workspace:
    """The workspace of a run, read once a process and run."""
    return _opened(order["study"], order["out"], order["started"])


@lru_cache(maxsize=1)
def _opened(study: str, out: str, _started: str) -> Workspace:
    return open_workspace(study, out)


def as_of_of(order: Order) -> date:
    """as-of of a run in which it was decided."""
    decided = order["as_of"]
    if decided is None:
        raise ValueError("as-of is decided after ingest")
    return date.fromisoformat(decided)


def is_in(order: Order, participant_id: str) -> bool:
    """Whether the run may work on a participant."""
    return order["only"] is None or participant_id in order["only"]

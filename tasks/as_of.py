"""Deciding as-of: the date up to which a run looks."""

from datetime import date

import polars as pl

from schemas.errors import PhaError
from tasks.ledger import Keys
from tasks.order import Order, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import Workspace


@pha_task("as-of")
def decide_as_of(order: Order, keys: Keys) -> Order:
    """The order with its as-of: the given one, else the latest day that arrived.

    A draw or a questionnaire may be later than the newest wearable data; it counts as arrived on its day, so
    that no accepted result is left out of a run that names no as-of. PhaError nothing_to_publish.
    """
    if order["as_of"] is not None:
        return order
    workspace = workspace_of(order)
    days = [day for stage in ("fitbit", "labs", "surveys") for day in _days(workspace, keys, stage)]
    if not days:
        raise PhaError("nothing_to_publish")
    return {**order, "as_of": max(days).isoformat()}


def _days(workspace: Workspace, keys: Keys, stage: str) -> list[date]:
    days: list[date | None] = []
    for owner, key in keys.get(stage, {}).items():
        piece = workspace.store.find(stage, owner, key)
        if piece is None or piece.state == "failed":
            continue
        if arrived := piece.document.get("arrived_through"):
            days.append(date.fromisoformat(arrived))
        for table, column in (("lab_results", "collected_date"), ("survey_answers", "answered_on")):
            newest = workspace.store.scan([piece], table).select(pl.col(column).max()).collect().item()
            days.append(newest)
    return [day for day in days if day is not None]

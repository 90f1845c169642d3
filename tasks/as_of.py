"""Deciding as-of: the date up to which a run looks."""

from collections.abc import Iterable
from datetime import date

import polars as pl

from outputs.store import Piece, Store
from schemas.errors import PhaError
from tasks.ledger import Keys, pieces_of
from tasks.order import Order, workspace_of
from tasks.prefect_task import pha_task


@pha_task("as-of")
def decide_as_of(order: Order, keys: Keys) -> Order:
    """The order with its as-of: the given one, else the latest day that arrived.

    A draw or a questionnaire may be later than the newest wearable data; it counts as arrived on its day, so
    that no accepted result is left out of a run that names no as-of. PhaError nothing_to_publish.
    """
    if order["as_of"] is not None:
        return order
    store = workspace_of(order).store
    days = arrived_days(store, pieces_of(store, keys))
    if not days:
        raise PhaError("nothing_to_publish")
    return {**order, "as_of": max(days).isoformat()}


def arrived_days(store: Store, ingested: Iterable[Piece]) -> list[date]:
    """Days through which anybody's exports arrived, and the newest draw and dated answer."""
    pieces = [piece for piece in ingested if piece.state == "done"]
    exports = [piece.document.get("arrived_through") for piece in pieces]
    dated = [
        store.scan(pieces, table).select(pl.col(column).max()).collect().item()
        for table, column in (("lab_results", "collected_date"), ("survey_answers", "answered_on"))
    ]
    return [date.fromisoformat(day) for day in exports if day] + [day for day in dated if day]

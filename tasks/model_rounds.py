"""A stage that asks a model, round after round: what it asks in batch mode is answered between the rounds."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from health_agents.model import RULES, door_of
from tasks.batches import in_batches
from tasks.ledger import Keys, LedgerRow
from tasks.order import Order, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import answers_of


def in_rounds(batch_task: Any, ids: Sequence[str], order: Order, keys: Keys) -> list[LedgerRow]:
    """Rows of the last round of a stage that works on batches of participants."""
    return rounds_of(lambda: in_batches(batch_task, ids, order, keys), order)


def rounds_of(stage: Callable[[], list[LedgerRow]], order: Order) -> list[LedgerRow]:
    """Rows of the last round. Without batch mode nothing waits, and there is one round."""
    rows = stage()
    while any(row["reason_code"] == "model_waiting" for row in rows) and fetch_answers(order):
        rows = stage()
    return rows


@pha_task("model_answers", retries=2)
def fetch_answers(order: Order) -> bool:
    """Send what agents asked as batch jobs and wait; whether another round gets further."""
    workspace = workspace_of(order)
    if order["model"] == RULES:
        return False
    door = door_of(
        order["model"], workspace.study.settings, answers_of(workspace), os.environ, order["as_of"]
    )
    return door.fetch_batches()

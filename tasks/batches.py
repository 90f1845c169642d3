"""A stage over all participants, in batches: one Prefect task run a batch, never one a person."""

import os
from collections.abc import Sequence
from typing import Any

from prefect.futures import PrefectFuture
from prefect.task_runners import ThreadPoolTaskRunner

from tasks.ledger import LedgerRow
from tasks.progress import tell

BATCH_SIZE = 25

# Batches side by side; the work in a batch goes to processes (tasks/workers.py).
RUNNER: Any = ThreadPoolTaskRunner(max_workers=4)


def in_batches(batch_task: Any, ids: Sequence[str], *arguments: Any) -> list[LedgerRow]:
    """Rows of all batches, in the order of the ids."""
    size = int(os.environ.get("PHA_BATCH_SIZE", BATCH_SIZE))
    batches = [list(ids[start : start + size]) for start in range(0, len(ids), size)]
    done = 0
    futures: list[PrefectFuture[list[LedgerRow]]] = [
        batch_task.submit(batch, *arguments) for batch in batches
    ]
    rows: list[LedgerRow] = []
    for batch, future in zip(batches, futures, strict=True):
        rows += future.result()
        done += len(batch)
        tell(batch_task.name, done, len(ids))
    return rows

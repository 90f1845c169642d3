"""Work spread over processes: spawned, since a fork after Polars has run may hang.

PHA_WORKERS sets their number (default: one a core). With 1 the work is done in this process.
"""

import atexit
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from typing import TypeVar

from tasks.faults import as_coded
from tasks.ledger import LedgerRow, is_settled

Item = TypeVar("Item")
Made = TypeVar("Made")


def worker_count() -> int:
    """How many processes work side by side."""
    return max(1, int(os.environ.get("PHA_WORKERS", os.cpu_count() or 1)))


def map_in_processes(
    function: Callable[[Item], Made], items: Sequence[Item], died: Callable[[Item], Made]
) -> list[Made]:
    """Results in the order of the items. ``function`` is a module's own, so that it can be sent over.

    Where a process is killed from outside (by the kernel, for want of memory), each item is done once more
    in a process of its own; one that dies again gets ``died(item)``, and the others are unharmed. A fault
    gets its code where it happens: its place is known there, and not every exception can be sent over.
    """
    function = partial(_coded, function)
    if worker_count() == 1 or len(items) == 1:
        return [function(item) for item in items]
    try:
        return list(_pool().map(function, items))
    except BrokenProcessPool:
        _pool.cache_clear()
        return [_alone(function, item, died) for item in items]


def make_missing(one: Callable[..., list[LedgerRow]], ids: Sequence[str]) -> list[LedgerRow]:
    """Rows of ``one(participant_id, mode)`` for all ids: what is there is found, the rest goes to processes.

    A run with nothing new so starts no process.
    """
    rows = {participant_id: one(participant_id, mode="look") for participant_id in ids}
    missing = [participant_id for participant_id in ids if not is_settled(rows[participant_id])]
    if missing:
        made = map_in_processes(partial(one, mode="make"), missing, partial(one, mode="killed"))
        rows |= dict(zip(missing, made, strict=True))
    return [row for participant_id in ids for row in rows[participant_id]]


def _coded(function: Callable[[Item], Made], item: Item) -> Made:
    try:
        return function(item)
    except Exception as error:  # noqa: BLE001
        raise as_coded(error) from None


def _alone(function: Callable[[Item], Made], item: Item, died: Callable[[Item], Made]) -> Made:
    with _processes(1) as pool:
        try:
            return pool.submit(function, item).result()
        except BrokenProcessPool:
            return died(item)


_SPAWN = multiprocessing.get_context("spawn")


@cache
def _pool() -> ProcessPoolExecutor:
    pool = _processes(worker_count())
    atexit.register(pool.shutdown, wait=True, cancel_futures=True)
    return pool


def _processes(count: int) -> ProcessPoolExecutor:
    """Processes that share the cores: with threads for all cores in each they would wait for one another."""
    os.environ.setdefault("POLARS_MAX_THREADS", str(max(1, (os.cpu_count() or 1) // count)))
    return ProcessPoolExecutor(count, mp_context=_SPAWN)

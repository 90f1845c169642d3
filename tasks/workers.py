"""Work spread over processes: spawned, since a fork after Polars has run may hang.

PHA_WORKERS sets their number (default: one a core). With 1 the work is done in this process.
"""

import atexit
import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


def worker_count() -> int:
    """How many processes work side by side."""
    return max(1, int(os.environ.get("PHA_WORKERS", os.cpu_count() or 1)))


def map_in_processes(function: Callable[[Item], Made], items: Sequence[Item]) -> Iterable[Made]:
    """Results in the order of the items. ``function`` is a module's own, so that it can be sent over."""
    if worker_count() == 1 or len(items) == 1:
        return [function(item) for item in items]
    return list(_pool().map(function, items))


@cache
def _pool() -> ProcessPoolExecutor:
    pool = ProcessPoolExecutor(worker_count(), mp_context=multiprocessing.get_context("spawn"))
    atexit.register(pool.shutdown, wait=True, cancel_futures=True)
    return pool

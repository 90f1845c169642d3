"""Budgets of CPU time that hold on any machine, idle or busy: in pieces of plain Python's own work."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time


def _plain_work() -> float:
    """CPU seconds of the piece: about 0.05 on an idle core of 2024."""
    started = process_time()
    for turn in range(12):
        rows = [{"n": n, "text": f"{n * turn:08d}", "part": n / 7} for n in range(1500)]
        json.loads(json.dumps(rows))
        sorted(rows, key=lambda row: str(row["text"])[::-1])
    return process_time() - started


@contextmanager
def within(pieces: float) -> Iterator[None]:
    """What is done inside may take as much CPU as so many pieces, measured before and after it."""
    before = _plain_work()
    started = process_time()
    yield
    used = process_time() - started
    piece = max(before, _plain_work())
    assert used < pieces * piece, (
        f"{used:.2f} s are {used / piece:.1f} pieces of {piece:.3f} s, above {pieces}"
    )

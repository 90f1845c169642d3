"""Progress: bars on a terminal, a plain line a step elsewhere."""

import itertools
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn


@contextmanager
def show_progress(*, quiet: bool) -> Generator[None]:
    """Show how far the stages of a run are, on the error stream."""
    from tasks.progress import listening

    if quiet:
        yield
    elif sys.stderr.isatty():
        with _bars() as bars, listening(_BarListener(bars)):
            yield
    else:
        with listening(_say):
            yield


@contextmanager
def counting(what: str, total: int) -> Generator[Callable[[], None]]:
    """Show how many of ``total`` are done; the function given is to be called after each."""
    if sys.stderr.isatty():
        with _bars() as bars:
            task = bars.add_task(what, total=total)
            yield lambda: bars.advance(task)
        return
    done = itertools.count(1)
    step = max(total // 10, 1)

    def one_more() -> None:
        if (count := next(done)) % step == 0 or count == total:
            _say(what, count, total)

    yield one_more


def _say(stage: str, done: int, total: int) -> None:
    print(f"{stage}: {done} of {total}", file=sys.stderr, flush=True)  # noqa: T201


def _bars() -> Progress:
    from rich.console import Console

    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True))


class _BarListener:
    def __init__(self, bars: Progress) -> None:
        self.bars, self.tasks = bars, dict[str, TaskID]()

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in self.tasks:
            self.tasks[stage] = self.bars.add_task(stage, total=total)
        self.bars.update(self.tasks[stage], completed=done)

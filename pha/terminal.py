"""What a terminal shows: progress as bars, or a plain line a step elsewhere; counts, sizes, long lines."""

import itertools
import sys
import textwrap
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

WIDTH = 100


def counted(count: int, noun: str) -> str:
    """``1 day``, ``2,000 days``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size_of(size: int) -> str:
    """Bytes in a unit people know."""
    units: Sequence[str] = ("B", "kB", "MB")
    value = float(size)
    for unit in units:
        if value < 1000:
            return f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def wrapped(line: str) -> list[str]:
    """A line broken at WIDTH; what follows is indented by two more than its beginning."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


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

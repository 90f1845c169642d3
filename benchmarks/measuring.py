"""CPU seconds of work, and whether a bar holds."""

import resource
from collections.abc import Callable


def cpu(work: Callable[[], object], repeats: int = 5) -> float:
    """Least CPU seconds of a call after a first one, this process and its children."""
    work()
    found: list[float] = []
    for _ in range(repeats):
        before = _cpu_so_far()
        work()
        found.append(_cpu_so_far() - before)
    return min(found)


def _cpu_so_far() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def held(ratio: float, bar: float | None) -> str:
    """Whether a ratio reaches its bar, in words; nothing where there is none."""
    return "" if bar is None else f"   bar {bar:g}: {'holds' if ratio >= bar else 'MISSED'}"

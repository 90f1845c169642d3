"""What a made study costs: people a second, bytes a second, cores, memory by people and by days.

Run: python -m benchmarks.synthesize [PEOPLE] [DAYS]. Each case runs in a process of its own, so that its peak
memory is its own. Ratios are the figures to trust on a busy machine.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
CASE = """
import resource, sys
from pathlib import Path
from synthetic.spec import Spec
from synthetic.study import make_study
if __name__ == "__main__":
    folder, people, days, seconds, workers = sys.argv[1], *map(int, sys.argv[2:])
    make_study(Path(folder), Spec(people, days, 7, "load", seconds), workers)
    print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
"""


class Cost(NamedTuple):
    """Wall and CPU seconds, the bytes written, and the peak memory of the largest process in MB."""

    wall: float
    cpu: float
    megabytes: float
    peak_mb: float


def cost(people: int, days: int, seconds: int, workers: int) -> Cost:
    """Make a study in a process of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        case = Path(scratch) / "case.py"
        case.write_text(CASE)
        out = Path(scratch) / "made"
        numbers = [str(number) for number in (people, days, seconds, workers)]
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [sys.executable, str(case), str(out), *numbers],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        )
        wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        written = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu, written / 1e6, int(done.stdout) / 1024)


def main() -> None:
    """Print the figures."""
    people, days = (int(text) for text in (*sys.argv[1:], "24", "120")[:2])
    cores = os.cpu_count() or 1
    base = cost(people, days, 60, 1)
    say(f"{people} people x {days} days, a heart rate a minute, one process", base, people)
    say(f"the same, {cores} processes", spread := cost(people, days, 60, cores), people)
    print(f"  {base.wall / spread.wall:.2f} times as fast on {cores} cores")
    say("the same, a heart rate every 5 s, one process", dense := cost(people, days, 5, 1), people)
    print(f"  CPU times {dense.cpu / base.cpu:.2f}, bytes times {dense.megabytes / base.megabytes:.2f}")
    more = cost(2 * people, days, 60, 1)
    longer = cost(people, 2 * days, 60, 1)
    print(f"peak memory with twice the people: {more.peak_mb / base.peak_mb:.2f} times")
    print(f"peak memory with twice the days: {longer.peak_mb / base.peak_mb:.2f} times")
    print(f"1,165 people x {days} days on {cores} cores: about {1_165 / people * spread.wall / 60:.1f} min")


def say(what: str, found: Cost, people: int) -> None:
    """One line of figures."""
    print(
        f"{what}: {people / found.wall:.2f} people/s, {found.megabytes / found.wall:.1f} MB/s written, "
        f"{found.cpu / people:.2f} CPU s a person, peak {found.peak_mb:.0f} MB"
    )


if __name__ == "__main__":
    main()

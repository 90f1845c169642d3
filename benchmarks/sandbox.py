"""What the sandbox costs: from nothing to a first result, programs a second, memory, the built-in questions.

Run: python -m benchmarks.sandbox (or python benchmarks/sandbox.py)
"""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import date, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.measuring import held
from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import reviewed_question
from health_agents.sandbox import Isolation, open_sandbox
from health_agents.sandbox.sandbox import arrow_stream
from schemas.settings import BUILT_IN_QUESTIONS

DAYS, REPEATS, SANDBOXES, PROGRAMS = 365, 10, 2, 100
MOST_SECONDS_TO_FIRST, LEAST_A_SECOND = 2.0, 50
WALLS: tuple[Isolation, ...] = ("bubblewrap", "landlock")
EMPTY = "def analysis(**frames):\n    return {}\n"
SMALL = "def analysis(summary_df, **others):\n    return {'steps': float(summary_df.steps.median())}\n"
MEMORY = (
    "import resource\n"
    "def analysis(summary_df, **others):\n"
    "    return {'kilobytes': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}\n"
)


def made_frames() -> dict[str, pl.DataFrame]:
    last = date(2025, 6, 29)
    flags = dict.fromkeys(("break_before", "tz_change", "is_partial", "wear_from_steps"), False)
    daily = pl.DataFrame(
        {
            "participant_id": "P1",
            "date": [last - timedelta(n) for n in range(DAYS)],
            "day_state": "worn",
            "valid_day": True,
            **flags,
            "resting_heart_rate": [60 + n % 7 for n in range(DAYS)],
            "heart_rate_variability": [40 + n % 5 for n in range(DAYS)],
            "vo2max": [40 + n % 3 for n in range(DAYS)],
            "steps": [8000 + 13 * (n % 11) for n in range(DAYS)],
            "sleep_minutes": [400 + n % 13 for n in range(DAYS)],
            "bed_minute": [-30 + n % 17 for n in range(DAYS)],
            "wake_up_minute": [400 + n % 19 for n in range(DAYS)],
            "active_zone_minutes": [n % 40 for n in range(DAYS)],
        }
    )
    person = pl.DataFrame({"participant_id": "P1", "sex": "female", "data_through": last, "days_behind": 0})
    return program_frames({"participants": person, "daily_summary": daily}, pl.DataFrame())


def milliseconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median wall time of a call."""
    times: list[float] = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def programs_a_second(wall: Isolation, frames: dict[str, pl.DataFrame]) -> float:
    """Small programs on a year of days, one sandbox a core."""
    with ExitStack() as stack, ThreadPoolExecutor(SANDBOXES) as pool:
        opened = [stack.enter_context(open_sandbox(wall)) for _ in range(SANDBOXES)]
        started = time.perf_counter()
        shares = pool.map(lambda each: [each.run(SMALL, frames) for _ in range(PROGRAMS)], opened)
        count = sum(outcome.kind == "ok" for share in shares for outcome in share)
        return count / (time.perf_counter() - started)


def bare_forks_a_second(frames: dict[str, pl.DataFrame]) -> float:
    """The limit: the same program on the same frames in forks of two warm processes, without any wall."""
    streams = {name: arrow_stream(frame) for name, frame in frames.items()}
    with ProcessPoolExecutor(SANDBOXES, get_context("spawn")) as pool:
        list(pool.map(seconds_of_forks, [streams] * SANDBOXES))  # both are started and warm
        return SANDBOXES * PROGRAMS / max(pool.map(seconds_of_forks, [streams] * SANDBOXES))


def seconds_of_forks(streams: dict[str, bytes]) -> float:
    gc.freeze()  # as the sandbox's server does
    started = time.perf_counter()
    for _ in range(PROGRAMS):
        child = os.fork()
        if child == 0:
            namespace: dict[str, Any] = {}
            exec(SMALL, namespace)
            namespace["analysis"](**{name: pandas_frame(stream) for name, stream in streams.items()})
            os._exit(0)
        os.waitpid(child, 0)
    return time.perf_counter() - started


def pandas_frame(stream: bytes) -> pd.DataFrame:
    return pa.ipc.open_stream(stream).read_all().to_pandas(use_threads=False, date_as_object=False)


def measure(wall: Isolation, frames: dict[str, pl.DataFrame], bare: float) -> None:
    """Print what one wall costs."""
    started = time.perf_counter()
    with open_sandbox(wall) as sandbox:
        sandbox.run(SMALL, frames)
        first = time.perf_counter() - started
        bar = "holds" if first <= MOST_SECONDS_TO_FIRST else "MISSED"
        print(f"{sandbox.isolation}: from nothing to the first result {first:.2f} s")
        print(f"   bar {MOST_SECONDS_TO_FIRST:g} s: {bar}")
        print(f"   empty program, no frames: {milliseconds(lambda: sandbox.run(EMPTY, {})):.1f} ms")
        memory = sandbox.run(MEMORY, frames).result
        if memory is not None:
            print(f"   a program holds {memory['kilobytes'] / 1024:.0f} MB, most of it its server's")
        programs = [reviewed_question(name).program for name in BUILT_IN_QUESTIONS]
        times = [milliseconds(lambda text=text: sandbox.run(text, frames), 1) for text in programs]
        print(f"   {len(times)} built-in questions: median {statistics.median(times):.0f} ms each")
    rate = programs_a_second(wall, frames)
    print(f"   {rate:.0f} programs a second in {SANDBOXES} sandboxes{held(rate, LEAST_A_SECOND)}")
    print(f"   that is {rate / bare:.2f} of forks without a wall ({bare:.0f} a second)")


def main() -> None:
    frames = made_frames()
    bare = bare_forks_a_second(frames)
    for wall in WALLS:
        measure(wall, frames, bare)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()

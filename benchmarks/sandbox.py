"""What the sandbox costs: start, an empty program, the five questions on a year of days.

Run: python -m benchmarks.sandbox (or python benchmarks/sandbox.py)
"""

import statistics
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import reviewed_question
from health_agents.sandbox import open_sandbox
from schemas.settings import BUILT_IN_QUESTIONS

DAYS, REPEATS = 365, 20
EMPTY = "def analysis(**frames):\n    return {}\n"


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


def main() -> None:
    frames = made_frames()
    started = time.perf_counter()
    with open_sandbox() as sandbox:
        print(f"start ({sandbox.isolation}): {(time.perf_counter() - started) * 1000:.0f} ms")
        if sandbox.isolation == "bubblewrap":
            print(f"empty program, no frames: {milliseconds(lambda: sandbox.run(EMPTY, {})):.1f} ms")
            print(f"empty program, {DAYS} days: {milliseconds(lambda: sandbox.run(EMPTY, frames)):.1f} ms")
        for name in BUILT_IN_QUESTIONS:
            program = reviewed_question(name).program
            print(f"{name}: {milliseconds(lambda program=program: sandbox.run(program, frames)):.1f} ms")


if __name__ == "__main__":
    main()

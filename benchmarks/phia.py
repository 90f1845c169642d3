"""PHIA's 4,000 gold programs in the sandbox: how many give the published label, and how many a second.

The data are CC BY-NC 4.0 and no part of the project. FOLDER is a copy of them: synthetic_wearable_users/ and
phia_objective_4000_joined.csv (user_id, gold_expr, label). The labels hold only under the authors' rules:
"last N days" are N + 1 days; they end with the last day of the frame that is asked, but of the daily table
once the frame was filtered; "on the days when" is the whole span from the first such day to the last.

Run: python -m benchmarks.phia FOLDER [--every N]
"""

import argparse
import csv
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from health_agents.sandbox import Outcome, Sandbox, open_sandbox

SANDBOXES = 2
LONGEST = 31  # days of a user's table, which is the most that a sum adds up
HALF_A_CENT = 0.005  # the tables are published rounded to cents, the labels were made before
_DAYS = (
    "import pandas as pd\n"
    "class Column(pd.Series):\n"
    "    _constructor = property(lambda self: Column)\n"
    "    def __getitem__(self, key):\n"
    "        return self.iloc[key] if isinstance(key, int) else super().__getitem__(key)\n"
    "class Days(pd.DataFrame):\n"
    "    _constructor = property(lambda self: Days)\n"
    "    _constructor_sliced = property(lambda self: Column)\n"
    "    def during(self, when):\n"
    "        given = any(self is frame for frame in GIVEN)\n"
    "        first, last = span(when, (self if given else GIVEN[0]).datetime.max())\n"
    "        return self[(self.datetime >= first) & (self.datetime <= last)]\n"
    "def span(when, today):\n"
    "    if not isinstance(when, str):\n"
    "        return (when.min(), when.max()) if isinstance(when, pd.Series) else (when, when)\n"
    "    if when in ('today', 'yesterday'):\n"
    "        return (today - pd.Timedelta(days=int(when == 'yesterday')),) * 2\n"
    "    return today - pd.Timedelta(days=int(when.split()[1])), today\n"
    "def analysis(daily_metrics, exercise_entries):\n"
    "    global GIVEN\n"
    "    GIVEN = daily_metrics, exercise_entries = Days(daily_metrics), Days(exercise_entries)\n"
)


class Gold(NamedTuple):
    """A published question: whose data, the authors' expression over them, its label as text."""

    user: str
    expression: str
    label: str


class Report(NamedTuple):
    """What came of the gold programs; ``failures`` are the programs that missed their label."""

    exact: int
    within_rounding: int
    failures: list[tuple[Gold, Outcome]]
    seconds: float


def read_gold(folder: Path, every: int = 1) -> list[Gold]:
    """Each n-th gold program of the joined table."""
    with (folder / "phia_objective_4000_joined.csv").open(encoding="utf-8", newline="") as file:
        rows = [Gold(row["user_id"], row["gold_expr"], row["label"]) for row in csv.DictReader(file)]
    return rows[::every]


def read_frames(folder: Path, user: str) -> dict[str, pl.DataFrame]:
    """A user's two tables under the names that the gold expressions use."""
    users = folder / "synthetic_wearable_users"
    daily = pl.read_csv(users / f"summary_df_{user}.csv").with_columns(pl.col("datetime").str.to_datetime())
    exercise = pl.read_csv(users / f"exercise_df_{user}.csv").with_columns(pl.col("date").str.to_datetime())
    return {"daily_metrics": daily, "exercise_entries": exercise.rename({"date": "datetime"})}


def program(expression: str) -> str:
    """A program that gives the first value of an expression."""
    return (
        f"{_DAYS}    value = {expression}\n"
        "    return {'value': value.iloc[0] if isinstance(value, pd.Series) else value}\n"
    )


def is_label(outcome: Outcome, gold: Gold, exactly: bool) -> bool:
    """Whether a program gave its label, to the digit or within what the rounding of the tables explains."""
    value = (outcome.result or {}).get("value")
    if isinstance(value, str) or value is None:
        return value == gold.label
    allowed = (LONGEST + 1 if gold.expression.endswith("sum()") else 2.5) * HALF_A_CENT
    return abs(value - float(gold.label)) <= (HALF_A_CENT if exactly else allowed) + 1e-9


def run(sandboxes: Sequence[Sandbox], folder: Path, questions: Sequence[Gold]) -> Report:
    """Run the gold programs, each sandbox its share of them."""
    frames = {user: read_frames(folder, user) for user in {gold.user for gold in questions}}

    def share(number: int) -> list[tuple[Gold, Outcome]]:
        mine = questions[number :: len(sandboxes)]
        return [(gold, sandboxes[number].run(program(gold.expression), frames[gold.user])) for gold in mine]

    started = time.perf_counter()
    with ThreadPoolExecutor(len(sandboxes)) as pool:
        done = [pair for pairs in pool.map(share, range(len(sandboxes))) for pair in pairs]
    seconds = time.perf_counter() - started
    exact = sum(is_label(outcome, gold, exactly=True) for gold, outcome in done)
    failures = [(gold, outcome) for gold, outcome in done if not is_label(outcome, gold, exactly=False)]
    return Report(exact, len(done) - len(failures) - exact, failures, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description="PHIA's gold programs in the sandbox")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="only each n-th program")
    arguments = parser.parse_args()
    questions = read_gold(arguments.folder, arguments.every)
    with ExitStack() as stack:
        sandboxes = [stack.enter_context(open_sandbox()) for _ in range(SANDBOXES)]
        report = run(sandboxes, arguments.folder, questions)
        wall = sandboxes[0].isolation
    print(f"labels reproduced: {report.exact + report.within_rounding} of {len(questions)}")
    print(f"  {report.exact} to the digit, {report.within_rounding} within the rounding of the tables")
    rate = len(questions) / report.seconds
    print(f"{rate:.0f} programs a second, {SANDBOXES} sandboxes ({wall}), load {os.getloadavg()[0]:.1f}")
    for gold, outcome in report.failures:
        print(f"missed: {gold} {outcome}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""What compiled questions cost in model calls, and whether asking each participant alone gives the same.

    python -m benchmarks.compiled [--participants 1165] [--questions 10] [--sampled 50]

A scripted model stands at the door; programs run in the real sandbox on made frames with missing measures.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from health_agents.data_science.agent.answering import Repairs, answer_alone, answer_served
from health_agents.data_science.agent.asking import Asking
from health_agents.data_science.agent.compiled import compile_question, compile_sets
from health_agents.data_science.agent.context import make_context
from health_agents.data_science.agent.person_sources import person_sources, sources_there
from health_agents.data_science.answers import Answer
from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import Question
from health_agents.sandbox import open_sandbox
from outputs.store import COHORT
from schemas.daily_summary import DailySummary
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform, empty
from tests.health_agents.scripted_analyst import ASKED, MODEL, Analyst

MOST_CALLS = 0.05
LAST_DAY = date(2025, 6, 29)
COUNT_OF_DAYS = 100
MEASURES = ("resting_heart_rate", "steps", "sleep_minutes", "heart_rate_variability", "deep_sleep_minutes",
            "active_zone_minutes", "respiratory_rate", "spo2_avg", "sedentary_minutes", "vo2max")  # fmt: skip
CENTRES = (62, 7000, 420, 45, 70, 35, 15, 96, 600, 42)
# What a participant's device does not give; a tenth of the people have no day at all for some weeks, too.
MISSING: tuple[tuple[str, ...], ...] = (
    (),
    ("spo2_avg",),
    ("heart_rate_variability",),
    ("vo2max", "spo2_avg"),
    ("heart_rate_variability", "deep_sleep_minutes", "respiratory_rate"),
    ("active_zone_minutes",),
    ("sedentary_minutes", "vo2max"),
    ("steps",),
    ("sleep_minutes", "deep_sleep_minutes", "respiratory_rate", "spo2_avg", "heart_rate_variability"),
    ("resting_heart_rate", "heart_rate_variability", "vo2max"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a run; ``unequal`` are answers of sampled participants that differ when asked alone."""

    participants: int
    questions: int
    patterns: int
    sets: int
    calls: int
    calls_each: float
    answered: int
    insufficient: int
    failed: int
    sampled: int
    unequal: int
    seconds: float


def made_person(number: int) -> dict[str, pl.DataFrame]:
    """Tables of a made participant, by their number."""
    random = np.random.default_rng(number)
    there = random.random(COUNT_OF_DAYS) > (0.5 if number % 10 == 9 else 0.1)
    trend = random.normal(0, 0.1) * np.linspace(-0.5, 0.5, COUNT_OF_DAYS)
    columns = {
        name: np.where(there, np.round(centre * (1 + trend + random.normal(0, 0.05, COUNT_OF_DAYS))), np.nan)
        for name, centre in zip(MEASURES, CENTRES, strict=True)
        if name not in MISSING[number % len(MISSING)]
    }
    days = pl.LazyFrame(
        {
            "participant_id": [f"P{number:04}"] * COUNT_OF_DAYS,
            "date": [LAST_DAY - timedelta(COUNT_OF_DAYS - 1 - n) for n in range(COUNT_OF_DAYS)],
            "day_state": ["worn"] * COUNT_OF_DAYS, "valid_day": there, **columns,
            **{name: [False] * COUNT_OF_DAYS
               for name in ("wear_from_steps", "break_before", "tz_change", "is_partial")},
        }
    )  # fmt: skip
    person = pl.LazyFrame(
        {
            "participant_id": [f"P{number:04}"], "sex": ["female"], "age": [40], "age_approximate": [False],
            "status": ["active"], "time_zone": ["UTC"], "data_through": [LAST_DAY], "days_behind": [0],
            "has_wearable": [True], "has_labs": [False], "has_surveys": [False],
            "days_observed": [COUNT_OF_DAYS], "valid_days": [int(there.sum())],
        }
    )  # fmt: skip
    without_nan = days.with_columns(pl.col(list(columns)).fill_nan(None))
    return {
        "participants": conform(person, Participants).collect(),
        "daily_summary": conform(without_nan, DailySummary).collect(),
    }


def measure(participants: int, questions: int, sampled: int, folder: Path) -> Measured:
    """Ask so many questions of so many made participants, and of the sampled ones once more alone."""
    started = time.perf_counter()
    people = [made_person(number) for number in range(participants)]
    tables = {name: pl.concat([one[name] for one in people]).lazy() for name in people[0]}
    sources = person_sources(tables).collect()
    context = make_context(sources, [])
    there = {name: own & context.names for name, own in sources_there(sources).items()}
    asked = [
        Question(name, name, ASKED[name].words, "", "", written_by=MODEL) for name in [*ASKED][:questions]
    ]
    door = Analyst().door(folder / "compiled")
    frames = {_row(person)["participant_id"]: _frames(person) for person in people}
    chosen = people[:: max(1, participants // sampled)][:sampled]
    answers: dict[tuple[str, str], Answer] = {}
    sets = unequal = 0
    with open_sandbox() as sandbox:
        asking = Asking(door, sandbox, COHORT)
        for one in asked:
            compiled = compile_sets(there.values(), [], partial(compile_question, asking, one, context))
            sets += len(compiled)
            for person in people:
                name = _row(person)["participant_id"]
                repairs = Repairs(asking, context.limited_to(there[name]))
                answers[name, one.question_id] = answer_served(
                    one, compiled, there[name], frames[name], _row(person), sandbox, repairs
                )
        calls = sum(not call.cached for call in door.calls)
        alone = Asking(Analyst().door(folder / "alone"), sandbox, COHORT)
        for person in chosen:
            name = _row(person)["participant_id"]
            for one in asked:
                own = answer_alone(alone, one, context, there[name], frames[name], _row(person))
                unequal += not _equal(own, answers[name, one.question_id])
    outcomes = [answer.result.outcome if answer.result else "failed" for answer in answers.values()]
    return Measured(
        participants, questions, len(set(there.values())), sets, calls,
        round(calls / participants / questions, 4),
        *(outcomes.count(kind) for kind in ("answered", "insufficient", "failed")),
        len(chosen), unequal, round(time.perf_counter() - started, 1),
    )  # fmt: skip


def _frames(person: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    return program_frames(person, empty(PopulationPercentiles))


def _row(person: Mapping[str, pl.DataFrame]) -> dict[str, Any]:
    return person["participants"].select("participant_id", "data_through").row(0, named=True)


def _equal(one: Answer, other: Answer) -> bool:
    return (one.result, one.statement) == (other.result, other.statement) and one.facts.equals(other.facts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures as JSON; fail where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("participants", 1165), ("questions", 10), ("sampled", 50)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        made = measure(asked.participants, asked.questions, asked.sampled, Path(folder))
    print(json.dumps({name: getattr(made, name) for name in Measured.__dataclass_fields__}, indent=1))
    if made.unequal or made.failed or made.calls_each > MOST_CALLS:
        raise SystemExit("a limit is passed")


if __name__ == "__main__":
    main()

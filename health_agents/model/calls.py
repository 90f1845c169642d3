"""The record of requests: one row of the table model_calls each, whatever became of it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from health_agents.model.journal import Journal
from schemas.model_calls import ModelCalls
from schemas.table import conform, empty

# Of one question at the door: an answer that is not in the declared form is sent back once.
MOST_REQUESTS_EACH = 2


@dataclass(frozen=True, slots=True)
class Call:
    """A request (or an answer taken from the store: cached, with the tokens and cost it had when it came)."""

    call_id: str
    participant_id: str
    agent: str
    model: str
    endpoint: str
    left_machine: bool
    request_digest: str
    cached: bool
    outcome: str
    returned_model: str | None = None
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    latency_seconds: float | None = None


def calls_table(calls: Iterable[Call]) -> pl.DataFrame:
    """Calls as rows of the table model_calls."""
    rows = [asdict(call) for call in calls]
    if not rows:
        return empty(ModelCalls)
    return conform(pl.LazyFrame(rows, infer_schema_length=None), ModelCalls).collect()


def calls_journal(answers: Path, account: str) -> Journal:
    """All requests of a run, by whatever process: those of failed work, too."""
    return Journal(answers / "_calls" / f"{account}.jsonl")


def calls_of_all_runs(answers: Path) -> pl.DataFrame:
    """The requests of all runs, as rows of the table model_calls."""
    paths = sorted((answers / "_calls").glob("*.jsonl"))
    return calls_table(Call(**entry) for path in paths for entry in Journal(path).read())


def calls_of_run(answers: Path, account: str) -> pl.DataFrame:
    """The requests of a run as rows of the table model_calls."""
    return calls_table(Call(**entry) for entry in calls_journal(answers, account).read())

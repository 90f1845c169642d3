"""What an insight rests on: its program and the days of each measure that the program reads."""

from collections.abc import Iterator, Mapping
from typing import Any

from health_agents.data_science.library import reviewed_question
from outputs.metrics import DAILY_METRICS
from pha.tracing.cells import Cells, Row
from pha.tracing.days import days_step
from pha.tracing.files import Files
from pha.tracing.step import Step

_NO_WINDOW = "; it is of no days: a limit of the program, or a number of the table population_percentiles"


def insight_grounds(cells: Cells, files: Files, fact: Row, key: Mapping[str, Any]) -> Step:
    """The result of a question's program, and the days of the fact's window of each measure it reads."""
    row = cells.row("insights", key)
    below = tuple(_days(cells, files, row, fact)) if fact["window_start"] else ()
    said = (
        f"number {fact['fact_id'].rpartition('.')[2]} of the program for {row['question_id']} "
        f"(sha256 {row['program_digest'][:12]}), which ran with isolation {row['isolation'] or 'none'}"
    )
    said += "" if below else _NO_WINDOW
    return Step("insights", key, fact["source_column"], said, fact["value_num"], rests_on=below)


def _days(cells: Cells, files: Files, row: Row, fact: Row) -> Iterator[Step]:
    question = reviewed_question(row["question_id"])
    if question.program_digest != row["program_digest"]:  # another version of the project wrote the release
        return
    named = [m.metric for m in DAILY_METRICS if f"summary_df.{m.metric}" in question.columns]
    for metric in named:
        yield days_step(
            cells, files, metric, fact["window_start"], fact["window_end"], "days that the program reads"
        )

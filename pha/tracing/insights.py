"""What an insight rests on: its program, who wrote it, and the days of each measure the program reads."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from health_agents.data_science.library import reviewed_question
from health_agents.model import RULES
from outputs.metrics import DAILY_METRICS
from pha.tracing.cells import Cells, Row
from pha.tracing.days import days_step
from pha.tracing.files import Files
from pha.tracing.step import Step

_COLUMN = re.compile(r"\bsummary_df\.[a-z0-9_]+")
_NO_WINDOW = "; it is of no days: a limit of the program, or a number of the table population_percentiles"


def insight_grounds(cells: Cells, files: Files, fact: Row, key: Mapping[str, Any]) -> Step:
    """The result of a question's program, and the days of the fact's window of each measure it reads."""
    row = cells.row("insights", key)
    below = tuple(_days(cells, files, row, fact)) if fact["window_start"] else ()
    said = (
        f"number {fact['fact_id'].rpartition('.')[2]} of the program for {row['question_id']} "
        f"(sha256 {row['program_digest'][:12]}, {_maker(row)}), "
        f"which ran with isolation {row['isolation'] or 'none'}"
    )
    said += "" if below else _NO_WINDOW
    return Step("insights", key, fact["source_column"], said, fact["value_num"], rests_on=below)


def _days(cells: Cells, files: Files, row: Row, fact: Row) -> Iterator[Step]:
    read = _columns(row)
    for metric in (m.metric for m in DAILY_METRICS if f"summary_df.{m.metric}" in read):
        yield days_step(
            cells, files, metric, fact["window_start"], fact["window_end"], "days that the program reads"
        )


def _maker(row: Row) -> str:
    """Who planned and wrote the program."""
    if row["written_by"] == RULES:
        return "of the reviewed library"
    return f"written by {row['written_by']}, prompts {str(row.get('prompt_digest'))[:12]}"


def _columns(row: Row) -> Collection[str]:
    """Columns the program reads, as ``frame.column``: by the catalogue, or by the plan that a model made.

    None where another version of the project wrote the release.
    """
    if row["written_by"] != RULES:
        return _COLUMN.findall(row["plan"])
    question = reviewed_question(row["question_id"])
    return question.columns if question.program_digest == row["program_digest"] else ()

"""From a cell of a published table to the cells it was made of, down to what the participant sent."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from outputs.metrics import METRICS, WINDOW_NEWEST
from pha.tracing.cells import SPAN, Cells, Row
from pha.tracing.days import days_step
from pha.tracing.files import Files
from pha.tracing.findings import finding_grounds, limit_words
from pha.tracing.insights import insight_grounds
from pha.tracing.reports import lab_step
from pha.tracing.scores import answer_step, score_step
from pha.tracing.step import Origin, Step, Trace

Key = Mapping[str, Any]


def trace_fact(cells: Cells, files: Files, fact: Row) -> Trace:
    """A row of ``facts`` with the cell it was read from and all that cell rests on."""
    return Trace(
        cells.release.path.name,
        cells.participant_id,
        fact["fact_id"],
        fact["label"],
        fact["rendered"],
        fact_step(cells, files, fact),
    )


def fact_step(cells: Cells, files: Files, fact: Row) -> Step:
    """The cell of a fact."""
    key = json.loads(fact["source_key_json"])
    table, column = fact["source_table"], fact["source_column"]
    if table == "insights":
        return insight_grounds(cells, files, fact, key)
    return cell_step(cells, files, table, key, column)


def cell_step(cells: Cells, files: Files, table: str, key: Key, column: str) -> Step:
    """A cell and what it rests on. LookupError where the release lacks it."""
    walk = _WALKS.get(table)
    return walk(cells, files, key, column) if walk else _rows(cells, files, table, key, column)


def _rows(cells: Cells, files: Files, table: str, key: Key, column: str) -> Step:
    """Rows of a table that name the file they came from, such as sleeps: of one key, or of some days."""
    rows = cells.rows(table, {name: value for name, value in key.items() if name not in SPAN})
    if SPAN[0] in key:
        first, last = (_as_date(key[end]) for end in SPAN)
        rows = [row for row in rows if first <= row["date"] <= last]
    if not rows:
        raise LookupError(f"{table} has no row of {sorted(key)}")
    named = dict.fromkeys(row["file_id"] for row in rows if row.get("file_id"))
    origins = tuple(Origin("fitbit", file_id, files.name_of(file_id)) for file_id in named)
    value = rows[0][column] if len(rows) == 1 else None
    return Step(table, key, column, f"{len(rows):,} rows as the files tell them", value, origins=origins)


def _daily(cells: Cells, files: Files, key: Key, column: str) -> Step:
    days = [_as_date(key[end]) for end in SPAN] if SPAN[0] in key else [_as_date(key["date"])] * 2
    return days_step(cells, files, column, days[0], days[1], "the days themselves")


def _percentiles(cells: Cells, files: Files, key: Key, column: str) -> Step:
    row = cells.row("participant_percentiles", key)
    if column == "rank":
        own = _percentiles(cells, files, key, "value")
        return Step("participant_percentiles", key, column, _rank_words(row), row["rank"], rests_on=(own,))
    metric = METRICS[row["metric"]]
    if metric.daily:
        said = f"median of the days that count from {row['window_start']} to {row['window_end']}"
        span = {"participant_id": cells.participant_id, "from": row["window_start"], "to": row["window_end"]}
        below = (_daily(cells, files, span, metric.metric),)
    else:
        said, below = f"the {WINDOW_NEWEST} value", tuple(_newest(cells, files, metric.metric))
    return Step("participant_percentiles", key, column, said, row["value"], rests_on=below)


def _rank_words(row: Row) -> str:
    group = f"{row['stratum_sex']}, {row['stratum_age_group']}"
    whose = "the reference population" if row["stratum"] == "reference" else "the study"
    return (
        "(others with less + half of those with the same) / others, in percent, "
        f"among {row['others']} others of {whose} ({group}), edition {row['edition']}"
    )


def _newest(cells: Cells, files: Files, metric: str) -> list[Step]:
    """The cell of the newest result or score, as the fact on it names it."""
    names = (f"lab.{metric}.value", f"survey.{metric.removesuffix('_score')}.score")
    facts = [fact for name in names if (fact := cells.fact(name)) is not None]
    return [fact_step(cells, files, fact) for fact in facts]


def _participants(cells: Cells, files: Files, key: Key, column: str) -> Step:
    row = cells.row("participants", key)
    if column == "valid_days":
        span = {SPAN[0]: row["observed_from"], SPAN[1]: row["data_through"]}
        days = (_daily(cells, files, span, "valid_day"),)
        said = "days that are valid, from the first observed to the last that arrived"
        return Step("participants", key, column, said, row[column], rests_on=days)
    origin = Origin("registry", "", "participants.csv", printed=f"the line of {cells.participant_id}")
    return Step("participants", key, column, "as registered", row[column], origins=(origin,))


def _labs(cells: Cells, files: Files, key: Key, column: str) -> Step:
    return lab_step(cells, files, key, column)


def _scores(cells: Cells, files: Files, key: Key, column: str) -> Step:
    return score_step(cells, files, key, column)


def _answers(cells: Cells, files: Files, key: Key, column: str) -> Step:
    return answer_step(cells, files, key, column)


def _findings(cells: Cells, files: Files, key: Key, column: str) -> Step:
    row = cells.row("findings", key)
    if column == "evidence_json":
        return Step("findings", key, column, limit_words(row), json.loads(row[column])["limits"])
    below = [cell_step(cells, files, *cell) for cell in finding_grounds(cells, row)]
    said = f"rule {row['rule_id']} ({row['guideline']}): {row['outcome']}"
    said += f", {row['reason']}" if row["reason"] else ""
    return Step("findings", key, column, said, row[column], rests_on=tuple(below))


def _facts(cells: Cells, files: Files, key: Key, column: str) -> Step:
    """A change since an earlier release rests on the fact as it is now; what it was stands in the key."""
    now = cells.row("facts", {"fact_id": key["fact_id"]})
    said = f"as it is now, against {key['before']} by data up to {key['data_through']}"
    return Step("facts", key, column, said, now["rendered"], rests_on=(fact_step(cells, files, now),))


def _as_date(value: date | str) -> date:
    return value if isinstance(value, date) else date.fromisoformat(value)


_WALKS: Mapping[str, Callable[[Cells, Files, Key, str], Step]] = {
    "daily_summary": _daily,
    "participant_percentiles": _percentiles,
    "participants": _participants,
    "lab_results": _labs,
    "survey_scores": _scores,
    "survey_answers": _answers,
    "findings": _findings,
    "facts": _facts,
}

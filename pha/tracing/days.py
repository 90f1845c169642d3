"""Days of daily_summary behind a value: what each holds, whether it counts, and where it came from."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import polars as pl

from outputs.metrics import METRICS
from outputs.window_values import DAY_METRICS
from pha.tracing.cells import Cells, Row
from pha.tracing.files import Files
from pha.tracing.step import Day, Origin, Step

# Wear is judged by minutes of heart rate, and by steps where there are none.
_JUDGED_BY = {"valid_day": ("wear_minutes", "steps"), "day_state": ("wear_minutes", "steps")}


def days_step(cells: Cells, files: Files, column: str, first: date, last: date, said: str) -> Step:
    """The cells of a column of daily_summary from ``first`` to ``last``."""
    inside = pl.col("date").is_between(first, last)
    days = cells.table("daily_summary").filter(inside).sort("date")
    sources = _sources(cells, _JUDGED_BY.get(column, (column,)), first, last)
    tracked = [
        Day(
            row["date"],
            row[column],
            _left_out(row, column),
            tuple(_origin(files, source) for source in sources.get(row["date"], [])),
        )
        for row in days.iter_rows(named=True)
    ]
    key = {"participant_id": cells.participant_id, "from": first, "to": last}
    return Step("daily_summary", key, column, said, days=tuple(files.with_records(cells, column, tracked)))


def _left_out(row: Mapping[str, Any], column: str) -> str | None:
    """The rule by which a day does not count in medians (outputs.person_values), or None."""
    if column in _JUDGED_BY:
        return None
    if row[column] is None:
        return "no value"
    if row["is_partial"] is not False:
        return "the day is not whole"
    if column in METRICS and column in DAY_METRICS and not row["valid_day"]:
        return "no valid day"
    return None


def _sources(cells: Cells, metrics: Sequence[str], first: date, last: date) -> dict[date, list[Row]]:
    """By date, where the value was published from: of several metrics the first that has a source."""
    published = cells.table("value_sources").filter(
        pl.col("metric").is_in(metrics), pl.col("role") == "published", pl.col("date").is_between(first, last)
    )
    found: dict[date, list[Row]] = {}
    for metric in metrics:
        rows = published.filter(pl.col("metric") == metric).to_dicts()
        fresh = {row["date"] for row in rows} - set(found)
        for row in rows:
            if row["date"] in fresh:
                found.setdefault(row["date"], []).append(row)
    return found


def _origin(files: Files, source: Row) -> Origin:
    return Origin(
        "fitbit",
        source["file_id"],
        files.name_of(source["file_id"]),
        source["member_id"],
        files.name_of(source["member_id"]),
        source["rule"],
    )

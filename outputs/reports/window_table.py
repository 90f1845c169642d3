"""Every daily measure in every window, with its change: what the text leaves to the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outputs.rendering import shown_rank, shown_value
from outputs.reports import words
from outputs.reports.bound_text import BoundFact
from outputs.reports.release_rows import Row

DAILY = ("day", "night")


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A measure. cells: (value, percentile, days) in words, one a window of the table."""

    label: str
    cells: list[tuple[str, str, str]]
    change: str


@dataclass(frozen=True, slots=True)
class WindowTable:
    """Measures by windows, shortest window first."""

    windows: list[str]
    rows: list[WindowRow]


def window_table(
    metrics: Mapping[str, Mapping[str, Any]],
    ranks: Sequence[Row],
    facts: Mapping[str, BoundFact],
    main_days: int,
) -> WindowTable:
    """From the rows of participant_percentiles; a measure without any value is left out."""
    daily = [rank for rank in ranks if metrics.get(rank["metric"], {}).get("measured") in DAILY]
    windows = sorted({rank["window"] for rank in daily}, key=_length)
    by_metric: dict[str, dict[str, Row]] = {}
    for rank in daily:
        if rank["value"] is not None:
            by_metric.setdefault(rank["metric"], {})[rank["window"]] = rank
    rows = [
        WindowRow(
            words.measure(metrics[metric]["label"]),
            [_cell(metrics[metric], found.get(window)) for window in windows],
            _change(facts, metric, main_days),
        )
        for metric, found in by_metric.items()
    ]
    return WindowTable([words.window(window) for window in windows], sorted(rows, key=lambda row: row.label))


def _cell(metric: Mapping[str, Any], rank: Row | None) -> tuple[str, str, str]:
    if rank is None:
        return "", "", ""
    value = shown_value(metric["metric"], rank["value"], metric["decimals"], rank["unit"])
    place = "" if rank["rank"] is None else shown_rank(rank["rank"], rank["others"])
    return value, place, "" if rank["days"] is None else words.counted(rank["days"], "day")


def _change(facts: Mapping[str, BoundFact], metric: str, main_days: int) -> str:
    change = facts.get(f"{metric}.change.last_{main_days}_days")
    return change.row["rendered"] if change else ""


def _length(window: str) -> int:
    """last_7_days is 7; the whole period is longer than any."""
    digits = "".join(filter(str.isdigit, window))
    return int(digits) if digits else 10**6

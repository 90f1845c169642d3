"""What an evaluation gives: rows, a summary, a readable table; written as Parquet, JSON and text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl


@dataclass(frozen=True, slots=True)
class Evaluation:
    """rows: one per judgement. summary: plain values. table: for people. texts: file name -> text kept."""

    rows: pl.DataFrame
    summary: Mapping[str, Any]
    table: Sequence[Mapping[str, str]]
    texts: Mapping[str, str] = field(default_factory=dict)


def write_evaluation(evaluation: Evaluation, folder: Path) -> None:
    """results.parquet, summary.json, table.txt and the kept texts; files of an earlier run are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    evaluation.rows.write_parquet(folder / "results.parquet")
    summary = json.dumps(evaluation.summary, indent=2, allow_nan=False)
    (folder / "summary.json").write_text(summary + "\n", encoding="utf-8")
    (folder / "table.txt").write_text(text_table(evaluation.table) + "\n", encoding="utf-8")
    for name, text in evaluation.texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def text_table(rows: Sequence[Mapping[str, str]]) -> str:
    """Columns in the order of the first row, two spaces between them; "" without rows."""
    if not rows:
        return ""
    lines = [list(rows[0]), *([row[name] for name in rows[0]] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def interval_text(ends: tuple[float, float]) -> str:
    """Both ends with three decimals."""
    return f"{ends[0]:.3f} to {ends[1]:.3f}"

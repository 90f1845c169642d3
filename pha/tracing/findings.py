"""What a finding rests on: the cells its evidence names."""

import json
from typing import Any

from pha.tracing.cells import Cells, Row

Cell = tuple[str, dict[str, Any], str]


def finding_grounds(cells: Cells, row: Row) -> list[Cell]:
    """Table, key and column of each input of a finding, each once; none where nothing could be checked."""
    inputs = [item for item in json.loads(row["evidence_json"])["inputs"] if "table" in item]
    named = {
        (item["table"], json.dumps(item["key"], sort_keys=True), item["column"]): item for item in inputs
    }
    return [(item["table"], item["key"], _column(cells, item)) for item in named.values()]


def limit_words(row: Row) -> str:
    """Where the limits of a finding are from."""
    link = f", {row['guideline_url']}" if row["guideline_url"] else ""
    return f"limit of rule {row['rule_id']}, from {row['guideline']}{link}"


def _column(cells: Cells, item: dict[str, Any]) -> str:
    """The column, as the table has it: inputs of one table may be named by another of its columns."""
    known = cells.table(item["table"]).columns
    return item["column"] if item["column"] in known else item["input"]

"""A laboratory result: page and box of the report, as printed; of a computed one its inputs."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl

from pha.tracing.cells import SPAN, Cells, Row
from pha.tracing.files import Files
from pha.tracing.step import Origin, Step

# A limit stands in another cell of the same printed row.
_PRINTED_IN = {"ref_low": "raw_reference", "ref_high": "raw_reference"}


def lab_step(cells: Cells, files: Files, key: Mapping[str, Any], column: str) -> Step:
    """A cell of lab_results, or those of an analyte from one draw to another."""
    if SPAN[0] in key:
        return _draws(cells, files, key, column)
    row = cells.row("lab_results", key)
    if row["derived"]:
        below = [lab_step(cells, files, _key(each), "value_num") for each in _inputs(cells, row)]
        said = f"computed by us from {row['raw_value']}"
        return Step("lab_results", key, column, said, row[column], rests_on=tuple(below))
    said = f"as printed on the report, drawn on {row['collected_date']}"
    return Step("lab_results", key, column, said, row[column], origins=(_place(files, row, column),))


def _draws(cells: Cells, files: Files, key: Mapping[str, Any], column: str) -> Step:
    first, last = (date.fromisoformat(key[end]) for end in SPAN)
    drawn = cells.table("lab_results").filter(
        pl.col("analyte_key") == key["analyte_key"],
        pl.col("collected_date").is_between(first, last),
        pl.col(column).is_not_null(),
    )
    below = [lab_step(cells, files, _key(row), column) for row in drawn.sort("collected_date").to_dicts()]
    return Step("lab_results", key, column, f"results from {first} to {last}", rests_on=tuple(below))


def _place(files: Files, row: Row, column: str) -> Origin:
    parts = ("raw_name", _PRINTED_IN.get(column, "raw_value"), "raw_unit")
    return Origin(
        "labs",
        row["file_id"],
        files.name_of(row["file_id"]),
        page=row["page"],
        box=tuple(json.loads(row["bbox_json"])) if row["bbox_json"] else None,
        printed=" ".join(row[part] for part in parts if row[part]),
    )


def _inputs(cells: Cells, row: Row) -> list[Row]:
    """The printed results of the draw that the computed one names, as the reader wrote them down."""
    named = set(row["raw_value"].split("; "))
    same_day = cells.rows("lab_results", {"collected_date": row["collected_date"]})
    return [each for each in same_day if not each["derived"] and _words(each) in named]


def _words(row: Row) -> str:
    return f"{row['raw_name']} {row['raw_value']} {row['raw_unit'] or ''}".strip()


def _key(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("participant_id", "file_id", "row_no")}

"""Why an answer or a text is another one: what made it, by the columns of its row that tell so."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from outputs.release_diff.tables import joined
from outputs.release_tables import scan
from schemas.table import key_of
from schemas.tables import TABLES

# Table -> the column that is the statement, and cause -> the columns that tell of it.
STATEMENTS = {"insights": "statement", "summaries": "sections_json"}
_MAKERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "insights": {
        "model": ("written_by",),
        "prompt": ("prompt_digest",),
        "question": ("title", "question"),
        "plan": ("plan",),
        "program": ("program_digest",),
        "code": ("result_version",),
    },
    "summaries": {"model": ("written_by",), "prompt": ("prompt_digest",), "code": ("result_version",)},
}
DATA = "data"


def because(table: str, columns: set[str]) -> pl.Expr:
    """What made a changed row another one: some of model, prompt, question, plan, program, code; where
    none of them changed, the data it is from. Null where one release only has the row.

    columns: of rows as ``joined`` gives them; a release that does not tell a column yet is not asked for it.
    """
    told = [
        pl.when(pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}__new")) for name in names))
        .then(pl.lit(cause))
        .otherwise(pl.lit(None, pl.String))
        for cause, names in _MAKERS[table].items()
        if {*names, *(f"{name}__new" for name in names)} <= columns
    ]
    found = pl.concat_list(*told, pl.lit(None, pl.String)).list.drop_nulls()
    whole = pl.when(found.list.len() == 0).then(pl.lit([DATA])).otherwise(found)
    return pl.when("was", "is").then(whole).alias("because")


def changed_statements(before: Path, now: Path) -> dict[str, dict[str, int]]:
    """Table -> cause -> statements that are in both releases and differ because of it, most first."""
    found = {table: _counted(before, now, table) for table in STATEMENTS}
    return {table: causes for table, causes in found.items() if causes}


def _counted(before: Path, now: Path, table: str) -> dict[str, int]:
    key, column = key_of(TABLES[table]), STATEMENTS[table]
    rows = joined(scan(before, table), scan(now, table), key)
    differs = pl.col("was") & pl.col("is") & pl.col(column).ne_missing(pl.col(f"{column}__new"))
    counted = (
        rows.filter(differs)
        .select(because(table, set(rows.collect_schema().names())).alias("cause"))
        .explode("cause")
        .group_by("cause")
        .len()
        .sort("len", "cause", descending=[True, False])
        .collect()
    )
    return dict(counted.iter_rows())

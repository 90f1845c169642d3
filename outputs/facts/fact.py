"""A fact, and how facts become the table ``facts``."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Literal

import polars as pl

from outputs.digests import canonical_json
from schemas.facts import Facts
from schemas.table import conform

Direction = Literal["above", "below", "within", "rising", "falling", "steady"]


@dataclass(frozen=True, slots=True)
class Cell:
    """The cell of a published table that a fact was read from.

    A value over several days has their first and last as ``from`` and ``to`` in its key.
    """

    table: str
    key: Mapping[str, Any]
    column: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that may be said. value_num is already rounded to ``decimals``; unit is as shown."""

    fact_id: str
    topic: str
    label: str
    rendered: str
    cell: Cell
    value_num: float | None = None
    value_text: str | None = None
    comparator: str | None = None
    unit: str | None = None
    decimals: int | None = None
    direction: Direction | None = None
    interval_low: float | None = None
    interval_high: float | None = None
    window: str | None = None
    window_start: date | None = None
    window_end: date | None = None
    days: int | None = None
    for_participant: bool = True


_OWN_COLUMNS = tuple(field.name for field in fields(Fact) if field.name != "cell")


def facts_table(participant_id: str, facts: Iterable[Fact]) -> pl.DataFrame:
    """The table ``facts`` in order of fact_id."""
    rows = [_row(participant_id, fact) for fact in facts]
    return pl.LazyFrame(rows, infer_schema_length=None).pipe(conform, Facts).sort("fact_id").collect()


def _row(participant_id: str, fact: Fact) -> dict[str, Any]:
    cell = fact.cell
    return {
        **{name: getattr(fact, name) for name in _OWN_COLUMNS},
        "participant_id": participant_id,
        "source_table": cell.table,
        "source_key_json": canonical_json(cell.key),
        "source_column": cell.column,
    }

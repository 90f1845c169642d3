"""One published table: its columns, key and row rules, declared once in a module of this folder.

Everything else is generated from the declaration: the Polars schema, the row checks, the
great-expectations suite, the data dictionary and the Data Package.
"""

from dataclasses import dataclass
from typing import ClassVar

import dataframely as dy
import polars as pl


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What the columns do not say of a table.

    ``layout`` is "one_file" or "per_participant" (one Parquet file a participant, never joined).
    ``references`` maps a column, or several joined by "+", to the table that holds it as its key.
    ``folder`` of a release holds a table of one file: "tables", or "shareable" for what may be passed on.
    ``times_excluded`` marks tables that hold when things ran, so that their bytes differ between runs.
    """

    name: str
    one_row_is: str
    version: int = 1
    warnings: tuple[str, ...] = ()
    layout: str = "one_file"
    references: tuple[tuple[str, str], ...] = (("participant_id", "participants"),)
    times_excluded: bool = False
    kinds: tuple[str, ...] = ("core", "full")
    folder: str = "tables"


class Table(dy.Schema):
    """Base of every table class; ``info`` names it."""

    info: ClassVar[TableInfo]


def key_of(table: type[Table]) -> list[str]:
    """The key columns, in the order of declaration."""
    return list(table.primary_key())


def decimals_of(table: type[Table]) -> dict[str, int]:
    """Float column -> decimals it is written with."""
    return {
        name: int((column.metadata or {})["decimals"])
        for name, column in table.columns().items()
        if isinstance(column, dy.Float64)
    }


def unit_of(column: dy.Column) -> str | None:
    """The unit a column is in, or None where it has none."""
    unit = (column.metadata or {}).get("unit")
    return str(unit) if unit is not None else None


def polars_schema(table: type[Table]) -> pl.Schema:
    """Column names and Polars types in the order of publication."""
    return pl.Schema({name: column.dtype for name, column in table.columns().items()})


def empty(table: type[Table]) -> pl.DataFrame:
    """A frame of the table with no rows."""
    return pl.DataFrame(schema=polars_schema(table))


def conform(frame: pl.LazyFrame, table: type[Table]) -> pl.LazyFrame:
    """Put a frame in the table's form: its columns only, in order, cast, floats rounded to their decimals.

    A column the frame lacks becomes null. Casting is strict: a value that does not fit its type is an error.
    """
    have = set(frame.collect_schema().names())
    if not have:  # A frame without columns has no rows; selecting nulls from it would make one.
        return empty(table).lazy()
    decimals = decimals_of(table)
    columns = [
        (pl.col(name) if name in have else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in polars_schema(table).items()
    ]
    rounded = [_rounded(name, places) for name, places in decimals.items()]
    return frame.select(columns).with_columns(rounded)


def _rounded(name: str, places: int) -> pl.Expr:
    """Rounded, with -0.0 as 0.0: equal values must be equal bytes. (Polars may drop an addition of 0.0.)"""
    value = pl.col(name).round(places)
    return pl.when(value == 0).then(0.0).otherwise(value).alias(name)

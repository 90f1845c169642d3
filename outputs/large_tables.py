"""Keys, empty cells and words of a table too large for pandas: measured by Polars, a slice at a time.

The same is asked as in ``outputs.gate_suite.table_suite``, and the answers are counts of faulty rows.
"""

from collections import Counter
from collections.abc import Iterator
from functools import reduce

import polars as pl

from schemas.table import Table, key_of

# A table of more rows is not handed over whole. great-expectations' pandas frame of a million rows takes a
# few hundred megabytes, and a study of 1,165 people has tables of 8 to 17 million.
SLICE_ROWS = 1_000_000

# (check, subject) -> rows at fault.
Faults = dict[tuple[str, str], int]


def row_count(rows: pl.LazyFrame) -> int:
    """Rows of a table, without reading them where its files say so."""
    return rows.select(pl.len()).collect().item()


def slices(rows: pl.LazyFrame, size: int, overlap: int = 0) -> Iterator[pl.DataFrame]:
    """Consecutive rows in frames of ``size``, each with the ``overlap`` rows before it; one for no rows."""
    for start in range(0, max(row_count(rows), 1), size):
        before = min(start, overlap)
        yield rows.slice(start - before, size + before).collect()


def faults_of(rows: pl.LazyFrame, table: type[Table], size: int = SLICE_ROWS) -> Faults:
    """Rows whose key comes twice, empty cells of required columns, words that are not declared."""
    asked = dict(_cell_faults(table))
    columns = {name for expression in asked.values() for name in expression.meta.root_names()}
    counts = Counter[tuple[str, str]]()
    for frame in slices(rows.select(sorted(columns)), size):
        counts.update({check: frame.select(faults).item() for check, faults in asked.items()})
    key = key_of(table)
    return {("key_unique", " + ".join(key)): rows_with_a_key_twice(rows, key, size), **counts}


def rows_with_a_key_twice(rows: pl.LazyFrame, key: list[str], size: int = SLICE_ROWS) -> int:
    """Rows that share their key with another row; a row without any key is not counted.

    Tables are written in the order of their key, and in rows that rise none can be equal. Only where they do
    not rise are the keys counted, which takes the memory of all of them.
    """
    keys = rows.select(key)
    if all(_rises(frame, key) for frame in slices(keys, size, overlap=1)):
        return 0
    held = keys.filter(pl.any_horizontal(pl.col(key).is_not_null()))
    twice = held.group_by(key).len().filter(pl.col("len") > 1)
    return twice.select(pl.col("len").sum()).collect(engine="streaming").item()


def _rises(frame: pl.DataFrame, key: list[str]) -> bool:
    """True where each row's key is above that of the row before it."""
    above = reduce(
        lambda rest, name: (
            (pl.col(name) > pl.col(name).shift()) | ((pl.col(name) == pl.col(name).shift()) & rest)
        ),
        reversed(key),
        pl.lit(False),
    )
    return frame.select(above.slice(1).fill_null(False).all()).item()


def _cell_faults(table: type[Table]) -> Iterator[tuple[tuple[str, str], pl.Expr]]:
    for name, column in table.columns().items():
        if not column.nullable:
            yield ("not_null", name), pl.col(name).null_count()
        if words := list((column.metadata or {}).get("allowed", ())):
            yield ("allowed_words", name), (~pl.col(name).is_in(words)).sum()

"""Rows of a table added, removed and changed, counted by participant and by column.

Files whose digests are equal are not read. Others are joined on the table's key, some hundred participants at
a time, so that memory stays flat however large the study.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from outputs.release_tables import names_of
from schemas.table import empty, key_of
from schemas.tables import TABLES

COHORT = "_cohort"
_PEOPLE_AT_ONCE = 200
_NEW = "__new"
_OWNER = "participant_id"
_FATES = ("added", "removed", "changed")

Files = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class TableDiff:
    """A table in two releases.

    columns: of common ones that changed, the number of rows. new_columns, lost_columns: held by one release
    only. people: participant_id -> rows added, removed, changed; rows of nobody are those of ``_cohort``.
    note: why it was not compared row by row, or None.
    """

    table: str
    rows_before: int
    rows_now: int
    added: int = 0
    removed: int = 0
    changed: int = 0
    columns: Mapping[str, int] = field(default_factory=dict[str, int])
    new_columns: tuple[str, ...] = ()
    lost_columns: tuple[str, ...] = ()
    people: Mapping[str, tuple[int, int, int]] = field(default_factory=dict[str, tuple[int, int, int]])
    note: str | None = None

    @property
    def is_same(self) -> bool:
        """Neither rows nor columns differ."""
        counts = self.added + self.removed + self.changed
        return not (counts or self.new_columns or self.lost_columns or self.note)


def compare_tables(before: Path, now: Path, files: tuple[Files, Files], kind: str) -> list[TableDiff]:
    """All tables of a kind that hold no times, in the order of the data dictionary.

    files: ``tables`` of both releases' run.json: path below the release -> rows and hash.
    """
    names = [name for name in names_of(kind) if not TABLES[name].info.times_excluded]
    return [_compare(before, now, files, name) for name in names]


def _compare(before: Path, now: Path, files: tuple[Files, Files], table: str) -> TableDiff:
    paths = [_paths(told, table) for told in files]
    rows_before, rows_now = (
        sum(int(told[path]["rows"]) for path in held) for told, held in zip(files, paths, strict=True)
    )
    differing = sorted(
        path
        for path in {*paths[0], *paths[1]}
        if files[0].get(path, {}).get("hash") != files[1].get(path, {}).get("hash")
    )
    parts = [_compare_file(before / path, now / path, table) for path in differing]
    return _summed(TableDiff(table, rows_before, rows_now), parts)


def _paths(files: Files, table: str) -> list[str]:
    info = TABLES[table].info
    if info.layout == "per_participant":
        return [path for path in files if path.startswith(f"tables/{table}/")]
    path = f"{info.folder}/{table}.parquet"
    return [path] if path in files else []


def _summed(whole: TableDiff, parts: Sequence[TableDiff]) -> TableDiff:
    columns: dict[str, int] = {}
    people: dict[str, tuple[int, int, int]] = {}
    for part in parts:
        columns = {
            name: columns.get(name, 0) + part.columns.get(name, 0) for name in {**columns, **part.columns}
        }
        for owner, counts in part.people.items():
            known = people.get(owner, (0, 0, 0))
            people[owner] = (known[0] + counts[0], known[1] + counts[1], known[2] + counts[2])
    sums = [sum(counts[n] for counts in people.values()) for n in range(len(_FATES))]
    return TableDiff(
        whole.table,
        whole.rows_before,
        whole.rows_now,
        *sums,
        columns=dict(sorted(columns.items())),
        new_columns=tuple(sorted({name for part in parts for name in part.new_columns})),
        lost_columns=tuple(sorted({name for part in parts for name in part.lost_columns})),
        people=dict(sorted(people.items())),
        note=next((part.note for part in parts if part.note), None),
    )


def _compare_file(before: Path, now: Path, table: str) -> TableDiff:
    old, new = _scan(before, table), _scan(now, table)
    old_columns, new_columns = (frame.collect_schema().names() for frame in (old, new))
    key = key_of(TABLES[table])
    told = TableDiff(
        table,
        0,
        0,
        new_columns=tuple(name for name in new_columns if name not in old_columns),
        lost_columns=tuple(name for name in old_columns if name not in new_columns),
    )
    if not set(key) <= set(old_columns) & set(new_columns):
        return TableDiff(table, 0, 0, note="its key changed: rows can't be told to be the same")
    common = [name for name in new_columns if name in old_columns and name not in key]
    counted = pl.concat(_counted(a, b, key, common) for a, b in _parts(old, new, key))
    owners = counted.group_by("owner").sum().sort("owner")
    return TableDiff(
        table,
        0,
        0,
        columns={name: n for name in common if (n := int(counted[f"column {name}"].sum()))},
        new_columns=told.new_columns,
        lost_columns=told.lost_columns,
        people={
            row["owner"]: (row["added"], row["removed"], row["changed"])
            for row in owners.to_dicts()
            if row["added"] + row["removed"] + row["changed"]
        },
    )


def _scan(path: Path, table: str) -> pl.LazyFrame:
    return pl.scan_parquet(path) if path.is_file() else empty(TABLES[table]).lazy()


def _parts(
    old: pl.LazyFrame, new: pl.LazyFrame, key: Sequence[str]
) -> Iterator[tuple[pl.LazyFrame, pl.LazyFrame]]:
    """Both frames by some hundred participants; whole where participants do not come first in the key."""
    if key[0] != _OWNER:
        yield old, new
        return
    people = (
        pl.concat([frame.select(_OWNER).unique() for frame in (old, new)]).unique().sort(_OWNER).collect()
    )
    for ids in people[_OWNER].to_frame().iter_slices(_PEOPLE_AT_ONCE):
        first, last = ids[_OWNER][0], ids[_OWNER][-1]
        inside = pl.col(_OWNER).is_between(pl.lit(first), pl.lit(last))
        yield old.filter(inside), new.filter(inside)


def _counted(old: pl.LazyFrame, new: pl.LazyFrame, key: Sequence[str], common: Sequence[str]) -> pl.DataFrame:
    """By owner: rows added, removed and changed, and changed rows of each common column."""
    return (
        joined(old, new, key)
        .with_columns(_differs(name).alias(f"column {name}") for name in common)
        .with_columns(
            owner=_owner(key, common),
            added=~pl.col("was"),
            removed=~pl.col("is"),
            changed=pl.any_horizontal(pl.lit(False), *(pl.col(f"column {name}") for name in common)),
        )
        .group_by("owner")
        .agg(pl.col(*_FATES, *(f"column {name}" for name in common)).sum().cast(pl.Int64))
        .collect(engine="streaming")
    )


def _differs(name: str) -> pl.Expr:
    return pl.col("was") & pl.col("is") & pl.col(name).ne_missing(pl.col(name + _NEW))


def joined(old: pl.LazyFrame, new: pl.LazyFrame, key: Sequence[str]) -> pl.LazyFrame:
    """Rows of both frames on one key, with ``was`` and ``is``; columns of the newer end in ``__new``."""
    rest = [name for name in new.collect_schema().names() if name not in key]
    newer = new.rename({name: name + _NEW for name in rest}).with_columns(pl.lit(True).alias("is"))
    both = old.with_columns(pl.lit(True).alias("was")).join(
        newer, on=list(key), how="full", nulls_equal=True, coalesce=True
    )
    return both.with_columns(pl.col("was", "is").fill_null(False))


def _owner(key: Sequence[str], common: Sequence[str]) -> pl.Expr:
    if _OWNER in key:
        return pl.col(_OWNER).fill_null(COHORT)
    if _OWNER in common:
        return pl.coalesce(_OWNER + _NEW, _OWNER, pl.lit(COHORT))
    return pl.lit(COHORT)

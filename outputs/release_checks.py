"""What Polars measures of a written release before it is let out, from the files themselves.

Each function returns counts of faults under a subject that is safe to show; ``outputs.gate`` shows the
counts to great-expectations, which decides.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dataframely as dy
import polars as pl

from outputs.large_tables import SLICE_ROWS, slices
from outputs.release_tables import files_of, names_of, scan
from outputs.store import COHORT
from schemas.table import key_of, polars_schema
from schemas.tables import TABLES

EXPLAINS = ("failed", "pending", "not_due")


def rows_out_of_form(release: Path, kind: str, slice_rows: int = SLICE_ROWS) -> dict[str, int]:
    """One-file table -> 0, or ``table: rule`` -> rows that break a rule of its declaration.

    Tables are read a slice at a time. A key that comes twice in two slices is left to ``key_unique``.
    """
    found: dict[str, int] = {}
    for name in names_of(kind, "one_file"):
        broken = Counter[str]()
        for rows in slices(scan(release, name), slice_rows):
            broken.update(TABLES[name].filter(rows).failure.counts())
        found |= {f"{name}: {rule}": rows for rule, rows in sorted(broken.items())} or {name: 0}
    return found


def orphans(release: Path, kind: str) -> dict[str, int]:
    """``table.column+column`` -> rows that point at a row which is not there. A null points at nothing."""
    return {
        f"{name}.{columns}": count_orphans(scan(release, name), columns.split("+"), scan(release, target))
        for name in names_of(kind, "one_file")
        for columns, target in TABLES[name].info.references
    }


def count_orphans(rows: pl.LazyFrame, columns: list[str], target: pl.LazyFrame) -> int:
    """Rows whose columns, none null, are not found together in the target."""
    pointing = rows.select(columns).drop_nulls()
    missing = pointing.join(target.select(columns).unique(), on=columns, how="anti")
    return missing.select(pl.len()).collect(engine="streaming").item()


def minute_files(release: Path, kind: str) -> pl.DataFrame:
    """One row a minute file: its rows and what is wrong with them. Files are read one at a time."""
    known = set(scan(release, "participants").select("participant_id").collect().to_series())
    found = [
        {"table": table, "participant_id": path.stem, **_minute_faults(path, table, known)}
        for table in names_of(kind, "per_participant")
        for path in files_of(release, table)
    ]
    schema = ("rows", "form", "keys", "participant")
    return pl.DataFrame(
        found, schema={"table": pl.String, "participant_id": pl.String} | dict.fromkeys(schema, pl.Int64)
    )


def _minute_faults(path: Path, table: str, known: set[str]) -> dict[str, int]:
    """Faults of one file: another form, keys that do not rise, rows of another or an unknown person."""
    unknown = int(path.stem not in known)
    rows = pl.scan_parquet(path)
    if rows.collect_schema() != polars_schema(TABLES[table]):
        return {"rows": 0, "form": 1, "keys": 0, "participant": unknown}
    clock = key_of(TABLES[table])[-1]
    counts = rows.select(
        rows=pl.len(),
        form=pl.sum_horizontal(
            _out_of_form(name, column) for name, column in TABLES[table].columns().items()
        ),
        # Rows are sorted by their key, so a key that does not rise is a key that comes twice.
        keys=(pl.col(clock).diff() <= pl.duration()).sum(),
        participant=(pl.col("participant_id") != path.stem).sum() + unknown,
    )
    return {name: int(count) for name, count in counts.collect().row(0, named=True).items()}


def _out_of_form(name: str, column: dy.Column) -> pl.Expr:
    """Cells that are empty and must not be, or beyond the column's limits."""
    low, high = getattr(column, "min", None), getattr(column, "max", None)
    faults = [pl.col(name).is_null()] if not column.nullable else []
    faults += [pl.col(name) < low] if low is not None else []
    faults += [pl.col(name) > high] if high is not None else []
    return pl.sum_horizontal(pl.lit(0, pl.UInt32), *(fault.sum() for fault in faults))


def enrolment(release: Path) -> dict[str, int]:
    """Enrolled people who are neither present with data nor explained, and people who are not enrolled.

    Enrolled are the people of the run's ledger, which is made from the registry. A person is explained by a
    stage that failed, waits or is not due, by a matter in ``attention``, by having left the study, or where
    their observation begins after the as-of.
    """
    ledger = scan(release, "run_ledger").filter(pl.col("participant_id") != COHORT)
    people = scan(release, "participants")
    enrolled = ledger.select("participant_id").unique()
    present = people.filter(pl.any_horizontal("has_wearable", "has_labs", "has_surveys"))
    left = people.filter(pl.col("status").is_in(["withdrawn", "excluded"]))
    not_begun = people.filter(pl.col("observed_from") > pl.col("observed_to"))
    told = scan(release, "attention").drop_nulls("participant_id")
    waiting = ledger.filter(pl.col("state").is_in(EXPLAINS))
    accounted = pl.concat(
        [frame.select("participant_id") for frame in (present, left, not_begun, told, waiting)]
    ).unique()
    return {
        "unaccounted": _rows(enrolled.join(accounted, on="participant_id", how="anti")),
        "not_enrolled": count_orphans(people, ["participant_id"], enrolled),
    }


def rejected_shares(release: Path) -> dict[str, tuple[int, float]]:
    """Source -> rows read, and the share of them that was rejected."""
    by_source = (
        scan(release, "source_files")
        .group_by("source")
        .agg(read=pl.col("rows_read").sum(), rejected=pl.col("rows_rejected").sum())
        .sort("source")
        .collect()
    )
    return {
        source: (read, rejected / read if read else 0.0) for source, read, rejected in by_source.iter_rows()
    }


def open_counts(release: Path) -> dict[str, int]:
    """Sums that must close: subject -> files or claims where they do not."""
    files = scan(release, "source_files")
    parts = pl.sum_horizontal("rows_staged", "rows_merged", "rows_rejected", "rows_ignored")
    reports = scan(release, "lab_files")
    readings = pl.sum_horizontal("rows_accepted", "rows_review", "rows_ignored")
    members = files.select("members_json").drop_nulls().collect().to_series()
    return {
        "source_files.rows": _rows(files.filter(pl.col("rows_read") != parts)),
        "lab_files.rows": _rows(reports.filter(pl.col("rows_read") != readings)),
        "source_files.members": sum(not members_close(json.loads(text)) for text in members),
        "claims.unverified_in_text": len(list(standing_unverified(release))),
    }


def members_close(members: dict[str, Any]) -> bool:
    """Members of an archive = read + ignored + refused, on each level that states a total."""
    levels = [members, *(part for part in members.values() if isinstance(part, dict))]
    return all(
        level["members"] == sum(_total(level.get(part, 0)) for part in ("read", "ignored", "refused"))
        for level in levels
        if "members" in level
    )


def _total(count: int | dict[str, Any]) -> int:
    return count if isinstance(count, int) else sum(_total(part) for part in count.values())


def standing_unverified(release: Path) -> Iterator[tuple[str, str]]:
    """(participant_id, text) of each claim that is not verified and yet stands in a published text."""
    claims = scan(release, "claims").filter(pl.col("verdict") != "verified").collect()
    if claims.is_empty():
        return
    texts = _published_texts(release)
    for participant_id, text, sentence in claims.select("participant_id", "text", "sentence").iter_rows():
        if sentence in texts.get((participant_id, text), ()):
            yield participant_id, text


def _published_texts(release: Path) -> dict[tuple[str, str], str]:
    """(participant_id, text) -> all strings of a text that is published as fact."""
    summaries = scan(release, "summaries").filter(pl.col("status") == "verified").collect()
    insights = scan(release, "insights").filter(pl.col("outcome") == "answered").collect()
    written = {
        (row["participant_id"], f"summary:{row['reader']}"): "\n".join(
            _strings(json.loads(row["sections_json"]))
        )
        for row in summaries.iter_rows(named=True)
    }
    answered = {
        (row["participant_id"], f"insight:{row['question_id']}"): row["statement"]
        for row in insights.iter_rows(named=True)
    }
    return written | answered


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _rows(frame: pl.LazyFrame) -> int:
    return frame.select(pl.len()).collect().item()

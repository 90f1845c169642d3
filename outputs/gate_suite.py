"""The great-expectations suite of a release, generated from the declarations in ``schemas/``.

Imports great-expectations: only ``outputs.gate`` imports this module, and only when a gate is run.
"""

# great-expectations documents its expectations by these names but lists them in no __all__.
# pyright: reportPrivateImportUsage=false

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import great_expectations.expectations as gxe
import polars as pl
from great_expectations.expectations.expectation import Expectation
from great_expectations.expectations.row_conditions import Column

from outputs.drift import people_kept, quartiles_moved, unit_jumps
from outputs.large_tables import faults_of, row_count
from outputs.release_checks import (
    enrolment,
    minute_files,
    open_counts,
    orphans,
    rejected_shares,
    rows_out_of_form,
)
from outputs.release_history import VALUED, coverage, known_shares, magnitudes
from outputs.release_tables import names_of, scan
from outputs.shareable_checks import SHAREABLE, changed_within_edition, disclosure_faults
from schemas.settings import DriftSection
from schemas.table import Table, key_of
from schemas.tables import TABLES

# Limits, with their reasons in docs/quality.md.
# Source -> largest share of rows rejected, and by how much it may rise from one release to the next.
REJECTED = {"fitbit": (0.2, 0.05), "labs": (0.5, 0.25), "surveys": (0.2, 0.05)}
REJECTED_ENOUGH = 1000
KNOWN_SHARE_FALL = 0.25
COVERAGE = 0.9
MAGNITUDE = 2.0

Counted = tuple[pl.DataFrame, list[Expectation]]


class Suite(NamedTuple):
    """What is asked of a frame. ``is_counted``: its one row holds what Polars counted."""

    name: str
    frame: pl.DataFrame
    expectations: list[Expectation]
    is_counted: bool


def suites(
    release: Path, previous: Path | None, kind: str, drift: DriftSection, shown_rows: int
) -> Iterator[Suite]:
    """Everything asked of a written release; tables above ``shown_rows`` rows are counted by Polars."""
    for name, (frame, expectations) in counted(release, previous, kind, drift):
        if expectations:
            yield Suite(name, frame, expectations, is_counted=name != "minute_files")
    known_before = values_known_before(release, previous, kind)
    for name in names_of(kind, "one_file"):
        rows, shares = scan(release, name), known_before.get(name, {})
        held = row_count(rows)
        if held > shown_rows:
            now = known_shares(release, name) if shares else {}
            frame, expectations = large_table(faults_of(rows, TABLES[name]), now, shares)
            yield Suite(name, frame, expectations, is_counted=True)
        elif held:
            expectations = table_suite(TABLES[name], shares)
            frame = rows.select(columns_needed(expectations)).collect()
            yield Suite(name, frame, expectations, is_counted=False)


def large_table(
    faults: dict[tuple[str, str], int], known_now: dict[str, float], known_before: dict[str, float]
) -> Counted:
    """What ``table_suite`` asks, of counts: a column for each check and its subject."""
    counts = {f"{check}: {subject}": (check, subject, rows) for (check, subject), rows in faults.items()}
    shares = {f"null_share: {name}": (name, known_now[name], before) for name, before in known_before.items()}
    measured = {name: value for name, (_, _, value) in counts.items()}
    measured |= {name: now for name, (_, now, _) in shares.items()}
    return _frame(measured), [
        *(
            gxe.ExpectColumnValuesToBeInSet(column=name, value_set=[0], meta=_check(check, subject))
            for name, (check, subject, _) in counts.items()
        ),
        *(
            gxe.ExpectColumnValuesToBeBetween(
                column=name, min_value=_least_known(before), meta=_check("null_share", subject)
            )
            for name, (subject, _, before) in shares.items()
        ),
    ]


def table_suite(table: type[Table], known_before: dict[str, float]) -> list[Expectation]:
    """Keys unique, required columns filled, words allowed, and values not gone since the last release."""
    key = key_of(table)
    columns = table.columns()
    words = {name: list((column.metadata or {}).get("allowed", ())) for name, column in columns.items()}
    return [
        _unique(key),
        *(
            gxe.ExpectColumnValuesToNotBeNull(column=name, meta=_check("not_null"))
            for name, column in columns.items()
            if not column.nullable
        ),
        *(
            gxe.ExpectColumnValuesToBeInSet(column=name, value_set=allowed, meta=_check("allowed_words"))
            for name, allowed in words.items()
            if allowed
        ),
        *(_still_known(table, name, share) for name, share in known_before.items()),
    ]


def _unique(key: list[str]) -> Expectation:
    if len(key) == 1:
        return gxe.ExpectColumnValuesToBeUnique(column=key[0], meta=_check("key_unique"))
    return gxe.ExpectCompoundColumnsToBeUnique(column_list=key, meta=_check("key_unique"))


def _still_known(table: type[Table], column: str, share_before: float) -> Expectation:
    return gxe.ExpectColumnProportionOfNonNullValuesToBeBetween(
        column=column,
        min_value=_least_known(share_before),
        row_condition=Column("day_state") == "worn" if table.info.name == "daily_summary" else None,
        meta=_check("null_share"),
    )


def _least_known(share_before: float) -> float:
    return round(max(0.0, share_before - KNOWN_SHARE_FALL), 4)


def counted(
    release: Path, previous: Path | None, kind: str, drift: DriftSection
) -> Iterator[tuple[str, Counted]]:
    """What was measured by Polars, as small frames with their expectations: counts and shares, no values."""
    yield "declared_form", _all_zero("declared_form", rows_out_of_form(release, kind))
    yield "references", _all_zero("reference", orphans(release, kind))
    yield "counts", _all_zero("counts_close", open_counts(release))
    yield "minute_files", _minute_files(minute_files(release, kind))
    yield "enrolment", _all_zero("enrolment", enrolment(release))
    yield "rejected", _rejected(release, previous)
    yield "shareable", _all_zero("disclosure", disclosure_faults(release))
    if previous is not None:
        yield "shared_before", _all_zero("shared_once", _shared_anew(release, previous, kind))
        yield "coverage", _within("coverage", coverage(release, previous, kind), COVERAGE, None)
        yield "magnitude", _within("magnitude", magnitudes(release, previous, kind), 1 / MAGNITUDE, MAGNITUDE)
        if kind == "full":
            yield from _drifted(release, previous, drift)


def _drifted(release: Path, previous: Path, limits: DriftSection) -> Iterator[tuple[str, Counted]]:
    """The population against that of the last release, by the study's own limits."""
    moved, jumped = quartiles_moved(release, previous), unit_jumps(release, previous)
    kept = people_kept(release, previous)
    yield "quartiles_moved", _within("quartiles_moved", moved, None, limits.quartiles_moved)
    yield "people_kept", _within("people_kept", kept, limits.people_kept, None)
    yield "unit_jumps", _within("unit_jumps", jumped, None, limits.unit_jumps)


def _shared_anew(release: Path, previous: Path, kind: str) -> dict[str, int]:
    return {SHAREABLE: changed_within_edition(release, previous)} if SHAREABLE in names_of(kind) else {}


def values_known_before(release: Path, previous: Path | None, kind: str) -> dict[str, dict[str, float]]:
    """Table -> column -> share known at the last release, where both releases have rows enough to compare."""
    if previous is None:
        return {}
    tables = [table for table in VALUED if kind in TABLES[table].info.kinds]
    return {table: known_shares(previous, table) for table in tables if known_shares(release, table)}


def _all_zero(check: str, faults: dict[str, int]) -> Counted:
    return _frame(faults), [
        gxe.ExpectColumnValuesToBeInSet(column=subject, value_set=[0], meta=_check(check))
        for subject in faults
    ]


def _within(check: str, measured: dict[str, float], low: float | None, high: float | None) -> Counted:
    return _frame(measured), [
        gxe.ExpectColumnValuesToBeBetween(column=subject, min_value=low, max_value=high, meta=_check(check))
        for subject in measured
    ]


def _minute_files(files: pl.DataFrame) -> Counted:
    faults = ("form", "keys", "participant")
    return files.drop("participant_id"), [
        gxe.ExpectColumnValuesToBeInSet(column=name, value_set=[0], meta=_check("minute_files"))
        for name in faults
    ]


def _rejected(release: Path, previous: Path | None) -> Counted:
    before = rejected_shares(previous) if previous else {}
    now = {name: share for name, (read, share) in rejected_shares(release).items() if read >= REJECTED_ENOUGH}
    return _frame(now), [
        gxe.ExpectColumnValuesToBeBetween(
            column=source, max_value=_most_rejected(source, before.get(source)), meta=_check("rejected_share")
        )
        for source in now
    ]


def _most_rejected(source: str, before: tuple[int, float] | None) -> float:
    """The share of a source's rows that may be rejected, given rows read and share at the last release."""
    most, rise = REJECTED[source]
    return round(min(most, before[1] + rise), 4) if before and before[0] >= REJECTED_ENOUGH else most


def columns_needed(suite: Iterable[Expectation]) -> list[str]:
    """Columns of a published table that its suite looks at; no others are handed over."""
    needed: dict[str, None] = {}
    for expectation in suite:
        for name in getattr(expectation, "column_list", None) or [getattr(expectation, "column", None)]:
            if name is not None:
                needed[name] = None
        if getattr(expectation, "row_condition", None) is not None:
            needed["day_state"] = None
    return list(needed)


def _frame(measured: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame({name: [value] for name, value in measured.items()})


def _check(name: str, subject: str | None = None) -> dict[str, str]:
    """What an expectation stands for; ``subject`` where it is not its column."""
    return {"check": name} | ({"subject": subject} if subject else {})

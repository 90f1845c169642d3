"""A comparison of releases in plain words: a summary first, then people."""

from collections.abc import Iterator
from typing import Any

from outputs.release_diff.causes import STAGES, Cause
from outputs.release_diff.compare import ReleaseDiff
from outputs.release_diff.people import Change, PersonDiff
from outputs.release_diff.tables import TableDiff

_MOST_COLUMNS = 6
_MOST_CHANGES = 12
_MOST_CAUSES = 30
_LONGEST = 160
_NOTHING = "No file, setting, edition, prompt, question, model, version or date differs."
_STATEMENTS = {"insights": "answers", "summaries": "texts"}


def lines_of(diff: ReleaseDiff, *, whole: bool = False) -> Iterator[str]:
    """Summary, causes, tables, people. whole: all changes of the people told, not the first ones."""
    yield f"from {diff.before}"
    yield f"to   {diff.now}"
    yield ""
    yield "Because of" if diff.causes else _NOTHING
    yield from (f"  {_cause(cause)}" for cause in diff.causes[:_MOST_CAUSES])
    yield from _more(len(diff.causes), _MOST_CAUSES, "  ")
    if diff.stages:
        stages = [f"{stage} of {diff.stages[stage]:,}" for stage in STAGES if stage in diff.stages]
        yield f"  other results: {', '.join(stages)} participants"
    yield ""
    yield "Tables" if diff.tables else "Every table holds the same."
    for table in diff.tables:
        yield from _table(table)
    for table, causes in diff.statements.items():
        told = ", ".join(f"{cause} changed {n:,}" for cause, n in causes.items())
        yield f"  other {_STATEMENTS[table]}, as: {told}"
    yield ""
    yield f"{diff.people:,} participants have other rows."
    for person in diff.told:
        yield ""
        yield from _person(person, whole=whole)
    if diff.people > len(diff.told) and not whole:
        yield f"... {diff.people - len(diff.told):,} more: --participant ID tells of one"


def _cause(cause: Cause) -> str:
    if cause.before is None and cause.now is None:
        return cause.what
    return f"{cause.what}: {_short(cause.before)} -> {_short(cause.now)}"


def _table(table: TableDiff) -> Iterator[str]:
    if table.note:
        yield f"  {table.table}: {table.note}"
        return
    counts = ((table.added, "added"), (table.removed, "removed"), (table.changed, "changed"))
    rows = ", ".join(f"{n:,} {fate}" for n, fate in counts if n) or "no other row"
    yield f"  {table.table}: {table.rows_before:,} -> {table.rows_now:,} rows; {rows}"
    if table.columns:
        most = sorted(table.columns.items(), key=lambda item: (-item[1], item[0]))
        more = ["..."] if len(most) > _MOST_COLUMNS else []
        yield "    " + ", ".join([*(f"{name} {n:,}" for name, n in most[:_MOST_COLUMNS]), *more])
    for word, names in (("new", table.new_columns), ("lost", table.lost_columns)):
        if names:
            yield f"    {word} columns: {', '.join(names)}"


def _person(person: PersonDiff, *, whole: bool) -> Iterator[str]:
    stages = f"; other results of {', '.join(person.stages)}" if person.stages else ""
    yield f"{person.participant_id}: {person.rows:,} rows{stages}"
    most = len(person.changes) if whole else _MOST_CHANGES
    for change in person.changes[:most]:
        yield from _change(change)
    yield from _more(len(person.changes), most, "  ")


def _change(change: Change) -> Iterator[str]:
    why = f" ({', '.join(f'{cause} changed' for cause in change.because)})" if change.because else ""
    yield f"  {change.what} {change.name}{why}"
    if change.before is not None:
        yield f"    - {_short(change.before)}"
    if change.now is not None:
        yield f"    + {_short(change.now)}"


def _more(count: int, told: int, indent: str) -> Iterator[str]:
    if count > told:
        yield f"{indent}... {count - told:,} more"


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."

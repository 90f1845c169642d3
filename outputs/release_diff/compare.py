"""Two releases compared: causes, tables, and the participants who changed most."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outputs.release_diff.causes import Cause, causes, redone
from outputs.release_diff.makers import changed_statements
from outputs.release_diff.people import PersonDiff, person_changes
from outputs.release_diff.tables import COHORT, TableDiff, compare_tables
from schemas.errors import PhaError

# So many participants are told one by one, those with most changed rows first.
MOST_PEOPLE = 20


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """What changed from ``before`` to ``now``, by names of release folders.

    tables: those that differ. statements: of answers and texts that changed, how many because of what
    (``makers``). stages: stage -> participants whose result differs. people: how many changed;
    told: the first of them, or those asked for.
    """

    before: str
    now: str
    causes: tuple[Cause, ...]
    tables: tuple[TableDiff, ...]
    statements: dict[str, dict[str, int]]
    stages: dict[str, int]
    people: int
    told: tuple[PersonDiff, ...]

    @property
    def is_same(self) -> bool:
        """Nothing differs in any table."""
        return not self.tables


def compare_releases(before: Path, now: Path, only: str | None = None) -> ReleaseDiff:
    """Compare two release folders. only: the one participant to be told of.

    Tables that one kind of release lacks are left out. Raises release_missing, participant_unknown.
    """
    runs = [_run(release) for release in (before, now)]
    kind = "full" if all(run["kind"] == "full" for run in runs) else "core"
    tables = compare_tables(before, now, (runs[0]["tables"], runs[1]["tables"]), kind)
    differing = tuple(table for table in tables if not table.is_same)
    rows = _rows_by_person(differing)
    stages = redone(*runs)
    if only is not None and not any(only in _known(run) for run in runs):
        raise PhaError("participant_unknown", id=only, hint="")
    told = [only] if only is not None else [owner for owner, _ in rows.most_common(MOST_PEOPLE)]
    changes = person_changes(before, now, told)
    return ReleaseDiff(
        before.name,
        now.name,
        (*_files(differing), *causes(*runs)),
        differing,
        changed_statements(before, now) if kind == "full" else {},
        dict(Counter(stage for owner, each in stages.items() if owner != COHORT for stage in each)),
        len(rows),
        tuple(
            PersonDiff(owner, rows[owner], tuple(stages.get(owner, ())), tuple(changes[owner]))
            for owner in told
        ),
    )


def _files(tables: tuple[TableDiff, ...]) -> tuple[Cause, ...]:
    """The files that came and went, in one line."""
    for table in tables:
        if table.table == "source_files" and (table.added or table.removed):
            owners = sum(1 for counts in table.people.values() if counts[0] or counts[1])
            what = f"files: {table.added:,} new, {table.removed:,} gone, of {owners:,} participants"
            return (Cause(what),)
    return ()


def _rows_by_person(tables: tuple[TableDiff, ...]) -> Counter[str]:
    """Changed rows by participant, in order of their number and then of the id."""
    rows: Counter[str] = Counter()
    for table in tables:
        for owner, counts in table.people.items():
            if owner != COHORT:
                rows[owner] += sum(counts)
    return Counter(dict(sorted(rows.items())))


def _known(run: dict[str, Any]) -> set[str]:
    return {name.partition("/")[2] for name in run["identity"]["inputs"]}


def _run(release: Path) -> dict[str, Any]:
    try:
        return json.loads((release / "run.json").read_bytes())
    except FileNotFoundError:
        raise PhaError("release_missing") from None

"""What changed of single participants: their files, findings, facts, answers and texts."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from outputs.release_diff.makers import STATEMENTS, because
from outputs.release_diff.tables import joined
from outputs.release_tables import scan
from schemas.table import key_of
from schemas.tables import TABLES

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A finding, fact, answer, sentence or file before and now; None where it was not, or is no more.

    because: of an answer or a text that both releases have, what made it another one (``makers``).
    """

    what: str
    name: str
    before: str | None
    now: str | None
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonDiff:
    """A participant's changes. rows: of all tables; stages: whose result differs."""

    participant_id: str
    rows: int
    stages: tuple[str, ...]
    changes: tuple[Change, ...]


def person_changes(before: Path, now: Path, people: Sequence[str]) -> dict[str, list[Change]]:
    """participant_id -> what changed, files first. People are few: their rows are held in memory."""
    found: dict[str, list[Change]] = {owner: [] for owner in people}
    for table, (column, show) in _SHOWN.items():
        for row in _changed(before, now, table, people, column):
            old = show(row, "") if row["was"] else None
            new = show(row, "__new") if row["is"] else None
            owner = row["participant_id"] or row.get("participant_id__new")
            found[str(owner)] += _changes(table, row, old, new)
    return found


def _changed(before: Path, now: Path, table: str, people: Sequence[str], column: str) -> list[dict[str, Any]]:
    key = key_of(TABLES[table])
    own = pl.col("participant_id").is_in(list(people))
    old, new = (scan(release, table).filter(own) for release in (before, now))
    differs = pl.col(column).ne_missing(pl.col(f"{column}__new")) | ~pl.col("was") | ~pl.col("is")
    rows = joined(old, new, key).filter(differs)
    if table in STATEMENTS:
        rows = rows.with_columns(because(table, set(rows.collect_schema().names())))
    return rows.sort(key).collect().to_dicts()


def _changes(table: str, row: Row, old: str | None, new: str | None) -> Iterator[Change]:
    if table == "summaries":
        yield from _sentences(row, old, new)
        return
    what, names = _NAMED[table]
    name = ".".join(str(row.get(name) or "") for name in names)
    yield Change(what, name, old, new, tuple(row.get("because") or ()))


def _sentences(row: Row, old: str | None, new: str | None) -> Iterator[Change]:
    """Sentences of a text that are new or gone; an unchanged one is not told."""
    was, is_now = _texts(old), _texts(new)
    name = f"for the {row['reader']}"
    causes = tuple(row["because"] or ())
    yield from (Change("text", name, text, None, causes) for text in was if text not in is_now)
    yield from (Change("text", name, None, text, causes) for text in is_now if text not in was)


def _texts(sections_json: str | None) -> list[str]:
    sections = json.loads(sections_json) if sections_json else []
    return [sentence["text"] for section in sections for sentence in section["sentences"]]


def _finding(row: Row, end: str) -> str:
    return f"{row[f'outcome{end}']}: {row[f'statement{end}']}"


def _file(row: Row, end: str) -> str:
    rows = f"{row[f'rows_staged{end}']:,} of {row[f'rows_read{end}']:,} rows kept"
    verdict = row[f"error_code{end}"] or row[f"identity{end}"]
    return f"{row[f'form{end}']}, {rows}" + (f", {verdict}" if verdict else "")


def _cell(column: str) -> Callable[[Row, str], str]:
    return lambda row, end: str(row[f"{column}{end}"])


# Table -> the column whose change is told, and how its row is shown.
_SHOWN: Mapping[str, tuple[str, Callable[[Row, str], str]]] = {
    "source_files": ("content_digest", _file),
    "findings": ("statement", _finding),
    "facts": ("rendered", _cell("rendered")),
    "insights": ("statement", _cell("statement")),
    "summaries": ("sections_json", _cell("sections_json")),
}
_NAMED = {
    "source_files": ("file", ("file_id",)),
    "findings": ("finding", ("rule_id", "subject")),
    "facts": ("fact", ("fact_id",)),
    "insights": ("answer", ("question_id",)),
}

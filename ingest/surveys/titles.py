"""What the columns of a survey file are known by: titles, and import ids where there are any."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from ingest.surveys.export import Sheet
from schemas.errors import PhaError

# Qualtrics marks a trial of the survey so; numbers in exports of codes, words in exports of choice texts.
PREVIEWS = frozenset({"1", "2", "Survey Preview", "Survey Test"})
_STATUS = frozenset({"Status", "status"})


@dataclass(frozen=True, slots=True)
class Titled:
    """A file with the names each column answers to, its rows, and which rows (from 1) are trials."""

    names: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    previews: frozenset[int] = frozenset()

    def cells(self, name: str) -> tuple[str, ...]:
        """The cells of the one column of that name; raises PhaError survey_unreadable for none or several."""
        found = [place for place, names in enumerate(self.names) if name in names]
        if len(found) != 1:
            raise PhaError("survey_unreadable", problem="a column that study.toml names is not there once")
        return tuple(row[found[0]] for row in self.rows)


def titled(sheet: Sheet, form: Literal["qualtrics", "google_forms", "table"]) -> Titled:
    """The file by its titles. Qualtrics has a second header row, and a third where it holds import ids."""
    if form != "qualtrics":
        return Titled(tuple((title,) for title in sheet.header), sheet.rows)
    if not sheet.rows:
        raise PhaError("survey_unreadable", problem="it lacks Qualtrics' second header row")
    questions, *rows = sheet.rows
    imported = _import_ids(rows[0]) if rows else None
    rows = tuple(rows[1:] if imported else rows)
    names = tuple(zip(imported or sheet.header, sheet.header, questions, strict=True))
    status = next((place for place, each in enumerate(names) if _STATUS & set(each)), None)
    trials = {
        number for number, row in enumerate(rows, start=1) if status is not None and row[status] in PREVIEWS
    }
    return Titled(names, rows, frozenset(trials))


def _import_ids(row: Sequence[str]) -> tuple[str, ...] | None:
    """Import ids, where the row is Qualtrics' third header row; told by its content alone."""
    found = [_import_id(cell) for cell in row if cell]
    if not found or None in found:
        return None
    return tuple(_import_id(cell) or "" for cell in row)


def _import_id(cell: str) -> str | None:
    try:
        content = json.loads(cell)
    except ValueError:
        return None
    found = cast("dict[str, object]", content).get("ImportId") if isinstance(content, dict) else None
    return found if isinstance(found, str) else None

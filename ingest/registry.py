"""Reading participants.csv, as a spreadsheet program leaves it: who is in the study.

Nothing is guessed: a cell that can be read in two ways is a problem with its line and column. Cell texts
never stand in a problem, since they may be names or birth dates.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, get_args

from schemas.errors import PhaError
from schemas.participant import Participant, Sex, Status
from schemas.settings import known_zone

ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
COLUMNS = (
    "participant_id",
    "sex",
    "birth_date",
    "birth_year",
    "gender",
    "time_zone",
    "enrolled_on",
    "consent_from",
    "consent_to",
    "status",
    "left_on",
    "site",
    "group",
    "aliases",
    "name",
    "results_to",
    "external_model",
)
# Of each one must be there.
_NEEDED = (("participant_id",), ("sex",), ("birth_date", "birth_year"))
_NO_COLUMN = "the column is missing"
_COLUMN_HINT = "The first line holds the names of the columns, this one among them."
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_OTHER = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_WORDS = {
    "sex": get_args(Sex),
    "status": get_args(Status),
    "results_to": ("participant", "clinician", "none"),
    "external_model": ("yes", "no"),
}


@dataclass(frozen=True, slots=True)
class Registry:
    """The rows of participants.csv in the order of the file, and the columns that were ignored."""

    participants: tuple[Participant, ...]
    ignored_columns: tuple[str, ...]


def read_registry(path: Path, study_zone: str) -> Registry:
    """The registry; raises the first problem as PhaError (scope usage)."""
    problems, registry = check_registry(path, study_zone)
    if problems:
        raise problems[0]
    return registry


def check_registry(path: Path, study_zone: str) -> tuple[list[PhaError], Registry]:
    """All problems of participants.csv and the rows that have none."""
    if not path.is_file():
        return [PhaError("registry_missing")], Registry((), ())
    try:
        rows, header = _rows(path)
    except UnicodeError:
        return [PhaError("registry_encoding")], Registry((), ())
    problems = [
        PhaError("registry_invalid", line=1, column=" or ".join(names), problem=_NO_COLUMN, hint=_COLUMN_HINT)
        for names in _NEEDED
        if not {*names} & {*header}
    ]
    if problems:
        return problems, Registry((), ())
    people: list[tuple[int, Participant]] = []
    for line, cells in rows:
        reader = _RowReader(line, cells, study_zone)
        person = reader.participant()
        problems += reader.problems
        if person is not None:
            people.append((line, person))
    problems += _duplicates(people)
    ignored = tuple(name for name in header if name and name not in COLUMNS)
    return problems, Registry(tuple(person for _, person in people), ignored)


def _rows(path: Path) -> tuple[list[tuple[int, dict[str, str]]], list[str]]:
    """Lines with their cells by column name; blank lines are left out. UnicodeError for UTF-16."""
    data = path.read_bytes()
    if b"\0" in data:
        raise UnicodeError
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    header = [name.strip().lower() for name in next(reader, [])]
    rows = [
        (reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=False)))
        for cells in reader
        if any(cell.strip() for cell in cells)
    ]
    return rows, header


class _RowReader:
    """One line of the registry: reads its cells and collects what is wrong with them."""

    def __init__(self, line: int, cells: dict[str, str], study_zone: str) -> None:
        self.line, self.cells, self.study_zone = line, cells, study_zone
        self.problems: list[PhaError] = []

    def participant(self) -> Participant | None:
        born = self._date("birth_date")
        fields: dict[str, Any] = {
            "participant_id": self._id(),
            "sex": self._word("sex", None),
            "birth_date": born,
            "birth_year": born.year if born else self._year(wanted=not self._cell("birth_date")),
            "time_zone": self._zone(),
            "status": self._word("status", "active"),
            "results_to": self._word("results_to", "none"),
            "external_model": self._word("external_model", "no") == "yes",
            "aliases": tuple(part for part in re.split(r"[|;\s]+", self._cell("aliases")) if part),
        }
        fields |= {
            name: self._date(name) for name in ("enrolled_on", "consent_from", "consent_to", "left_on")
        }
        fields |= {name: self._cell(name) or None for name in ("gender", "site", "group", "name")}
        return None if self.problems else Participant(**fields)

    def _cell(self, column: str) -> str:
        return self.cells.get(column) or ""

    def _wrong(self, column: str, problem: str, hint: str = "") -> None:
        self.problems.append(
            PhaError("registry_invalid", line=self.line, column=column, problem=problem, hint=hint)
        )

    def _id(self) -> str:
        value = self._cell("participant_id")
        if re.fullmatch(r"\d+[.,]\d*(E\+?\d+)?", value, re.IGNORECASE):
            self._wrong("participant_id", "a spreadsheet turned the id into a number", _AS_TEXT)
        elif not ID_PATTERN.fullmatch(value):
            self._wrong(
                "participant_id",
                "an id has 1 to 32 of A-Z, a-z, 0-9, _ and -, and begins with a letter or digit",
                _ID_HINT,
            )
        return value

    def _word(self, column: str, default: str | None) -> str | None:
        value = self._cell(column).lower() or default
        if value not in _WORDS[column]:
            self._wrong(column, f"one of {', '.join(_WORDS[column])} is wanted")
        return value

    def _zone(self) -> str:
        value = self._cell("time_zone") or self.study_zone
        try:
            return known_zone(value)
        except ValueError as error:
            self._wrong("time_zone", str(error))
            return value

    def _year(self, *, wanted: bool) -> int:
        """The year; not ``wanted`` where a birth_date stands there, which has its own problem then."""
        value = self._cell("birth_year")
        if re.fullmatch(r"(19|20)\d\d", value):
            return int(value)
        if not wanted and not value:
            return 0
        self._wrong("birth_year", "a birth_date or a birth_year of four digits is wanted")
        return 0

    def _date(self, column: str) -> date | None:
        value = self._cell(column)
        if not value:
            return None
        try:
            return _parse_date(value)
        except _AmbiguousDateError:
            self.problems.append(PhaError("registry_ambiguous_date", line=self.line, column=column))
        except ValueError:
            self._wrong(column, "this is no date of the form YYYY-MM-DD")
        return None


_ID_HINT = "Blanks, accents and other letters are not possible: folders and files are named by the id."
_AS_TEXT = "Format the column as text in the spreadsheet program."


class _AmbiguousDateError(Exception):
    pass


def _parse_date(value: str) -> date:
    """ISO, or day and month in either order where only one of them can be the month."""
    if found := _ISO.fullmatch(value):
        return date(*(int(part) for part in found.groups()))
    if not (found := _OTHER.fullmatch(value)):
        raise ValueError
    first, second, year = (int(part) for part in found.groups())
    if first <= 12 and second <= 12 and first != second:
        raise _AmbiguousDateError
    day, month = (first, second) if first > 12 else (second, first)
    return date(year, month, day)


def _duplicates(people: list[tuple[int, Participant]]) -> Iterator[PhaError]:
    seen: dict[str, int] = {}
    for line, person in people:
        for name in {person.participant_id.lower(), *(alias.lower() for alias in person.aliases)}:
            if name in seen:
                yield PhaError("registry_duplicate_id", line=line, other=seen[name])
            seen.setdefault(name, line)

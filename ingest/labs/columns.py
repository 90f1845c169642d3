"""Header lines: which column a cell stands under. Every cell of a header is a known title."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ingest.labs.dates import MOMENT, PrintedDate, parse_dates
from ingest.labs.lines import Line, Segment

Role = Literal["name", "value", "out_of_range", "previous", "flag", "unit", "reference", "other"]

_TITLES: dict[Role, tuple[str, ...]] = {
    "name": (
        "test", "tests", "test name", "analyte", "analytes", "investigation", "investigations",
        "examination", "test description", "parameter", "parameters", "component", "components", "analysis",
        "test / analyte", "test performed", "test parameter", "name of test", "measurement", "biomarker",
        "marker", "assay", "description", "determination", "procedure", "observation", "study", "lab test",
        "laboratory test", "untersuchung", "analyse", "parametro", "esame", "esami", "analisi", "prueba",
        "examen", "messgröße", "determinacion", "determinación", "analyt", "bezeichnung", "bestimmung",
    ),
    "value": (
        "value", "values", "result", "results", "observed value", "current result",
        "current result and flag", "in range", "your value", "your result", "test result", "test results",
        "normal", "result value", "current", "patient value", "patient result", "measured value",
        "observed values", "result(s)", "your results", "result & flag", "result and flag", "result/flag",
        "finding", "current value", "ergebnis", "messwert", "wert", "risultato", "risultati", "resultado",
        "resultados", "résultat", "résultats", "esito", "valore", "valor",
    ),
    "out_of_range": (
        "out of range", "abnormal", "out-of-range", "abnormal result",
    ),
    "previous": (
        "previous result and date", "previous result", "previous", "prior result", "history", "last result",
        "previous results", "date of previous", "prior", "prior value", "previous value", "historical",
        "last", "previous date", "previous result date", "prior results", "vorwert", "vorbefund",
        "precedente", "trend", "vorwerte", "anterior", "antériorité", "antériorités",
        "risultato precedente",
    ),
    "flag": (
        "flag", "flags", "status", "remark", "remarks", "abn", "abnormal flag", "h/l", "indicator",
        "interpretation", "*", "kennung", "hinweis", "bewertung", "hl", "alert", "flagged",
    ),
    "unit": (
        "unit", "units", "uom", "unit of measure", "einheit", "einheiten", "unità", "unità di misura",
        "unidad", "unidades", "unité", "unités", "u.m.", "um", "measure", "dimension",
    ),
    "reference": (
        "reference range", "reference interval", "reference value", "reference values", "ref. range",
        "bio. ref. interval", "biological ref. interval", "biological reference interval", "normal range",
        "reference", "reference ranges", "bio. ref. range", "ref range", "reference limits",
        "normal values", "ref", "ref.", "ref. interval", "ref interval", "expected range",
        "reference intervals", "range", "normal value", "bio. ref. interval.", "biological reference range",
        "standard range", "limits", "biological ref range", "ref. values", "bio ref interval",
        "biological ref interval", "expected values", "reference range & units", "reference range/units",
        "reference range and units", "normal ranges", "referenzbereich", "referenz", "normbereich",
        "normwert", "normwerte", "referenzwerte", "referenzintervall", "valori di riferimento",
        "intervallo di riferimento", "riferimento", "valores de referencia", "ref.-bereich",
        "valeurs de référence", "intervalo de referencia", "rango de referencia", "valeurs usuelles",
    ),
    "other": (
        "lab", "site", "method", "date", "performing lab", "comment", "comments", "methode", "methodology",
        "specimen", "sample", "sample type", "specimen type", "material", "loinc", "code", "test code",
        "notes", "note", "sl. no", "sl no", "s.no", "s. no.", "sr. no.", "no.", "sr no", "target", "goal",
        "optimal range", "optimal", "optimal zone", "performing site", "technology", "instrument", "metodo",
        "método", "methods", "lab code", "equipment", "collected", "status date", "graph", "risk",
        "optimal level", "laboratory",
    ),
}  # fmt: skip
MAX_TITLE_WORDS = 4
_ROLES: dict[str, Role] = {title: role for role, titles in _TITLES.items() for title in titles}


@dataclass(frozen=True, slots=True)
class Column:
    """A titled column and where its title stands, in points from the left; ``drawn``: a date as title."""

    role: Role
    x0: float
    x1: float
    drawn: PrintedDate | None = None
    specimen_id: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a table, from left to right; ``lines``: how many lines its titles take."""

    columns: tuple[Column, ...]
    lines: int = 1

    def has(self, role: Role) -> bool:
        """True where the table has such a column."""
        return any(column.role == role for column in self.columns)

    def column_of(self, segment: Segment) -> Column:
        """The column a cell belongs to: the one whose title it overlaps most, else the nearest."""
        return max(self.columns, key=lambda column: _overlap(column, segment))

    def role_of(self, segment: Segment) -> Role:
        """What stands in the column a cell belongs to."""
        return self.column_of(segment).role

    @property
    def starts(self) -> tuple[float, ...]:
        """Where each of several tables that stand side by side under one header begins."""
        return tuple(column.x0 for column in self.columns if column.role == "name")[1:]

    @property
    def layout(self) -> str:
        """A name for the arrangement, without any vendor."""
        if self.has("out_of_range"):
            return "in_out_of_range"
        if self.has("previous"):
            return "current_previous"
        return "_".join(column.role for column in self.columns)


def header_of(line: Line, below: Line | None = None) -> Header | None:
    """The header a line is, or None; titles may go on in the line right ``below``.

    It must title a name and a value column. A title we do not know is a column of which nothing is read, and
    is allowed only where a unit or reference column is known too. Dates as titles are draws, each column
    with results of its own, or previous results where a column is titled as the result.
    """
    both = _header(_stacked(line, below), every_title_known=True) if below is not None else None
    return replace(both, lines=2) if both is not None else _header(line.segments)


def is_column_title(text: str) -> bool:
    """``Value``, ``Units``: a title of a column and of nothing else."""
    return _normalised(text) in _ROLES


def _header(segments: Sequence[Segment], every_title_known: bool = False) -> Header | None:
    known = [_column(segment) for segment in segments]
    roles = {column.role for column in known if column is not None}
    dated = [column for column in known if column is not None and column.drawn is not None]
    undated = [c for c in known if c is not None and c.role == "value" and c.drawn is None]
    complete = not any(column is None for column in known)
    if not {"name", "value"} <= roles:
        return None
    if not complete and (every_title_known or not roles & {"unit", "reference"} or not _are_titles(segments)):
        return None
    columns = [
        column or Column("other", segment.x0, segment.x1)
        for column, segment in zip(known, segments, strict=True)
    ]
    if dated and undated:
        columns = [replace(c, role="previous") if c.drawn is not None else c for c in columns]
    return Header(tuple(columns))


def _are_titles(segments: Sequence[Segment]) -> bool:
    return all(
        (len(s.text.split()) <= MAX_TITLE_WORDS and not re.search(r"\d", s.text)) or date_of(s.text)
        for s in segments
    )


def _stacked(line: Line, below: Line) -> list[Segment]:
    """Titles of two lines put together where they stand above each other."""
    stacked = list(line.segments)
    for segment in below.segments:
        above = next((n for n, s in enumerate(stacked) if s.x0 < segment.x1 and segment.x0 < s.x1), None)
        if above is None:
            stacked.append(segment)
        else:
            upper = stacked[above]
            stacked[above] = replace(
                upper,
                text=f"{upper.text} {segment.text}",
                x0=min(upper.x0, segment.x0),
                x1=max(upper.x1, segment.x1),
            )
    return sorted(stacked, key=lambda s: s.x0)


def column_titled(segment: Segment) -> Column | None:
    """The column of a known title, or None."""
    role = _ROLES.get(_normalised(segment.text))
    return None if role is None else Column(role, segment.x0, segment.x1)


def _column(segment: Segment) -> Column | None:
    if (titled := column_titled(segment)) is not None:
        return titled
    drawn = date_of(segment.text)
    return None if drawn is None else Column("value", segment.x0, segment.x1, drawn)


def date_of(text: str) -> PrintedDate | None:
    """The date a cell is, with nothing else but a time."""
    match = MOMENT.fullmatch(text.strip())
    found = parse_dates(text) if match else []
    return found[0] if found else None


def _normalised(text: str) -> str:
    return " ".join(text.casefold().strip(" :").split())


def _overlap(column: Column, segment: Segment) -> float:
    """Shared width; negative is the distance between the two."""
    return min(column.x1, segment.x1) - max(column.x0, segment.x0)

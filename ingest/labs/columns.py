"""Header lines: which column a cell stands under. Every cell of a header is a known title."""

from dataclasses import dataclass
from typing import Literal

from ingest.labs.lines import Line, Segment

Role = Literal["name", "value", "out_of_range", "previous", "flag", "unit", "reference", "other"]

_TITLES: dict[Role, tuple[str, ...]] = {
    "name": (
        "test", "tests", "test name", "analyte", "investigation", "investigations", "test description",
        "examination", "parameter", "parameters", "component", "analysis", "test / analyte",
    ),
    "value": (
        "value", "result", "results", "observed value", "current result", "current result and flag",
        "in range", "your value", "your result", "test result", "normal",
    ),
    "out_of_range": ("out of range", "abnormal"),
    "previous": (
        "previous result and date", "previous result", "previous", "prior result", "history", "last result",
        "previous results", "date of previous",
    ),
    "flag": ("flag", "flags", "status", "remark"),
    "unit": ("unit", "units", "uom"),
    "reference": (
        "reference range", "reference interval", "reference value", "reference values", "ref. range",
        "bio. ref. interval", "biological ref. interval", "biological reference interval", "normal range",
        "reference", "reference ranges", "bio. ref. range", "ref range", "reference limits", "normal values",
    ),
    "other": ("lab", "site", "method", "date", "performing lab"),
}  # fmt: skip
_ROLES: dict[str, Role] = {title: role for role, titles in _TITLES.items() for title in titles}


@dataclass(frozen=True, slots=True)
class Column:
    """A titled column and the horizontal extent of its title, in points."""

    role: Role
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a table, from left to right."""

    columns: tuple[Column, ...]

    def has(self, role: Role) -> bool:
        """True where the table has such a column."""
        return any(column.role == role for column in self.columns)

    def role_of(self, segment: Segment) -> Role:
        """The column a cell belongs to: the one whose title it overlaps most, else the nearest."""
        return max(self.columns, key=lambda column: _overlap(column, segment)).role

    @property
    def layout(self) -> str:
        """A name for the arrangement, without any vendor."""
        if self.has("out_of_range"):
            return "in_out_of_range"
        if self.has("previous"):
            return "current_previous"
        return "_".join(column.role for column in self.columns)


def header_of(line: Line) -> Header | None:
    """The header a line is, or None: it must title a name and a value column and nothing unknown."""
    columns = [_column(segment) for segment in line.segments]
    known = [column for column in columns if column is not None]
    roles = {column.role for column in known}
    if len(known) < len(columns) or not {"name", "value"} <= roles:
        return None
    return Header(tuple(known))


def _column(segment: Segment) -> Column | None:
    role = _ROLES.get(_normalised(segment.text))
    return None if role is None else Column(role, segment.x0, segment.x1)


def _normalised(text: str) -> str:
    return " ".join(text.casefold().strip(" :").split())


def _overlap(column: Column, segment: Segment) -> float:
    """Shared width; negative is the distance between the two."""
    return min(column.x1, segment.x1) - max(column.x0, segment.x0)

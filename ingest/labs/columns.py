"""Header lines: which column a cell stands under, by the titles and, where they do not tell, by the cells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.labs.dates import MOMENT, PrintedDate, parse_dates
from ingest.labs.lines import Line, Segment
from ingest.labs.titles import Role, is_title_like, role_of_title

_LETTER = re.compile(r"[^\W_]")
MIN_KNOWN = 2
SAME_EDGE_POINTS = 1.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column and where its title stands, in points from the left; ``drawn``: a date as title."""

    role: Role
    x0: float
    x1: float
    drawn: PrintedDate | None = None
    specimen_id: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a table, from left to right; ``lines``: how many lines its titles take.

    ``titled`` is False where there are none and the cells alone tell the columns.
    """

    columns: tuple[Column, ...]
    lines: int = 1
    titled: bool = True

    def has(self, role: Role) -> bool:
        """True where the table has such a column."""
        return any(column.role == role for column in self.columns)

    def column_of(self, segment: Segment) -> Column:
        """The column a cell belongs to: the one whose title it overlaps most, else the nearest."""
        return max(self.columns, key=lambda column: overlap(column, segment))

    def role_of(self, segment: Segment) -> Role:
        """What stands in the column a cell belongs to."""
        return self.column_of(segment).role

    def cells(self, segment: Segment) -> list[Segment]:
        """The cell cut where a word begins right below the left edge of a title, as tight columns need it."""
        words = segment.text.split()
        if len(words) != len(segment.starts):
            return [segment]
        edges = [column.x0 for column in self.columns]
        cuts = [
            n
            for n, start in enumerate(segment.starts)
            if n > 0 and any(abs(start - edge) <= SAME_EDGE_POINTS for edge in edges)
        ]
        return [_part(segment, words, low, high) for low, high in pairwise([0, *cuts, len(words)])]

    @property
    def starts(self) -> tuple[float, ...]:
        """Where each of several tables that stand side by side under one header begins."""
        names = [n for n, column in enumerate(self.columns) if column.role == "name"]
        before = names[0] if names else 0
        return tuple(self.columns[n - before].x0 for n in names[1:] if n - before > 0)

    @property
    def layout(self) -> str:
        """A name for the arrangement, without any vendor."""
        if not self.titled:
            return "no_header"
        if self.has("out_of_range"):
            return "in_out_of_range"
        if self.has("previous"):
            return "current_previous"
        return "_".join(column.role for column in self.columns)


def titles_of(line: Line, below: Line | None = None) -> Header | None:
    """The titled columns a line may be, or None; titles may go on in the line right ``below``.

    Titles of at least two roles are known, one of them of names or values; a title we do not know is a
    column of the role ``unknown``. Dates as titles are draws, each column with results of its own, or
    previous results where a column is titled as the result.
    """
    if below is not None and all(_LETTER.search(segment.text) for segment in below.segments):
        both = _columns(_stacked(line, below))
        if both is not None and all(column.role != "unknown" for column in both.columns):
            return replace(both, lines=2)
    return _columns(line.segments)


def is_column_title(text: str) -> bool:
    """``Value``, ``Units``: a title of a column and of nothing else."""
    return role_of_title(text) is not None


def column_titled(segment: Segment) -> Column | None:
    """The column of a known title, or None."""
    role = role_of_title(segment.text)
    return None if role is None else Column(role, segment.x0, segment.x1)


def date_of(text: str) -> PrintedDate | None:
    """The date a cell is, with nothing else but a time."""
    match = MOMENT.fullmatch(text.strip())
    found = parse_dates(text) if match else []
    return found[0] if found else None


def overlap(column: Column, segment: Segment) -> float:
    """Shared width; negative is the distance between the two."""
    return min(column.x1, segment.x1) - max(column.x0, segment.x0)


def _part(segment: Segment, words: Sequence[str], low: int, high: int) -> Segment:
    """Some of the words of a cell as a cell."""
    end = segment.x1 if high == len(words) else segment.starts[high] - 1
    text, starts = " ".join(words[low:high]), segment.starts[low:high]
    return replace(segment, text=text, x0=starts[0], x1=end, starts=starts)


def _columns(segments: Sequence[Segment]) -> Header | None:
    cells = [part for segment in segments for part in _apart(segment)]
    columns = [_column(segment) for segment in cells]
    roles = {column.role for column in columns} - {"unknown", "other"}
    if len(roles) < MIN_KNOWN or not roles & {"name", "value"}:
        return None
    if any(c.role == "unknown" and not is_title_like(s.text) for c, s in zip(columns, cells, strict=True)):
        return None
    if any(c.role == "value" and c.drawn is None for c in columns):
        columns = [replace(c, role="previous") if c.drawn is not None else c for c in columns]
    return Header(tuple(columns))


def _column(segment: Segment) -> Column:
    if (titled := column_titled(segment)) is not None:
        return titled
    drawn = date_of(segment.text)
    return Column("unknown" if drawn is None else "value", segment.x0, segment.x1, drawn)


def _apart(segment: Segment) -> list[Segment]:
    """``Result Units`` printed so close that they look like one cell, cut into the titles we know."""
    words = segment.text.split()
    if len(words) != len(segment.starts) or date_of(segment.text) is not None:
        return [segment]
    cuts = _titles_in(words)
    return [_part(segment, words, low, high) for low, high in pairwise(cuts)] if cuts else [segment]


def _titles_in(words: Sequence[str]) -> list[int]:
    """Where the titles begin and end that the words are, the longest first; empty where one is unknown."""
    if not words:
        return [0]
    for end in range(len(words), 0, -1):
        rest = _titles_in(words[end:]) if role_of_title(" ".join(words[:end])) is not None else []
        if rest:
            return [0, *(end + cut for cut in rest)]
    return []


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

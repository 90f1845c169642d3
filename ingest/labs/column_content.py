"""Columns by what stands in them: the roles that titles do not tell, and tables without any titles."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import AFTER_NAME
from ingest.labs.columns import Column, Header, overlap
from ingest.labs.grammar import NONE, parse_details, parse_result
from ingest.labs.lines import Line, Segment
from ingest.labs.titles import Role

Form = Literal["name", "unit", "reference", "bound", "flag", "value"]
MIN_ROWS = 3
MIN_CELLS = 2
MOST = 0.6
RARE = 0.1
EMPTY = 0.5


def settled(header: Header, rows: Sequence[Line], comma: bool) -> Header | None:
    """The header with the roles its titles leave open, by the cells below; None without name or value.

    Cells beside a title widen its column where it has none of its own. A column without a title is one of
    flags, units or intervals, never of values.
    """
    tables = [line for line in rows if len(line.segments) > 1]
    columns = list(header.columns)
    for x0, x1, cells in _strays(columns, tables):
        _place(columns, Column(_role(_forms(cells, comma), set()), x0, x1), len(cells), tables)
    taken: set[Role] = {column.role for column in columns}
    for n, column in enumerate(columns):
        if column.role == "unknown":
            role = _role(_forms(list(_own(columns, n, tables)), comma), taken)
            columns[n] = replace(column, role=role)
            taken.add(role if role != "value" else "unknown")
    roles = {column.role for column in columns}
    if not {"name", "value"} <= roles:
        return None
    if roles & {"low", "high"} and not _are_limits(columns, tables):
        columns = [replace(c, role="out_of_range") if c.role in ("low", "high") else c for c in columns]
    return replace(header, columns=tuple(sorted(columns, key=lambda column: column.x0)))


def untitled_table(lines: Sequence[Line], comma: bool) -> Header | None:
    """The columns of a page without titles, by rows that begin with names we know; None where unclear."""
    rows = [line for line in lines if _is_row(line, comma)]
    if len(rows) < MIN_ROWS:
        return None
    columns = [Column("unknown", x0, x1) for x0, x1 in _bands(rows)]
    columns = [
        replace(column, role=_role(_forms(list(_own(columns, n, rows)), comma), set()))
        for n, column in enumerate(columns)
    ]
    roles = [column.role for column in columns]
    if roles.count("name") != 1 or "value" not in roles:
        return None
    return Header(tuple(columns), titled=False)


@lru_cache(8192)
def form_of(text: str, comma: bool) -> Form | None:
    """What a cell is by its form alone; None for other text."""
    if is_known_name(text.rstrip(AFTER_NAME)):
        return "name"
    details = parse_details(text, NONE, comma)
    if details is not None and details.unit is not None and details.interval is None:
        return "unit"
    result = parse_result(text, NONE, comma)
    if result is not None and result[0].number is not None:
        return "value"
    if details is not None and details.interval is not None:
        return "reference" if details.interval.text is None and result is None else "bound"
    if details is not None:
        return "flag"
    return "value" if result is not None else None


def _role(forms: Counter[Form], taken: set[Role]) -> Role:
    """The role of a column by the forms of its cells, where no other column has it yet."""
    total = forms.total()
    if not total:
        return "other"
    if "name" not in taken and forms["name"] >= MOST * total:
        return "name"
    if forms["unit"] >= MOST * total:
        return "unit" if "unit" not in taken else "other"
    if forms["reference"] + forms["bound"] >= MOST * total and forms["reference"] >= forms["value"]:
        return "reference" if "reference" not in taken else "other"
    if forms["flag"] >= MOST * total:
        return "flag" if "flag" not in taken else "other"
    if forms["value"] + forms["bound"] >= MOST * total:
        return "value" if "value" not in taken else "other"
    return "other"


def _forms(cells: Sequence[Segment], comma: bool) -> Counter[Form]:
    forms: Counter[Form] = Counter()
    for cell in cells:
        if (form := form_of(cell.text, comma)) is not None:
            forms[form] += 1
    return forms


def _own(columns: Sequence[Column], number: int, rows: Sequence[Line]) -> Iterator[Segment]:
    """The cells that lie under one column and under no other."""
    for line in rows:
        for segment in line.segments:
            touching = [n for n, column in enumerate(columns) if overlap(column, segment) > 0]
            if touching == [number]:
                yield segment


def _strays(columns: Sequence[Column], rows: Sequence[Line]) -> Iterator[tuple[float, float, list[Segment]]]:
    """Cells above each other that lie under no title."""
    strays = [s for line in rows for s in line.segments if all(overlap(c, s) <= 0 for c in columns)]
    return (cluster for cluster in _clusters(strays) if len(cluster[2]) >= MIN_CELLS)


def _place(columns: list[Column], found: Column, cells: int, rows: Sequence[Line]) -> None:
    """Add a column of cells under no title: to the title beside it that lacks such cells, else as its own."""
    like = ("value", "previous", "low", "high", "out_of_range") if found.role == "value" else (found.role,)
    left = [n for n, c in enumerate(columns) if c.x1 <= found.x0]
    right = [n for n, c in enumerate(columns) if c.x0 >= found.x1]
    beside = [
        *sorted(left, key=lambda n: -columns[n].x1)[:1],
        *sorted(right, key=lambda n: columns[n].x0)[:1],
    ]
    for n in beside:
        empty = len(list(_own(columns, n, rows))) < EMPTY * cells
        if empty and (columns[n].role in like or columns[n].role == "unknown"):
            wider = (min(columns[n].x0, found.x0), max(columns[n].x1, found.x1))
            columns[n] = replace(columns[n], x0=wider[0], x1=wider[1])
            return
    if found.role in ("flag", "unit", "reference") and all(c.role != found.role for c in columns):
        columns.append(found)


def _clusters(cells: Sequence[Segment]) -> Iterator[tuple[float, float, list[Segment]]]:
    """Cells whose widths overlap, with the width they take together."""
    cluster: list[Segment] = []
    end = float("-inf")
    for cell in sorted(cells, key=lambda s: (s.x0, s.x1)):
        if cluster and cell.x0 >= end:
            yield cluster[0].x0, end, cluster
            cluster, end = [], float("-inf")
        cluster.append(cell)
        end = max(end, cell.x1)
    if cluster:
        yield cluster[0].x0, end, cluster


def _are_limits(columns: Sequence[Column], rows: Sequence[Line]) -> bool:
    """Whether low and high stand beside values; where a row fills one of the columns, they are places."""
    header = Header(tuple(columns))
    filled = [{header.role_of(segment) for segment in line.segments} for line in rows]
    return any("value" in roles and roles & {"low", "high"} for roles in filled)


def _is_row(line: Line, comma: bool) -> bool:
    forms = [form_of(segment.text, comma) for segment in line.segments]
    return forms.count("name") == 1 and "value" in forms


def _bands(rows: Sequence[Line]) -> Iterator[tuple[float, float]]:
    """Where cells stand above each other, apart from places that hardly a row has print at."""
    edges = sorted(
        edge for line in rows for segment in line.segments for edge in ((segment.x0, 1), (segment.x1, -1))
    )
    depth, start = 0, None
    for x, step in edges:
        before, depth = depth, depth + step
        if start is None and depth > RARE * len(rows):
            start = x
        elif start is not None and depth <= RARE * len(rows) < before:
            yield start, x
            start = None

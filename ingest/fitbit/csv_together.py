"""Small CSV members of a kind read as one table: a pass costs more than the rows of one."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from ingest.archive import Content
from ingest.fitbit.csv_rows import Header, cells, parsed, read_csv
from ingest.fitbit.reading import Rows

_MEMBER = "\0member"


def read_csv_each(
    contents: Sequence[Content], needed: Sequence[Header], optional: Sequence[Header] = ()
) -> tuple[pl.DataFrame, list[Rows]]:
    """``read_csv`` of members of one header: the rows of all in the order of members, and those of each."""
    table = _joined(contents) if len(contents) > 1 else None
    if table is None:
        members = [read_csv(content, needed, optional) for content in contents]
        return pl.concat(rows.frame for rows in members), members
    is_line = ~pl.all_horizontal(pl.exclude(_MEMBER).is_null())
    shown = cells(table.columns, [*needed, *optional], len(needed))
    frame = table.lazy().filter(is_line).select(pl.col(_MEMBER), *shown).collect()
    heights = np.bincount(frame[_MEMBER].to_numpy(), minlength=len(contents))
    begins = np.cumsum(heights) - heights
    number = np.arange(1, frame.height + 1) - np.repeat(begins, heights)
    rows = frame.select(pl.Series("row", number), pl.exclude(_MEMBER))
    spans = zip(begins.tolist(), heights.tolist(), strict=True)
    return rows, [Rows(rows.slice(begin, height), height) for begin, height in spans]


def header_of(content: Content) -> bytes:
    """The first line of a member, from which it is known what its columns are."""
    return content.data.partition(b"\n")[0]


def _joined(contents: Sequence[Content]) -> pl.DataFrame | None:
    """Lines of all members with their member's place; None where a line might not be a row of its own."""
    header = header_of(contents[0])
    bodies = [_whole_lines(content.data[len(header) + 1 :]) for content in contents]
    data = b"".join([header, b"\n", *bodies])
    if not data.isascii() or any(mark in data for mark in (b'"', b"\r", b"\0")):
        return None
    lines = [body.count(b"\n") for body in bodies]
    try:
        table = parsed(data)
    except PolarsError:
        return None
    if table.height != sum(lines):
        return None
    return table.with_columns(pl.Series(_MEMBER, np.repeat(np.arange(len(lines)), lines)))


def _whole_lines(body: bytes) -> bytes:
    return body if not body or body.endswith(b"\n") else body + b"\n"

"""CSV members as text columns, found by header; a family may be present with its header only, or empty."""

import csv
import io
from collections.abc import Sequence

import polars as pl

from ingest.archive import Content
from ingest.fitbit.reading import OtherForm, Rejected, Rows

NO_DATA = "no data"


def read_csv(content: Content, needed: Sequence[str], optional: Sequence[str] = ()) -> Rows:
    """Rows with the named columns as text, stripped, empty text and ``null`` as null.

    Columns are found by header whatever their order; other columns are dropped; an optional one that is
    missing becomes null, as does a cell of a line that ends early. An empty member, a header alone or the
    words "no data" give no rows. Raises OtherForm where a needed column is missing. Of a member that ends
    early the last line is rejected, as it may be cut.
    """
    lines = _lines(content.data.decode("utf-8-sig", errors="replace"))
    header = [name.strip() for name in lines[0]] if lines else []
    empty = not lines or header == [NO_DATA]
    if not (empty or set(needed) <= set(header)):
        raise OtherForm
    body = [line for line in lines[1:] if line] if not empty else []
    places = {name: header.index(name) if name in header else None for name in (*needed, *optional)}
    rows = pl.DataFrame(
        {"row": range(1, len(body) + 1), **{name: _column(body, place) for name, place in places.items()}},
        schema={"row": pl.Int64, **dict.fromkeys(places, pl.String)},
    )
    if not content.damaged:
        return Rows(rows, rows.height)
    lost = max(rows.height, 1)
    return Rows(rows.head(lost - 1), lost, (Rejected(lost, "member_damaged"),), damaged_from=lost)


def number(column: str) -> pl.Expr:
    """A text column as Float64: null where it is no finite number (``NaN`` means none)."""
    value = pl.col(column).cast(pl.Float64, strict=False)
    return pl.when(value.is_finite()).then(value).alias(column)


def label_date(column: str) -> pl.Expr:
    """The calendar day a text begins with (``2023-12-01T00:00:00Z`` or ``2023-12-01``), never shifted."""
    return pl.col(column).str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)


def _lines(text: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text)))
    except csv.Error as error:
        raise OtherForm from error


def _column(body: Sequence[Sequence[str]], place: int | None) -> list[str | None]:
    if place is None:
        return [None] * len(body)
    cells = (line[place].strip() if place < len(line) else "" for line in body)
    return [None if cell in ("", "null") else cell for cell in cells]

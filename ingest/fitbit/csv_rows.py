"""CSV members as text columns, found by header; a family may be present with its header only, or empty."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime

import polars as pl
from polars.exceptions import PolarsError

from ingest.archive import Content
from ingest.fitbit.reading import OtherForm, Rejected, Rows

NO_DATA = "no data"
# A column by the names it had over the years, the newest first: it is called by the first of them.
Header = str | tuple[str, ...]
_UTF8_BOM = b"\xef\xbb\xbf"
_MOMENTS = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d")
_SECONDS = 19
# Below this a line at a time costs less than the fast parser's start.
_SMALL_BYTES = 1 << 15


def read_csv(content: Content, needed: Sequence[Header], optional: Sequence[Header] = ()) -> Rows:
    """Rows with the named columns as stripped text, empty text and ``null`` as null.

    Columns are found by header whatever their order; other columns are dropped; an optional one that is
    missing becomes null, as does a cell of a line that ends early. An empty member, a header alone or the
    words "no data" give no rows; a line without one cell is none. Raises OtherForm where a needed column is
    missing. Of a member that ends early the last line is rejected, as it may be cut.
    """
    table = _table(content.data.removeprefix(_UTF8_BOM))
    names = {name.strip(): name for name in reversed(table.columns)}
    found = {_named(header): _found(header, names) for header in (*needed, *optional)}
    if table.columns and list(names) != [NO_DATA] and not all(found[_named(h)] for h in needed):
        raise OtherForm
    columns = [
        (_cell(place) if place else pl.lit(None, pl.String)).alias(name) for name, place in found.items()
    ]
    lines = table.lazy().filter(~pl.all_horizontal(pl.all().is_null())) if table.width else table.lazy()
    # Rows are counted from the table: a frame of literals alone would have one row too many.
    numbered = lines.with_row_index("row", 1).select(pl.col("row").cast(pl.Int64), *columns).collect()
    if not content.damaged:
        return Rows(numbered, numbered.height)
    lost = max(numbered.height, 1)
    return Rows(numbered.head(lost - 1), lost, (Rejected(lost, "member_damaged"),), damaged_from=lost)


def number(column: str) -> pl.Expr:
    """A text column as Float64: null where it is no finite number (``NaN`` means none)."""
    value = pl.col(column).cast(pl.Float64, strict=False)
    return pl.when(value.is_finite()).then(value).alias(column)


def label_date(column: str) -> pl.Expr:
    """The calendar day a text begins with (``2023-12-01T00:00:00Z`` or ``2023-12-01``), never shifted."""
    return pl.col(column).str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)


def digits(texts: pl.Series) -> pl.Expr:
    """The digits of a column of ISO stamps (``2025-07-06T08:10:30.123Z``, ``2026-04-12 05:45:30+0000``).

    Datetime without zone, fractions of a second cut. Null where a text is no stamp, or names an offset other
    than zero. The form of the first stamp is tried first, as a file has one form as a rule.
    """
    first = texts.drop_nulls().head(1)
    forms = sorted(_MOMENTS, key=lambda form: len(first) == 0 or not _is_of(first[0], form))
    head = pl.col(texts.name).str.slice(0, _SECONDS)
    found = head.str.to_datetime(forms[0], strict=False, time_unit="us")
    if texts.to_frame().select((found.is_null() & head.is_not_null()).any()).item():
        found = pl.coalesce(head.str.to_datetime(form, strict=False, time_unit="us") for form in forms)
    shifted = pl.col(texts.name).str.contains(r"^.{19,}[+-].*[1-9]")
    return pl.when(~shifted).then(found)


def _is_of(text: str, form: str) -> bool:
    try:
        datetime.strptime(text[:_SECONDS], form)  # noqa: DTZ007 - digits without a zone
    except ValueError:
        return False
    return True


def _named(header: Header) -> str:
    return header if isinstance(header, str) else header[0]


def _found(header: Header, names: dict[str, str]) -> str | None:
    choices = (header,) if isinstance(header, str) else header
    return next((names[name] for name in choices if name in names), None)


def _cell(place: str) -> pl.Expr:
    text = pl.col(place).str.strip_chars()
    return pl.when(~text.is_in(["", "null"])).then(text)


def _table(data: bytes) -> pl.DataFrame:
    """All columns as text: by the fast parser, or line by line where there are few or quotes are broken."""
    if not data.strip():
        return pl.DataFrame()
    if len(data) < _SMALL_BYTES:
        return _line_by_line(data)
    try:
        return pl.read_csv(data, infer_schema=False, truncate_ragged_lines=True, encoding="utf8-lossy")
    except PolarsError:
        return _line_by_line(data)


def _line_by_line(data: bytes) -> pl.DataFrame:
    try:
        lines = [line for line in csv.reader(io.StringIO(data.decode(errors="replace"))) if line]
    except csv.Error as error:
        raise OtherForm from error
    header = lines[0] if lines else []
    places = {name: header.index(name) for name in header}
    cells = {name: [line[n] if n < len(line) else None for line in lines[1:]] for name, n in places.items()}
    table = pl.DataFrame(cells, schema=dict.fromkeys(places, pl.String))
    return table.with_columns(pl.when(pl.all() != "").then(pl.all()))

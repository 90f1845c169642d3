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
_NOTHING = ["", "null"]
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
    data = content.data.removeprefix(_UTF8_BOM)
    read = _line_by_line if len(data) < _SMALL_BYTES else _fast
    numbered = read(data, [*needed, *optional], len(needed))
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


def digits(texts: pl.Series, *, thorough: bool = True) -> pl.Expr:
    """The digits of a column of ISO stamps (``2025-07-06T08:10:30.123Z``, ``2026-04-12 05:45:30+0000``).

    Datetime without zone, fractions of a second cut. Null where a text is no stamp, or names an offset other
    than zero. All forms are tried, or, not ``thorough``, that of the first alone: a file has one as a rule.
    """
    first = next((text for text in texts.head(1) if text), "")
    forms = _MOMENTS if thorough else [f for f in _MOMENTS if _is_of(first, f)] or _MOMENTS
    head = pl.col(texts.name).str.slice(0, _SECONDS)
    found = pl.coalesce(head.str.to_datetime(form, strict=False, time_unit="us") for form in forms)
    shifted = pl.col(texts.name).str.slice(_SECONDS).str.contains(r"[+-].*[1-9]")
    return pl.when(~shifted).then(found)


def offset_minutes(column: str) -> pl.Expr:
    """``-04:00`` as minutes, null where it is no offset."""
    parts = pl.col(column).str.extract_groups(r"^([+-])(\d{2}):?(\d{2})$")
    size = parts.struct["2"].cast(pl.Int64) * 60 + parts.struct["3"].cast(pl.Int64)
    return pl.when(parts.struct["1"] == "-").then(-size).otherwise(size).alias("offset")


def _is_of(text: str, form: str) -> bool:
    try:
        datetime.strptime(text[:_SECONDS], form)  # noqa: DTZ007 - digits without a zone
    except ValueError:
        return False
    return True


def _named(header: Header) -> str:
    return _names(header)[0]


def _names(header: Header) -> tuple[str, ...]:
    return (header,) if isinstance(header, str) else header


def _places(header: Sequence[str], wanted: Sequence[Header], needed: int) -> dict[str, int | None]:
    """Name -> place of each wanted column, None where it is missing; OtherForm if one of the first is."""
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        places.setdefault(name.strip(), place)
    found = {_named(h): next((places[n] for n in _names(h) if n in places), None) for h in wanted}
    is_empty = not header or list(places) == [NO_DATA]
    if not is_empty and any(found[_named(h)] is None for h in wanted[:needed]):
        raise OtherForm
    return found


def parsed(data: bytes) -> pl.DataFrame:
    """A table of texts by the fast parser: a row a line. Raises PolarsError where quotes are broken."""
    return pl.read_csv(data, infer_schema=False, truncate_ragged_lines=True, encoding="utf8-lossy")


def cells(columns: Sequence[str], wanted: Sequence[Header], needed: int) -> list[pl.Expr]:
    """The wanted columns of a table of texts; OtherForm if one of the first ``needed`` is missing."""
    places = _places(columns, wanted, needed)
    return [
        (pl.lit(None, pl.String) if place is None else _cell(columns[place])).alias(name)
        for name, place in places.items()
    ]


def _fast(data: bytes, wanted: Sequence[Header], needed: int) -> pl.DataFrame:
    """By the fast parser, or line by line where quotes are broken."""
    try:
        table = parsed(data)
    except PolarsError:
        return _line_by_line(data, wanted, needed)
    shown = cells(table.columns, wanted, needed)
    lines = table.lazy().filter(~pl.all_horizontal(pl.all().is_null())).with_row_index("row", 1)
    return lines.select(pl.col("row").cast(pl.Int64), *shown).collect()


def _cell(place: str) -> pl.Expr:
    text = pl.col(place).str.strip_chars()
    return pl.when(~text.is_in(_NOTHING)).then(text)


def _line_by_line(data: bytes, wanted: Sequence[Header], needed: int) -> pl.DataFrame:
    try:
        lines = list(csv.reader(io.StringIO(data.decode(errors="replace"))))
    except csv.Error as error:
        raise OtherForm from error
    header = next((line for line in lines if line), [])
    places = _places(header, wanted, needed)
    body = [line for line in lines[lines.index(header) + 1 :] if any(line)] if header else []
    columns = {name: _column(body, place) for name, place in places.items()}
    return pl.DataFrame(
        {"row": range(1, len(body) + 1), **columns},
        schema={"row": pl.Int64, **dict.fromkeys(places, pl.String)},
    )


def _column(lines: Sequence[Sequence[str]], place: int | None) -> list[str | None]:
    """The cells at a place: this runs for every small file, so a whole column in one go."""
    if place is None:
        return [None] * len(lines)
    cells = [line[place].strip() if place < len(line) else "" for line in lines]
    return [None if cell in _NOTHING else cell for cell in cells]

"""Lists of JSON records decoded into typed records, fast where all is well and row by row where not."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.fixed_layout import STAMP, Layout
from ingest.fitbit.reading import OtherForm, Rejected, Rows

T = TypeVar("T")
# A whole number a column can hold; a larger one makes its record one of another form.
Whole = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]

# Two-digit years: 69-99 are 19xx, 00-68 are 20xx, as everywhere in the exports.
TIME_FORM = "%m/%d/%y %H:%M:%S"
# As the public set PMData has them: the same files, loaded and saved again.
_SAVED_AGAIN = "%Y-%m-%d %H:%M:%S"


_LAYOUT = Layout(b'{\n  "dateTime" : "' + STAMP + b'",\n  "value" : "', b'"\n}', dots=True)


class TimedText(msgspec.Struct, gc=False):
    """``{"dateTime": "11/28/23 00:07:00", "value": "13"}``: a minute, or a day at 00:00:00."""

    dateTime: str  # noqa: N815
    value: str | int | float | None = None


@dataclass(frozen=True, slots=True)
class Records(Generic[T]):
    """Records that decoded, with their numbers from 1; the others are in ``rejected``."""

    good: list[T]
    numbers: Sequence[int]
    rows: int
    rejected: tuple[Rejected, ...] = ()
    damaged_from: int | None = None

    def rows_of(self, frame: pl.DataFrame) -> Rows:
        """A frame with a row for each good record, in order, as numbered rows."""
        numbered = frame.with_columns(pl.Series("row", self.numbers, dtype=pl.Int64))
        return Rows(numbered, self.rows, self.rejected, self.damaged_from)


def decode(content: Content, form: type[T]) -> Records[T]:
    """Decode a list of records. Raises OtherForm where the member is no list of records at all.

    A record of another shape is rejected alone. Of a member that ends early (or breaks off in the middle)
    the whole records before the break are kept, and the rest counts as one rejected row.
    """
    data = content.data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        return Records([], [], 0) if not content.damaged else _cut([], form)
    try:
        records: list[T] = msgspec.json.decode(data, type=list[form])  # pyright: ignore[reportInvalidTypeForm]
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _record_by_record(data, form)
    return Records(records, range(1, len(records) + 1), len(records))


def timed_text(content: Content) -> Rows:
    """Rows of ``{dateTime, value}``: ``time`` (digits as written) and ``value`` (Float64, null if none)."""
    columns = None if content.damaged else _LAYOUT.read(content.data)
    if columns is not None:
        frame = pl.DataFrame({"time": columns.time, "value": columns.number})
        return Rows(frame.with_row_index("row", 1), frame.height)
    records = decode(content, TimedText)
    frame = pl.DataFrame(
        {
            "time": pl.Series([record.dateTime for record in records.good], dtype=pl.String),
            "value": pl.Series([record.value for record in records.good], dtype=pl.String, strict=False),
        }
    )
    value = pl.col("value").str.strip_chars().cast(pl.Float64, strict=False)
    return records.rows_of(
        frame.with_columns(parsed_time("time"), pl.when(value.is_finite()).then(value).alias("value"))
    )


def parsed_time(column: str) -> pl.Expr:
    """A column of text as datetime without zone, null where it is none."""
    return pl.col(column).map_batches(_moments, return_dtype=pl.Datetime("us"))


def _moments(texts: pl.Series) -> pl.Series:
    found = texts.str.to_datetime(TIME_FORM, strict=False, time_unit="us")
    if found.null_count() == texts.null_count():
        return found
    return found.zip_with(
        found.is_not_null(), texts.str.to_datetime(_SAVED_AGAIN, strict=False, time_unit="us")
    )


def _record_by_record(data: bytes, form: type[T]) -> Records[T]:
    try:
        raw = [bytes(record) for record in msgspec.json.decode(data, type=list[msgspec.Raw])]
    except msgspec.ValidationError as error:
        raise OtherForm from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _salvage(data, form)
    return _one_by_one(raw, form)


def _one_by_one(raw: list[bytes], form: type[T]) -> Records[T]:
    good: list[T] = []
    numbers: list[int] = []
    rejected: list[Rejected] = []
    for number, record in enumerate(raw, start=1):
        try:
            good.append(msgspec.json.decode(record, type=form))
            numbers.append(number)
        except (msgspec.DecodeError, UnicodeDecodeError):
            rejected.append(Rejected(number, "record_of_other_form"))
    if raw and not good:
        raise OtherForm
    return Records(good, numbers, len(raw), tuple(rejected))


def _salvage(data: bytes, form: type[T]) -> Records[T]:
    text = data.decode("utf-8", errors="replace")
    start = text.find("[")
    if start < 0 or text[:start].strip():
        raise OtherForm
    decoder = json.JSONDecoder()
    raw: list[bytes] = []
    position = start + 1
    while True:
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            _, end = decoder.raw_decode(text, position)
        except (json.JSONDecodeError, RecursionError):
            break
        raw.append(text[position:end].encode())
        position = end
    return _cut(raw, form)


def _cut(raw: list[bytes], form: type[T]) -> Records[T]:
    whole = _one_by_one(raw, form) if raw else Records([], [], 0)
    lost = len(raw) + 1
    rejected = (*whole.rejected, Rejected(lost, "member_damaged"))
    return Records(whole.good, whole.numbers, lost, rejected, damaged_from=lost)

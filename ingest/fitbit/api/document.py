"""An answer of a service: a JSON object whose keys tell what it is, whatever its file is called."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.kind import FileName
from ingest.fitbit.reading import OtherForm, Rejected, Rows

_WORDS = (
    "steps|distance|calories|total-calories|floors|elevation|minutes[A-Za-z]+|active-zone-minutes|azm"
    "|active-minutes|heart(?:[_-]?rate)?|heart-rate-variability|resting-heart-rate|respiratory-rate"
    "|sleep-temperature-derivations|vo2-max|oxygen-saturation|altitude|sleep|activities|exercises?|weight"
    "|hrv|br|breathing-rate|spo2|temp(?:[_-]skin)?|skin-temperature|cardio-?score"
)
# Scripts choose the names of their files; those that say what was asked for are looked into.
ANSWER = FileName(
    rf"(?:[A-Za-z0-9.]+[_-])*?(?:{_WORDS})(?:[_-][\w.-]*)?(?: ?\(\d+\))?\.json", "REQUEST_DATE.json"
)
_FIRST_LIST = re.compile(r'\s*\{\s*"([\w-]+)"\s*:\s*\[')
_BLANKS = " \t\r\n,"


@dataclass(frozen=True, slots=True)
class Document:
    """An answer. broken: it ends early, and only the records of its first list are there."""

    fields: Mapping[str, Any]
    broken: bool = False

    def list_of(self, key: str) -> list[Any]:
        """The list under a key. Raises OtherForm where there is none."""
        found = self.fields.get(key)
        if not isinstance(found, list):
            raise OtherForm
        return found

    def rows(self, records: Sequence[Mapping[str, Any] | None], schema: Mapping[str, Any]) -> Rows:
        """Records as rows numbered from 1; None stands for one of another form, which is rejected."""
        good = [(number, record) for number, record in enumerate(records, 1) if record is not None]
        frame = pl.DataFrame([record for _, record in good], schema=dict(schema), strict=False)
        rejected = [
            Rejected(number, "record_of_other_form") for number, r in enumerate(records, 1) if r is None
        ]
        if self.broken:
            rejected.append(Rejected(len(records) + 1, "member_damaged"))
        numbered = frame.with_columns(pl.Series("row", [number for number, _ in good], dtype=pl.Int64))
        damaged_from = len(records) + 1 if self.broken else None
        return Rows(numbered, len(records) + self.broken, tuple(rejected), damaged_from)


def read_document(content: Content) -> Document | None:
    """The answer a member holds, None where it is empty. Raises OtherForm for what is no JSON object."""
    data = content.data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data:
        return None
    if not data.startswith(b"{"):
        raise OtherForm
    return _decoded(content.data)


@lru_cache(maxsize=1)
def _decoded(data: bytes) -> Document:
    """One member is asked for by every kind it may be: it is decoded once."""
    try:
        fields = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _salvaged(data.decode(errors="replace"))
    return Document(fields)


def _salvaged(text: str) -> Document:
    """The whole records of the first list before the break. Raises OtherForm where there is no list."""
    start = _FIRST_LIST.match(text.lstrip("\ufeff"))
    if start is None:
        raise OtherForm
    decoder, position, records = json.JSONDecoder(), start.end(), list[Any]()
    while True:
        while position < len(text) and text[position] in _BLANKS:
            position += 1
        try:
            record, position = decoder.raw_decode(text, position)
        except (json.JSONDecodeError, RecursionError):
            return Document({start.group(1): records}, broken=True)
        records.append(record)


def at(record: object, *path: str) -> Any:
    """The value at a path of keys, or None where the record has another form."""
    for key in path:
        record = record.get(key) if isinstance(record, dict) else None
    return record


def real(value: object) -> float | None:
    """A finite number, also one written as text; else None (``NaN`` means none)."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None


def whole(value: object) -> int | None:
    """A whole number that a column can hold, also one written as text; else None."""
    number = real(value)
    return int(number) if number is not None and number.is_integer() and abs(number) < 2**62 else None


def text(value: object) -> str | None:
    """A text, or None."""
    return value if isinstance(value, str) else None

"""The vendor's own JSON layout: two blanks a level, a blank on either side of the colon, LF, UTF-8."""

import json
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

from synthetic.exports.members import Member
from synthetic.exports.takeout.export import Files
from synthetic.local_days import Ints

CHUNK_DAYS = 30
YEAR_DAYS = 365


def json_file(path: str, texts: Iterable[str]) -> Member:
    """Objects as one array: no line break after the last bracket."""
    return Member(path, ("[" + ",".join(texts) + "]").encode())


def pretty(record: dict[str, Any]) -> str:
    """One object."""
    return json.dumps(record, indent=2, separators=(",", " : "), ensure_ascii=False)


def day_stamp(day: date) -> str:
    """The label a daily file gives a day."""
    return day.strftime("%m/%d/%y") + " 00:00:00"


def stamps_of(minutes: Ints, seconds: Ints | int = 0) -> pl.Series:
    """MM/DD/YY HH:MM:SS of minutes since 1970 in the clock they are in."""
    instants = pl.Series(minutes * 60 + seconds).cast(pl.Int64) * 1000
    return instants.cast(pl.Datetime("ms")).dt.strftime("%m/%d/%y %H:%M:%S")


def chunk_starts(created: date, last: date, length: int) -> list[date]:
    """First days of the files of a kind: they step by ``length`` days from the day the account was made."""
    return [created + timedelta(days=n) for n in range(0, (last - created).days + 1, length)]


def chunked_minutes(name: str, created: date, minutes: Ints, values: Ints | Sequence[str]) -> Files:
    """30-day files of minutes; ``minutes`` since 1970 in the clock of the kind, also for the cut."""
    texts = _minute_texts(stamps_of(minutes), pl.Series(values).cast(pl.String))
    chunk = (minutes // 1440 - (created - date(1970, 1, 1)).days) // CHUNK_DAYS
    for number in np.unique(chunk):
        start, stop = np.searchsorted(chunk, [number, number + 1])
        first = created + timedelta(days=int(number) * CHUNK_DAYS)
        yield json_file(f"{name}-{first}.json", texts[int(start) : int(stop)])


def _minute_texts(stamps: pl.Series, values: pl.Series) -> pl.Series:
    """``dateTime`` and a ``value`` that is text, for each of the minutes."""
    frame = pl.DataFrame({"stamp": stamps, "value": values})
    return frame.select(
        pl.concat_str(
            pl.lit('{\n  "dateTime" : "'), "stamp", pl.lit('",\n  "value" : "'), "value", pl.lit('"\n}')
        )
    ).to_series()

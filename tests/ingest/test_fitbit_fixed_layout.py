"""The fixed layout reads what a decoder reads, or nothing."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from datetime import datetime, timedelta

import polars as pl
import pytest
from fitbit_files import pretty
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.fixed_layout import DIGIT, STAMP, Layout
from ingest.fitbit.heart_rate import read_heart_rate
from ingest.fitbit.json_rows import timed_text

BEATS = Layout(
    b'{\n  "dateTime" : "' + STAMP + b'",\n  "value" : {\n    "bpm" : ',
    b',\n    "confidence" : ' + DIGIT + b"\n  }\n}",
)
MINUTES = Layout(b'{\n  "dateTime" : "' + STAMP + b'",\n  "value" : "', b'"\n}', dots=True)

moments = st.datetimes(datetime(1970, 1, 1), datetime(2067, 1, 1)).map(lambda t: t.replace(microsecond=0))
beats = st.tuples(moments, st.integers(0, 10**6), st.integers(0, 9))
numbers = st.one_of(
    st.integers(0, 10**14).map(str), st.decimals(0, 10**6, places=3).map(str), st.floats(0, 999).map(str)
)


def stamp(moment: datetime) -> str:
    return moment.strftime("%m/%d/%y %H:%M:%S")


def beat_file(rows: list[tuple[datetime, int, int]]) -> str:
    return pretty(
        [{"dateTime": stamp(at), "value": {"bpm": bpm, "confidence": sure}} for at, bpm, sure in rows]
    )


def minute_file(rows: list[tuple[datetime, str]]) -> str:
    return pretty([{"dateTime": stamp(at), "value": value} for at, value in rows])


@given(st.lists(beats, min_size=1, max_size=30))
def test_beats_are_those_that_were_written(rows: list[tuple[datetime, int, int]]) -> None:
    columns = BEATS.read(beat_file(rows).encode())
    assert columns is not None
    assert columns.digit is not None
    got = zip(columns.time.to_list(), columns.number.to_list(), columns.digit.to_list(), strict=True)
    # Years of two digits: 1970 to 2067 is 69 to 68 of the file.
    assert list(got) == rows


@given(st.lists(st.tuples(moments, numbers), min_size=1, max_size=30))
def test_decimals_are_the_nearest_floats(rows: list[tuple[datetime, str]]) -> None:
    columns = MINUTES.read(minute_file(rows).encode())
    plain = all(text.replace(".", "", 1).isdigit() and len(text) <= 15 for _, text in rows)
    assert (columns is not None) == plain
    if columns is not None:
        assert columns.number.to_list() == [float(text) for _, text in rows]


@settings(max_examples=200)
@given(
    st.lists(beats, min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=3),
)
def test_a_changed_byte_never_changes_a_value_unseen(
    rows: list[tuple[datetime, int, int]], changes: list[tuple[int, int]]
) -> None:
    raw = bytearray(beat_file(rows).encode())
    for place, byte in changes:
        raw[place % len(raw)] = byte
    columns = BEATS.read(bytes(raw))
    if columns is None:
        return
    assert columns.digit is not None
    decoded = json.loads(raw)
    assert [stamp(at) for at in columns.time] == [record["dateTime"] for record in decoded]
    assert columns.number.to_list() == [record["value"]["bpm"] for record in decoded]
    assert columns.digit.to_list() == [record["value"]["confidence"] for record in decoded]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[{}]",
        json.dumps([{"dateTime": "12/09/23 23:00:07", "value": "3"}]),
        minute_file([(datetime(2025, 1, 1), "3")])[:-1],
        minute_file([(datetime(2025, 1, 1), "3")]) + "\n",
        minute_file([(datetime(2025, 1, 1), "-3")]),
        minute_file([(datetime(2025, 1, 1), "1e3")]),
        minute_file([(datetime(2025, 1, 1), ".5")]),
        minute_file([(datetime(2025, 1, 1), "5.")]),
        minute_file([(datetime(2025, 1, 1), "1.2.3")]),
        minute_file([(datetime(2025, 1, 1), "")]),
        minute_file([(datetime(2025, 1, 1), "1" * 16)]),
        minute_file([(datetime(2025, 1, 1), "3")]).replace("01/01/25", "02/30/25"),
        minute_file([(datetime(2025, 1, 1), "3")]).replace("00:00:00", "24:00:00"),
        minute_file([(datetime(2025, 1, 1), "3")]).replace("00:00:00", "00:60:00"),
        minute_file([(datetime(2025, 1, 1), "3")]).replace(" : ", ": "),
    ],
)
def test_anything_else_is_left_to_the_decoder(text: str) -> None:
    assert MINUTES.read(text.encode()) is None


def test_both_ways_give_the_same_reading() -> None:
    first = datetime(2025, 3, 1, 4, 59, 50)
    rows = [(first + timedelta(seconds=5 * n), 50 + n % 90, n % 4) for n in range(500)]
    rows.insert(7, rows[3])
    text = beat_file(rows)
    fast = read_heart_rate(Content(text.encode()), "heart_rate-2025-03-01.json")
    compact = json.dumps(json.loads(text), separators=(",", ":"))
    slow = read_heart_rate(Content(compact.encode()), "heart_rate-2025-03-01.json")
    assert fast.frame.equals(slow.frame)
    assert (fast.rows, fast.merged, fast.rejected) == (slow.rows, slow.merged, slow.rejected)
    minutes = minute_file([(at, str(bpm / 10)) for at, bpm, _ in rows])
    columns = ["time", "value"]
    decoded = timed_text(Content(json.dumps(json.loads(minutes)).encode())).frame.select(columns)
    assert timed_text(Content(minutes.encode())).frame.select(columns).equals(decoded)


def test_years_turn_over_after_68() -> None:
    columns = MINUTES.read(minute_file([(datetime(2068, 5, 4), "1"), (datetime(1969, 5, 4), "2")]).encode())
    assert columns is not None
    assert columns.time.dt.year().to_list() == [2068, 1969]
    assert columns.time.dtype == pl.Datetime("us")

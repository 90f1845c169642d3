"""The fixed layout reads what a decoder reads, or nothing."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest
from fitbit_files import pretty
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.fixed_layout import DIGIT, STAMP, Layout
from ingest.fitbit.fixed_text import places_of
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
    got = zip(columns.time.to_list(), columns.number.tolist(), columns.digit.tolist(), strict=True)
    # Years of two digits: 1970 to 2067 is 69 to 68 of the file.
    assert list(got) == rows


@given(st.lists(st.tuples(moments, numbers), min_size=1, max_size=30))
def test_decimals_are_the_nearest_floats(rows: list[tuple[datetime, str]]) -> None:
    columns = MINUTES.read(minute_file(rows).encode())
    plain = all(text.replace(".", "", 1).isdigit() and len(text) <= 15 for _, text in rows)
    assert (columns is not None) == plain
    if columns is not None:
        assert columns.number.tolist() == [float(text) for _, text in rows]


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
    assert_left_or_the_same(bytes(raw))


def assert_left_or_the_same(raw: bytes) -> None:
    """The layout leaves a file to the decoder, or reads what a decoder reads."""
    columns = BEATS.read(raw)
    if columns is None:
        return
    assert columns.digit is not None
    decoded = json.loads(raw)
    assert [stamp(at) for at in columns.time] == [record["dateTime"] for record in decoded]
    assert columns.number.tolist() == [record["value"]["bpm"] for record in decoded]
    assert columns.digit.tolist() == [record["value"]["confidence"] for record in decoded]


FIRST = datetime(2025, 12, 31, 23, 55, 1)
# More than are folded into one row when they are compared, and some that are left over.
MANY = [(FIRST + timedelta(seconds=5 * n), 90 + n % 20, n % 4) for n in range(70)]


@pytest.mark.parametrize("row", [0, 1, 40, 63, 64, 69])
def test_no_byte_of_a_row_goes_unseen(row: int) -> None:
    raw = beat_file(MANY).encode()
    assert BEATS.read(raw) is not None
    starts = [at for at in range(len(raw)) if raw.startswith(b'{\n  "d', at)] + [len(raw)]
    for place in range(starts[row] - 1, starts[row + 1]):
        old = raw[place]
        for byte in {old ^ 1, old ^ 0x10, old ^ 0x80, *b"05:9 T,\n"} - {old}:
            assert_left_or_the_same(raw[:place] + bytes([byte]) + raw[place + 1 :])
        assert_left_or_the_same(raw[:place] + raw[place + 1 :])
        assert_left_or_the_same(raw[:place] + b"1" + raw[place:])


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 130])
def test_any_number_of_rows_is_compared(count: int) -> None:
    raw = beat_file((MANY * 2)[:count]).encode()
    columns = BEATS.read(raw)
    assert columns is not None
    assert len(columns.second) == count
    last = raw.rindex(b"confidence")
    assert BEATS.read(raw[:last] + b"C" + raw[last + 1 :]) is None


@given(
    st.lists(st.integers(0, 500), min_size=1, max_size=40, unique=True).map(sorted), st.binary(max_size=40)
)
def test_places_of_a_byte_are_all_places(places: list[int], after: bytes) -> None:
    text = bytearray(501) + after.replace(b"T", b"t")
    for place in places:
        text[place] = ord("T")
    found = places_of(np.frombuffer(bytes(text), np.uint8), ord("T"))
    near = len({place // 32 for place in places}) < len(places)
    assert found is None if near else found is not None and found.tolist() == places


def test_a_number_with_a_zero_before_it_is_no_json() -> None:
    for text in ("00", "07", "070", "0"):
        columns = BEATS.read(beat_file(MANY[:3]).replace('"bpm" : 90', f'"bpm" : {text}').encode())
        assert (columns is None) == (text != "0")


def test_years_and_days_that_are_none_are_left_to_the_decoder() -> None:
    for text in ("02/30/25", "13/01/25", "00/10/25", "1:/01/25", "01/01/2?"):
        assert BEATS.read(beat_file(MANY[:3]).replace("12/31/25", text, 1).encode()) is None


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

"""Votes for an offset: what a look at every offset of every row gives."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from collections import Counter
from datetime import date, datetime, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from ingest.clocks.sightings import HIGHEST, LOWEST, QUARTER
from ingest.clocks.votes import votes

START = datetime(1969, 12, 31, 18)
Row = tuple[datetime, int]

minutes = st.integers(0, 3 * 24 * 60).map(lambda n: START + timedelta(minutes=n))
quarters = st.integers(0, 300).map(lambda n: START + timedelta(minutes=QUARTER * n))
rows = st.lists(st.tuples(st.one_of(minutes, quarters), st.integers(0, 3)), max_size=40)


def by_hand(local: list[Row], twin: list[Row]) -> dict[tuple[date, int], tuple[int, datetime, datetime]]:
    known = set(twin)
    counted: Counter[tuple[date, int]] = Counter()
    met: dict[tuple[date, int], list[datetime]] = {}
    for offset in range(LOWEST, HIGHEST + QUARTER, QUARTER):
        for moment, value in local:
            utc = moment - timedelta(minutes=offset)
            if (utc, value) in known:
                counted[moment.date(), offset] += 1
                met.setdefault((moment.date(), offset), []).append(utc)
    return {key: (count, min(met[key]), max(met[key])) for key, count in counted.items()}


@given(rows, rows)
def test_votes_are_those_of_every_offset(local: list[Row], twin: list[Row]) -> None:
    local = list(dict.fromkeys(local))
    asked = pl.DataFrame(local, schema={"local": pl.Datetime("us"), "value": pl.Int64}, orient="row")
    told = pl.DataFrame(twin, schema={"utc": pl.Datetime("us"), "value": pl.Int64}, orient="row")
    cast = votes(asked.with_columns(pl.col("local").dt.date().alias("day")), told)
    found = {(row["day"], row["offset"]): row for row in cast.iter_rows(named=True)}
    wanted = by_hand(local, twin)
    assert found.keys() == wanted.keys()
    for key, row in found.items():
        assert (row["matches"], row["since"], row["until"]) == wanted[key]


@given(rows, rows)
def test_a_row_that_two_offsets_explain_is_sure_of_none(local: list[Row], twin: list[Row]) -> None:
    one = local[:1]
    asked = pl.DataFrame(one, schema={"local": pl.Datetime("us"), "value": pl.Int64}, orient="row")
    told = pl.DataFrame(twin, schema={"utc": pl.Datetime("us"), "value": pl.Int64}, orient="row")
    cast = votes(asked.with_columns(pl.col("local").dt.date().alias("day")), told)
    assert (cast["sure_since"].null_count() == 0) == (cast.height <= 1)


def test_the_first_and_the_last_offset_have_a_vote_and_none_beyond() -> None:
    noon = datetime(2026, 3, 1, 12)
    asked = pl.DataFrame({"day": [noon.date()], "local": [noon], "value": [7]})
    for minutes_ahead in (LOWEST - QUARTER, LOWEST, HIGHEST, HIGHEST + QUARTER):
        told = pl.DataFrame({"utc": [noon - timedelta(minutes=minutes_ahead)], "value": [7]})
        cast = votes(asked, told)
        assert cast["offset"].to_list() == ([minutes_ahead] if LOWEST <= minutes_ahead <= HIGHEST else [])

"""Minutes of samples are what a loop over the samples gives."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from datetime import date, datetime, timedelta
from itertools import accumulate

import numpy as np
import polars as pl
import pytest
from fitbit_files import pretty
from hypothesis import given
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.beats import Beats, beats_of, by_minute
from ingest.fitbit.heart_rate import read_heart_rate

Sample = tuple[int, int, int]
EPOCH = datetime(1970, 1, 1)
COLUMNS = ["utc", "heart_rate", "samples", "samples_no_contact", "rows"]

steps = st.lists(st.tuples(st.integers(1, 90), st.integers(20, 260), st.integers(0, 3)), max_size=60)


def samples_of(start: int, stepped: list[Sample]) -> list[Sample]:
    seconds = accumulate((step for step, _, _ in stepped), initial=start)
    return [(second, bpm, sure) for second, (_, bpm, sure) in zip(seconds, stepped, strict=False)]


def arrays(samples: list[Sample]) -> Beats:
    return Beats(*np.array(samples, np.int64).reshape(-1, 3).T)


def by_hand(samples: list[Sample]) -> list[tuple[datetime, float | None, int, int, int]]:
    minutes: dict[int, list[Sample]] = {}
    for sample in samples:
        minutes.setdefault(sample[0] // 60, []).append(sample)
    rows: list[tuple[datetime, float | None, int, int, int]] = []
    for minute, own in sorted(minutes.items()):
        told = [bpm for _, bpm, sure in own if sure >= 1]
        mean = sum(told) / len(told) if told else None
        rows.append((EPOCH + timedelta(minutes=minute), mean, len(told), len(own) - len(told), len(own)))
    return rows


def text_of(samples: list[Sample]) -> str:
    return pretty(
        [
            {
                "dateTime": (EPOCH + timedelta(seconds=second)).strftime("%m/%d/%y %H:%M:%S"),
                "value": {"bpm": bpm, "confidence": sure},
            }
            for second, bpm, sure in samples
        ]
    )


@given(st.integers(-(10**6), 2 * 10**9), steps)
def test_a_minute_is_the_mean_of_what_had_contact(start: int, stepped: list[Sample]) -> None:
    samples = samples_of(start, stepped)
    minutes = by_minute(arrays(samples), date(2026, 2, 28))
    assert minutes.select(COLUMNS).rows() == by_hand(samples)
    assert set(minutes["file_day"]) <= {date(2026, 2, 28)}
    assert minutes.schema["utc"] == pl.Datetime("us")


@given(st.integers(10**9, 2 * 10**9), steps.filter(bool))
def test_the_order_and_repeats_of_samples_make_no_difference(start: int, stepped: list[Sample]) -> None:
    samples = samples_of(start, stepped)
    plain = read_heart_rate(Content(text_of(samples).encode()), "heart_rate-2026-02-28.json")
    assert plain.frame.select(COLUMNS).rows() == by_hand(samples)
    mixed = [*samples, *samples[::-1]]
    again = read_heart_rate(Content(text_of(mixed[::-1]).encode()), "heart_rate-2026-02-28.json")
    assert again.frame.equals(plain.frame)
    assert (again.rows, again.merged) == (2 * len(samples), len(samples))
    compact = json.dumps(json.loads(text_of(mixed)), separators=(",", ":"))
    assert read_heart_rate(Content(compact.encode()), "heart_rate-2026-02-28.json").frame.equals(plain.frame)


@pytest.mark.parametrize(
    ("samples", "is_plain"),
    [
        ([(0, 20, 0), (1, 260, 3)], True),
        ([(0, 60, 1), (0, 60, 1)], False),
        ([(5, 60, 1), (0, 60, 1)], False),
        ([(0, 19, 1)], False),
        ([(0, 261, 1)], False),
        ([(0, 60, 4)], False),
    ],
)
def test_samples_that_a_rule_may_name_are_not_plain(samples: list[Sample], is_plain: bool) -> None:
    assert arrays(samples).are_plain() == is_plain
    read = beats_of(text_of(samples).encode())
    assert read is not None
    assert read.are_plain() == is_plain


def test_a_rule_names_only_the_sample_it_is_for() -> None:
    samples = [(0, 60, 1), (5, 300, 1), (10, 300, 0), (15, 62, 9), (20, 64, 2)]
    reading = read_heart_rate(Content(text_of(samples).encode()), "heart_rate.json")
    assert reading.frame.rows() == [(EPOCH, 62.0, 2, 1, 3, None)]
    assert [(each.row, each.rule, each.column) for each in reading.rejected] == [
        (2, "outside_limits", "heart_rate"),
        (4, "outside_limits", "confidence"),
    ]


@pytest.mark.parametrize("name", ["heart_rate.json", "heart_rate-2026-02-30.json"])
def test_a_name_without_a_day_gives_none(name: str) -> None:
    reading = read_heart_rate(Content(text_of([(0, 60, 1)]).encode()), name)
    assert reading.frame["file_day"].to_list() == [None]
    assert reading.frame.schema["file_day"] == pl.Date

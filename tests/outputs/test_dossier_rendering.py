"""Numbers, units, durations and ordinals as people read them."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outputs.rendering import (
    ordinal,
    rounded,
    shown_clock_time,
    shown_difference,
    shown_duration,
    shown_number,
    shown_place,
    shown_quantity,
    shown_rank,
    shown_value,
)


@pytest.mark.parametrize(
    ("value", "decimals", "expected"),
    [(0.125, 2, 0.13), (2.5, 0, 3), (-2.5, 0, -3), (1.005, 2, 1.01), (-0.04, 1, 0.0)],
)
def test_halves_go_up(value: float, decimals: int, expected: float) -> None:
    assert rounded(value, decimals) == expected
    assert str(rounded(-0.01, 1)) == "0.0"


@settings(deadline=None)
@given(st.decimals(-10_000, 10_000, places=4), st.integers(0, 3))
def test_rounding_is_that_of_the_decimal_as_written(value: Decimal, decimals: int) -> None:
    expected = value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    assert rounded(float(value), decimals) == float(expected)
    assert Decimal(shown_number(float(value), decimals).replace(",", "")) == expected


def test_quantities() -> None:
    assert shown_quantity(1234.4, 0, "steps") == "1,234 steps"
    assert shown_quantity(1, 0, "steps") == "1 step"
    assert shown_quantity(1.0, 1, "bpm") == "1.0 bpm"
    assert shown_quantity(2.904, 2, "1") == "2.90"
    assert shown_quantity(0.3, 1, "u[IU]/mL") == "0.3 µIU/mL"
    assert shown_quantity(5.6, 1, "10*3/uL") == "5.6 10³/µL"
    assert shown_quantity(3, 0, None) == "3"


@pytest.mark.parametrize(
    ("minutes", "shown"),
    [
        (412, "6 h 52 min"),
        (420, "7 h 0 min"),
        (59.5, "1 h 0 min"),
        (59.4, "59 min"),
        (-95, "-1 h 35 min"),
        (0, "0 min"),
    ],
)
def test_durations(minutes: float, shown: str) -> None:
    assert shown_duration(minutes) == shown


@pytest.mark.parametrize(
    ("minute", "shown"), [(-75, "22:45"), (0, "00:00"), (435.5, "07:16"), (-0.5, "23:59"), (1440, "00:00")]
)
def test_clock_times(minute: float, shown: str) -> None:
    assert shown_clock_time(minute) == shown


def test_metrics_are_shown_by_their_kind() -> None:
    assert shown_value("sleep_minutes", 412, 0, "minutes") == "6 h 52 min"
    assert shown_value("bed_minute", -75, 0, "minutes") == "22:45"
    assert shown_value("active_zone_minutes", 75, 0, "minutes") == "75 min"
    assert shown_difference("bed_minute", -75, 0, "minutes") == "1 h 15 min"
    assert shown_difference("resting_heart_rate", -2.04, 1, "bpm") == "2.0 bpm"


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 63, 99)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "63rd", "99th")
    ]


@pytest.mark.parametrize(
    ("rank", "others", "place", "words"),
    [
        (0, 11, 0, "lower than all"),
        (100, 99, 100, "higher than all"),
        (100 * 10.5 / 11, 11, 90, "about the 90th percentile"),
        (100 * 0.5 / 11, 11, 10, "about the 10th percentile"),
        (100 * 5 / 11, 11, 50, "about the 50th percentile"),
        (100 * 19 / 20, 20, 95, "about the 95th percentile"),
        (100 * 98.5 / 99, 99, 95, "about the 95th percentile"),
        (62.5, 20, 65, "about the 65th percentile"),
        (62.5, 100, 63, "63rd percentile"),
        (0, 100, 0, "below the 1st percentile"),
        (99.6, 250, 100, "above the 99th percentile"),
    ],
)
def test_a_rank_is_said_as_finely_as_the_others_allow(
    rank: float, others: int, place: float, words: str
) -> None:
    assert shown_place(rank, others) == place
    assert shown_rank(rank, others) == words


@settings(deadline=None)
@given(others=st.integers(11, 300), share=st.floats(0, 1))
def test_only_who_is_beyond_every_other_is_said_to_be(others: int, share: float) -> None:
    halves = round(share * 2 * others)
    words = shown_rank(100 * halves / 2 / others, others)
    if others < 100:
        assert (words == "lower than all") == (halves == 0)
        assert (words == "higher than all") == (halves == 2 * others)
    assert "100th" not in words
    assert " 0th" not in words

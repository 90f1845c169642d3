"""Bands: limits as the guideline writes them, in the unit that was reported."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outputs.findings.bands import (
    Band,
    band_index,
    described,
    limits_of,
    possible_bands,
    range_words,
    units_of,
)

BANDS = (
    Band("low"),
    Band("middle", {"mg/dL": 100, "mmol/L": 5.6}),
    Band("high", {"mg/dL": 126, "mmol/L": 7.0}, "medium", True, strictly=True),
)


@pytest.mark.parametrize(
    ("value", "unit", "place"),
    [
        (99.9, "mg/dL", 0),
        (100, "mg/dL", 1),
        (126, "mg/dL", 1),
        (126.1, "mg/dL", 2),
        (5.5, "mmol/L", 0),
        (5.6, "mmol/L", 1),
        (7.0, "mmol/L", 1),
        (7.1, "mmol/L", 2),
    ],
)
def test_a_limit_belongs_to_its_band_unless_it_is_strict(value: float, unit: str, place: int) -> None:
    assert band_index(value, unit, BANDS) == place


@pytest.mark.parametrize(
    ("comparator", "bound", "places"),
    [
        ("<", 100, [0]),
        ("<=", 100, [0, 1]),
        ("<", 101, [0, 1]),
        (">", 126, [2]),
        (">=", 126, [1, 2]),
        (">", 100, [1, 2]),
        (">=", 100, [1, 2]),
        (">", 99, [0, 1, 2]),
        ("<=", 126, [0, 1]),
        ("<", 50, [0]),
    ],
)
def test_a_bound_leaves_the_bands_it_may_lie_in(comparator: str, bound: float, places: list[int]) -> None:
    assert list(possible_bands(comparator, bound, "mg/dL", BANDS)) == places


@settings(deadline=None)
@given(st.sampled_from(["<", "<=", ">", ">="]), st.integers(90, 140), st.integers(1, 400))
def test_a_value_that_fits_a_bound_lies_in_one_of_its_bands(comparator: str, bound: int, tenths: int) -> None:
    step = tenths / 10 + (0 if "=" in comparator else 0.1)
    value = bound - step if comparator[0] == "<" else bound + step
    assert band_index(value, "mg/dL", BANDS) in possible_bands(comparator, bound, "mg/dL", BANDS)


def test_ranges_in_words() -> None:
    assert [range_words(place, "mg/dL", BANDS) for place in range(3)] == [
        "below 100 mg/dL",
        "100 to 126 mg/dL",
        "above 126 mg/dL",
    ]
    plain = (Band("a"), Band("b", {"%": 5.7}), Band("c", {"%": 6.5}))
    assert [range_words(place, "%", plain) for place in range(3)] == [
        "below 5.7 %",
        "5.7 to below 6.5 %",
        "6.5 % or above",
    ]
    strict = (Band("a"), Band("b", {"points": 50}, strictly=True))
    assert range_words(0, "points", strict) == "50 points or below"


def test_limits_with_their_unit() -> None:
    assert limits_of(0, "mmol/L", BANDS) == {"high": 5.6, "unit": "mmol/L"}
    assert limits_of(1, "mmol/L", BANDS) == {"low": 5.6, "high": 7.0, "unit": "mmol/L"}
    assert limits_of(2, "mmol/L", BANDS) == {"low": 7.0, "unit": "mmol/L"}
    assert units_of(BANDS) == {"mg/dL", "mmol/L"}


def test_described_names_every_unit_and_severity() -> None:
    assert described(BANDS)[2] == "high: above 126 mg/dL / above 7 mmol/L (medium)"

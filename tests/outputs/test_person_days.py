"""Percentiles over days: a person's days weigh together as much as anybody else's."""

from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import table

from outputs.percentiles import PERCENTILES
from outputs.person_days import WEIGHT_OF_A_PERSON, day_percentiles, weighted_quantiles
from schemas.population_percentiles import PopulationPercentiles

FIRST = date(2026, 6, 1)
SHARES = [percent / 100 for percent in PERCENTILES]


def days_of(person: str, steps: list[int | None], **of_day: object) -> list[dict[str, object]]:
    return [
        {
            "participant_id": person, "date": FIRST + timedelta(n), "day_state": "worn", "steps": value,
            "valid_day": True, "is_partial": False, **of_day,
        }
        for n, value in enumerate(steps)
    ]  # fmt: skip


def value_of(
    person: str, value: float | None = 1.0, sex: str = "female", **of_value: object
) -> dict[str, object]:
    return {
        "participant_id": person, "metric": "steps", "window": "whole", "value": value, "unit": "steps",
        "sex": sex, "age_group": "35-44", "window_start": FIRST, "window_end": FIRST + timedelta(200),
        **of_value,
    }  # fmt: skip


def found(
    daily: list[dict[str, object]], values: list[dict[str, object]], sex: str = "all"
) -> dict[str, dict]:
    frame = day_percentiles(
        [table("daily_summary", daily).lazy()], table("person_values", values), "2026-06", PERCENTILES
    )
    _, failure = PopulationPercentiles.filter(frame)
    assert failure.counts() == {}
    rows = frame.filter(pl.col("sex") == sex, pl.col("age_group") == "all").iter_rows(named=True)
    return {row["percentile"]: row for row in rows}


def test_one_day_a_person_is_type_8_itself() -> None:
    values = np.arange(1.0, 13.0)
    weights = np.full(12, WEIGHT_OF_A_PERSON)
    expected = np.quantile(values, SHARES, method="median_unbiased")
    assert weighted_quantiles(values, weights, 12, SHARES) == pytest.approx(expected.tolist())


def test_who_wears_it_longest_does_not_speak_for_the_others() -> None:
    # Ten people of 5,000 steps and 10 days each, one of 20,000 steps and 100 days.
    daily = [row for n in range(10) for row in days_of(f"P{n}", [5_000] * 10)] + days_of(
        "P10", [20_000] * 100
    )
    median = found(daily, [value_of(f"P{n}") for n in range(11)])["50"]
    assert (median["value"], median["n"]) == (5_000, 11)
    assert np.median([row["steps"] for row in daily]) == 12_500


def test_by_hand() -> None:
    # Two people: A has 0 and 10, B has 20. Masses 1/4, 1/4, 1/2. p = 0.5: h = 1.5, step 1/4 to 3/4.
    # A quarter of the step lies on 10 (half of it), the rest on 20: (10 + 20) / 2.
    weights = np.array([WEIGHT_OF_A_PERSON // 2, WEIGHT_OF_A_PERSON // 2, WEIGHT_OF_A_PERSON])
    assert weighted_quantiles(np.array([0.0, 10, 20]), weights, 2, [0.5]) == pytest.approx([15.0])


def test_only_valid_days_of_people_with_a_value_and_within_the_window() -> None:
    daily = days_of("P1", [100] * 8) + days_of("P2", [900] * 8) + days_of("P3", [500] * 8, valid_day=False)
    values = [value_of("P1", window_end=FIRST + timedelta(3)), value_of("P2", None), value_of("P3")]
    daily += days_of("P4", [700] * 8, is_partial=True)
    rows = found(daily, [*values, value_of("P4")])
    assert {row["n"] for row in rows.values()} == {1}


def test_n_says_what_can_be_said_and_there_is_no_interval() -> None:
    daily = [row for n in range(11) for row in days_of(f"P{n}", [1_000 * n, 1_000 * n + 500])]
    rows = found(daily, [value_of(f"P{n}", sex="male" if n < 3 else "female") for n in range(11)])
    assert rows["50"]["value"] == pytest.approx(5_250, abs=300)
    assert rows["5"]["value"] is None
    assert {row["interval_low"] for row in rows.values()} == {None}
    men = found(daily, [value_of(f"P{n}", sex="male" if n < 3 else "female") for n in range(11)], "male")
    assert {row["value"] for row in men.values()} == {None}


def test_no_days_no_rows() -> None:
    assert found([], []) == {}


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=9), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_the_order_of_people_and_days_changes_nothing(people: list[list[int]], order) -> None:
    pairs = [(float(value), WEIGHT_OF_A_PERSON // len(days)) for days in people for value in days]
    first = weighted_quantiles(*map(np.array, zip(*pairs, strict=True)), len(people), SHARES)
    order.shuffle(pairs)
    assert weighted_quantiles(*map(np.array, zip(*pairs, strict=True)), len(people), SHARES) == first
    values = [value for value, _ in pairs]
    assert all(min(values) - 1e-9 <= quantile <= max(values) + 1e-9 for quantile in first)
    assert all(low <= high + 1e-9 for low, high in pairwise(first))


@settings(deadline=None, max_examples=8)
@given(
    st.lists(st.lists(st.integers(0, 9000), min_size=1, max_size=5), min_size=6, max_size=14),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
def test_batches_made_apart_give_the_very_same_percentiles(
    people: list[list[int]], machines: int, order
) -> None:
    """People divided among machines in any way: each sends its values and days, and nothing differs."""
    daily = [days_of(f"P{n}", list(steps)) for n, steps in enumerate(people)]
    values = [value_of(f"P{n}", sex="male" if n % 3 else "female") for n in range(len(people))]
    at_once = day_percentiles(
        [table("daily_summary", [row for rows in daily for row in rows]).lazy()],
        table("person_values", values),
        "2026-06",
        PERCENTILES,
    )
    order.shuffle(daily)
    order.shuffle(values)
    parts = [
        table("daily_summary", [row for rows in daily[start::machines] for row in rows]).lazy()
        for start in range(machines)
    ]
    assert day_percentiles(parts, table("person_values", values), "2026-06", PERCENTILES).equals(at_once)

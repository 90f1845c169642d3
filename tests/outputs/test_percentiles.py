"""Editions: type 8 quantiles by stratum, with order-statistic intervals."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import SETTINGS, table
from scipy.stats import binom

from outputs.editions import edition_in_force, make_edition
from outputs.parquet import write_table
from outputs.percentiles import PERCENTILES, population_percentiles
from outputs.quantiles import quantile_of_sorted, rank_interval
from schemas.daily_summary import DailySummary
from schemas.person_values import PersonValues
from schemas.population_percentiles import PopulationPercentiles
from schemas.shared_values import SharedValues
from schemas.table import empty


def person_value(
    number: int, value: float | None, sex: str = "female", age: str | None = "35-44"
) -> dict[str, object]:
    return {
        "participant_id": f"P{number}",
        "metric": "steps",
        "window": "last_30_days",
        "value": value,
        "unit": "steps",
        "sex": sex,
        "age_group": age,
    }


def edition(*rows: dict[str, object]) -> pl.DataFrame:
    values, no_days = table("person_values", rows), [empty(DailySummary).lazy()]
    frame = make_edition(values, no_days, SETTINGS, "2026-06", empty(SharedValues)).tables[
        "population_percentiles"
    ]
    assert isinstance(frame, pl.DataFrame)
    _, failure = PopulationPercentiles.filter(frame)
    assert failure.counts() == {}
    return frame


def of_people(*rows: dict[str, object]) -> pl.DataFrame:
    return population_percentiles(table("person_values", rows).lazy(), "2026-06").collect()


def stratum(frame: pl.DataFrame, sex: str = "all", age: str = "all") -> dict[str, dict[str, object]]:
    rows = frame.filter(pl.col("sex") == sex, pl.col("age_group") == age).iter_rows(named=True)
    return {row["percentile"]: row for row in rows}


def type_8(values: list[float], p: float) -> float:
    frame = pl.DataFrame({"v": [sorted(values)], "n": [len(values)], "p": [p]})
    return frame.select(quantile_of_sorted(pl.col("v"), pl.col("n"), pl.col("p"))).item()


def test_type_8_by_hand() -> None:
    # n = 12: h = 0.25 x (12 + 1/3) + 1/3 = 3.41667, so between the 3rd and the 4th.
    assert type_8([float(n) for n in range(1, 13)], 0.25) == pytest.approx(3 + 5 / 12)
    assert type_8([7.0], 0.5) == 7.0
    assert type_8([1.0, 2.0], 0.05) == 1.0


@settings(deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.sampled_from([p / 100 for p in PERCENTILES])
)
def test_type_8_equals_numpys_median_unbiased(values: list[float], p: float) -> None:
    assert type_8(values, p) == pytest.approx(
        np.quantile(values, p, method="median_unbiased"), rel=1e-9, abs=1e-6
    )


@pytest.mark.parametrize(
    ("p", "least"), [(0.5, 6), (0.25, 11), (0.75, 11), (0.1, 29), (0.9, 29), (0.05, 59), (0.95, 59)]
)
def test_a_percentile_needs_enough_people(p: float, least: int) -> None:
    assert rank_interval(least - 1, p) is None
    assert rank_interval(least, p) is not None


def test_the_interval_of_a_median_by_the_binomial() -> None:
    # Textbook: of 20 values the 6th and the 15th hold the median with 95.9 %.
    interval = rank_interval(20, 0.5)
    assert interval is not None
    assert (interval.low, interval.high) == (6, 15)


@settings(deadline=None)
@given(st.integers(6, 700), st.sampled_from([p / 100 for p in PERCENTILES]))
def test_the_interval_covers_at_least_95_percent(n: int, p: float) -> None:
    interval = rank_interval(n, p)
    if interval is None:
        assert binom.cdf(n - 1, n, p) - binom.cdf(0, n, p) < 0.95
        return
    assert 1 <= interval.low < interval.high <= n
    assert binom.cdf(interval.high - 1, n, p) - binom.cdf(interval.low - 1, n, p) >= 0.95 - 1e-12


@settings(deadline=None)
@given(st.integers(6, 300), st.sampled_from([0.05, 0.1, 0.25, 0.5]))
def test_intervals_mirror_each_other(n: int, p: float) -> None:
    low, high = rank_interval(n, p), rank_interval(n, 1 - p)
    assert (low is None) == (high is None)
    if low is not None and high is not None:
        assert abs((n + 1 - low.high) - high.low) <= 1


def test_strata_are_cell_sex_age_and_all() -> None:
    rows = [
        person_value(n, n, "female" if n < 3 else "male", "25-34" if n % 2 else "35-44") for n in range(5)
    ]
    frame = edition(*rows)
    assert set(frame.select("sex", "age_group", "n").unique().rows()) == {
        ("all", "all", 5),
        ("female", "all", 3),
        ("male", "all", 2),
        ("all", "25-34", 2),
        ("all", "35-44", 3),
        ("female", "25-34", 1),
        ("female", "35-44", 2),
        ("male", "25-34", 1),
        ("male", "35-44", 1),
    }


def test_other_sexes_and_unknown_ages_stand_in_all_only() -> None:
    frame = edition(person_value(1, 1, "intersex", None), person_value(2, 2, "unknown", "18-24"))
    assert set(frame.select("sex", "age_group", "n").unique().rows()) == {
        ("all", "all", 2),
        ("all", "18-24", 1),
    }


def test_an_age_group_of_no_stratum_stays_out_of_cells() -> None:
    frame = edition(person_value(1, 1, age="30-40"))
    assert set(frame["age_group"]) == {"all"}


def test_values_and_intervals_where_n_carries_them() -> None:
    frame = edition(*(person_value(n, n) for n in range(1, 21)))
    found = stratum(frame, "female", "35-44")
    assert set(found) == {"5", "10", "25", "50", "75", "90", "95"}
    assert (found["50"]["value"], found["50"]["interval_low"], found["50"]["interval_high"]) == (10.5, 6, 15)
    assert found["25"]["value"] == pytest.approx(
        np.quantile(range(1, 21), 0.25, method="median_unbiased"), abs=1e-6
    )
    assert (found["10"]["value"], found["10"]["interval_low"], found["10"]["n"]) == (None, None, 20)
    assert {row["quantile_type"] for row in found.values()} == {8}
    assert {row["definition"] for row in found.values()} == {"person"}


def test_people_without_a_value_do_not_count() -> None:
    frame = edition(person_value(1, 5), person_value(2, None))
    assert set(frame["n"]) == {1}


def test_order_of_people_changes_nothing() -> None:
    rows = [person_value(n, (n * 37) % 11, "male" if n % 3 else "female") for n in range(70)]
    assert edition(*rows).equals(edition(*rows[::-1]))


def test_the_edition_keeps_its_values() -> None:
    result = make_edition(
        table("person_values", [person_value(1, 5.0)]),
        [empty(DailySummary).lazy()],
        SETTINGS,
        "2026-06",
        empty(SharedValues),
    )
    kept = result.tables["person_values"]
    assert isinstance(kept, pl.DataFrame)
    assert kept.select("participant_id", "value").rows() == [("P1", 5.0)]
    assert result.document == {"edition": "2026-06", "people": 1}


def test_no_values_make_an_empty_edition() -> None:
    assert population_percentiles(table("person_values", []).lazy(), "e").collect().is_empty()


def test_editions_by_refresh() -> None:
    day = date(2026, 6, 28)
    assert edition_in_force(day, "monthly") == edition_in_force(date(2026, 6, 1), "monthly") == "2026-06"
    assert edition_in_force(date(2026, 7, 1), "monthly") == "2026-07"
    assert edition_in_force(day, "every_run") == "2026-06-28"
    assert edition_in_force(day, "manual", "2025-12") == "2025-12"
    assert edition_in_force(day, "manual") == "2026-06-28"


def result(number: int, value: float | None, comparator: str | None = None, bound: float | None = None):
    row = person_value(number, value)
    return {**row, "metric": "hs_crp", "window": "newest", "comparator": comparator, "bound": bound}


def test_a_percentile_that_rests_on_results_below_a_limit_is_a_bound() -> None:
    # 12 people: 6 below 0.5, then 1 to 6. The 25th lies among the first, the 75th among the last.
    rows = [result(n, None, "<", 0.5) for n in range(6)] + [result(6 + n, 1.0 + n) for n in range(6)]
    found = stratum(edition(*rows))
    assert (found["25"]["value"], found["25"]["comparator"]) == (0.5, "<")
    # h = 0.5 x 12.333 + 0.333 = 6.5: between the 6th, which is below 0.5, and the 7th, which is 1.
    assert (found["50"]["value"], found["50"]["comparator"]) == (1.0, "<")
    assert found["75"]["comparator"] is None
    assert found["75"]["value"] == pytest.approx(3 + (0.75 * (12 + 1 / 3) + 1 / 3 - 9))
    assert found["25"]["interval_low"] is None
    assert found["25"]["n"] == 12


def test_results_above_a_limit_bound_the_upper_percentiles() -> None:
    rows = [result(n, float(n)) for n in range(9)] + [result(9 + n, None, ">", 8.0) for n in range(4)]
    found = stratum(edition(*rows))
    assert (found["75"]["value"], found["75"]["comparator"]) == (8.0, ">")
    assert found["25"]["comparator"] is None
    assert found["75"]["interval_high"] is None


def test_what_may_lie_below_another_limit_stands_at_that_limit() -> None:
    # "<10" may be 3 or 9: nobody knows how it stands to the 5 that was measured.
    rows = [result(0, None, "<", 10.0), *(result(1 + n, 5.0) for n in range(5))]
    rows += [result(6 + n, 20.0 + n) for n in range(6)]
    found = stratum(edition(*rows))
    assert (found["25"]["value"], found["25"]["comparator"]) == (10.0, "<")
    assert found["75"]["value"] > 20


def test_limits_from_both_sides_that_meet_give_nothing() -> None:
    rows = [result(n, None, "<", 5.0) for n in range(6)] + [result(6 + n, None, ">", 5.0) for n in range(6)]
    found = stratum(edition(*rows))
    assert (found["25"]["value"], found["25"]["comparator"]) == (5.0, "<")
    assert (found["75"]["value"], found["75"]["comparator"]) == (5.0, ">")
    assert (found["50"]["value"], found["50"]["comparator"]) == (None, None)


@settings(deadline=None, max_examples=12)
@given(st.lists(st.integers(0, 30), min_size=11, max_size=40), st.integers(0, 30))
def test_a_limit_never_contradicts_the_values_behind_it(values: list[int], limit: int) -> None:
    """Whatever the hidden values are, the true percentile lies where the bound says."""
    true = stratum(of_people(*(result(n, float(value)) for n, value in enumerate(values))))
    rows = [
        result(n, None, "<", float(limit)) if value < limit else result(n, float(value))
        for n, value in enumerate(values)
    ]
    for percentile, row in stratum(of_people(*rows)).items():
        exact = true[percentile]["value"]
        if row["comparator"] == "<":
            assert exact <= row["value"]
        else:
            assert exact == row["value"]


@settings(deadline=None, max_examples=6)
@given(st.lists(st.floats(0, 1e5, width=32), min_size=1, max_size=80), st.integers(1, 6))
def test_values_of_machines_merge_to_the_very_same_percentiles(
    tmp_path_factory: pytest.TempPathFactory, values: list[float], machines: int
) -> None:
    """Each machine writes the values of its participants; whoever reads all files has the answer of one."""
    rows = [
        person_value(n, value, "male" if n % 3 else "female", "25-34" if n % 5 else "35-44")
        for n, value in enumerate(values)
    ]
    folder = tmp_path_factory.mktemp("machines")
    for machine in range(machines):
        write_table(
            table("person_values", rows[machine::machines]), PersonValues, folder / f"{machine}.parquet"
        )
    merged = population_percentiles(pl.scan_parquet(folder / "*.parquet"), "2026-06").collect()
    assert merged.equals(population_percentiles(table("person_values", rows).lazy(), "2026-06").collect())

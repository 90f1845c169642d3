"""One value per participant, metric and window."""

from datetime import date, timedelta
from statistics import median
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import END, days, labs, result, score, scores, table

from outputs.metrics import DAILY_METRICS
from outputs.person_values import Person, person_values
from schemas.person_values import PersonValues

NONE = table("daily_summary", [])


def values(
    daily: pl.DataFrame = NONE,
    lab_results: pl.DataFrame | None = None,
    survey_scores: pl.DataFrame | None = None,
    data_through: date | None = END,
    as_of: date = END,
) -> dict[tuple[str, str], dict[str, Any]]:
    frame = person_values(
        daily.lazy(),
        (lab_results if lab_results is not None else table("lab_results", [])).lazy(),
        (survey_scores if survey_scores is not None else table("survey_scores", [])).lazy(),
        Person("P1", "female", "35-44", data_through, as_of),
        (7, 30, 90),
    ).collect()
    _, failure = PersonValues.filter(frame)
    assert failure.counts() == {}
    return {(row["metric"], row["window"]): row for row in frame.iter_rows(named=True)}


def test_median_of_the_last_days_up_to_data_through() -> None:
    row = values(days(30, steps=lambda n: 1000 * n))["steps", "last_7_days"]
    assert row["value"] == 26_000  # days 23..29
    assert (row["window_start"], row["window_end"]) == (END - timedelta(6), END)
    assert (row["days"], row["unit"], row["no_value_reason"]) == (7, "steps", None)


def test_days_after_data_through_do_not_count() -> None:
    daily = days(10, steps=lambda n: n)
    row = values(daily, data_through=END - timedelta(3))["steps", "last_7_days"]
    assert row["value"] == 3  # days 0..6
    assert row["window_end"] == END - timedelta(3)


@pytest.mark.parametrize(("valid", "reason"), [(22, "insufficient_days"), (23, None)])
def test_three_of_every_four_days_are_needed(valid: int, reason: str | None) -> None:
    daily = days(30, steps=5000, valid_day=lambda n: n < valid)
    row = values(daily)["steps", "last_30_days"]
    assert row["days"] == valid
    assert row["no_value_reason"] == reason
    assert row["value"] == (None if reason else 5000)


def test_day_metrics_count_valid_days_only_but_nights_count_with_a_value() -> None:
    daily = days(7, steps=9000, sleep_minutes=400, valid_day=lambda n: n == 0)
    found = values(daily)
    assert found["steps", "last_7_days"]["days"] == 1
    assert found["sleep_minutes", "last_7_days"]["value"] == 400


def test_unknown_validity_is_not_valid() -> None:
    assert values(days(7, steps=1, valid_day=None))["steps", "last_7_days"]["no_value_reason"] == "no_value"


def test_partial_days_are_left_out() -> None:
    daily = days(7, steps=lambda n: 100 if n == 6 else 10, is_partial=lambda n: n == 6)
    row = values(daily)["steps", "last_7_days"]
    assert (row["value"], row["days"]) == (10, 6)


def test_zero_is_a_value_and_null_is_not() -> None:
    daily = days(8, active_zone_minutes=0, vo2max=None)
    found = values(daily)
    assert found["active_zone_minutes", "last_7_days"]["value"] == 0
    assert found["vo2max", "last_7_days"]["no_value_reason"] == "no_value"


def test_whole_spans_all_days_of_the_calendar() -> None:
    daily = days(40, steps=lambda n: n, valid_day=lambda n: n >= 10)
    row = values(daily)["steps", "whole"]
    assert (row["days"], row["value"]) == (30, 24.5)
    assert row["window_start"] == END - timedelta(39)
    assert values(days(40, steps=1, valid_day=lambda n: n > 10))["steps", "whole"]["value"] is None


@pytest.mark.parametrize(("behind", "old"), [(14, False), (15, True)])
def test_above_14_days_behind_there_is_no_last_n_days(behind: int, old: bool) -> None:
    found = values(days(120, steps=7000), as_of=END + timedelta(behind))
    for window in ("last_7_days", "last_30_days", "last_90_days"):
        row = found["steps", window]
        assert (row["value"], row["no_value_reason"]) == ((None, "data_old") if old else (7000, None))
    assert found["steps", "whole"]["value"] == 7000


def test_without_a_wearable_every_daily_metric_says_so() -> None:
    found = values(data_through=None)
    assert len(found) == 4 * len(DAILY_METRICS)
    assert {row["no_value_reason"] for row in found.values()} == {"no_value"}


def test_every_daily_metric_has_every_window() -> None:
    assert set(values(days(3))) == {
        (metric.metric, window)
        for metric in DAILY_METRICS
        for window in ("last_7_days", "last_30_days", "last_90_days", "whole")
    }


def test_newest_result_counts_in_its_canonical_unit() -> None:
    old = result("glucose", 90, "mg/dL", collected_date=date(2026, 3, 1))
    new = result(
        "glucose",
        5.5,
        "mmol/L",
        value_canonical=99.1,
        canonical_unit="mg/dL",
        collected_date=date(2026, 5, 1),
    )
    row = values(lab_results=labs(new, old))["glucose", "newest"]
    assert (row["value"], row["unit"], row["window_end"]) == (99.1, "mg/dL", date(2026, 5, 1))


def test_results_after_as_of_unfinished_or_in_another_unit_do_not_count() -> None:
    rows = labs(
        result("glucose", 90, "mg/dL", collected_date=END + timedelta(1)),
        result("sodium", 140, "mmol/L", report_status="preliminary"),
        result("potassium", 4, "mmol/L", report_status="cancelled"),
        result("calcium", 2.3, "mmol/L", canonical_unit=None, value_canonical=None),
        result("made_up", 1, "mg/dL"),
    )
    assert not {metric for metric, window in values(lab_results=rows) if window == "newest"}


def test_a_bound_has_no_value() -> None:
    row = result("hs_crp", None, "mg/L", comparator="<", bound_num=0.2, bound_canonical=0.2)
    found = values(lab_results=labs(row))["hs_crp", "newest"]
    assert (found["value"], found["no_value_reason"]) == (None, "censored")


def test_a_result_without_number_never_hides_an_older_one() -> None:
    rows = labs(
        result("glucose", 90, "mg/dL", collected_date=date(2026, 3, 1)),
        result("glucose", None, "mg/dL", missing_reason="haemolysed"),
    )
    assert values(lab_results=rows)["glucose", "newest"]["value"] == 90


def test_a_row_without_the_number_its_kind_needs_does_not_count() -> None:
    odd = labs(
        result("glucose", None, "mg/dL", bound_num=90.0),
        result("sodium", 140, "mmol/L", comparator="<"),
    )
    assert not {metric for metric, window in values(lab_results=odd) if window == "newest"}


def test_of_one_day_the_later_time_and_the_printed_result_win() -> None:
    printed = result("egfr", 80, "mL/min/{1.73_m2}")
    derived = result("egfr", 83, "mL/min/{1.73_m2}", derived=True)
    assert values(lab_results=labs(derived, printed))["egfr", "newest"]["value"] == 80


def test_newest_score_counts() -> None:
    rows = scores(
        score("phq9", 4, instance=1, answered_on=date(2026, 1, 1)),
        score("phq9", 7, instance=2, answered_on=date(2026, 5, 1)),
        score("phq9", 9, instance=3, answered_on=None),
        score("gad7", None),
    )
    found = values(survey_scores=rows)
    assert found["phq9_score", "newest"]["value"] == 7
    assert found["gad7_score", "newest"]["no_value_reason"] == "no_value"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(0, 900)), min_size=1, max_size=40), st.randoms())
def test_nights_equal_a_plain_median_in_any_order(nights: list[int | None], random: Any) -> None:
    daily = days(len(nights), sleep_minutes=lambda n: nights[n])
    order = list(range(len(nights)))
    random.shuffle(order)
    row = values(daily[order])["sleep_minutes", "last_30_days"]
    counted = [night for night in nights[-30:] if night is not None]
    assert row["days"] == len(counted)
    assert row["value"] == (median(counted) if len(counted) >= 23 else None)

"""participant_features: one wide row for a participant, an anchor and a window."""

import json
from datetime import date, timedelta
from statistics import fmean, median, stdev
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import END, days, labs, person_row, result, score, scores, table, values_of

from outputs.metrics import DAILY_METRICS, METRICS
from outputs.participant_features import participant_features
from schemas.participant_features import DAILY_FEATURES, INSTRUMENTS, ParticipantFeatures

DRAWN = date(2026, 6, 1)
Rows = dict[tuple[str, str], dict[str, Any]]


def answer(item: str, value: float, on: date | None = DRAWN) -> dict[str, Any]:
    return {
        "participant_id": "P1", "instrument": "health", "event": "", "instance": 1, "item": item,
        "value_num": value, "answered_on": on, "file_id": "f",
    }  # fmt: skip


def core(**given_tables: Any) -> dict[str, pl.DataFrame]:
    empty = ("daily_summary", "lab_results", "survey_scores", "survey_answers")
    return {**{name: table(name, []) for name in empty}, "participants": person_row(), **given_tables}


def features(
    tables: dict[str, pl.DataFrame],
    data_through: date | None = END,
    enrolled_on: date | None = None,
    as_of: date = END,
) -> Rows:
    lazy = {name: frame.lazy() for name, frame in tables.items()}
    frame = participant_features(lazy, data_through, enrolled_on, as_of, (7, 30, 90)).collect()
    _, failure = ParticipantFeatures.filter(frame)
    assert failure.counts() == {}
    return {(row["anchor"], row["window"]): row for row in frame.iter_rows(named=True)}


def test_its_columns_are_those_of_the_declared_metrics() -> None:
    assert set(DAILY_FEATURES) == {metric.metric for metric in DAILY_METRICS}
    columns = ParticipantFeatures.columns()
    surveys = {name for name, metric in METRICS.items() if metric.measured == "survey"}
    assert {f"{name}_score" for name in INSTRUMENTS} == surveys
    for metric in METRICS.values():
        column = columns[f"{metric.metric}_median" if metric.daily else metric.metric]
        units = {metric.unit, "count"} | ({"score"} if metric.unit == "points" else set())
        assert (column.metadata or {})["unit"] in units


def test_windows_end_with_the_anchor() -> None:
    found = features(core(daily_summary=days(120, steps=lambda n: n)), enrolled_on=END - timedelta(60))
    last = found["data_through", "last_7_days"]
    assert (last["window_start"], last["window_end"], last["valid_days"]) == (END - timedelta(6), END, 7)
    assert (last["steps_median"], last["steps_mean"], last["steps_days"]) == (116, 116, 7)
    assert found["data_through", "whole"]["window_days"] == 120
    before, after = found["enrolled_on", "last_7_days"], found["enrolled_on", "first_7_days"]
    assert before["window_end"] == after["window_start"] == after["anchor_date"] == END - timedelta(60)
    assert (before["steps_median"], after["steps_median"]) == (56, 62)
    assert {anchor for anchor, _ in found} == {"data_through", "enrolled_on"}


def test_a_mean_needs_three_of_four_days_and_a_spread_14_as_well() -> None:
    found = features(core(daily_summary=days(7, steps=lambda n: n)))
    week, month = found["data_through", "last_7_days"], found["data_through", "last_30_days"]
    assert (week["steps_mean"], week["steps_sd"]) == (3, None)
    assert (month["steps_days"], month["steps_mean"], month["steps_median"]) == (7, None, None)
    full = features(core(daily_summary=days(30, steps=lambda n: n % 7)))["data_through", "last_30_days"]
    assert full["steps_sd"] == pytest.approx(stdev(n % 7 for n in range(30)), abs=1e-4)


def test_days_that_have_not_arrived_do_not_count() -> None:
    daily = days(40, steps=100)
    found = features(
        core(daily_summary=daily), data_through=END - timedelta(3), enrolled_on=END - timedelta(6)
    )
    first = found["enrolled_on", "first_7_days"]
    assert (first["steps_days"], first["steps_median"]) == (4, None)


def test_medians_are_those_of_the_percentiles() -> None:
    daily = days(
        100, steps=lambda n: n * 7 % 31, sleep_minutes=lambda n: None if n % 5 else 400 + n,
        valid_day=lambda n: n % 9 > 0, is_partial=lambda n: n == 99,
    )  # fmt: skip
    tables = core(daily_summary=daily)
    found = features(tables)
    for row in values_of(tables).iter_rows(named=True):
        feature = found["data_through", row["window"]]
        assert feature[f"{row['metric']}_median"] == row["value"]
        assert feature[f"{row['metric']}_days"] == row["days"]


def test_the_draw_gives_its_own_analytes_and_no_older_ones() -> None:
    bound = result("hs_crp", None, "mg/L", comparator="<", bound_num=0.2, bound_canonical=0.2)
    old = result("sodium", 140, "mmol/L", collected_date=date(2026, 3, 1))
    odd = result("calcium", 2.3, "mmol/L", value_canonical=2.3)
    drawn = labs(result("glucose", 91, "mg/dL"), result("homa_ir", 1.9, "1", derived=True), bound, old, odd)
    row = features(core(daily_summary=days(120, steps=1), lab_results=drawn))["lab_draw", "last_30_days"]
    assert (row["anchor_date"], row["draw_date"], row["fasting"]) == (DRAWN, DRAWN, "yes")
    assert (row["glucose"], row["homa_ir"], row["sodium"], row["calcium"]) == (91, 1.9, None, None)
    assert row["hs_crp"] is None
    assert json.loads(row["bounds_json"]) == {"hs_crp": "<0.2"}
    assert (row["window_end"], row["steps_median"]) == (DRAWN, 1)


def test_what_is_known_at_an_anchor_is_of_that_day_or_before() -> None:
    tables = core(
        daily_summary=days(120, steps=1),
        lab_results=labs(result("glucose", 91, "mg/dL")),
        survey_scores=scores(
            score("phq9", 9, answered_on=DRAWN - timedelta(40)),
            score("phq9", 4),
            score("gad7", 3, answered_on=None),
        ),
    )
    found = features(tables, enrolled_on=DRAWN - timedelta(30))
    enrolled, now = found["enrolled_on", "last_7_days"], found["data_through", "last_7_days"]
    assert (enrolled["phq9_score"], enrolled["glucose"], enrolled["draw_date"]) == (9, None, None)
    assert (now["phq9_score"], now["glucose"], now["gad7_score"]) == (4, 91, None)


def test_unfinished_and_later_reports_are_no_draw() -> None:
    drawn = labs(
        result("glucose", 91, "mg/dL", report_status="preliminary"),
        result("sodium", 140, "mmol/L", collected_date=END + timedelta(1)),
    )
    assert {anchor for anchor, _ in features(core(lab_results=drawn))} == {"data_through"}


@pytest.mark.parametrize(
    ("height", "weight", "scale", "bmi", "source"),
    [
        (170, 65, None, 22.49, "survey"),
        (170, 65, 80.0, 27.68, "scale"),
        (1.7, 65, None, None, None),
        (None, 65, 80.0, None, None),
        (170, None, None, None, None),
    ],
)
def test_bmi(
    height: float | None, weight: float | None, scale: float | None, bmi: float | None, source: str | None
) -> None:
    given_answers = [("height_cm", height), ("weight_kg", weight)]
    answers = [answer(item, value) for item, value in given_answers if value is not None]
    daily = days(7, weight_kg=lambda n: scale if n == 3 else None)
    tables = core(daily_summary=daily, survey_answers=table("survey_answers", answers))
    row = features(tables)["data_through", "last_7_days"]
    assert (row["bmi"], row["bmi_weight_from"]) == (bmi, source)


def test_without_any_anchor_there_is_no_row() -> None:
    assert features(core(), data_through=None) == {}


@settings(deadline=None, max_examples=20)
@given(st.lists(st.one_of(st.none(), st.integers(0, 40_000)), min_size=7, max_size=40), st.randoms())
def test_statistics_are_those_of_the_days_in_any_order(steps: list[int | None], order: Any) -> None:
    daily = days(len(steps), steps=lambda n: steps[n])
    shuffled = daily.sample(fraction=1, shuffle=True, seed=order.randrange(1000))
    row = features(core(daily_summary=shuffled))["data_through", "whole"]
    known = [value for value in steps if value is not None]
    assert row["steps_days"] == len(known)
    if 4 * len(known) >= 3 * len(steps):
        assert row["steps_median"] == median(known)
        assert row["steps_mean"] == pytest.approx(fmean(known), abs=1e-4)
    else:
        assert row["steps_mean"] is None

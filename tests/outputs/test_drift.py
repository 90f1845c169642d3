"""Drift of the population between two releases: percentiles that moved, people gone, units that jumped."""

import csv
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_person import table

from outputs.drift import NOTHING, people_kept, quartiles_moved, unit_factors, unit_jumps
from outputs.metrics import METRICS
from outputs.parquet import write_table
from outputs.percentiles import population_percentiles
from outputs.release_tables import place_of
from schemas.analytes import ANALYTES
from schemas.tables import TABLES

LABORATORY = Path(__file__).parents[2] / "ingest" / "labs" / "analytes.csv"

Values = dict[int, float]
STEPS: Values = {n: 5000.0 + 100 * n for n in range(60)}


def rows(values: Values, metric: str, window: str) -> list[dict[str, Any]]:
    return [
        {
            "participant_id": f"P{number:03}", "metric": metric, "window": window, "value": value,
            "unit": METRICS[metric].unit, "sex": "female", "age_group": "35-44", "edition": "2026-06",
        }
        for number, value in values.items()
    ]  # fmt: skip


def release(folder: Path, values: Values, metric: str = "steps", window: str = "whole") -> Path:
    given = rows(values, metric, window)
    percentiles = population_percentiles(table("person_values", given).lazy(), "2026-06")
    tables: dict[str, pl.LazyFrame] = {
        "population_percentiles": percentiles,
        "participant_percentiles": table("participant_percentiles", given).lazy(),
    }
    for name, frame in tables.items():
        write_table(frame, TABLES[name], place_of(folder, name))
    return folder


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release(tmp_path_factory.mktemp("before"), STEPS)


def test_nothing_moved(before: Path) -> None:
    assert quartiles_moved(before, before) == {NOTHING: 0.0}
    assert people_kept(before, before) == {NOTHING: 1.0}
    assert unit_jumps(before, before) == {NOTHING: 0.0}


def test_a_move_is_told_in_widths_of_the_middle_half_beyond_chance(before: Path, tmp_path: Path) -> None:
    now = release(tmp_path, {n: value + 6000 for n, value in STEPS.items()})
    old = population_percentiles(table("person_values", rows(STEPS, "steps", "whole")).lazy(), "e").collect()
    at = {
        row["percentile"]: row
        for row in old.filter(pl.col("sex") == "all", pl.col("age_group") == "all").to_dicts()
    }
    width = at["75"]["value"] - at["25"]["value"]
    gaps = [6000 - (at[p]["interval_high"] - at[p]["interval_low"]) for p in ("25", "50", "75")]
    assert quartiles_moved(now, before) == {"steps": pytest.approx(max(gaps) / width)}


def test_chance_is_no_move(before: Path, tmp_path: Path) -> None:
    now = release(tmp_path, {n: value + 300 for n, value in STEPS.items()})
    assert quartiles_moved(now, before) == {NOTHING: 0.0}


def test_a_metric_without_spread_has_no_measure(tmp_path: Path) -> None:
    flat = release(tmp_path / "flat", dict.fromkeys(range(40), 5.0))
    other = release(tmp_path / "other", dict.fromkeys(range(40), 9.0))
    assert quartiles_moved(other, flat) == {NOTHING: 0.0}


def test_people_gone(before: Path, tmp_path: Path) -> None:
    now = release(tmp_path, {n: value for n, value in STEPS.items() if n % 3})
    assert people_kept(now, before) == {"steps": pytest.approx(40 / 60)}


def test_a_metric_gone_altogether(before: Path, tmp_path: Path) -> None:
    assert people_kept(release(tmp_path, {}), before) == {"steps": 0.0}


def test_few_people_and_recent_windows_are_not_compared(tmp_path: Path) -> None:
    few = release(tmp_path / "few", dict.fromkeys(range(10), 1.0))
    recent = release(tmp_path / "recent", STEPS, window="last_7_days")
    gone = release(tmp_path / "gone", {})
    assert people_kept(gone, few) == {NOTHING: 1.0}
    assert people_kept(gone, recent) == {NOTHING: 1.0}


GLUCOSE: Values = {n: 80.0 + n for n in range(40)}


@pytest.mark.parametrize(
    ("metric", "factor"),
    [("glucose", 18.016), ("glucose", 1 / 18.016), ("glucose", 1000), ("distance_m", 1 / 1609.344)],
)
def test_a_unit_that_jumped_for_some(metric: str, factor: float, tmp_path: Path) -> None:
    old = release(tmp_path / "old", GLUCOSE, metric)
    now = release(
        tmp_path / "now", {n: value * factor if n < 10 else value + 3 for n, value in GLUCOSE.items()}, metric
    )
    assert unit_jumps(now, old) == {metric: pytest.approx(0.25)}


@pytest.mark.parametrize("factor", [1.0, 1.2, 2.0, 5.0])
def test_another_change_is_no_jump_of_units(factor: float, tmp_path: Path) -> None:
    old = release(tmp_path / "old", GLUCOSE, "glucose")
    now = release(tmp_path / "now", {n: value * factor for n, value in GLUCOSE.items()}, "glucose")
    assert unit_jumps(now, old) == {NOTHING: 0.0}


def test_new_people_and_zeros_are_not_compared(tmp_path: Path) -> None:
    old = release(tmp_path / "old", dict.fromkeys(range(20), 0.0), "distance_m")
    now = release(tmp_path / "now", dict.fromkeys(range(40), 1000.0), "distance_m")
    assert unit_jumps(now, old) == {NOTHING: 0.0}


def test_counts_and_scores_have_no_units_to_jump_between() -> None:
    assert unit_factors(METRICS["steps"]) == unit_factors(METRICS["phq9_score"]) == ()


def test_no_factor_is_taken_for_an_unchanged_value() -> None:
    factors = [factor for metric in METRICS.values() for factor in unit_factors(metric)]
    assert all(factor > 1.5 or factor < 1 / 1.5 for factor in factors)


def test_other_units_are_those_of_the_laboratory_list() -> None:
    with LABORATORY.open(encoding="utf-8", newline="") as stream:
        listed: dict[str, dict[str, str]] = {}
        for row in csv.DictReader(stream):
            listed.setdefault(row["analyte_key"], row)
    for analyte in ANALYTES:
        row = listed[analyte.key]
        proportional = row["factor"] not in ("", "1") and row["offset"] in ("", "0")
        expected = float(row["factor"]) if row["other_unit"] != row["unit"] and proportional else None
        assert analyte.other_factor == expected, analyte.key

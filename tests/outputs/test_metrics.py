"""The declared metrics against the tables they name."""

import csv
from pathlib import Path

from outputs.metrics import DAILY_METRICS, METRICS, metrics_table
from schemas.daily_summary import DailySummary
from schemas.metrics import Metrics
from schemas.table import unit_of

ANALYTES = Path(__file__).parents[2] / "ingest" / "labs" / "analytes.csv"

# The table of days counts in general units; the metric names what is counted.
SAME_UNIT = {"count": ("steps", "floors"), "score": ("points",)}


def test_the_table_is_in_its_declared_form() -> None:
    frame = metrics_table()
    _, failure = Metrics.filter(frame)
    assert failure.counts() == {}
    assert frame.height == len(METRICS)
    assert frame["metric"].is_sorted()


def test_daily_metrics_are_columns_with_the_same_unit() -> None:
    columns = DailySummary.columns()
    for metric in DAILY_METRICS:
        unit = unit_of(columns[metric.metric]) or ""
        assert metric.unit in SAME_UNIT.get(unit, (unit,)), metric.metric


def test_sleep_and_what_is_measured_asleep_belong_to_the_night() -> None:
    nights = {metric.metric for metric in DAILY_METRICS if metric.measured == "night"}
    assert {"sleep_minutes", "heart_rate_variability", "respiratory_rate", "spo2_avg"} <= nights
    assert not {"steps", "active_zone_minutes", "resting_heart_rate"} & nights


def test_analytes_are_those_of_the_laboratory_list_in_its_units() -> None:
    with ANALYTES.open(encoding="utf-8", newline="") as stream:
        listed = {}
        for row in csv.DictReader(stream):
            listed.setdefault(row["analyte_key"], row["unit"])
    assert {m.metric: m.unit for m in METRICS.values() if m.measured == "draw"} == listed

"""Facts of the wearable: medians of the windows."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from outputs.facts.fact import Cell, Fact
from outputs.metrics import METRICS
from outputs.rendering import rounded, shown_unit, shown_value


def median_facts(percentiles: pl.DataFrame) -> list[Fact]:
    """The value of each daily metric and window of ``participant_percentiles`` that has one."""
    return [
        _median(row)
        for row in percentiles.iter_rows(named=True)
        if row["value"] is not None and METRICS[row["metric"]].daily
    ]


def _median(row: Mapping[str, Any]) -> Fact:
    metric = METRICS[row["metric"]]
    key = {name: row[name] for name in ("participant_id", "metric", "window")}
    return Fact(
        f"{metric.metric}.median.{row['window']}",
        metric.topic,
        metric.label,
        shown_value(metric.metric, row["value"], metric.decimals, metric.unit),
        Cell("participant_percentiles", key, "value"),
        value_num=rounded(row["value"], metric.decimals),
        unit=shown_unit(metric.unit),
        decimals=metric.decimals,
        window=row["window"],
        window_start=row["window_start"],
        window_end=row["window_end"],
        days=row["days"],
    )

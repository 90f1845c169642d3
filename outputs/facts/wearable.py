"""Facts of the wearable: medians of the windows, and the change against the days before."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import polars as pl

from outputs.facts.fact import Cell, Direction, Fact
from outputs.findings.trend_tests import has_break
from outputs.metrics import METRICS
from outputs.person_values import countable_values
from outputs.rendering import rounded, shown_difference, shown_unit, shown_value
from outputs.windows import Window, data_is_old, last_days

# Half a robust standard deviation of the person's own days: the smallest change worth a word.
STEADY_WITHIN_SD = 0.5
MAD_TO_SD = 1.4826
# Two-sided. Stricter than 5 %, because some 20 metrics of a person are compared at once.
CHANGE_P_BELOW = 0.01

_CLOCK_METRICS = ("bed_minute", "wake_up_minute")


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


def change_facts(
    participant_id: str, daily: pl.DataFrame, data_through: date | None, length: int, as_of: date
) -> list[Fact]:
    """Median of the last ``length`` days against that of the ``length`` days before, by metric.

    None where data are old, where a device or method changed within the two windows, or where either window
    has too few days.
    """
    if data_through is None or data_is_old(data_through, as_of):
        return []
    recent = last_days(length, data_through)
    before = recent.before()
    if has_break(daily, before.start, recent.end):
        return []
    compared = _medians(daily, recent).join(_medians(daily, before), on="metric", suffix="_before")
    return [_change(participant_id, row, recent, before) for row in _rows(compared)]


def _rows(frame: pl.DataFrame) -> Iterable[dict[str, Any]]:
    return frame.sort("metric").iter_rows(named=True)


def _medians(daily: pl.DataFrame, window: Window) -> pl.DataFrame:
    value = pl.col("value")
    return (
        countable_values(daily.lazy())
        .filter(pl.col("date").is_between(window.start, window.end))
        .group_by("metric")
        .agg(
            median=value.median(),
            sd=MAD_TO_SD * (value - value.median()).abs().median(),
            days=pl.len().cast(pl.Int64),
            values=value,
        )
        .filter(pl.col("days") >= window.sufficient_days)
        .collect()
    )


def _change(participant_id: str, row: Mapping[str, Any], recent: Window, before: Window) -> Fact:
    metric = METRICS[row["metric"]]
    change = rounded(row["median"] - row["median_before"], metric.decimals)
    has_evidence = is_shifted(row["values"], row["values_before"], change)
    direction = change_direction(change, row["sd_before"]) if has_evidence else "steady"
    key = {"participant_id": participant_id, "from": before.start, "to": recent.end}
    return Fact(
        f"{metric.metric}.change.{recent.name}",
        metric.topic,
        f"{metric.label}, change",
        _shown_change(metric.metric, change, direction, before.days),
        Cell("daily_summary", key, metric.metric),
        value_num=change,
        unit=shown_unit(metric.unit),
        decimals=metric.decimals,
        direction=direction,
        window=recent.name,
        window_start=recent.start,
        window_end=recent.end,
        days=row["days"],
    )


def change_direction(change: float, sd_before: float) -> Direction:
    """rising or falling beyond half a robust standard deviation of the days before, else steady."""
    if change == 0 or abs(change) <= STEADY_WITHIN_SD * sd_before:
        return "steady"
    return "rising" if change > 0 else "falling"


def is_shifted(recent: Sequence[float], before: Sequence[float], change: float) -> bool:
    """The days of one window lie beyond those of the other, on the side of ``change``, by more than chance.

    Mann-Whitney U test with correction for ties and continuity: p of the side below half the two-sided level.
    """
    from scipy.stats import mannwhitneyu  # slow to import

    if change == 0:
        return False
    side = "greater" if change > 0 else "less"
    test = mannwhitneyu(recent, before, alternative=side, method="asymptotic")
    return bool(test.pvalue < CHANGE_P_BELOW / 2)


def _shown_change(metric: str, change: float, direction: Direction, days: int) -> str:
    declared = METRICS[metric]
    size = shown_difference(metric, change, declared.decimals, declared.unit)
    more, less = ("later", "earlier") if metric in _CLOCK_METRICS else ("higher", "lower")
    difference = f"{size} {more if change > 0 else less}"
    before = f"the {days} days before"
    if change == 0:
        return f"the same as in {before}"
    if direction == "steady":
        return f"no clear change from {before} ({difference})"
    return f"{difference} than in {before}"

"""Facts of change: the mean of the last days against that of as many days before, by daily metric.

Neighbouring days resemble each other, so interval and p-value are those of ``mean_changes``, which knows it;
and some thirty metrics of a person are looked at, so they are settled together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from outputs.facts.fact import Cell, Direction, Fact
from outputs.findings.level_change import FEWEST_VALUES, MAD_TO_SD, Floats, half_counts, mean_changes
from outputs.findings.rule import Case
from outputs.findings.trend_tests import has_break
from outputs.metrics import METRICS
from outputs.person_values import countable_values
from outputs.rendering import rounded, shown_difference, shown_unit
from outputs.windows import Window, data_is_old, last_days

# Half a robust standard deviation of the person's own days: the smallest change worth a word.
STEADY_WITHIN_SD = 0.5

_CLOCK_METRICS = ("bed_minute", "wake_up_minute")


@dataclass(frozen=True, slots=True)
class RecentChange:
    """How the mean of a metric moved. size, low and high (95 % interval): as shown; days: of the later."""

    metric: str
    size: float
    low: float
    high: float
    direction: Direction
    days: int


def change_facts(case: Case, length: int) -> list[Fact]:
    """Mean of the last ``length`` days against that of the ``length`` days before, by metric.

    None where data are old, where a device or method changed within the two windows, or where either window
    has too few days.
    """
    if case.data_through is None or data_is_old(case.data_through, case.as_of):
        return []
    recent = last_days(length, case.data_through)
    before = recent.before()
    if has_break(case.daily, before.start, recent.end):
        return []
    changes = recent_changes(
        *_enough(_days(case.daily, before, recent), recent), case.settings.change_false_share
    )
    return [_fact(case.participant_id, change, before, recent) for change in changes]


def _days(daily: pl.DataFrame, before: Window, recent: Window) -> pl.DataFrame:
    """A row a day of both windows, a column a metric that has a value, both in order."""
    calendar = pl.select(date=pl.date_range(before.start, recent.end)).lazy()
    found = countable_values(daily.lazy()).filter(pl.col("date").is_between(before.start, recent.end))
    wide = found.collect().pivot("metric", index="date", values="value").lazy()
    days = calendar.join(wide, on="date", how="left").sort("date").drop("date").collect()
    return days.select(sorted(days.columns))


def _enough(days: pl.DataFrame, recent: Window) -> tuple[list[str], Floats]:
    """Metrics with enough days in both windows; their values: (metrics, days), NaN where there is none."""
    values = days.to_numpy().T.astype(np.float64)
    needed = max(recent.sufficient_days, FEWEST_VALUES)
    enough = np.flatnonzero(half_counts(values).min(axis=0) >= needed)
    return [days.columns[place] for place in enough], values[enough]


def recent_changes(metrics: Sequence[str], values: Floats, false_share: float) -> list[RecentChange]:
    """The changes of a person together: Benjamini and Hochberg over the two-sided tests of all metrics.

    values: (metrics, days), NaN where a day has none; the later half is compared with the earlier. rising or
    falling where the change is sure and beyond half a robust standard deviation of the days before.
    """
    from scipy.stats import false_discovery_control  # slow to import

    if not metrics:
        return []
    found = mean_changes(values)
    is_sure = [share <= false_share for share in false_discovery_control(found.p_either)]
    spread, days = _spread(np.split(values, 2, axis=1)[0]), half_counts(values)[1]
    parts = zip(metrics, found.change, *found.interval(), spread, is_sure, days, strict=True)
    return [_change(metric, *map(float, numbers)) for metric, *numbers in parts]


def _change(
    metric: str, size: float, low: float, high: float, spread: float, is_sure: float, days: float
) -> RecentChange:
    size, low, high = (rounded(value, METRICS[metric].decimals) for value in (size, low, high))
    direction = change_direction(size, spread) if is_sure else "steady"
    return RecentChange(metric, size, low, high, direction, int(days))


def change_direction(change: float, sd_before: float) -> Direction:
    """rising or falling beyond half a robust standard deviation of the days before, else steady."""
    if change == 0 or abs(change) <= STEADY_WITHIN_SD * sd_before:
        return "steady"
    return "rising" if change > 0 else "falling"


def _spread(values: Floats) -> Floats:
    """Robust standard deviation of each series."""
    middle = np.nanmedian(values, axis=1, keepdims=True)
    return MAD_TO_SD * np.nanmedian(np.abs(values - middle), axis=1)


def _fact(participant_id: str, change: RecentChange, before: Window, recent: Window) -> Fact:
    metric = METRICS[change.metric]
    key = {"participant_id": participant_id, "from": before.start, "to": recent.end}
    return Fact(
        f"{metric.metric}.change.{recent.name}",
        metric.topic,
        f"{metric.label}, change",
        _shown(change, before.days),
        Cell("daily_summary", key, metric.metric),
        value_num=change.size,
        unit=shown_unit(metric.unit),
        decimals=metric.decimals,
        direction=change.direction,
        interval_low=change.low,
        interval_high=change.high,
        window=recent.name,
        window_start=recent.start,
        window_end=recent.end,
        days=change.days,
    )


def _shown(change: RecentChange, length: int) -> str:
    metric = METRICS[change.metric]
    before = f"the {length} days before"
    if change.low == change.high == 0:
        return f"the same as in {before}"
    size = shown_difference(change.metric, change.size, metric.decimals, metric.unit)
    more, less = ("later", "earlier") if change.metric in _CLOCK_METRICS else ("higher", "lower")
    difference = f"{size} {more if change.size > 0 else less}"
    if change.direction == "steady":
        return f"no clear change from {before}" + (f" ({difference})" if change.size else "")
    return f"{difference} than in {before}"

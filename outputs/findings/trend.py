"""Trends over the last twelve weeks: Theil-Sen slope of weekly medians with its 95 % interval.

Weekly medians, since neighbouring days of a wearable resemble each other and weekends differ from workdays:
both would make an interval from single days too narrow. Sen's interval: Sen 1968, JASA 63:1379.
"""

import math
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt
import polars as pl

from outputs.findings.rule import Case, Finding, Guideline, Rule, Severity, age_gate, unchecked
from outputs.metrics import METRICS
from outputs.person_values import countable_values
from outputs.rendering import rounded, shown_difference
from outputs.windows import Window, data_is_old, last_days, sufficient_days

WEEKS = 12
DAYS_OF_A_WEEK = 4
Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Slope:
    """Change per step of x, with the ends of its 95 % interval."""

    slope: float
    low: float
    high: float


def theil_sen(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Slope:
    """Median of all pairwise slopes; interval by the variance of Kendall's S, corrected for ties in y.

    x must differ from each other; at least two points.
    """
    first, second = np.triu_indices(len(x), k=1)
    slopes = np.sort((y[second] - y[first]) / (x[second] - x[first]))
    n, pairs = len(x), len(slopes)
    ties = np.unique(y, return_counts=True)[1]
    variance = (n * (n - 1) * (2 * n + 5) - float(np.sum(ties * (ties - 1) * (2 * ties + 5)))) / 18
    margin = Z_95 * math.sqrt(variance)
    # The M1-th smallest and the (M2 + 1)-th, counted from 1, each rounded outwards.
    low = max(math.floor((pairs - margin) / 2) - 1, 0)
    high = min(math.ceil((pairs + margin) / 2), pairs - 1)
    return Slope(float(np.median(slopes)), float(slopes[low]), float(slopes[high]))


@dataclass(frozen=True, slots=True)
class TrendRule:
    """Declaration of a trend rule.

    fires_on: ``rising`` or ``falling``. at_least: the change over the window, in the metric's unit, from
    which a trend is worth a look; medium_from: that of severity medium.
    """

    rule_id: str
    metric: str
    fires_on: str
    at_least: float
    medium_from: float
    guideline: Guideline
    next_step: str

    @property
    def title(self) -> str:
        """The metric's plain name with trend."""
        return f"Trend of {METRICS[self.metric].label.lower()}"

    def rule(self) -> Rule:
        """The declared rule."""
        least = shown_difference(self.metric, self.at_least, 0, METRICS[self.metric].unit)
        return Rule(
            self.rule_id,
            self.title,
            METRICS[self.metric].topic,
            (self.metric,),
            f"last {WEEKS} weeks",
            f"{sufficient_days(WEEKS * 7)} of {WEEKS * 7} days, and {sufficient_days(WEEKS)} weeks with at"
            f" least {DAYS_OF_A_WEEK} days",
            "age 18 or above; not pregnant; data at most 14 days behind; no change of device or method",
            (
                f"{self.fires_on}: the 95 % interval excludes no change, and the change is at least {least}"
                " (low)",
                "else rising, falling or steady (nothing found)",
            ),
            self.guideline,
            self.check,
        )

    def check(self, case: Case) -> list[Finding]:
        """One finding on the metric."""
        return [self._gated(case) or self._found(case)]

    def _gated(self, case: Case) -> Finding | None:
        window = _window(case)
        if window is None:
            return unchecked(self.title, self.metric, case.last_day, "no_wearable")
        if data_is_old(case.data_through, case.as_of):
            return unchecked(self.title, self.metric, window.end, "data_old")
        if case.pregnant:
            return unchecked(self.title, self.metric, window.end, "pregnancy", "not_applicable")
        if has_break(case.daily, window.start, window.end):
            return unchecked(self.title, self.metric, window.end, "break", "not_comparable")
        return age_gate(case, self.title, self.metric, window.end)

    def _found(self, case: Case) -> Finding:
        window = last_days(WEEKS * 7, case.last_day)
        weeks, days = weekly_medians(case.daily, self.metric, window)
        if days < window.sufficient_days or weeks.height < sufficient_days(WEEKS):
            return unchecked(self.title, self.metric, window.end, "insufficient_days")
        per_week = theil_sen(weeks["week"].to_numpy().astype(np.float64), weeks["median"].to_numpy())
        change = Slope(*(WEEKS * part for part in (per_week.slope, per_week.low, per_week.high)))
        direction = self._direction(change)
        fired = direction == self.fires_on and abs(change.slope) >= self.at_least
        return Finding(
            self.metric,
            window.end,
            "fired" if fired else "normal",
            self._statement(change, direction),
            self._severity(change, fired),
            category=direction,
            next_step=self.next_step if fired else None,
            evidence=[self._evidence(case, window, change, weeks.height, days)],
        )

    def _direction(self, change: Slope) -> str:
        if change.low > 0:
            return "rising"
        return "falling" if change.high < 0 else "steady"

    def _severity(self, change: Slope, fired: bool) -> Severity:
        if not fired:
            return "info"
        return "medium" if abs(change.slope) >= self.medium_from else "low"

    def _statement(self, change: Slope, direction: str) -> str:
        label, size = METRICS[self.metric].label, self._shown(abs(change.slope))
        interval = f"95 % interval {self._signed(change.low)} to {self._signed(change.high)}"
        over = f"over the last {WEEKS} weeks"
        if direction == "steady":
            return f"{label} has no clear trend {over}: change {self._signed(change.slope)} ({interval})."
        verb = "rose" if direction == "rising" else "fell"
        return f"{label} {verb} by {size} {over} ({interval})."

    def _shown(self, value: float) -> str:
        metric = METRICS[self.metric]
        return shown_difference(self.metric, value, metric.decimals, metric.unit)

    def _signed(self, value: float) -> str:
        size = rounded(value, METRICS[self.metric].decimals)
        return f"{'+' if size > 0 else '-' if size < 0 else ''}{self._shown(value)}"

    def _evidence(
        self, case: Case, window: Window, change: Slope, weeks: int, days: int
    ) -> dict[str, object]:
        return {
            "input": self.metric,
            "unit": METRICS[self.metric].unit,
            "change": rounded(change.slope, 4),
            "change_low": rounded(change.low, 4),
            "change_high": rounded(change.high, 4),
            "weeks": weeks,
            "days": days,
            "table": "daily_summary",
            "key": {"participant_id": case.participant_id, "from": window.start, "to": window.end},
            "column": self.metric,
        }


def _window(case: Case) -> Window | None:
    return None if case.data_through is None else last_days(WEEKS * 7, case.data_through)


def has_break(daily: pl.DataFrame, start: date, end: date) -> bool:
    """True where a day after the first one of the window is the first after a change of device or method."""
    inside = (pl.col("date") > start) & (pl.col("date") <= end)
    return daily.filter(inside & pl.col("break_before").fill_null(False)).height > 0


def weekly_medians(daily: pl.DataFrame, metric: str, window: Window) -> tuple[pl.DataFrame, int]:
    """Median of each whole week, counted from the window's start (0, 1, ...), and the days behind all weeks.

    Weeks with fewer than four days are left out.
    """
    values = (
        countable_values(daily.lazy())
        .filter(pl.col("metric") == metric, pl.col("date").is_between(window.start, window.end))
        .with_columns(week=(pl.col("date") - pl.lit(window.start)).dt.total_days() // 7)
        .collect()
    )
    weeks = (
        values.group_by("week")
        .agg(median=pl.col("value").median(), days=pl.len())
        .filter(pl.col("days") >= DAYS_OF_A_WEEK)
        .sort("week")
    )
    return weeks, values.height

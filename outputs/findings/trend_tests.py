"""Which daily measures are tested for a trend, over which days, and what the tests of a person say together.

A trend is a change of level: the later half of a window against its earlier half. The window ends with
data_through and reaches back as far as the setting allows, though never across a change of device or method.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from outputs.findings.level_change import LevelChanges, level_changes
from outputs.person_values import countable_values
from outputs.windows import Window
from schemas.settings import FindingsSection

Side = Literal["rising", "falling"]
Values = npt.NDArray[np.float64]

SHORTEST_DAYS = 84
# Halves of whole weeks, so that weekends weigh the same in both.
STEP_DAYS = 14
NEEDED_SHARE = 0.4


@dataclass(frozen=True, slots=True)
class Tested:
    """A measure tested for a trend.

    worse: the side that is a finding. relative: compared on the scale of logarithms, told in per cent.
    effect: the least change (in the metric's unit or per cent) the window is made to find.
    at_least: a smaller change is no finding however sure it is: half of it.
    """

    metric: str
    worse: Side
    effect: float
    relative: bool = False

    @property
    def at_least(self) -> float:
        """The least change worth a look."""
        return self.effect / 2


TESTED = (
    Tested("resting_heart_rate", "rising", 3.0),
    Tested("heart_rate_variability", "falling", 15.0, relative=True),
    Tested("steps", "falling", 30.0, relative=True),
    Tested("sleep_minutes", "falling", 30.0),
)


@dataclass(frozen=True, slots=True)
class TrendTest:
    """What the days say. change, low and high: in the metric's unit, or in per cent where relative.

    days: those with a value, of the earlier and the later half. side: where the change is sure to lie, at the
    level at which the person's tests are settled together; None where it is not sure.
    """

    tested: Tested
    window: Window
    days: tuple[int, int]
    change: float
    low: float
    high: float
    p_worse: float
    side: Side | None

    @property
    def half(self) -> int:
        """Days of each half."""
        return self.window.days // 2

    @property
    def is_finding(self) -> bool:
        """Sure, to the worse side, and large enough."""
        return self.side == self.tested.worse and abs(self.change) >= self.tested.at_least


def trend_tests(
    daily: pl.DataFrame, data_through: date, settings: FindingsSection
) -> dict[str, TrendTest | str]:
    """The tests of a person by metric; where one cannot be made, the reason (insufficient_days, break)."""
    values = _values(daily, data_through)
    windows = {each.metric: _window(daily, values, each.metric, data_through, settings) for each in TESTED}
    made = {
        each.metric: (window, _halves(values, each, window))
        for each in TESTED
        if isinstance(window := windows[each.metric], Window)
    }
    enough = {name: part for name, part in made.items() if _enough(part[1])}
    tests = settled(
        [(each, *enough[each.metric]) for each in TESTED if each.metric in enough], settings.trend_false_share
    )
    reasons = {
        name: window if isinstance(window, str) else "insufficient_days" for name, window in windows.items()
    }
    return reasons | {test.tested.metric: test for test in tests}


def settled(parts: Sequence[tuple[Tested, Window, Values]], false_share: float) -> list[TrendTest]:
    """The tests of a person together: Benjamini and Hochberg over the sides that would be findings.

    The other side of each is no finding and counts as sure below the first limit of theirs, share / tests.
    """
    from scipy.stats import false_discovery_control  # slow to import

    found = [(each, window, values, level_changes(values[np.newaxis])) for each, window, values in parts]
    p_worse = [_p(change, each.worse) for each, _, _, change in found]
    adjusted = false_discovery_control(p_worse) if p_worse else []
    return [
        _test(each, window, values, change, _side(each, change, q, false_share, len(found)))
        for (each, window, values, change), q in zip(found, adjusted, strict=True)
    ]


def _side(
    tested: Tested, change: LevelChanges, adjusted: float, false_share: float, tests: int
) -> Side | None:
    if adjusted <= false_share:
        return tested.worse
    better: Side = "falling" if tested.worse == "rising" else "rising"
    return better if _p(change, better) <= false_share / tests else None


def _p(change: LevelChanges, side: Side) -> float:
    return float((change.p_rise if side == "rising" else change.p_fall)[0])


def _test(
    tested: Tested,
    window: Window,
    values: Values,
    change: LevelChanges,
    side: Side | None,
) -> TrendTest:
    size, low, high = (_told(tested, part) for part in (change.change, *change.interval()))
    earlier, later = (int(np.sum(~np.isnan(half))) for half in np.split(values, 2))
    return TrendTest(tested, window, (earlier, later), size, low, high, _p(change, tested.worse), side)


def _told(tested: Tested, size: Values) -> float:
    """A change in the metric's unit, or in per cent."""
    return 100 * math.expm1(size[0]) if tested.relative else float(size[0])


def has_break(daily: pl.DataFrame, start: date, end: date) -> bool:
    """True where a day after the first one of the window is the first after a change of device or method."""
    inside = (pl.col("date") > start) & (pl.col("date") <= end)
    return daily.filter(inside & pl.col("break_before").fill_null(False)).height > 0


def _values(daily: pl.DataFrame, data_through: date) -> pl.DataFrame:
    wanted = [each.metric for each in TESTED]
    return (
        countable_values(daily.lazy())
        .filter(pl.col("metric").is_in(wanted), pl.col("date") <= data_through)
        .collect()
    )


def _window(
    daily: pl.DataFrame, values: pl.DataFrame, metric: str, data_through: date, settings: FindingsSection
) -> Window | str:
    """The longest window of whole fortnights that holds the first value and no break; else the reason.

    It may begin up to 13 days before the first value, since days without one say nothing, but never before a
    break.
    """
    first = values.filter(pl.col("metric") == metric)["date"].min()
    if not isinstance(first, date) or (data_through - first).days + 1 < SHORTEST_DAYS:
        return "insufficient_days"
    known = -(-((data_through - first).days + 1) // STEP_DAYS) * STEP_DAYS
    since_break = _days_since_break(daily, data_through) // STEP_DAYS * STEP_DAYS
    length = min(known, since_break, settings.trend_days)
    if length < SHORTEST_DAYS:
        return "break"
    return Window(f"last_{length}_days", data_through - timedelta(length - 1), data_through)


def _days_since_break(daily: pl.DataFrame, data_through: date) -> int:
    """Days from the newest change of device or method on; more than any window where there was none."""
    breaks = daily.filter(pl.col("break_before").fill_null(False), pl.col("date") <= data_through)
    newest = breaks["date"].max()
    return (data_through - newest).days + 1 if isinstance(newest, date) else 1_000_000


def _halves(values: pl.DataFrame, tested: Tested, window: Window) -> Values:
    """A value a day of the window, NaN where there is none; logarithms where changes are told in per cent."""
    calendar = pl.select(date=pl.date_range(window.start, window.end))
    own = values.filter(pl.col("metric") == tested.metric, pl.col("value") > 0)
    days = calendar.join(own, on="date", how="left").sort("date")["value"]
    return (days.log() if tested.relative else days).fill_null(math.nan).to_numpy()


def _enough(values: Values) -> bool:
    """Two of every five days of each half: fewer say little of the half as a whole."""
    needed = math.ceil(NEEDED_SHARE * len(values) / 2)
    return all(np.sum(~np.isnan(half)) >= needed for half in np.split(values, 2))

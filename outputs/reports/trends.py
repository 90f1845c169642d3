"""The chart of one daily metric: days, running median, gaps, breaks, and the middle half of the peers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import ceil, floor, log10
from statistics import median

from markupsafe import Markup

from outputs.rendering import shown_number
from outputs.reports import words
from outputs.reports.svg import element, label, line_through, picture, repeated

WIDTH, HEIGHT = 500, 185
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 18, 30
RUNNING_DAYS = 7
RUNNING_LEAST = 4


@dataclass(frozen=True, slots=True)
class TrendSpec:
    """How a metric is drawn. Values are divided by ``divide`` for the axis (minutes to hours)."""

    metric: str
    title: str
    unit: str
    bars: bool = False
    divide: float = 1.0


@dataclass(frozen=True, slots=True)
class DayValue:
    """A day of the chart: its value or None, and whether a break of device or method comes before it."""

    date: date
    value: float | None
    break_before: bool = False


@dataclass(frozen=True, slots=True)
class PeerBand:
    """Middle half and median of the peers, in the metric's unit."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class _Scale:
    first: date
    days: int
    low: float
    high: float

    def x(self, day: date) -> float:
        return LEFT + ((day - self.first).days + 0.5) * (WIDTH - LEFT - RIGHT) / self.days

    def y(self, value: float) -> float:
        span = HEIGHT - TOP - BOTTOM
        return TOP + span * (self.high - value) / (self.high - self.low)


def trend_chart(spec: TrendSpec, days: Sequence[DayValue], band: PeerBand | None) -> Markup | None:
    """The chart over consecutive days, oldest first; None where no day has a value.

    The line is the median of the 7 days up to each day, drawn where at least 4 have a value, never across a
    break. A day without a value leaves a gap.
    """
    scaled = [
        DayValue(d.date, None if d.value is None else d.value / spec.divide, d.break_before) for d in days
    ]
    values = [d.value for d in scaled if d.value is not None]
    if not values:
        return None
    near = None if band is None else PeerBand(*(v / spec.divide for v in (band.low, band.middle, band.high)))
    low, high, step = _axis([*values, *([near.low, near.high] if near else [])], from_zero=spec.bars)
    scale = _Scale(scaled[0].date, len(scaled), low, high)
    marks = [
        *([_band(near, scale)] if near else []),
        *_grid(scale, step),
        *_months(scale),
        *_day_marks(scaled, scale, bars=spec.bars),
        *[line_through(points, "running") for points in _running(scaled, scale)],
        *_breaks(scaled, scale),
    ]
    return picture(WIDTH, HEIGHT, spec.title, _description(spec, days), marks, "trend")


def _axis(values: Sequence[float], *, from_zero: bool) -> tuple[float, float, float]:
    """Ends and step of an axis of 3 to 6 round steps that holds all values."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    span = max(high - low, abs(high) * 0.05, 1e-6)
    rough = span / 4
    power = 10 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    bottom = floor(low / step) * step
    return bottom, max(ceil(high / step) * step, bottom + step), step


def _grid(scale: _Scale, step: float) -> list[Markup]:
    marks: list[Markup] = []
    decimals = 0 if step >= 1 and step == int(step) else 1 if step >= 0.1 else 2
    for index in range(round((scale.high - scale.low) / step) + 1):
        value = scale.low + index * step
        y = scale.y(value)
        marks.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"))
        marks.append(label(LEFT - 6, y + 4, shown_number(value, decimals), anchor="end"))
    return marks


def _months(scale: _Scale) -> list[Markup]:
    """A tick at the first of each month, or at the first day where the chart is short."""
    days = [date.fromordinal(scale.first.toordinal() + offset) for offset in range(scale.days)]
    ticks = [day for day in days if day.day == 1] or days[:1]
    y = HEIGHT - BOTTOM
    marks: list[Markup] = []
    for tick in ticks:
        x = scale.x(tick)
        marks.append(element("line", x1=x, x2=x, y1=y, y2=y + 5, class_="axis"))
        anchor = "end" if x > WIDTH - RIGHT - 30 else "start"
        marks.append(label(x, y + 18, f"{tick.day} {words.MONTHS[tick.month - 1]}", anchor=anchor))
    return marks


def _day_marks(days: Sequence[DayValue], scale: _Scale, *, bars: bool) -> list[Markup]:
    known = [(scale.x(day.date), scale.y(day.value)) for day in days if day.value is not None]
    if bars:
        return [
            repeated(known, f"V{scale.y(scale.low):.1f}", "bars", (WIDTH - LEFT - RIGHT) / len(days) * 0.6)
        ]
    return [repeated(known, "h0", "dots")]


def _running(days: Sequence[DayValue], scale: _Scale) -> list[list[tuple[float, float]]]:
    lines: list[list[tuple[float, float]]] = []
    line: list[tuple[float, float]] = []
    start = 0
    for index, day in enumerate(days):
        if day.break_before:
            start = index
            lines.append(line)
            line = []
        recent = [
            d.value for d in days[max(start, index - RUNNING_DAYS + 1) : index + 1] if d.value is not None
        ]
        if day.value is not None and len(recent) >= RUNNING_LEAST:
            line.append((scale.x(day.date), scale.y(median(recent))))
        elif day.value is None:
            lines.append(line)
            line = []
    return [points for points in [*lines, line] if len(points) > 1]


def _band(band: PeerBand, scale: _Scale) -> Markup:
    top, bottom, middle = (scale.y(v) for v in (band.high, band.low, band.middle))
    width = WIDTH - LEFT - RIGHT
    area = element("rect", x=LEFT, y=top, width=width, height=max(bottom - top, 1.0), class_="band")
    return area + element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=middle, y2=middle, class_="band-middle")


def _breaks(days: Sequence[DayValue], scale: _Scale) -> list[Markup]:
    marks: list[Markup] = []
    for before, day in pairwise(days):
        if day.break_before:
            x = (scale.x(before.date) + scale.x(day.date)) / 2
            marks.append(element("line", x1=x, x2=x, y1=TOP, y2=HEIGHT - BOTTOM, class_="break"))
            marks.append(_break_label(x))
    return marks


def _break_label(x: float) -> Markup:
    """Above the plot, on the side that has room."""
    left = x < WIDTH * 0.7
    return label(
        x + 4 if left else x - 4, TOP - 6, "device or method changed", "note", "start" if left else "end"
    )


def _description(spec: TrendSpec, days: Sequence[DayValue]) -> str:
    known = sum(d.value is not None for d in days)
    return (
        f"Each day from {words.day(days[0].date)} to {words.day(days[-1].date)}, in {spec.unit}; "
        f"{known} of {len(days)} days have a value, the others are gaps."
    )

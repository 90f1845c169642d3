"""Small pictures: where a lab value lies in its printed range, where a rank lies, which days were worn."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby

from markupsafe import Markup

from outputs.rendering import shown_place, shown_rank
from outputs.reports import words
from outputs.reports.svg import element, label, picture, repeated

RANGE_WIDTH, RANGE_HEIGHT = 132, 16
RANK_WIDTH, RANK_HEIGHT = 220, 18
CELL, STEP = 11, 13
CALENDAR_WEEKS = 53
DAY_STATES = ("worn", "partly_worn", "not_worn", "not_arrived", "set_aside")


def range_bar(value: float | None, low: float | None, high: float | None) -> Markup | None:
    """A value against its printed interval, in the printed unit; None where there is nothing to draw.

    A two-sided interval fills the middle half of the track, a one-sided one half of it. A value off the
    track is drawn as an arrow at its end.
    """
    span = _track(low, high)
    if value is None or span is None:
        return None
    start, end = span
    inner = RANGE_WIDTH - 12

    def x(number: float) -> float:
        return 6 + inner * min(max((number - start) / (end - start), 0.0), 1.0)

    left, right = x(start if low is None else low), x(end if high is None else high)
    inside = (low is None or value >= low) and (high is None or value <= high)
    place = "within" if inside else "below" if low is not None and value < low else "above"
    kind = "marker" if inside else "marker out"
    marks = [
        element("rect", x=6, y=6, width=inner, height=4, rx=2, class_="track"),
        element("rect", x=left, y=5, width=max(right - left, 1.0), height=6, class_="normal"),
        _arrow(start <= value <= end, value > end, x(value), kind),
    ]
    return picture(
        RANGE_WIDTH,
        RANGE_HEIGHT,
        "Value and printed range",
        f"The value is {place} the range.",
        marks,
        "range",
    )


def rank_strip(rank: float, others: int) -> Markup:
    """A rank among the others on a line with its quarters, as finely as its words give it."""
    inner = RANK_WIDTH - 12
    quarters = [
        element("line", x1=x, x2=x, y1=4, y2=14, class_="quarter")
        for x in (6 + inner * share for share in (0.25, 0.5, 0.75))
    ]
    marks = [
        element("rect", x=6, y=7, width=inner, height=4, rx=2, class_="track"),
        element("rect", x=6 + inner * 0.25, y=7, width=inner * 0.5, height=4, class_="normal"),
        *quarters,
        element("circle", cx=6 + inner * shown_place(rank, others) / 100, cy=9, r=5, class_="marker"),
    ]
    text = f"Rank: {shown_rank(rank, others)}; the shaded part is the middle half."
    return picture(RANK_WIDTH, RANK_HEIGHT, "Rank among others", text, marks, "rank")


def wear_calendar(days: Sequence[tuple[date, str]]) -> Markup | None:
    """Weeks as columns, Monday on top, of at most the last 53 weeks; None without days."""
    if not days:
        return None
    monday = max(days)[0] - timedelta(days=max(days)[0].weekday())
    start = max(
        min(days)[0] - timedelta(days=min(days)[0].weekday()), monday - timedelta(weeks=CALENDAR_WEEKS - 1)
    )
    shown = sorted(day for day in days if day[0] >= start)
    cells = [
        repeated(places, f"h{CELL}v{CELL}h-{CELL}z", f"day {state}")
        for state in DAY_STATES
        if (places := [_place(day, start) for day, found in shown if found == state])
    ]
    letters = [label(0, 16 + row * STEP + 9, name) for row, name in ((0, "Mon"), (3, "Thu"), (6, "Sun"))]
    width = 24 + ((monday - start).days // 7 + 1) * STEP
    counts = Counter(state for _, state in shown)
    text = ", ".join(
        f"{words.plain(state)} {words.counted(counts[state], 'day')}" for state in DAY_STATES if counts[state]
    )
    marks = [*letters, *_month_names(start, shown), *cells]
    return picture(max(width, 120), 16 + 7 * STEP, "Days worn", f"{text}.", marks, "calendar")


def _place(day: date, start: date) -> tuple[int, int]:
    return 24 + (day - start).days // 7 * STEP, 16 + day.weekday() * STEP


def _track(low: float | None, high: float | None) -> tuple[float, float] | None:
    if low is not None and high is not None:
        return (low - (high - low) / 2, high + (high - low) / 2) if high > low else None
    if high is not None:
        return (0.0, 2 * high) if high > 0 else None
    if low is not None:
        return (0.0, 2 * low) if low > 0 else None
    return None


def _arrow(on_track: bool, beyond_end: bool, x: float, kind: str) -> Markup:
    if on_track:
        return element("circle", cx=x, cy=8, r=4, class_=kind)
    tip, back = (RANGE_WIDTH - 1, RANGE_WIDTH - 9) if beyond_end else (1, 9)
    return element("path", d=f"M{tip} 8L{back} 3L{back} 13Z", class_=kind)


def _month_names(start: date, days: Sequence[tuple[date, str]]) -> list[Markup]:
    """The month over its first column, left out where it would run into the one before."""
    marks: list[Markup] = []
    last = -40
    for (_, month), group in groupby(days, key=lambda item: (item[0].year, item[0].month)):
        x = 24 + (next(group)[0] - start).days // 7 * STEP
        if x - last >= 30:
            marks.append(label(x, 10, words.MONTHS[month - 1]))
            last = x
    return marks

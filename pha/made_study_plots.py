"""The pictures of docs/made_studies.md: one made week, and the made population beside published figures."""

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from markupsafe import Markup
from numpy.typing import NDArray

from outputs.reports.svg import element, label, line_through
from synthetic.labs.blood import draw_blood
from synthetic.life.recording import record
from synthetic.people.body import DECADES, RESTING_FEMALE, RESTING_MALE, draw_bodies
from synthetic.people.persona import make_person
from synthetic.people.profiles import PROFILES
from synthetic.people.reference import daily_medians
from synthetic.randomness import generator

Points = Sequence[tuple[float, float]]

PEOPLE, SEED = 12_000, 7
WEEK_OF, DAYS, FIRST_DAY = 10, 30, 20
PANEL_WIDTH, PANEL_HEIGHT, MARGIN = 300, 180, 46
RMSSD_MEANS = ((23, 60.0), (31, 50.0), (41, 40.0), (51, 33.0), (61, 26.0), (72, 21.5))
STEP_QUARTILES = (5_867, 7_731, 9_827)
HOMA_MEDIANS_OF_MEN = (1.8, 2.3, 2.4, 2.7, 3.0, 3.0)
STYLE = (
    "text{font:11px sans-serif;fill:#333}.title{font-weight:600}.axis{stroke:#bbb;fill:none}"
    ".made{stroke:#1f6f8b;fill:none;stroke-width:1.5}.second{stroke:#b3541e;fill:none;stroke-width:1.5}"
    ".published{fill:#1f6f8b}.published.second{fill:#b3541e;stroke:none}.steps{stroke:#7a9e7e;stroke-width:1.2}"
    ".sleep{fill:#dfe6f2}"
)


def week_picture() -> str:
    """Heart rate and steps of every minute of one week, nights shaded."""
    recording = record(make_person(WEEK_OF, DAYS, SEED), SEED)
    week = slice(recording.days.minutes_of(FIRST_DAY).start, recording.days.minutes_of(FIRST_DAY + 6).stop)
    width, height = 980, 226
    x = np.arange(week.stop - week.start) / (week.stop - week.start) * (width - 60) + 50
    worn, heart_rate = recording.minutes.worn[week], recording.minutes.heart_rate[week]
    steps, in_bed = recording.minutes.steps[week], recording.minutes.in_bed[week]
    every = slice(None, None, 6)
    marks = [
        *_shaded(x, in_bed, height - 70),
        *(
            line_through(_points(x[piece][every], 150 - (heart_rate[piece][every] - 40) * 0.8), "made")
            for piece in _runs(worn)
        ),
        *_step_bars(x, steps),
        *(label(4, 153 - (rate - 40) * 0.8, f"{rate} bpm") for rate in (40, 80, 120, 160)),
        label(4, 218, "steps"),
    ]
    return _document(width, height, "One made week: heart rate, steps and nights", marks)


def _step_bars(x: NDArray[np.float64], steps: NDArray[np.int64]) -> list[Markup]:
    """A bar a quarter of an hour."""
    whole = len(steps) // 15 * 15
    sums = steps[:whole].reshape(-1, 15).sum(axis=1)
    return [
        element("path", d=f"M{place:.1f} 218v-{count / 30:.1f}", class_="steps")
        for place, count in zip(x[7:whole:15].tolist(), sums.tolist(), strict=True)
        if count
    ]


def marginals_picture() -> str:
    """Lines are made people, dots the published figures."""
    profile = np.arange(PEOPLE) % len(PROFILES)
    rng = generator(SEED, "plots")
    low, high = np.array([each.ages for each in PROFILES]).T
    age = np.floor(rng.uniform(low[profile], high[profile] + 1))
    female = (rng.random(PEOPLE) < 0.55).astype(np.float64)
    bodies = draw_bodies(rng, female, age, profile)
    medians, blood = daily_medians(rng, bodies, female, age), draw_blood(rng, bodies, female, age, profile)
    people = medians.with_columns(
        age=pl.Series(age), female=pl.Series(female), homa=blood["glucose"] * blood["insulin"] / 405
    )
    panels = [_resting_panel(people), _rmssd_panel(people), _steps_panel(people), _homa_panel(people)]
    marks = [
        element("g", Markup("").join(panel), transform=f"translate({n % 2 * 340} {n // 2 * 230})")
        for n, panel in enumerate(panels)
    ]
    return _document(680, 460, "Made people (lines) and published figures (dots)", marks)


def _resting_panel(people: pl.DataFrame) -> list[Markup]:
    marks = _frame("Mean resting heart rate by age, bpm (blue women, brown men)", (20, 80), (58, 72))
    for sex, published, kind in ((1.0, RESTING_FEMALE, "made"), (0.0, RESTING_MALE, "second")):
        own = people.filter(pl.col("female") == sex)
        marks.append(line_through(_scaled(_by_decade(own, "resting_heart_rate"), (20, 80), (58, 72)), kind))
        given = list(zip(DECADES[:6].tolist(), published[:6].tolist(), strict=True))
        marks += _dots(_scaled(given, (20, 80), (58, 72)), kind)
    return marks


def _rmssd_panel(people: pl.DataFrame) -> list[Markup]:
    marks = _frame("Mean RMSSD at night by age, ms", (20, 80), (10, 70))
    made = _by_decade(people, "heart_rate_variability")
    return [
        *marks,
        line_through(_scaled(made, (20, 80), (10, 70)), "made"),
        *_dots(_scaled(RMSSD_MEANS, (20, 80), (10, 70)), "made"),
    ]


def _steps_panel(people: pl.DataFrame) -> list[Markup]:
    shares = np.arange(2, 99) / 100
    values = np.quantile(people["steps"].to_numpy(), shares) / 1000
    made = list(zip((shares * 100).tolist(), values.tolist(), strict=True))
    given = [(place, count / 1000) for place, count in zip((25, 50, 75), STEP_QUARTILES, strict=True)]
    return [
        *_frame("Steps of a day by percentile, thousands", (0, 100), (0, 18)),
        line_through(_scaled(made, (0, 100), (0, 18)), "made"),
        *_dots(_scaled(given, (0, 100), (0, 18)), "made"),
    ]


def _homa_panel(people: pl.DataFrame) -> list[Markup]:
    own = people.filter(pl.col("female") == 0)
    made = [(middle, float(np.median(_of_decade(own, middle)["homa"].to_numpy()))) for middle in DECADES[:6]]
    given = list(zip(DECADES[:6].tolist(), HOMA_MEDIANS_OF_MEN, strict=True))
    return [
        *_frame("Median HOMA-IR of men by age", (20, 80), (0, 5)),
        line_through(_scaled(made, (20, 80), (0, 5)), "second"),
        *_dots(_scaled(given, (20, 80), (0, 5)), "second"),
    ]


def _by_decade(people: pl.DataFrame, column: str) -> Points:
    decades = ((float(middle), _of_decade(people, float(middle))[column]) for middle in DECADES[:6])
    return [(middle, float(values.to_numpy().mean())) for middle, values in decades if len(values)]


def _of_decade(people: pl.DataFrame, middle: float) -> pl.DataFrame:
    return people.filter(pl.col("age").is_between(middle - 5, middle + 4))


def _frame(title: str, x: tuple[float, float], y: tuple[float, float]) -> list[Markup]:
    """A panel's axes with the two ends of each named."""
    return [
        label(MARGIN, 16, title, "title"),
        element("path", d=f"M{MARGIN} 28V{PANEL_HEIGHT + 10}H{PANEL_WIDTH}", class_="axis"),
        label(MARGIN - 6, 38, f"{y[1]}", anchor="end"),
        label(MARGIN - 6, PANEL_HEIGHT + 8, f"{y[0]}", anchor="end"),
        label(MARGIN, PANEL_HEIGHT + 26, f"{x[0]}"),
        label(PANEL_WIDTH, PANEL_HEIGHT + 26, f"{x[1]}", anchor="end"),
    ]


def _scaled(points: Points, x: tuple[float, float], y: tuple[float, float]) -> Points:
    width, height = PANEL_WIDTH - MARGIN, PANEL_HEIGHT - 20
    return [
        (
            MARGIN + (across - x[0]) / (x[1] - x[0]) * width,
            PANEL_HEIGHT + 8 - (up - y[0]) / (y[1] - y[0]) * height,
        )
        for across, up in points
    ]


def _dots(points: Points, kind: str) -> list[Markup]:
    return [element("circle", cx=x, cy=y, r=4, class_=f"published {kind}") for x, y in points]


def _points(x: NDArray[np.float64], y: NDArray[np.floating]) -> Points:
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _runs(mask: NDArray[np.bool_]) -> Iterable[slice]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return (slice(int(start), int(stop)) for start, stop in edges.reshape(-1, 2) if stop - start > 6)


def _shaded(x: NDArray[np.float64], mask: NDArray[np.bool_], height: int) -> list[Markup]:
    return [
        element(
            "rect", x=float(x[run.start]), y=10, width=float(x[run.stop - 1] - x[run.start]), height=height,
            class_="sleep",
        )
        for run in _runs(mask)
    ]  # fmt: skip


def _document(width: int, height: int, title: str, marks: Iterable[Markup]) -> str:
    """A picture that stands alone, on white."""
    content = (
        element("title", title)
        + element("style", STYLE)
        + element("rect", width=width, height=height, fill="#fff")
        + Markup("").join(marks)
    )
    return (
        element(
            "svg",
            content,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
        )
        + "\n"
    )

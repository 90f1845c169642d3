"""Charts and small pictures, read back from their SVG."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from outputs.reports.small_plots import range_bar, rank_strip, wear_calendar
from outputs.reports.svg import element, label
from outputs.reports.trends import DayValue, PeerBand, TrendSpec, trend_chart

FIRST = date(2026, 4, 1)
HEART = TrendSpec("resting_heart_rate", "Resting heart rate", "bpm")
STEPS = TrendSpec("steps", "Steps", "steps a day", bars=True)
SLEEP = TrendSpec("sleep_minutes", "Time asleep", "hours", divide=60)


def series(values: list[float | None], *breaks: int) -> list[DayValue]:
    return [DayValue(FIRST + timedelta(days=n), value, n in breaks) for n, value in enumerate(values)]


def chart(spec: TrendSpec, values: list[float | None], *breaks: int, band: PeerBand | None = None) -> str:
    drawn = trend_chart(spec, series(values, *breaks), band)
    assert drawn is not None
    return str(drawn)


def path_of(svg: str, kind: str) -> list[str]:
    return re.findall(rf'<path d="([^"]*)" class="{kind}"', svg)


def marks(svg: str, kind: str) -> int:
    return sum(d.count("M") for d in path_of(svg, kind))


def test_text_and_attributes_are_escaped() -> None:
    assert element("text", "<b>&", class_='a"b') == '<text class="a&#34;b">&lt;b&gt;&amp;</text>'
    assert label(1.0, 2.25, "<x>") == '<text x="1" y="2.2" class="tick">&lt;x&gt;</text>'
    assert element("g", Markup("<line/>"), stroke_width=None) == "<g><line/></g>"


def test_without_a_value_there_is_no_chart() -> None:
    assert trend_chart(HEART, series([None, None]), None) is None


def test_a_chart_tells_its_content_to_those_who_cannot_see_it() -> None:
    svg = chart(HEART, [60.0, None, 62.0])
    assert "<title>Resting heart rate</title>" in svg
    assert "Each day from 1 Apr 2026 to 3 Apr 2026, in bpm; 2 of 3 days have a value" in svg
    assert 'role="img"' in svg


def test_every_day_with_a_value_has_one_mark_and_no_other_day_has() -> None:
    values = [60.0, None, 61.0, 62.0, None]
    assert marks(chart(HEART, values), "dots") == 3
    assert marks(chart(STEPS, values), "bars") == 3


def test_the_line_is_the_median_of_7_days_and_needs_4() -> None:
    svg = chart(HEART, [60.0, 60.0, 60.0, 60.0, 60.0, 60.0, 60.0, 90.0])
    (line,) = path_of(svg, "running")
    heights = [point.split()[1] for point in line.removeprefix("M").split("L")]
    assert len(heights) == 5, "from the fourth day on"
    assert len(set(heights)) == 1, "one day of 90 does not move the median"


def test_a_day_without_a_value_is_a_gap_in_the_line() -> None:
    values = [60.0] * 10 + [None] + [60.0] * 10
    assert len(path_of(chart(HEART, [60.0] * 21), "running")) == 1
    assert len(path_of(chart(HEART, values), "running")) == 2


def test_the_line_never_crosses_a_break_nor_takes_days_from_before_it() -> None:
    svg = chart(HEART, [60.0] * 10 + [80.0] * 10, 10)
    before, after = path_of(svg, "running")
    heights = {point.split()[1] for point in after.removeprefix("M").split("L")}
    assert len(heights) == 1, "no day of 60 in the medians after the break"
    assert before.count("L") == 6
    assert after.count("L") == 6
    assert svg.count('class="break"') == 1
    assert "device or method changed" in svg


def test_bars_start_at_zero_and_lines_do_not() -> None:
    assert ">0</text>" in chart(STEPS, [8000.0, 9000.0])
    assert ">0</text>" not in chart(HEART, [60.0, 62.0])


def test_minutes_are_drawn_in_hours() -> None:
    svg = chart(SLEEP, [420.0, 480.0])
    assert ">7.0</text>" in svg
    assert ">8.0</text>" in svg
    assert ">420" not in svg


def test_the_axis_holds_the_band_of_the_peers() -> None:
    svg = chart(HEART, [60.0, 61.0], band=PeerBand(50, 55, 80))
    assert svg.count('class="band"') == 1
    assert svg.count('class="band-middle"') == 1
    ticks = [float(t) for t in re.findall(r'text-anchor="end">([\d.]+)</text>', svg)]
    assert min(ticks) <= 50
    assert max(ticks) >= 80


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.none(), st.floats(0.01, 100_000)), min_size=1, max_size=90),
    st.sampled_from([HEART, STEPS, SLEEP]),
)
def test_nothing_is_drawn_outside_the_picture(values: list[float | None], spec: TrendSpec) -> None:
    drawn = trend_chart(spec, series(values), None)
    if drawn is None:
        assert all(value is None for value in values)
        return
    for d in path_of(str(drawn), "(?:dots|bars|running)"):
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", d):
            assert 46 <= float(x) <= 488
            assert 17.9 <= float(y) <= 155.1
    assert str(drawn).count('class="grid"') <= 8


@pytest.mark.parametrize(
    ("value", "low", "high", "place"),
    [
        (4.0, 3.5, 5.3, "within"),
        (3.5, 3.5, 5.3, "within"),
        (5.4, 3.5, 5.3, "above"),
        (3.4, 3.5, 5.3, "below"),
        (5.6, None, 5.7, "within"),
        (5.9, None, 5.7, "above"),
        (59.0, 60.0, None, "below"),
        (400.0, 60.0, None, "within"),
    ],
)
def test_the_bar_says_where_the_value_is(
    value: float, low: float | None, high: float | None, place: str
) -> None:
    bar = range_bar(value, low, high)
    assert bar is not None
    assert f"The value is {place} the range." in bar
    assert ("marker out" in bar) == (place != "within")


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (None, 1.0, 2.0),
        (1.0, None, None),
        (1.0, 2.0, 2.0),
        (1.0, 3.0, 2.0),
        (1.0, None, 0.0),
        (1.0, 0.0, None),
    ],
)
def test_where_there_is_nothing_to_draw_there_is_no_bar(
    value: float | None, low: float | None, high: float | None
) -> None:
    assert range_bar(value, low, high) is None


def test_a_value_off_the_track_is_an_arrow_at_its_end() -> None:
    far = range_bar(99.0, 3.5, 5.3)
    assert far is not None
    assert '<path d="M131 8' in far
    low = range_bar(0.1, 3.5, 5.3)
    assert low is not None
    assert '<path d="M1 8' in low


@pytest.mark.parametrize(
    ("rank", "others", "x", "words"),
    [
        (0, 200, 6, "below the 1st percentile"),
        (50, 200, 110, "50th percentile"),
        (62.5, 20, 141.2, "about the 65th percentile"),
        (100, 200, 214, "above the 99th percentile"),
        (100, 11, 214, "higher than all"),
    ],
)
def test_a_rank_is_placed_by_its_share(rank: float, others: int, x: float, words: str) -> None:
    strip = rank_strip(rank, others)
    assert f'cx="{x}"' in strip.replace('.0"', '"')
    assert f"Rank: {words};" in strip


def test_the_calendar_has_a_cell_a_day_on_its_weekday() -> None:
    days = [(date(2026, 3, 2) + timedelta(days=n), "worn" if n % 2 else "not_worn") for n in range(14)]
    drawn = wear_calendar(days)
    assert drawn is not None
    assert marks(drawn, "day worn") == 7
    assert marks(drawn, "day not_worn") == 7
    assert "worn 7 days, not worn 7 days." in drawn
    (first,) = path_of(drawn, "day not_worn")
    assert first.startswith("M24 16h"), "2 March 2026 is a Monday: first column, first row"


def test_the_calendar_shows_at_most_53_weeks_and_nothing_without_days() -> None:
    assert wear_calendar([]) is None
    long = wear_calendar([(FIRST + timedelta(days=n), "worn") for n in range(800)])
    assert long is not None
    assert 52 * 7 < marks(long, "day worn") <= 53 * 7

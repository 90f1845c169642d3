"""A block of a wellness report: big value, unit under it, a coloured bar with small numbers, prose below."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby, pairwise

from reportlab.lib.colors import Color, black, white
from reportlab.lib.utils import simpleSplit

from synthetic.labs.held_out.draws import Draw
from synthetic.labs.held_out.markers import DAY, caption_of, marker_of, verdict_of
from synthetic.labs.ink import EMBEDDED, Ink
from synthetic.labs.printing import Interval, Result, Style

TOP, BOTTOM = 86.0, 735.0
TITLE_HEIGHT, BLOCK_HEIGHT = 34.0, 92.0
LEFT, RIGHT = 42.0, 570.0
BAR_X, BAR_WIDTH, RANGE_X = 200.0, 180.0, 410.0
AMBER, GREEN, TEAL = Color(0.96, 0.76, 0.4), Color(0.55, 0.8, 0.6), Color(0.2, 0.6, 0.55)
GREY = Color(0.93, 0.93, 0.93)


@dataclass(frozen=True, slots=True)
class Block:
    """A result's place: page (1 is the cover), top in points; ``opens`` where a category's title precedes."""

    page: int
    top: float
    result: Result
    before: Result
    opens: bool


def blocks_of(newest: Draw, earlier: Draw) -> list[Block]:
    """Every result with its place, in the order of print, each beside the result of the draw before."""
    page, y = 2, TOP
    blocks: list[Block] = []
    pairs = zip(newest.results, earlier.results, strict=True)
    for _, category in groupby(pairs, key=lambda pair: pair[0].line.panel):
        opens = True
        for result, before in category:
            height = BLOCK_HEIGHT + (TITLE_HEIGHT if opens else 0.0)
            if y + height > BOTTOM:
                page, y = page + 1, TOP
            blocks.append(Block(page, y + height - BLOCK_HEIGHT, result, before, opens))
            y, opens = y + height, False
    return blocks


def draw_title(ink: Ink, block: Block, results: Sequence[Result]) -> None:
    """The category, and how many of its markers are in range."""
    inside = sum(result.flag is None and result.missing is None for result in results)
    ink.text(LEFT, block.top - 12, 15, block.result.line.panel, "bold")
    ink.text(RIGHT, block.top - 12, 9, f"{inside} of {len(results)} in range", align="right")


def draw_block(ink: Ink, block: Block, earlier: Draw, style: Style) -> None:
    """One marker, with the result of the draw before in the column of ranges."""
    result, y = block.result, block.top
    ink.text(LEFT, y + 14, 10.5, result.line.name, "bold")
    _pill(ink, y, verdict_of(result))
    ink.text(LEFT, y + 40, 9 if result.missing else 20, result.raw_value, "bold")
    if result.missing is None:
        ink.text(LEFT, y + 52, 8, result.line.unit or "")
    _bar(ink, y + 28, result, style)
    if result.interval is not None:
        ink.text(RANGE_X, y + 30, 8, f"Lab range: {style.interval(result.interval)}")
    ink.text(RANGE_X, y + 42, 8, f"Optimal: {style.interval(marker_of(result).optimal)}")
    if block.before.missing is None:
        ink.text(RANGE_X, y + 54, 8, f"Last test: {block.before.raw_value} ({earlier.collected:{DAY}})")
    caption = caption_of(result, block.before, earlier, style)
    for number, line in enumerate(simpleSplit(caption, EMBEDDED["plain"], 7, RIGHT - LEFT)):
        ink.text(LEFT, y + 67 + 9.5 * number, 7, line)
    ink.rule(LEFT, RIGHT, y + BLOCK_HEIGHT - 5)


def _pill(ink: Ink, y: float, verdict: str) -> None:
    colour = {"Optimal": TEAL, "In range": GREEN, "No result": GREY}.get(verdict, AMBER)
    ink.canvas.setFillColor(colour)
    ink.canvas.roundRect(RANGE_X - 4, ink.height - y - 18, 84, 13, 6, stroke=0, fill=1)
    ink.canvas.setFillColor(white if verdict == "Optimal" else black)
    ink.text(RANGE_X + 38, y + 14.5, 8, verdict, "bold", "centre")
    ink.canvas.setFillColor(black)


def _bar(ink: Ink, y: float, result: Result, style: Style) -> None:
    """Zones by colour, the ends of the zones in small print below, and a mark at the value."""
    ends = _ends(result)
    lowest, highest = ends[0] - (ends[-1] - ends[0]) / 3, ends[-1] + (ends[-1] - ends[0]) / 3
    span = highest - lowest or Decimal(1)

    def x(value: Decimal) -> float:
        return BAR_X + BAR_WIDTH * float(min(max((value - lowest) / span, Decimal(0)), Decimal(1)))

    edges = [BAR_X, *(x(end) for end in ends), BAR_X + BAR_WIDTH]
    optimal = marker_of(result).optimal
    for number, (left, right) in enumerate(pairwise(edges)):
        middle = lowest + span * Decimal((left + right) / 2 - BAR_X) / Decimal(BAR_WIDTH)
        ink.canvas.setFillColor(_zone(middle, optimal, result.interval))
        ink.canvas.rect(left, ink.height - y - 9, right - left, 8, stroke=0, fill=1)
        if number:
            ink.canvas.setFillColor(black)
            ink.text(left, y + 17, 6, style.number(ends[number - 1]), align="centre")
    ink.canvas.setFillColor(black)
    if result.value is not None:
        ink.canvas.circle(x(result.value), ink.height - y - 5, 4, stroke=1, fill=0)


def _zone(value: Decimal, optimal: Interval, interval: Interval | None) -> Color:
    if optimal.judge(value) == "N":
        return TEAL
    return GREEN if interval is not None and interval.judge(value) == "N" else AMBER


def _ends(result: Result) -> list[Decimal]:
    """The finite ends of both ranges, each once, in order."""
    optimal, interval = marker_of(result).optimal, result.interval
    ends = {optimal.low, optimal.high, *((interval.low, interval.high) if interval is not None else ())}
    return sorted(end for end in ends if end is not None)

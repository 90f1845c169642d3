"""What a wellness report says around a result: optimal range, explanation, word of praise, change."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from synthetic.labs.held_out.draws import Draw
from synthetic.labs.printing import Interval, Result, Style, interval_of

DAY = "%b %d, %Y"


@dataclass(frozen=True, slots=True)
class Marker:
    """``optimal`` is the company's own range and no reference interval."""

    optimal: Interval
    about: str


@cache
def markers() -> Mapping[str, Marker]:
    """By analyte key."""
    text = files("synthetic.labs.held_out").joinpath("markers.csv").read_text(encoding="utf-8")
    found: dict[str, Marker] = {}
    for row in csv.DictReader(text.splitlines(), delimiter=";"):
        optimal = interval_of(row["optimal"])
        assert optimal is not None
        found[row["key"]] = Marker(optimal, row["about"])
    return found


def marker_of(result: Result) -> Marker:
    """The marker of a result's line."""
    return markers()[str(result.line.key)]


def verdict_of(result: Result) -> str:
    """The word in the coloured pill; only those outside the laboratory's range are flags."""
    if result.missing is not None:
        return "No result"
    if result.flag is not None:
        return result.flag
    if result.value is not None and marker_of(result).optimal.judge(result.value) == "N":
        return "Optimal"
    return "In range"


def caption_of(result: Result, before: Result, earlier: Draw, style: Style) -> str:
    """What the marker is, and how it moved since the draw before."""
    about = marker_of(result).about
    if result.value is None or before.value is None:
        return about
    if result.value == before.value:
        return f"{about} No change since {earlier.collected:{DAY}}."
    way = "Up" if result.value > before.value else "Down"
    change = style.number(abs(result.value - before.value))
    return f"{about} {way} {change} since {earlier.collected:{DAY}}."

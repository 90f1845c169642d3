"""Lines whose cells stand close: ``Glucose: 91 mg/dL (65-99)`` in one cell, two tables side by side."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import AFTER_NAME, Cells, take_value
from ingest.labs.columns import Header
from ingest.labs.grammar import tokens_of
from ingest.labs.lines import Line, Segment

_SEPARATOR = re.compile(r"^[:=.·…\s]*(?:[-–—]\s+)?")
_LED = re.compile(r"(?P<name>[^\W\d_].*?)[.·…_]{3,}\s*:?\s*(?P<rest>[^.·…_:\s].*)")
_SEPARATED = re.compile(r"[:=–—]$")


def parts_of(line: Line, header: Header | None, comma: bool) -> list[Line]:
    """A line as the lines of the tables that stand side by side in it, each with its name as a cell."""
    if header is not None and header.starts:
        return [_with_name_apart(part, comma) for part in _cut_at(line, header.starts)]
    return [_with_name_apart(part, comma) for part in _cut_at_names(line, comma)]


def _cut_at(line: Line, starts: Sequence[float]) -> list[Line]:
    """Cut where the tables of the header begin."""
    edges = [float("-inf"), *(start - 1 for start in starts), float("inf")]
    parts = (tuple(s for s in line.segments if low <= s.x0 < high) for low, high in pairwise(edges))
    return [Line(part) for part in parts if part]


def _cut_at_names(line: Line, comma: bool) -> list[Line]:
    """Cut before each further known name with a value right behind it, once there is a value before it."""
    starts = [0]
    for n in range(2, len(line.segments) - 1):
        before = line.segments[starts[-1] + 1 : n]
        if (
            is_known_name(line.segments[n].text.rstrip(AFTER_NAME))
            and _is_value(line.segments[n + 1], comma)
            and any(_is_value(segment, comma) for segment in before)
        ):
            starts.append(n)
    return [
        Line(line.segments[start:end])
        for start, end in zip(starts, [*starts[1:], len(line.segments)], strict=True)
    ]


def _with_name_apart(line: Line, comma: bool) -> Line:
    """``Glucose: 91 mg/dL`` as two cells, where no other cell of the line is the value.

    Only a known name is cut off, and only where all that follows it is a value and its details.
    """
    first, others = line.segments[0], line.segments[1:]
    led = _LED.fullmatch(first.text)
    if led is not None and _is_value(replace(first, text=led["rest"]), comma, worded=True):
        return Line((*_cut(first, led["name"], led["rest"]), *others))
    if any(_is_value(segment, comma) for segment in others):
        return line
    words = first.text.split()
    for cut in range(len(words) - 1, 0, -1):
        name = " ".join(words[:cut]).rstrip(AFTER_NAME)
        rest = _SEPARATOR.sub("", " ".join(words[cut:]))
        told = _SEPARATED.search(" ".join(words[:cut])) or rest != " ".join(words[cut:])
        if is_known_name(name) and rest and _is_value(replace(first, text=rest), comma, worded=bool(told)):
            return Line((*_cut(first, name, rest), *others))
    return line


def _cut(cell: Segment, name: str, rest: str) -> tuple[Segment, Segment]:
    """Name and rest of a cell as two; where the name ends is estimated from its share of the text."""
    edge = cell.x0 + (cell.x1 - cell.x0) * len(name) / max(len(cell.text), 1)
    return replace(cell, text=name, x1=edge, starts=()), replace(cell, text=rest, x0=edge, starts=())


def _is_value(segment: Segment, comma: bool, *, worded: bool = False) -> bool:
    """A whole cell of VALUE and details; ``worded``: also a word or a reason for none."""
    if not (worded or re.search(r"\d", segment.text)) or not tokens_of(segment.text):
        return False
    return take_value(Cells(), segment, comma)

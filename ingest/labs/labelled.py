"""Cells that say themselves what they are: ``Test: Glucose   Result: 91 mg/dL   Normal range: 65-99``."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ingest.labs.analytes import is_known_name
from ingest.labs.lines import Line, Segment
from ingest.labs.titles import Role, role_of_title

_COLON = re.compile(r"(?<=[^\s\d:])\s*:(?!\d)\s*")
MAX_WORDS = 4
_TOLD: tuple[Role, ...] = ("name", "value", "unit", "flag")
_PASSED_OVER: tuple[Role, ...] = ("previous", "other")


def without_labels(line: Line) -> Line:
    """The line with the titles of columns taken from before its cells, the named cell first.

    Cells titled as the previous result, a method or a goal are left out; the label of an interval stays.
    A line where no cell is titled as a name or value is as it was.
    """
    parts = [part for segment in line.segments for part in _parts(segment)]
    roles = {role for role, _ in parts}
    if not roles & {"name", "value"}:
        return line
    kept = [(role, segment) for role, segment in parts if role not in _PASSED_OVER and segment.text]
    kept.sort(key=lambda part: part[0] != "name")
    return Line(tuple(segment for _, segment in kept)) if kept else line


def told_cells(line: Line) -> list[Segment]:
    """The cells without titles before them, but for those titled as a previous result, a method or a goal."""
    parts = (part for segment in line.segments for part in _parts(segment))
    return [segment for role, segment in parts if role not in _PASSED_OVER and segment.text]


def is_named(line: Line) -> bool:
    """True where a cell is titled as the name of a test."""
    return any(role == "name" for segment in line.segments for role, _ in _parts(segment))


def _parts(segment: Segment) -> Iterator[tuple[Role | None, Segment]]:
    """The cell cut before each title that ends in a colon, without those titles."""
    text = segment.text
    found: list[tuple[int, int, Role]] = []
    for colon in _COLON.finditer(text):
        begin = found[-1][1] if found else 0
        title = _title(text, begin, colon)
        if title is not None and (found or title[0] == 0):
            found.append(title)
    if not found or found[0][0] > 0:
        yield None, _cut(segment, 0, found[0][0] if found else len(text))
    ends = [*(start for start, _, _ in found[1:]), len(text)][: len(found)]
    for (start, end, role), until in zip(found, ends, strict=True):
        yield role, _cut(segment, end if role in _TOLD else start, until)


def _title(text: str, begin: int, colon: re.Match[str]) -> tuple[int, int, Role] | None:
    """The longest title right before a colon: where it begins, where its cell begins, and its role.

    ``Sodium Level:`` is the name of a test, not the title of a level.
    """
    before = text[: colon.start()]
    if is_known_name(before[begin:]):
        return None
    starts = [match.start() for match in re.finditer(r"\S+", before) if match.start() >= begin][-MAX_WORDS:]
    for start in starts:
        if (role := role_of_title(before[start:])) is not None:
            return start, colon.end(), role
    return None


def _cut(segment: Segment, start: int, end: int) -> Segment:
    if start == 0 and end == len(segment.text):
        return segment
    width = (segment.x1 - segment.x0) / max(len(segment.text), 1)
    text = segment.text[start:end].strip()
    return replace(segment, text=text, x0=segment.x0 + width * start, x1=segment.x0 + width * end, starts=())

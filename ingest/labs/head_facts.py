"""Facts of a page's head: what stands behind, beside or below a label, where it has the label's form.

``Collected: 03/14/2026`` in one cell with others, ``Collected`` with the date in the next cell, or above it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.labs.dates import DATE, parse_dates
from ingest.labs.labels import Kind, is_dated, kind_of, label_before
from ingest.labs.lines import Line, Segment
from ingest.labs.names import may_be_a_person, name_tokens

_COLON = re.compile(r"(?<=[^\s\d:])\s*:(?!\d)\s*")
_DATE = re.compile(DATE, re.IGNORECASE)
WORD_OF_NAME = r"[A-ZÀ-ÖØ-Þ][^\W\d_]*(?:['’.-][^\W\d_]*)*"
_PERSON = re.compile(rf"(?:{WORD_OF_NAME}|[A-Z])\.?(?:,? (?:{WORD_OF_NAME}|[A-Z])\.?){{1,5}}")
_END_OF_NAME = re.compile(r"\s*(?:[|(\[;•·]|\s[-–—]\s|,?\s*\d).*$")
_FORMS: dict[Kind, re.Pattern[str]] = {
    "sex": re.compile(r"[^\W\d_]{1,10}\.?", re.IGNORECASE),
    "age": re.compile(r"\d{1,3}(?:\s*(?:years?|yrs?|y|jahre|ans|anni|años)\.?)?(?: old)?", re.IGNORECASE),
    "age_sex": re.compile(r"\d{1,3}\W.*[^\W\d_]|[^\W\d_]+\W.*\d", re.IGNORECASE),
    "specimen": re.compile(r"[A-Z0-9-]*\d[A-Z0-9-]*|[A-Z]{1,3} \d{4,}[A-Z]?", re.IGNORECASE),
    "fasting": re.compile(r"[^\W\d_]+(?:[- ]fasting)?", re.IGNORECASE),
    "status": re.compile(r"[^\W\d_]+(?: report)?", re.IGNORECASE),
}
SAME_MARGIN_POINTS = 3.0
BELOW_EM = 2.4
LINES_BELOW = 2


@dataclass(frozen=True, slots=True, repr=False)
class Fact:
    """What a label says and how far down the page its value stands, in points. It stays in memory."""

    kind: Kind
    text: str
    top: float


def facts_of(lines: Sequence[Line]) -> list[Fact]:
    """The facts of a page in reading order."""
    return [
        fact for n, line in enumerate(lines) for fact in _facts_in(line, lines[n + 1 : n + 1 + LINES_BELOW])
    ]


def _facts_in(line: Line, below: Sequence[Line]) -> Iterator[Fact]:
    for n, segment in enumerate(line.segments):
        kind = kind_of(segment.text)
        if kind is None:
            yield from _within(segment)
        elif kind != "other":
            yield from _value_of(kind, segment, line.segments[n + 1 :], below)


def _within(segment: Segment) -> Iterator[Fact]:
    """``DOB: 05/20/1980 Sex: F``: behind each colon up to the next label; and dates right behind a label."""
    text, top = segment.text, segment.top
    colons = list(_COLON.finditer(text))
    before = [label_before(text[: colon.start()]) for colon in colons]
    ends = [
        label[1] if label else _last_word(text[: colon.start()])
        for label, colon in zip(before, colons, strict=True)
    ]
    for n, (label, colon) in enumerate(zip(before, colons, strict=True)):
        if label is None or (_is_of_a_person(label[0]) and n == 0 and label[1] > 0):
            continue
        value = text[colon.end() : ends[n + 1] if n + 1 < len(ends) else len(text)]
        yield from _fact(label[0], value, top, labelled=True)
    for match in _DATE.finditer(text):
        label = label_before(text[: match.start()])
        if label is not None and is_dated(label[0]):
            yield from _fact(label[0], text[match.start() :], top)


def _value_of(kind: Kind, label: Segment, right: Sequence[Segment], below: Sequence[Line]) -> Iterator[Fact]:
    """The cell beside a label, or the one below it, that has the label's form; the nearer one of a name."""
    colon = label.text.rstrip().endswith(":")
    beside = [cell for cell in right[:1] for _ in _fact(kind, cell.text.lstrip(": "), 0.0, labelled=colon)]
    under = [
        cell
        for line in below
        for cell in line.segments
        if _is_under(cell, label) and any(_fact(kind, cell.text, 0.0))
    ]
    cells = [*beside, *([] if colon and beside else under[:1])]
    if not cells:
        return
    if len(cells) == 2 and not is_dated(kind) and under[0].top - label.bottom < beside[0].x0 - label.x1:
        cells = cells[::-1]
    yield from _fact(kind, cells[0].text.lstrip(": "), cells[0].top, labelled=True)


def _is_under(cell: Segment, label: Segment) -> bool:
    down = cell.bottom - label.bottom
    same_margin = abs(cell.x0 - label.x0) <= SAME_MARGIN_POINTS
    return same_margin and 0 < down <= BELOW_EM * max(cell.size, label.size)


def _fact(kind: Kind, text: str, top: float, *, labelled: bool = False) -> Iterator[Fact]:
    """The fact, where the text has its form; a name without a colon must look like a person's."""
    text = text.strip()
    if kind == "other" or kind_of(text) is not None:
        return
    if is_dated(kind):
        if _DATE.match(text) and parse_dates(text):
            yield Fact(kind, text, top)
    elif _is_of_a_person(kind):
        name = _END_OF_NAME.sub("", text)
        if (labelled and re.search(r"[^\W\d_]", name)) or _is_a_person(name):
            yield Fact(kind, name, top)
    elif _FORMS[kind].fullmatch(text):
        yield Fact(kind, text, top)


def _is_of_a_person(kind: Kind) -> bool:
    return kind in ("name", "surname", "forename")


def _is_a_person(text: str) -> bool:
    return _PERSON.fullmatch(text) is not None and all(may_be_a_person(word) for word in name_tokens(text))


def _last_word(text: str) -> int:
    return len(text) - len(text.rsplit(None, 1)[-1]) if text.strip() else 0

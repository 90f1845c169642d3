"""What a cell is by its form, matched whole: VALUE [FLAG] [UNIT] [RANGE], or FLAG, UNIT and RANGE alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ingest.labs.intervals import Interval, parse_interval
from ingest.labs.titles import role_of_title
from ingest.labs.units import parse_unit
from ingest.labs.vocabulary import Value, is_flag, parse_value

_LABEL = re.compile(
    r"^(?P<open>[\[(])?\s*(lab range|laboratory range|"
    r"reference range|reference interval|reference|ref\.? ?range|ref\.? ?interval|"
    r"normal range|normal value|normal|standard range|expected range|expected|ref|range|referenzbereich|norm)"
    r"(\.?\s*:|\.)?\s+(?=\S)",
    re.IGNORECASE,
)
_TITLED = re.compile(r"^(?P<open>[\[(])?\s*(?P<title>[^\W\d][^:\d]*?)\s*:\s*(?=\S)")
_GLUED = re.compile(r"([\[(]?[<>≤≥]?=?[\d.,]*\d[\])]?)(%|[^\W\d_].*|/.*)")
_FLAGGED = re.compile(r"(.*\d)\s*(HH|LL|H|L|\*{1,2}|%|↑|↓|▲|▼)")
_FLAG_FIRST = re.compile(r"(HH|LL|H|L|\*{1,2}|↑|↓|▲|▼|!)\s+(?=[<>≤≥]?\s*\d)")
MAX_CELL = 100
MAX_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Details:
    """What may stand beside a value."""

    flag: str | None = None
    unit: str | None = None
    interval: Interval | None = None


NONE = Details()


@lru_cache(8192)
def parse_result(text: str, given: Details, comma: bool) -> tuple[Value, Details] | None:
    """VALUE [FLAG] [UNIT] [RANGE] as a whole cell; ``Normal range: 65-99`` is no value "Normal"."""
    if label_end(text):
        return None
    first = _FLAG_FIRST.match(text)
    if first is not None and given.flag is None:
        return parse_result(text[first.end() :], replace(given, flag=first[1]), comma)
    tokens = tokens_of(text)
    for cut in range(min(len(tokens), MAX_TOKENS), 0, -1):
        value, glued = _value_and_tail(" ".join(tokens[:cut]), comma)
        if value is None:
            continue
        details = _details_of(tokens[cut:], _with_glued(given, glued), comma)
        if details is not None:
            return value, details
    return None


@lru_cache(8192)
def parse_details(text: str, given: Details, comma: bool) -> Details | None:
    """FLAG, UNIT, RANGE or several of them as a whole cell."""
    for tokens in (text.split(), tokens_of(text), tokens_of(unlabelled(text))):
        details = _details_of(tokens, given, comma) if 0 < len(tokens) <= MAX_TOKENS else None
        if details is not None:
            return details
    return None


def tokens_of(text: str) -> list[str]:
    """The words of a cell, a unit glued to a number apart; none where it is longer than any value is."""
    if len(text) > MAX_CELL:
        return []
    return [part for word in text.split() for part in _apart(word)]


def label_end(text: str) -> int:
    """Where the label of an interval ends that a text begins with (``Typical values: 4-9``), or 0."""
    if (match := _LABEL.match(text)) is not None:
        return match.end()
    titled = _TITLED.match(text)
    return titled.end() if titled is not None and role_of_title(titled["title"]) == "reference" else 0


def unlabelled(text: str) -> str:
    """A text without the label of an interval; a bracket before it stays."""
    end = label_end(text)
    bracket = text[0] if end and text[0] in "([" else ""
    return bracket + text[end:]


def _details_of(tokens: Sequence[str], given: Details, comma: bool) -> Details | None:
    """FLAG, UNIT and RANGE in any order, each at most once, and nothing else; None where it is not so."""
    if not tokens:
        return given
    for cut in range(len(tokens), 0, -1):
        for more in _meanings(" ".join(tokens[:cut]), given, comma):
            if (whole := _details_of(tokens[cut:], more, comma)) is not None:
                return whole
    return None


def _meanings(text: str, given: Details, comma: bool) -> list[Details]:
    """What a text can be of that which is not given yet, or the unit once more (``133 - 146 mmol/L``)."""
    found: list[Details] = []
    unit = parse_unit(text)
    if unit is not None and given.unit is None:
        found.append(replace(given, unit=text))
    elif unit is not None and unit == parse_unit(given.unit or ""):
        found.append(given)
    if given.interval is None and (interval := parse_interval(unlabelled(text), comma)) is not None:
        found.append(replace(given, interval=interval))
    if given.flag is None and is_flag(text):
        found.append(replace(given, flag=text))
    return found


def _value_and_tail(text: str, comma: bool) -> tuple[Value | None, str | None]:
    """A value, or a number with a flag or a percent sign glued to it (``<0.2L``)."""
    if (value := parse_value(text, comma)) is not None:
        return value, None
    if (match := _FLAGGED.fullmatch(text)) is not None:
        return parse_value(match[1], comma), match[2]
    return None, None


def _with_glued(given: Details, glued: str | None) -> Details:
    if glued is None:
        return given
    return replace(given, unit=given.unit or glued) if glued == "%" else replace(given, flag=glued)


def _apart(word: str) -> list[str]:
    """``91mg/dL`` as number and unit; ``x10^9/L`` and ``1.73m2`` stay."""
    match = _GLUED.fullmatch(word)
    if match is None or parse_unit(match[2]) is None:
        return [word]
    return [match[1], match[2]]

"""What a decision to accept or correct may be on, by the form of its target, and what may be said of it.

A reading of a lab report (``file_id:row_no``), a file of an export (``file_id``), a day of a measure
(``participant:DATE:column``), or the clock of some days (``participant:DATE..DATE``).
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

TargetKind = Literal["reading", "file", "day", "span"]
_FILE, _PERSON, _DATE = r"[0-9a-f]{8,64}", r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", r"\d{4}-\d{2}-\d{2}"
_PATTERNS: Mapping[TargetKind, re.Pattern[str]] = {
    "reading": re.compile(rf"(?P<file>{_FILE}):[1-9][0-9]{{0,5}}"),
    "file": re.compile(rf"(?P<file>{_FILE})"),
    "day": re.compile(rf"(?P<person>{_PERSON}):(?P<first>{_DATE}):(?P<column>[a-z0-9_]+)"),
    "span": re.compile(rf"(?P<person>{_PERSON}):(?P<first>{_DATE})\.\.(?P<last>{_DATE})"),
}
TARGETS = "file_id:row_no of lab_review, file_id of an export, ID:DATE:column, or ID:DATE..DATE"
SET_ASIDE, CLOCK_LOCAL, CLOCK_UTC = "set aside", "clock local", "clock utc"
UNKNOWN = "unknown"


def kind_of(target: str) -> TargetKind | None:
    """What a target is, or None where it is none that can be accepted or corrected."""
    for kind in get_args(TargetKind):
        found = _PATTERNS[kind].fullmatch(target)
        if found and _dates_are_real(found.groupdict()):
            return kind
    return None


def is_reversed(target: str) -> bool:
    """Whether it would be the clock of some days, but its last day comes before its first."""
    found = _PATTERNS["span"].fullmatch(target)
    return found is not None and found["last"] < found["first"]


def parts_of(target: str) -> Mapping[str, str]:
    """``file``, or ``person`` with ``first`` and ``column`` or ``last``. target: one of a kind."""
    found = next(match for pattern in _PATTERNS.values() if (match := pattern.fullmatch(target)))
    return found.groupdict()


def wrong_value(kind: TargetKind, value: str) -> str | None:
    """Why a correction cannot be this, or None where it may; that of a reading is judged by who reads it."""
    if kind == "file" and value not in (SET_ASIDE, CLOCK_LOCAL, CLOCK_UTC):
        return f"a file can be corrected to `{SET_ASIDE}`, `{CLOCK_LOCAL}` or `{CLOCK_UTC}`"
    if kind == "day" and value != SET_ASIDE:
        return f"a day of a measure can only be `{SET_ASIDE}`"
    if kind == "span" and not _is_zone(value):
        return "the clock of days is corrected to a zone, as Europe/Paris"
    return None


def value_text(value: object) -> str:
    """A published value as ``expect`` holds it."""
    return UNKNOWN if value is None else str(value)


def _dates_are_real(parts: Mapping[str, str]) -> bool:
    try:
        first, last = (date.fromisoformat(parts.get(name, "2000-01-01")) for name in ("first", "last"))
    except ValueError:
        return False
    return "last" not in parts or first <= last


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True

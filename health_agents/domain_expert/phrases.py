"""Pieces of sentences over facts. Each writes a value as the fact renders it."""

import re
from datetime import date

from health_agents.domain_expert.sections import Sentence
from health_agents.domain_expert.view import Row

MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905

_DURATION = re.compile(r"(?:(\d+) h )?(\d+) min\b")
_PLAIN_UNITS = (
    (re.compile(r" bpm\b"), " beats per minute"),
    (re.compile(r" ms\b"), " milliseconds"),
    (re.compile(r" breaths/min\b"), " breaths per minute"),
)


def long_date(day: date) -> str:
    """2023-12-01 -> 1 December 2023."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def window_words(window: str | None) -> str:
    """last_30_days -> "the last 30 days"; whole -> "the whole period"."""
    if window is None or not window.startswith("last_"):
        return "the whole period"
    return f"the last {window.split('_')[1]} days"


def counted(number: int, noun: str) -> str:
    """1 day, 2 days."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def short_label(fact: Row) -> str:
    """The label up to its first comma: "Bedtime, in minutes from midnight" -> "Bedtime"."""
    return str(fact["label"]).partition(",")[0]


def printed_range(low: Row | None, high: Row | None) -> str:
    """The printed limits in brackets, or nothing: " (4.0 to 5.6 %)", " (upper limit 5.6 %)"."""
    if low is not None and high is not None:
        number, _, unit = low["rendered"].partition(" ")
        start = number if high["rendered"].endswith(unit) else low["rendered"]
        return f" ({start} to {high['rendered']})"
    if high is not None:
        return f" (upper limit {high['rendered']})"
    return f" (lower limit {low['rendered']})" if low is not None else ""


def on_day(fact: Row) -> str:
    """The day of a draw or an answer: " on 1 December 2023", or nothing."""
    return f" on {long_date(fact['window_end'])}" if fact["window_end"] else ""


def plain_units(rendered: str) -> str:
    """Units as people say them: 62 bpm -> 62 beats per minute, 7 h 12 min -> 7 hours and 12 minutes."""
    for short, long in _PLAIN_UNITS:
        rendered = short.sub(long, rendered)
    return _DURATION.sub(_duration_words, rendered)


def _duration_words(match: re.Match[str]) -> str:
    minutes = counted(int(match[2]), "minute")
    return minutes if match[1] is None else f"{counted(int(match[1]), 'hour')} and {minutes}"


def stated(text: str, *facts: Row | None) -> Sentence:
    """A sentence with the ids of its facts; an end mark where there is none."""
    ids = tuple(dict.fromkeys(fact["fact_id"] for fact in facts if fact is not None))
    return Sentence(text if text.endswith((".", "!", "?")) else f"{text}.", ids)

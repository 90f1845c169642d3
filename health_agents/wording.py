"""Words that state something of a fact: its direction, its window, its name."""

import re
from dataclasses import dataclass

_DIRECTIONS: dict[frozenset[str], tuple[str, ...]] = {
    frozenset({"above"}): (
        "above",
        "exceeds",
        "exceeded",
        "exceeding",
        "high",
        "elevated",
        "raised",
        "beyond",
    ),
    frozenset({"below"}): ("below", "beneath", "low"),
    frozenset({"above", "rising"}): ("higher", "more", "greater", "highest", "longer", "faster"),
    frozenset({"below", "falling"}): ("lower", "less", "fewer", "lowest", "reduced", "shorter", "slower"),
    frozenset({"rising"}): (
        *("rising", "rose", "rises", "risen", "increase", "increased", "increasing", "increases"),
        *("upward", "grew", "growing", "climbed", "climbing", "went up", "gone up", "later"),
    ),
    frozenset({"falling"}): (
        *(
            "falling",
            "fell",
            "falls",
            "fallen",
            "decrease",
            "decreased",
            "decreasing",
            "decreases",
            "decline",
        ),
        *("declined", "declining", "dropped", "dropping", "downward", "went down", "gone down", "earlier"),
    ),
    frozenset({"steady"}): ("steady", "stable", "unchanged", "constant", "no change"),
    frozenset({"within"}): ("within", "in range", "inside", "normal"),
    # A judgement is no direction: no fact makes these true.
    frozenset(): (
        *("better", "worse", "improved", "improving", "worsened", "worsening", "deteriorated", "abnormal"),
        *("slightly", "mildly", "severely", "markedly", "significantly"),
    ),
}
ALLOWED_DIRECTIONS = {word: directions for directions, words in _DIRECTIONS.items() for word in words}
_DIRECTION = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(ALLOWED_DIRECTIONS, key=len, reverse=True)) + r")(?![\w-])"
    r"(?!\s+(?:the\s+)?\x00)|(?<![\w-])(above|below)(?=\s+(?:the\s+)?\x00)",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|nor|neither|without|isn't|wasn't|aren't|cannot|wrong|false|untrue)\b", re.IGNORECASE
)
# Words that are part of a comparison with a number, not of a direction.
_COMPARISON = re.compile(
    r"\b(?:less|more|fewer|no more|no less) than(?= *[\d\x00])|\b(?:upper|lower)(?: \w+)? limit",
    re.IGNORECASE,
)

_COUNT = "|".join(["\\d+", "one", "two", "three", "four", "six", "seven", "fourteen", "thirty", "ninety"])
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "seven": 7, "fourteen": 14, "thirty": 30}
_DAYS = {"day": 1, "night": 1, "week": 7, "month": 30, "year": 365}
_LAST = re.compile(
    rf"\b(?:last|past|latest|recent|most recent) (?P<n>{_COUNT})[ -](?P<unit>day|night|week|month|year)s?\b"
    r"|\b(?:last|past) (?P<one>day|night|week|month|year)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\bthe (?:(?P<n>\d+) (?:day|night)s before(?: that| those| them)?"
    r"|previous (?P<n2>\d+) (?:day|night)s)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:whole|entire|full)(?: observation)? period\b", re.IGNORECASE)

# Conditions, judgements of danger and treatments: said only in the words of a cited fact.
_MEDICAL = re.compile(
    r"\b(?:(?:pre)?diabet\w*|hyper(?:tension|tensive|glyc\w*|lipid\w*|thyroid\w*)|"
    r"hypo(?:tension|glyc\w*|thyroid\w*)|"
    r"an(?:a)?emi\w*|diseases?|disorders?|syndrome|cancer\w*|tumou?rs?|failure|infections?|inflamm\w*|"
    r"depress\w*|anxi\w*|apno?ea|insomnia|arrhythmi\w*|fibrillation|strokes?|infarction|heart attacks?|"
    r"obes\w*|overweight|"
    r"deficien\w*|insufficiency|diagnos\w*|risks?|risky|danger\w*|sever\w*|critical\w*|urgent\w*|emergenc\w*|"
    r"(?:un)?healthy|excellent|poor|alarming|worrying|medications?|drugs?|doses?|statins?|metformin|supplements?)\b",
    re.IGNORECASE,
)

_NAME_WITH_DIGITS = re.compile(r"(?<![\w-])[^\W\d_][\w-]*\d[\w-]*")


@dataclass(frozen=True, slots=True)
class Mention:
    """A word of a text and where it stands. ``meaning`` is a window's name or the word in lower case."""

    start: int
    end: int
    text: str
    meaning: str
    negated: bool = False


def find_windows(text: str) -> list[Mention]:
    """Windows a text names: last_30_days, whole; ``before_30_days`` for the days before them."""
    found = [Mention(m.start(), m.end(), m[0], _last_window(m)) for m in _LAST.finditer(text)]
    found += [
        Mention(m.start(), m.end(), m[0], f"before_{m['n'] or m['n2']}_days") for m in _BEFORE.finditer(text)
    ]
    found += [Mention(m.start(), m.end(), m[0], "whole") for m in _WHOLE.finditer(text)]
    return sorted(found, key=lambda mention: mention.start)


def find_directions(text: str) -> list[Mention]:
    """Direction words of a text; numbers and windows should be hidden before."""
    return [
        Mention(
            m.start(),
            m.end(),
            m[0],
            m[0].lower(),
            negated=is_negated(text[max(0, m.start() - 25) : m.start()]),
        )
        for m in _DIRECTION.finditer(_COMPARISON.sub(lambda c: hidden(c[0]), text))
    ]


def find_medical_words(text: str) -> list[Mention]:
    """Words that name a condition, a danger or a treatment."""
    return [Mention(m.start(), m.end(), m[0], m[0].lower()) for m in _MEDICAL.finditer(text)]


def names_with_digits(text: str) -> set[str]:
    """Words that begin with a letter and hold a digit: HbA1c, PHQ-9, SpO2."""
    return set(_NAME_WITH_DIGITS.findall(text))


def is_negated(text: str) -> bool:
    """A word of negation stands in the text."""
    return _NEGATION.search(text) is not None


def hidden(text: str) -> str:
    """Equally many characters that no pattern finds."""
    return "\x00" * len(text)


def hide(text: str, start: int, end: int) -> str:
    """The text with a part hidden, so that places stay the same."""
    return text[:start] + hidden(text[start:end]) + text[end:]


def _last_window(match: re.Match[str]) -> str:
    if match["one"]:
        return f"last_{_DAYS[match['one'].lower()]}_days"
    count = match["n"].lower()
    days = (_COUNTS.get(count) or int(count if count.isdigit() else 90)) * _DAYS[match["unit"].lower()]
    return f"last_{days}_days"

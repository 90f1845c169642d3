"""Printed reference intervals: two-sided, one-sided, in signs or in words; matched whole, nothing guessed."""

import re
from dataclasses import dataclass
from decimal import Decimal

from ingest.labs.vocabulary import NUMBER, SIGN, Comparator, comparator_of, parse_number, plain

_OPEN, _CLOSE = r"[\[(]?\s*", r"\s*[\])]?"
_TWO_SIDED = re.compile(
    rf"{_OPEN}(?:from\s+)?({NUMBER})\s*(?:-|~|to|bis|\.\.+|…|through)\s*({NUMBER}){_CLOSE}"
    rf"|{_OPEN}between\s+({NUMBER})\s+and\s+({NUMBER}){_CLOSE}",
    re.IGNORECASE,
)
_BLANK_SIDED = re.compile(rf"{_OPEN}(\d+,\d+)\s+(\d+,\d+){_CLOSE}")
_WORDS: dict[Comparator, tuple[str, ...]] = {
    "<=": (
        *("up to", "at most", "no more than", "not more than", "not above", "not over", "not exceeding"),
        *("max", "maximum", "less than or equal to", "equal to or less than", "lower than or equal to"),
        *("below or equal to", "bis", "fino a", "hasta", "jusqu'à"),
    ),
    ">=": (
        *("at least", "no less than", "not less than", "not below", "not under", "min", "minimum", "from"),
        *("greater than or equal to", "equal to or greater than", "more than or equal to"),
        *("above or equal to", "mindestens", "ab"),
    ),
    "<": ("less than", "lower than", "under", "below", "unter", "inferior a", "inferiore a"),
    ">": ("greater than", "more than", "higher than", "over", "above", "über", "superior a", "superiore a"),
}
_SIGN_OF: dict[str, Comparator] = {word: sign for sign, words in _WORDS.items() for word in words}
_WORD = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(_SIGN_OF, key=len, reverse=True))
_ONE_SIDED = re.compile(
    rf"{_OPEN}(?:above\s+|below\s+)?({SIGN}|(?:{_WORD})(?![^\W\d_]))\.?\s*({NUMBER}){_CLOSE}", re.IGNORECASE
)
_OPEN_SIDED = re.compile(
    rf"{_OPEN}({NUMBER})\s*(?:(?:and|or|&)\s*(above|over|higher|more|greater|below|under|lower|less|fewer)|(\+))"
    rf"{_CLOSE}",
    re.IGNORECASE,
)
_UPWARDS = frozenset({"above", "over", "higher", "more", "greater"})
_NO_INTERVAL = re.compile(
    r"[\[(]?(not estab\.?|not established|negative|none seen|available upon request|none detected|"
    r"not detected|"
    r"see (note|below|comment|report)\.?|negativ|non[- ]?reactive|not applicable|n/a|clear|yellow)[\])]?",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Interval:
    """A printed reference interval; ``text`` where it is words."""

    raw: str
    low: Decimal | None = None
    high: Decimal | None = None
    low_incl: bool | None = None
    high_incl: bool | None = None
    text: str | None = None


def parse_interval(printed: str, decimal_comma: bool = False) -> Interval | None:
    """Two-sided, one-sided or worded interval, or None. A missing side is never filled with the other."""
    text = plain(printed)
    match = _TWO_SIDED.fullmatch(text) or (_BLANK_SIDED.fullmatch(text) if decimal_comma else None)
    if match is not None:
        low, high = (parse_number(end, decimal_comma) for end in match.groups() if end is not None)
        return Interval(printed, low, high, True, True) if low is not None and high is not None else None
    if (match := _ONE_SIDED.fullmatch(text)) is not None:
        words = re.sub(r"\s+", " ", match[1].casefold())
        limit = parse_number(match[2], decimal_comma)
        return _one_sided(printed, _SIGN_OF.get(words) or comparator_of(match[1]), limit)
    if (match := _OPEN_SIDED.fullmatch(text)) is not None:
        sign: Comparator = ">=" if match[3] or match[2].casefold() in _UPWARDS else "<="
        return _one_sided(printed, sign, parse_number(match[1], decimal_comma))
    return Interval(printed, text=printed) if _NO_INTERVAL.fullmatch(text) else None


def _one_sided(printed: str, sign: Comparator, limit: Decimal | None) -> Interval | None:
    if limit is None:
        return None
    inclusive = sign.endswith("=")
    if sign.startswith("<"):
        return Interval(printed, high=limit, high_incl=inclusive)
    return Interval(printed, low=limit, low_incl=inclusive)

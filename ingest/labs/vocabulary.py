"""The words of lab reports: values, bounds, flags, intervals and reasons for a missing value.

A text either fits a pattern whole or it is not that thing: nothing is guessed from a part.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Comparator = Literal["<", "<=", ">", ">="]

_COMPARATORS: dict[str, Comparator] = {
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
    "<or=": "<=",
    ">or=": ">=",
    "=<": "<=",
    "=>": ">=",
}
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"})
_NUMBER = r"[+-]?(?:\d[\d.,]*|\.\d+)"
_SIGN = r"(?:[<>]\s*or\s*=|<=|>=|=<|=>|[<>≤≥])"
_CENSORED = re.compile(rf"({_SIGN})\s*({_NUMBER})", re.IGNORECASE)
_NUMERIC = re.compile(rf"=?\s*({_NUMBER})")
_TWO_SIDED = re.compile(rf"[\[(]?\s*({_NUMBER})\s*(?:-|to)\s*({_NUMBER})\s*[\])]?", re.IGNORECASE)
_BLANK_SIDED = re.compile(r"[\[(]?\s*(\d+,\d+)\s+(\d+,\d+)\s*[\])]?")
_ONE_SIDED = re.compile(
    rf"[\[(]?\s*(?:above\s+|below\s+)?({_SIGN}|up\s+to|less\s+than|greater\s+than)\s*({_NUMBER})\s*[\])]?",
    re.IGNORECASE,
)
_RANGE_WORDS: dict[str, Comparator] = {"up to": "<=", "less than": "<", "greater than": ">"}
_NO_INTERVAL = re.compile(r"(not estab\.?|not established|negative|none seen|available upon request)", re.I)
_ORDINAL = re.compile(r"\d+\s*-\s*\d+(\s*/[hl]pf)?|[1-4]\+|1:\d+", re.IGNORECASE)
_WORDS = re.compile(
    r"negative|positive|none (seen|detected)|(not )?detected|clear|hazy|cloudy|yellow|straw|amber|trace|"
    r"few|moderate|many|rare|occasional|(non[- ]?)?reactive|normal|abnormal|(not )?immune|equivocal|"
    r"indeterminate|present|absent",
    re.IGNORECASE,
)
_MISSING = (
    (re.compile(r"not calculated|unable to calculate|not applicable|n/a", re.I), "not_calculated"),
    (re.compile(r"dnr|not reported|did not report|unable to report", re.I), "not_reported"),
    (re.compile(r"tnp|test not performed|not performed|not done", re.I), "not_performed"),
    (re.compile(r"qns|quantity not sufficient.*|insufficient( sample| specimen)?", re.I), "insufficient"),
    (re.compile(r"ha?emoly[sz]ed", re.I), "haemolysed"),
    (re.compile(r"pending|to follow", re.I), "pending"),
    (re.compile(r"cancell?ed", re.I), "cancelled"),
    (re.compile(r"see (note|comment)s?:?|comment:?", re.I), "see_comment"),
)
_FLAGS = {
    **dict.fromkeys(("h", "high", "+", "↑", "▲"), "H"),
    **dict.fromkeys(("l", "low", "-", "↓", "▼"), "L"),
    **dict.fromkeys(("hh", "h*", "h!", "critical high", "high critical", "panic high"), "HH"),
    **dict.fromkeys(("ll", "l*", "l!", "critical low", "low critical", "panic low"), "LL"),
    **dict.fromkeys(("a", "abnormal", "*", "#", "!", "¬", "abn"), "A"),
    **dict.fromkeys(("aa", "c", "critical", "alert", "**", "h**", "l**", "panic"), "critical"),
    **dict.fromkeys(("n", "normal"), "N"),
    "borderline": None,
}


@dataclass(frozen=True, slots=True)
class Value:
    """A printed value: exactly one of number, bound, text and missing is set; none for an unknown form."""

    raw: str
    number: Decimal | None = None
    comparator: Comparator | None = None
    bound: Decimal | None = None
    text: str | None = None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """A printed reference interval; ``text`` where it is words."""

    raw: str
    low: Decimal | None = None
    high: Decimal | None = None
    low_incl: bool | None = None
    high_incl: bool | None = None
    text: str | None = None


def parse_number(text: str, decimal_comma: bool) -> Decimal | None:
    """A printed number: ``1,024`` has thousands, ``6,73`` a decimal comma where the document uses it."""
    if decimal_comma:
        text = text.replace(".", "\0").replace(",", ".").replace("\0", ",")
    if not re.fullmatch(r"[+-]?(\d{1,3}(,\d{3})+(\.\d*)?|\d+\.?\d*|\.\d+)", text):
        return None
    return Decimal(text.replace(",", "").rstrip("."))


def uses_decimal_comma(words: list[str]) -> bool:
    """True where the numbers of a document have decimal commas and none a decimal point."""
    comma = any(re.fullmatch(r"[<>\[(]?\d+,(\d{1,2}|\d{4,})[\])]?", word) for word in words)
    point = any(re.fullmatch(r"[<>\[(]?\d+\.(\d{1,2}|\d{4,})[\])]?", word) for word in words)
    return comma and not point


def parse_value(printed: str, decimal_comma: bool = False) -> Value | None:
    """A value without flag or unit, or None where the text is none."""
    text = plain(printed)
    if (match := _CENSORED.fullmatch(text)) is not None:
        bound = parse_number(match[2], decimal_comma)
        return None if bound is None else Value(printed, comparator=_comparator(match[1]), bound=bound)
    if (match := _NUMERIC.fullmatch(text)) is not None:
        number = parse_number(match[1], decimal_comma)
        return None if number is None else Value(printed, number=number)
    if (reason := missing_reason(text)) is not None:
        return Value(printed, missing=reason)
    if _WORDS.fullmatch(text) is not None or _ORDINAL.fullmatch(text) is not None:
        return Value(printed, text=printed)
    return None


def missing_reason(text: str) -> str | None:
    """Why a value is missing, where the whole text says so."""
    return next((reason for pattern, reason in _MISSING if pattern.fullmatch(text.strip())), None)


def reason_in_comment(comment: str) -> str | None:
    """The reason a comment gives for a value that is only "see note"; its text is not kept."""
    if re.search(r"quantity not sufficient|\bQNS\b", comment, re.IGNORECASE):
        return "insufficient"
    if re.search(r"\bnot calculated\b|invalidate[sd]? calculated", comment, re.IGNORECASE):
        return "not_calculated"
    if re.match(r"not reported\b", comment, re.IGNORECASE):
        return "not_reported"
    return None


def is_flag(printed: str) -> bool:
    """True where the text is a flag."""
    return _flag_key(printed) in _FLAGS


def parse_flag(printed: str) -> str | None:
    """A printed flag in one vocabulary; None for a borderline one, which is kept raw only."""
    return _FLAGS.get(_flag_key(printed))


def parse_interval(printed: str, decimal_comma: bool = False) -> Interval | None:
    """Two-sided, one-sided or worded interval, or None. A missing side is never filled with the other."""
    text = plain(printed)
    match = _TWO_SIDED.fullmatch(text) or (_BLANK_SIDED.fullmatch(text) if decimal_comma else None)
    if match is not None:
        low, high = parse_number(match[1], decimal_comma), parse_number(match[2], decimal_comma)
        return Interval(printed, low, high, True, True) if low is not None and high is not None else None
    if (match := _ONE_SIDED.fullmatch(text)) is not None:
        return _one_sided(printed, match[1], parse_number(match[2], decimal_comma))
    return Interval(printed, text=printed) if _NO_INTERVAL.fullmatch(text) else None


def plain(text: str) -> str:
    """Full-width forms, special blanks and dashes in their ordinary form."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).translate(_DASHES)).strip()


def _one_sided(printed: str, sign: str, limit: Decimal | None) -> Interval | None:
    if limit is None:
        return None
    words = re.sub(r"\s+", " ", sign.casefold())
    comparator = _RANGE_WORDS.get(words) or _comparator(sign)
    inclusive = comparator.endswith("=")
    if comparator.startswith("<"):
        return Interval(printed, high=limit, high_incl=inclusive)
    return Interval(printed, low=limit, low_incl=inclusive)


def _comparator(sign: str) -> Comparator:
    return _COMPARATORS[re.sub(r"\s+", "", sign.casefold())]


def _flag_key(printed: str) -> str:
    return re.sub(r"\s+", " ", printed.casefold()).strip(" ()")

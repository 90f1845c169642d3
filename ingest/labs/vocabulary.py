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
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴-⁹]")
_NOTE_MARKS = "⁰¹²³⁴⁵⁶⁷⁸⁹†‡§ "
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"})
NUMBER = r"[+-]?(?:\d[\d.,]*|\.\d+)"
SIGN = r"(?:[<>]\s*or\s*=|<=|>=|=<|=>|[<>≤≥])"
_CENSORED = re.compile(rf"({SIGN})\s*({NUMBER})", re.IGNORECASE)
_NUMERIC = re.compile(rf"=?\s*({NUMBER})")
_ORDINAL = re.compile(r"\d+\s*-\s*\d+(\s*/[hl]pf)?|[1-4]?\+{1,4}|[<>]?\s*1:\d+", re.IGNORECASE)
_WORDS = re.compile(
    r"neg(ative|\.)?|pos(itive|\.)?|none (seen|detected)|none|(not )?detected|clear|(slightly )?hazy|cloudy|"
    r"turbid|(pale |light |dark )?yellow|straw|amber|colou?rless|trace|small|large|few|moderate|"
    r"many|rare|occasional|"
    r"((non|weakly|strongly)[- ]?)?reactive|(weakly|strongly) positive|normal|abnormal|(not |non-?)?immune|"
    r"equivocal|indeterminate|inconclusive|"
    r"borderline|"
    r"present|absent|negativ|positiv|(nicht )?nachweisbar|klar|gelb|trüb|unauffällig|negativo|positivo|"
    r"assente|"
    r"presente|ausente|négatif|positif|absence|présence",
    re.IGNORECASE,
)
_MISSING = (
    (
        re.compile(
            r"not calculated|unable to calculate|not applicable|n\.?/?a\.?|nicht (bestimmbar|berechenbar)|"
            r"not calculable|uncalculable",
            re.I,
        ),
        "not_calculated",
    ),
    (
        re.compile(r"dnr|(result )?not reported|did not report|unable to report|not available", re.I),
        "not_reported",
    ),
    (
        re.compile(
            r"tnp|test not performed|not performed|not done|not tested|not analy[sz]ed|"
            r"not measured|not determined|not run|nicht durchgeführt|entfällt|"
            r"not (received|collected)|no (specimen|sample)( received)?|non eseguito|no realizado",
            re.I,
        ),
        "not_performed",
    ),
    (
        re.compile(
            r"qns|quantity not sufficient.*|insufficient( sample| specimen| quantity)?|"
            r"mat(erial|\.) (nicht ausreichend|fehlt)|zu wenig material|insuffisant|clotted|geronnen",
            re.I,
        ),
        "insufficient",
    ),
    (
        re.compile(
            r"(grossly |gross |sample |specimen )?ha?emoly[sz](ed|is)|hämolytisch|hämolyse|emolizzato", re.I
        ),
        "haemolysed",
    ),
    (
        re.compile(
            r"pending|to follow|in (progress|process)|folgt|in arbeit|awaited|in corso|en proceso", re.I
        ),
        "pending",
    ),
    (re.compile(r"cancell?ed|storniert|annullato|anulado", re.I), "cancelled"),
    (
        re.compile(
            r"(see|refer to) (note|comment|below|report|interpretation|attached)s?\.?:?|comment:?|"
            r"s(iehe)?\.? (kommentar|unten)",
            re.I,
        ),
        "see_comment",
    ),
)
_FLAGS = {
    **dict.fromkeys(
        ("h", "high", "+", "↑", "▲", "hi", "(h)", "hoch", "above", "above range", "elevated"), "H"
    ),
    **dict.fromkeys(("l", "low", "-", "↓", "▼", "lo", "niedrig", "below", "below range"), "L"),
    **dict.fromkeys(("hh", "h*", "h!", "critical high", "high critical", "panic high", "crit high"), "HH"),
    **dict.fromkeys(("ll", "l*", "l!", "critical low", "low critical", "panic low", "crit low"), "LL"),
    **dict.fromkeys(("a", "abnormal", "*", "#", "!", "¬", "abn", "out of range", "outside range"), "A"),
    **dict.fromkeys(("aa", "c", "critical", "alert", "**", "h**", "l**", "panic", "crit", "!!"), "critical"),
    **dict.fromkeys(("n", "normal", "within range", "in range", "ok", "optimal"), "N"),
    **dict.fromkeys(("borderline", "borderline high", "borderline low"), None),
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
    if _SUPERSCRIPT.search(printed.rstrip(_NOTE_MARKS)):
        return None
    text = plain(printed.rstrip(_NOTE_MARKS))
    if (match := _CENSORED.fullmatch(text)) is not None:
        bound = parse_number(match[2], decimal_comma)
        return None if bound is None else Value(printed, comparator=comparator_of(match[1]), bound=bound)
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
    if re.search(r"ha?emoly[sz]", comment, re.IGNORECASE):
        return "haemolysed"
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


def plain(text: str) -> str:
    """Full-width forms, special blanks and dashes in their ordinary form."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).translate(_DASHES)).strip()


def comparator_of(sign: str) -> Comparator:
    """The comparator a printed sign means; KeyError for any other text."""
    return _COMPARATORS[re.sub(r"\s+", "", sign.casefold())]


def _flag_key(printed: str) -> str:
    return re.sub(r"\s+", " ", printed.casefold()).strip(" ()")

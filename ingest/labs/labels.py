"""Labels of the head of a report, known by their words in any order: ``Date/time of collection``, ``DOB``."""

import csv
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

Kind = Literal[
    "birth", "collected", "received", "reported", "sex", "age", "age_sex", "surname", "forename", "name",
    "fasting", "status", "specimen", "other",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

_DAY = frozenset({"date", "time", "datetime", "datum", "data", "fecha"})
_TAKEN = frozenset({"sample", "specimen", "service"})
_DATED: tuple[Kind, ...] = ("birth", "collected", "received", "reported")
_OTHER_TIME = re.compile(
    r"\b(last|previous(ly)?|prior|earlier|former(ly)?|before|next|not|be)\s*$", re.IGNORECASE
)
MAX_WORDS = 7


@lru_cache(4096)
def kind_of(text: str) -> Kind | None:
    """What a label says by its words alone; None where one of them is no word of labels."""
    words = _words_of(text)
    if not words or len(words) > MAX_WORDS:
        return None
    if _has(words, "age") and _has(words, "sex"):
        return "age_sex" if words <= _all_of("age") | _all_of("sex") else None
    if words & _TAKEN and words & _DAY and words <= _all_of("collected"):
        return "collected"
    return next((kind for kind in KINDS if kind in _vocabulary() and _are_of(words, kind)), None)


def is_dated(kind: Kind) -> bool:
    """Whether a date stands behind such a label."""
    return kind in _DATED


def label_before(text: str) -> tuple[Kind, int] | None:
    """The longest label that a text ends with, and where it begins; ``DOE, JANE DOB`` ends with one."""
    starts = [match.start() for match in re.finditer(r"\S+", text)][-MAX_WORDS:]
    for start in starts:
        if (kind := kind_of(text[start:])) is not None:
            return None if _OTHER_TIME.search(text[:start]) else (kind, start)
    return None


def _words_of(text: str) -> frozenset[str]:
    plain = re.sub(r"\b([^\W\d_])\.(?=[^\W\d_]\b)", r"\1", text.casefold()).replace("#", " number ")
    if re.search(r"\d", plain):
        return frozenset()
    return frozenset(re.findall(r"[^\W\d_]+", plain))


def _are_of(words: frozenset[str], kind: Kind) -> bool:
    return _has(words, kind) and words <= _all_of(kind)


def _has(words: frozenset[str], kind: Kind) -> bool:
    return bool(words & _vocabulary()[kind][0])


def _all_of(kind: Kind) -> frozenset[str]:
    core, beside = _vocabulary()[kind]
    return core | beside | _vocabulary()["joining"][0]


@cache
def _vocabulary() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Kind -> words of which a label has at least one, and words that may stand beside them."""
    text = files("ingest.labs").joinpath("labels.csv").read_text(encoding="utf-8")
    return {
        row["kind"]: (frozenset(row["words"].split()), frozenset(row["beside"].split()))
        for row in csv.DictReader(text.splitlines())
    }

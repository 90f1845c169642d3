"""Titles of columns: known as a whole, else by their words in any order (``Your last result``)."""

import csv
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

Role = Literal[
    "name",
    "value",
    "out_of_range",
    "previous",
    "flag",
    "unit",
    "reference",
    "low",
    "high",
    "other",
    "unknown",
]
ROLES: tuple[Role, ...] = get_args(Role)
MAX_TITLE_WORDS = 5
_UNIT = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")


@lru_cache(4096)
def role_of_title(text: str) -> Role | None:
    """What stands below a title; None for one we do not know. A unit in brackets behind it does not count."""
    title = " ".join(text.casefold().strip(" :*").split())
    bare = _UNIT.sub("", title)
    return _whole().get(title) or _whole().get(bare) or _by_words(bare)


def is_title_like(text: str) -> bool:
    """Few words without a number: what may title a column."""
    bare = _UNIT.sub("", text)
    has_letters, has_digits = re.search(r"[^\W\d_]", bare), re.search(r"\d", bare)
    return len(bare.split()) <= MAX_TITLE_WORDS and has_letters is not None and has_digits is None


def _by_words(title: str) -> Role | None:
    words = frozenset(re.findall(r"[^\W\d_]+", title))
    if not words or re.search(r"\d", title) or len(words) > MAX_TITLE_WORDS:
        return None
    return next((role for role, core, beside in _words() if words & core and words <= core | beside), None)


@cache
def _whole() -> dict[str, Role]:
    return {row["title"]: _role(row["role"]) for row in _rows("titles.csv")}


@cache
def _words() -> list[tuple[Role, frozenset[str], frozenset[str]]]:
    """In order of precedence: ``Previous result`` is no result, ``Reference value`` no value."""
    return [
        (_role(row["role"]), frozenset(row["words"].split()), frozenset(row["beside"].split()))
        for row in _rows("title_words.csv")
    ]


def _role(text: str) -> Role:
    return next(role for role in ROLES if role == text)


def _rows(name: str) -> list[dict[str, str]]:
    text = files("ingest.labs").joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))

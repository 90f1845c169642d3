"""Which facts a prompt holds, and in which order: the most telling first, up to a number of tokens."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from health_agents.domain_expert.view import MAIN_WINDOW, Row

# Of a made study of 90 days a whole dossier has some 27,000 by this count; details of insights are left out.
MOST_TOKENS = 24_000
# Raised when the order or the form of what is told changes: part of the key of summaries.
FORM = 1
# Ids, numbers and JSON marks are cut finer than prose, of which a token holds four characters.
_CHARACTERS_PER_TOKEN = 3
_DIRECTIONS_OF_NOTE = ("above", "below", "rising", "falling")


def most_telling(facts: Iterable[Row], shown: Callable[[Row], str], tokens: int) -> tuple[list[Row], int]:
    """The first facts in telling order that fit, and how many were left out.

    shown: the text of a fact in the prompt. The order is that of ``place``, then of fact_id: it follows from
    the facts alone.
    """
    ordered = sorted(facts, key=lambda row: (place(row), row["fact_id"]))
    left = tokens * _CHARACTERS_PER_TOKEN
    for number, row in enumerate(ordered):
        left -= len(shown(row))
        if left < 0:
            return ordered[:number], len(ordered) - number
    return ordered, 0


def tokens_of(texts: Sequence[str]) -> int:
    """At most so many tokens."""
    return sum(map(len, texts)) // _CHARACTERS_PER_TOKEN + 1


def most_characters() -> int:
    """Of the dossier in a request."""
    return MOST_TOKENS * _CHARACTERS_PER_TOKEN


def place(row: Row) -> int:
    """0 is told first: who it is, what changed, what is out of line, what pages lead with, the rest."""
    name = str(row["fact_id"])
    for number, belongs in enumerate(_ORDER):
        if belongs(row, name):
            return number
    return len(_ORDER)


def _is_main(row: Row) -> bool:
    return row["window"] == MAIN_WINDOW


Test = Callable[[Row, str], Any]
_ORDER: tuple[Test, ...] = (
    lambda row, _: row["topic"] in ("profile", "data"),
    lambda row, _: row["topic"] == "changes",
    lambda row, _: row["topic"] in ("labs", "surveys") and row["direction"] in _DIRECTIONS_OF_NOTE,
    lambda row, name: name.startswith("lab.") and name.endswith((".value", ".trend")),
    lambda row, _: row["topic"] == "surveys",
    lambda row, name: _is_main(row) and ".change." in name and row["direction"] in _DIRECTIONS_OF_NOTE,
    lambda row, name: _is_main(row) and (".median." in name or name.startswith("peer.")),
    lambda row, _: row["topic"] == "insights" and row["for_participant"],
    lambda row, name: name.startswith(("limit.", "lab.")) or _is_main(row),
    lambda row, name: name.startswith("peer.") and row["window"] == "newest",
    lambda row, _: row["topic"] != "insights",
)

"""A text in sections: sentences with the facts they rest on, and the sources a section cites."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from outputs.digests import canonical_json

Style = Literal["list", "text"]

TITLES = {
    "overall": "Overall summary",
    "actions": "Actionable steps",
    "analysis.labs": "Laboratory results",
    "analysis.heart": "Heart",
    "analysis.activity": "Activity",
    "analysis.sleep": "Sleep",
    "analysis.body": "Body",
    "analysis.surveys": "Questionnaires",
    "analysis.peers": "Among peers",
    "analysis.checked": "Checked, nothing found",
    "missing": "Could not be checked, because",
    "sources": "Sources",
}
PLAIN_TITLES = {
    "overall": "In short",
    "analysis.labs": "Your laboratory results",
    "analysis.heart": "Your heart",
    "analysis.activity": "Your activity",
    "analysis.sleep": "Your sleep",
    "analysis.surveys": "Your questionnaires",
    "missing": "What is missing",
    "actions": "What you can do",
    "sources": "Where this comes from",
}
_LISTS = frozenset({"analysis.labs", "actions"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and the ids of the facts it rests on."""

    text: str
    fact_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A guideline, with its year in the title, and the link to it."""

    title: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a text. Empty sections are left out of what is published.

    style: its sentences are lines of a list, or run on as a text.
    """

    id: str
    title: str
    sentences: tuple[Sentence, ...]
    sources: tuple[Source, ...] = ()
    style: Style = "list"


def section(name: str, reader: str, sentences: Iterable[Sentence], sources: Iterable[Source] = ()) -> Section:
    """A section under the title its reader sees, in the style its reader reads best.

    A clinician scans lines; a participant reads a text, but for results and steps.
    """
    titles = PLAIN_TITLES if reader == "participant" else TITLES
    style: Style = "text" if reader == "participant" and name not in _LISTS else "list"
    return Section(name, titles.get(name, TITLES[name]), tuple(sentences), tuple(sources), style)


def filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections that say something."""
    return tuple(part for part in sections if part.sentences or part.sources)


def sections_json(sections: Sequence[Section]) -> str:
    """Canonical JSON: the text as published and signed."""
    return canonical_json([asdict(part) for part in sections])


def text_sha256(sections: Sequence[Section]) -> str:
    """The digest that a signature names, over the canonical JSON."""
    return hashlib.sha256(sections_json(sections).encode()).hexdigest()

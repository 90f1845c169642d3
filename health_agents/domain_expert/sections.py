"""A text in sections: sentences with the facts they rest on, and the sources a section cites."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from outputs.digests import canonical_json

TITLES = {
    "overall": "Overall summary",
    "analysis.labs": "Detailed analysis: laboratory results",
    "analysis.heart": "Detailed analysis: heart",
    "analysis.activity": "Detailed analysis: activity",
    "analysis.sleep": "Detailed analysis: sleep",
    "analysis.body": "Detailed analysis: body",
    "analysis.surveys": "Detailed analysis: questionnaires",
    "analysis.peers": "Detailed analysis: among peers",
    "analysis.checked": "Checked, nothing found",
    "missing": "Missing data",
    "actions": "Actionable steps",
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
    """A titled part of a text. Empty sections are left out of what is published."""

    id: str
    title: str
    sentences: tuple[Sentence, ...]
    sources: tuple[Source, ...] = ()


def section(name: str, reader: str, sentences: Iterable[Sentence], sources: Iterable[Source] = ()) -> Section:
    """A section under the title its reader sees."""
    titles = PLAIN_TITLES if reader == "participant" else TITLES
    return Section(name, titles.get(name, TITLES[name]), tuple(sentences), tuple(sources))


def filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections that say something."""
    return tuple(part for part in sections if part.sentences or part.sources)


def sections_json(sections: Sequence[Section]) -> str:
    """Canonical JSON: the text as published and signed."""
    return canonical_json([asdict(part) for part in sections])


def text_sha256(sections: Sequence[Section]) -> str:
    """The digest that a signature names, over the canonical JSON."""
    return hashlib.sha256(sections_json(sections).encode()).hexdigest()

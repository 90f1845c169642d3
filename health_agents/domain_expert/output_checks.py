"""Checks of a text that need no fact: leaked instructions, raw tool text, words for no participant."""

import re
from collections.abc import Iterator, Sequence

from health_agents.claims import Claim
from health_agents.domain_expert.sections import Section, Sentence
from health_agents.domain_expert.view import Reader
from health_agents.model.leaks import leaked_words
from health_agents.wording import find_medical_words

LEAK_WORDS = 8
_RAW_TEXT = re.compile(
    r"```|</?\w+>|final_result|fact_ids?\b|function_?call|tool_(?:code|call|output)|\{\s*\"|https?://|\w+_\w+\.\w+",
    re.IGNORECASE,
)


def sentence_faults(sentence: Sentence, reader: Reader, instructions: str) -> list[Claim]:
    """Why a sentence may not stand, whatever the facts say: unverified claims, or none."""
    return [
        Claim(sentence.text, quoted, None, "unbound_statement")
        for quoted in _faults(sentence.text, reader, instructions)
    ]


def says_something(sections: Sequence[Section]) -> bool:
    """There is a sentence that rests on a fact."""
    return any(sentence.fact_ids for part in sections for sentence in part.sentences)


def _faults(text: str, reader: Reader, instructions: str) -> Iterator[str]:
    if not text.strip():
        yield "(empty)"
    if (leaked := leaked_words(text, instructions, LEAK_WORDS)) is not None:
        yield leaked
    if (raw := _RAW_TEXT.search(text)) is not None:
        yield raw[0]
    if reader == "participant":
        yield from (mention.text for mention in find_medical_words(text))

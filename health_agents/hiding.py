"""Parts of a sentence that are understood and must not be read again: quotations, labels, names."""

import re
from collections.abc import Sequence

from health_agents.bound_facts import Fact
from health_agents.quantities import find_quantities
from health_agents.wording import hidden, hide, names_with_digits


def hide_quotations(text: str, cited: Sequence[Fact]) -> tuple[list[tuple[int, int, list[Fact]]], str]:
    """Find facts quoted word for word, the longest first: (start, end, facts rendered so)."""
    found: list[tuple[int, int, list[Fact]]] = []
    for rendered in sorted({f.rendered for f in cited if f.is_statement}, key=lambda r: (-len(r), r)):
        sources = [fact for fact in cited if fact.rendered == rendered]
        body = re.escape(rendered.rstrip("."))
        for match in re.finditer(rf"(?<![\w.,-]){body}(?![\w]|[.,]\d)", text, re.IGNORECASE):
            found.append((match.start(), match.end(), sources))
            text = hide(text, match.start(), match.end())
    return found, text


def hide_labels(text: str, cited: Sequence[Fact]) -> tuple[list[tuple[int, int, str]], str]:
    """Find the names of cited facts, the longest first: (start, end, name in lower case)."""
    found: list[tuple[int, int, str]] = []
    for label in sorted({fact.label.lower() for fact in cited}, key=lambda name: (-len(name), name)):
        for match in re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", text, re.IGNORECASE):
            found.append((match.start(), match.end(), label))
            text = hide(text, match.start(), match.end())
    return found, text


def hide_labels_with_numbers(text: str, labels: Sequence[tuple[int, int, str]]) -> str:
    """A label's own numbers, in digits or words, are no claims; its other words may be units."""
    for start, end, name in labels:
        if find_quantities(name):
            text = hide(text, start, end)
    return text


def hide_names_with_digits(text: str, cited: Sequence[Fact]) -> str:
    """Names are no numbers, but only those that cited facts have: PHQ-8 is no way to write PHQ-9."""
    names = {name for fact in cited for name in names_with_digits(f"{fact.label} {fact.rendered}")}
    for name in sorted(names - {word for fact in cited for word in names_with_digits(fact.unit or "")}):
        pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)
        text = pattern.sub(lambda m: hidden(m[0]), text)
    return text

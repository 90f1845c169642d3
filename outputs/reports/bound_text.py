"""Sentences of a summary with each number marked as bound to the fact it rests on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from outputs.reports import words

LEADING = ("overall", "actions")
NAMED_IN_MARK = 6
LONGEST_SUBJECT = 60


@dataclass(frozen=True, slots=True)
class BoundFact:
    """A fact and its number in the page's table of facts."""

    number: int
    row: Mapping[str, Any]

    @property
    def anchor(self) -> str:
        """The id of its row."""
        return f"fact-{self.number}"

    @property
    def origin(self) -> str:
        """What the number is: label, window, days, table and column."""
        row = self.row
        parts = [row["label"], words.window(row["window"]) if row["window"] else ""]
        if row["days"] is not None:
            parts.append(words.counted(row["days"], "valid day"))
        parts.append(f"from {row['source_table']}, {row['source_column']}")
        return "; ".join(part for part in parts if part)

    @property
    def cell(self) -> str:
        """The key of the cell it came from, without the participant whose page this is."""
        key: dict[str, object] = json.loads(self.row["source_key_json"])
        return ", ".join(f"{name} {value}" for name, value in key.items() if name != "participant_id")


def bound_facts(facts: Sequence[Mapping[str, Any]]) -> dict[str, BoundFact]:
    """fact_id -> fact with its anchor, numbered in the order of the table."""
    return {row["fact_id"]: BoundFact(number, row) for number, row in enumerate(facts, start=1)}


def bind(text: str, fact_ids: Sequence[str], facts: Mapping[str, BoundFact]) -> Markup:
    """The sentence, escaped, with a link from every place where a cited fact stands as it is rendered.

    Cited facts whose rendered form does not stand in the sentence as a whole follow as one small mark.
    """
    cited = [facts[name] for name in dict.fromkeys(fact_ids) if name in facts]
    spans, rest = _places(text, cited)
    pieces: list[Markup] = []
    at = 0
    for start, end, fact in spans:
        pieces += [escape(text[at:start]), _link(fact, text[start:end], "bound")]
        at = end
    return Markup("").join([*pieces, escape(text[at:]), _mark(rest)])


def sections(
    sections_json: str, facts: Mapping[str, BoundFact], severities: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Sections of a summary: id, title, style, bound sentences, facts they cite, sources {title, url}.

    severities: fact_id of a finding -> its severity, shown before the sentences that lead with findings.
    """
    return [
        {
            "id": section.get("id", ""),
            "title": section["title"],
            "style": section.get("style", "list"),
            "sentences": [
                _tag(section.get("id", ""), sentence, severities or {})
                + _with_subject(sentence["text"], bind(sentence["text"], sentence.get("fact_ids", []), facts))
                for sentence in section.get("sentences", [])
            ],
            "fact_ids": [name for s in section.get("sentences", []) for name in s.get("fact_ids", [])],
            "sources": [source(item) for item in section.get("sources", [])],
        }
        for section in json.loads(sections_json or "[]")
    ]


def _tag(section_id: str, sentence: Mapping[str, Any], severities: Mapping[str, str]) -> Markup:
    """The worst severity among the findings that a sentence of a leading section rests on."""
    found = [severities[name] for name in sentence.get("fact_ids", []) if name in severities]
    if section_id not in LEADING or not found:
        return Markup()
    worst = min(found, key=words.SEVERITIES.index)
    return Markup('<span class="tag {0}">{0}</span> ').format(worst)


def _with_subject(text: str, bound: Markup) -> Markup:
    """What a line is about ("Steps: ...") stands out; not where a link begins before the colon."""
    subject, colon, _ = text.partition(": ")
    start = escape(subject + ":")
    if not colon or len(subject) > LONGEST_SUBJECT or not bound.startswith(start):
        return bound
    return Markup('<span class="subject">{}</span>').format(subject + ":") + bound[len(start) :]


def source(item: str | Mapping[str, Any]) -> dict[str, str | None]:
    """A cited source. Only a web address becomes a link."""
    if isinstance(item, str):
        item = {"title": item}
    url = item.get("url")
    title = item.get("title") or item.get("text") or item.get("guideline") or url
    return {"title": str(title), "url": web_address(url)}


def web_address(url: object) -> str | None:
    """The address if it is one of the web, else None: a javascript: address must never become a link."""
    return url if isinstance(url, str) and url.startswith(("https://", "http://")) else None


def _places(
    text: str, cited: Sequence[BoundFact]
) -> tuple[list[tuple[int, int, BoundFact]], list[BoundFact]]:
    """Spans of rendered facts, longest first so that none lies in another, and the facts that have none.

    Where a fact's whole rendered form is not there ("37.5 %" in "37.5 to 51.0 %"), its number alone is.
    """
    spans: list[tuple[int, int, BoundFact]] = []
    left = sorted(cited, key=lambda fact: -len(fact.row["rendered"]))
    for form in (_whole_form, _number_form):
        missed: list[BoundFact] = []
        for fact in left:
            start = _free_place(text, form(fact), spans)
            if start is None:
                missed.append(fact)
            else:
                spans.append((start, start + len(form(fact)), fact))
        left = missed
    return sorted(spans, key=lambda span: span[0]), sorted(left, key=lambda fact: fact.number)


def _whole_form(fact: BoundFact) -> str:
    return fact.row["rendered"]


def _number_form(fact: BoundFact) -> str:
    number = fact.row["rendered"].partition(" ")[0]
    return number if number[:1].isdigit() else ""


def _free_place(text: str, part: str, taken: Sequence[tuple[int, int, BoundFact]]) -> int | None:
    start = text.find(part) if part else -1
    while start >= 0:
        end = start + len(part)
        if _whole(text, start, end) and all(end <= a or start >= b for a, b, _ in taken):
            return start
        start = text.find(part, start + 1)
    return None


def _whole(text: str, start: int, end: int) -> bool:
    """False for a piece of a longer number: 61 must not be found in 161 or 61.5."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    inside_before = before[-1:].isalnum() or (before[-1:] in ".," and before[:1].isdigit())
    inside_after = after[:1].isalnum() or (after[:1] in ".," and after[1:2].isdigit())
    return not (inside_before or inside_after)


def _mark(facts: Sequence[BoundFact]) -> Markup:
    """One mark for all, so that a sentence on many facts stays readable; their rows stand in the table."""
    if not facts:
        return Markup()
    if len(facts) == 1:
        return _link(facts[0], "°", "bound-mark")
    names = ", ".join(str(fact.row["label"]) for fact in facts[:NAMED_IN_MARK])
    more = len(facts) - NAMED_IN_MARK
    title = f"Rests on: {names}" + (f" and {more} more" if more > 0 else "")
    return Markup('<a class="bound-mark" href="#{}" title="{}">°</a>').format(facts[0].anchor, title)


def _link(fact: BoundFact, text: str, kind: str) -> Markup:
    return Markup('<a class="{}" href="#{}" title="{}">{}</a>').format(kind, fact.anchor, fact.origin, text)

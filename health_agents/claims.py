"""Every number and statement of a text is bound to a fact, or named as what it is: unverified.

``check_sentence`` finds all numbers, windows, direction words, medical words and quotations of a sentence
and compares each with the facts the sentence cites: value as shown, unit, direction, window, name.
It is strict on purpose: a true sentence it cannot follow is refused, a false one must not pass.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from health_agents.bound_facts import Fact, read_facts
from health_agents.hiding import (
    hide_labels,
    hide_labels_with_numbers,
    hide_names_with_digits,
    hide_quotations,
)
from health_agents.quantities import Quantity, find_quantities
from health_agents.wording import (
    ALLOWED_DIRECTIONS,
    Mention,
    find_directions,
    find_medical_words,
    find_windows,
    hide,
    is_negated,
)
from schemas.claims import Claims
from schemas.table import conform, empty

Verdict = Literal[
    "verified",
    "no_such_fact",
    "value_differs",
    "unit_differs",
    "direction_differs",
    "window_differs",
    "unbound_number",
    "unbound_statement",
]

_CLAUSE_BREAK = re.compile(r"[,;:]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)

_LIMIT = re.compile(
    r"\b(?:(upper|lower)[\w ]* limit|limit|above|below|exceed\w*|under|over)"
    r"(?: (?:of|is|at|was))?(?: the)?\s*[<>]?$",
    re.IGNORECASE,
)
_ENDS = {"upper": {"high"}, "lower": {"low"}}


@dataclass(frozen=True, slots=True)
class Claim:
    """One number, word or quotation of a sentence and what became of it."""

    sentence: str
    quoted: str
    fact_id: str | None
    verdict: Verdict


def check_sentence(sentence: str, fact_ids: Sequence[str], facts: pl.DataFrame) -> list[Claim]:
    """All claims of a sentence, in reading order.

    ``facts`` has the columns of the table facts; several rows of one fact_id are several ways to render it.
    A sentence without numbers, direction words, medical words or quotations makes no claim.
    """
    cited = read_facts(facts, fact_ids)
    known = {fact.fact_id for fact in cited}
    unknown = [Claim(sentence, name, None, "no_such_fact") for name in fact_ids if name not in known]
    return [*unknown, *_Reading(sentence, cited).claims()]


def is_verified(claims: Sequence[Claim]) -> bool:
    """Nothing in them is unverified."""
    return all(claim.verdict == "verified" for claim in claims)


def claims_table(participant_id: str, text: str, claims: Sequence[Claim]) -> pl.DataFrame:
    """The claims of one text (``summary:clinician``, ``insight:<question>``) as rows of the table claims."""
    if not claims:
        return empty(Claims)
    rows = [
        {
            "participant_id": participant_id,
            "text": text,
            "claim_no": number,
            "sentence": claim.sentence,
            "quoted": claim.quoted,
            "fact_id": claim.fact_id,
            "verdict": claim.verdict,
        }
        for number, claim in enumerate(claims, 1)
    ]
    return conform(pl.LazyFrame(rows, infer_schema_length=None), Claims).collect()


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    windows: tuple[str, ...]
    inherited_windows: tuple[str, ...]
    labels: frozenset[str]
    starts_afresh: bool
    ends_with_colon: bool

    def holds(self, place: int) -> bool:
        return self.start <= place < self.end


class _Reading:
    """One sentence taken apart. Places are those of the sentence; what is understood gets hidden."""

    def __init__(self, sentence: str, cited: Sequence[Fact]) -> None:
        self.sentence = sentence
        self.cited = cited
        self.quotes, text = hide_quotations(sentence, cited)
        self.labels, without_labels = hide_labels(text, cited)
        text = hide_names_with_digits(text, cited)
        without_labels = hide_names_with_digits(without_labels, cited)
        self.windows = find_windows(text)
        for mention in self.windows:
            text = hide(text, mention.start, mention.end)
            without_labels = hide(without_labels, mention.start, mention.end)
        text = hide_labels_with_numbers(text, self.labels)
        self.quantities = find_quantities(text, {fact.unit for fact in cited if fact.unit})
        for quantity in self.quantities:
            without_labels = hide(without_labels, quantity.start, quantity.end)
        self.directions = find_directions(without_labels)
        self.medical = find_medical_words(without_labels)
        self.outside = without_labels
        self.clauses = self._clauses(without_labels)

    def claims(self) -> list[Claim]:
        quotes = [(start, self._quotation(start, end, facts)) for start, end, facts in self.quotes]
        numbers = [(q.start, self._number(q)) for q in self.quantities]
        bound = [
            (place, claim.fact_id) for place, claim in (*quotes, *numbers) if claim.verdict == "verified"
        ]
        found = [
            *quotes,
            *numbers,
            *((w.start, self._window(w)) for w in self.windows),
            *((d.start, self._direction(d, bound)) for d in self.directions),
            *((m.start, self._medical(m)) for m in self.medical),
        ]
        return [claim for _, claim in sorted(found, key=lambda pair: pair[0])]

    def _claim(self, quoted: str, fact: Fact | None, verdict: Verdict) -> Claim:
        return Claim(self.sentence, quoted, fact.fact_id if fact else None, verdict)

    def _quotation(self, start: int, end: int, facts: Sequence[Fact]) -> Claim:
        fitting = [fact for fact in facts if self._window_fits(fact, start)]
        quoted = self.sentence[start:end]
        if is_negated(self.outside):
            return self._claim(quoted, facts[0], "unbound_statement")
        return self._claim(quoted, (fitting or facts)[0], "verified" if fitting else "window_differs")

    def _number(self, quantity: Quantity) -> Claim:
        """Narrow the cited facts by value, unit, name and window: where none is left is the verdict."""
        if not self.cited:
            return self._claim(quantity.text, None, "unbound_number")
        clause = self._clause_at(quantity.start)
        lower = any(
            clause.holds(d.start) and "falling" in ALLOWED_DIRECTIONS[d.meaning] for d in self.directions
        )
        equal = [(fact, r) for fact in self.cited for r in fact.readings if r.equals(quantity, lower=lower)]
        if not equal or quantity.disordered:
            return self._claim(quantity.text, self.cited[0], "value_differs")
        same_unit = [fact for fact, r in equal if r.unit_fits(quantity, self.sentence)]
        if not same_unit:
            return self._claim(quantity.text, equal[0][0], "unit_differs")
        named = [f for f in same_unit if self._name_fits(f, quantity.start) and self._limit_fits(f, quantity)]
        if not named:
            return self._claim(quantity.text, same_unit[0], "value_differs")
        fitting = [fact for fact in named if self._window_fits(fact, quantity.start)]
        return self._claim(quantity.text, (fitting or named)[0], "verified" if fitting else "window_differs")

    def _window(self, mention: Mention) -> Claim:
        fact = next((f for f in self.cited if f.covers(mention.meaning)), None)
        return self._claim(mention.text, fact, "verified" if fact else "window_differs")

    def _direction(self, mention: Mention, bound: Sequence[tuple[int, str | None]]) -> Claim:
        """Every fact the word speaks of must have one of its directions; else a related fact."""
        allowed = ALLOWED_DIRECTIONS[mention.meaning]
        spoken_of = self._spoken_of(mention, bound)
        related = spoken_of or self._related(mention, bound)
        fact = next((f for f in related if f.direction in allowed), None)
        verified = fact is not None and not mention.negated
        if spoken_of:
            verified = verified and all(f.direction in allowed for f in spoken_of)
        rests_on = fact or next(iter(self.cited), None)
        return self._claim(mention.text, rests_on, "verified" if verified else "direction_differs")

    def _spoken_of(self, mention: Mention, bound: Sequence[tuple[int, str | None]]) -> list[Fact]:
        """Bound facts with a direction in the word's clause, in those before it that have no such word
        ("A 5 and B 6 are above"), and after a colon in all that follow ("Above: A 5, B 6").
        """
        place = next(i for i, clause in enumerate(self.clauses) if clause.holds(mention.start))
        first = place
        while first > 0 and not self.clauses[first].starts_afresh and not self._has_direction(first - 1):
            first -= 1
        last = len(self.clauses) - 1 if self.clauses[place].ends_with_colon else place
        start, end = self.clauses[first].start, self.clauses[last].end
        names = {name for at, name in bound if start <= at < end}
        if any(w.meaning.startswith("before_") for w in self.windows if self.clauses[place].holds(w.start)):
            names = {name for name in names if name and ".change." in name}
        return [fact for fact in self.cited if fact.direction and fact.fact_id in names]

    def _has_direction(self, place: int) -> bool:
        return any(self.clauses[place].holds(d.start) for d in self.directions)

    def _related(self, mention: Mention, bound: Sequence[tuple[int, str | None]]) -> list[Fact]:
        """Facts with a direction on the subject of the clause, else of the sentence; ranks never."""
        clause = self._clause_at(mention.start)
        here = {name for place, name in bound if clause.holds(place)} or {name for _, name in bound}
        subjects = {f.subject for f in self.cited if f.fact_id in here or f.label.lower() in clause.labels}
        return [
            fact
            for fact in self.cited
            if fact.direction and not fact.is_rank and (not subjects or fact.subject in subjects)
        ]

    def _medical(self, mention: Mention) -> Claim:
        fact = next((f for f in self.cited if f.says(mention.meaning)), None)
        return self._claim(mention.text, fact, "verified" if fact else "unbound_statement")

    def _limit_fits(self, fact: Fact, quantity: Quantity) -> bool:
        """A limit stands where the sentence speaks of one, a value where it does not."""
        if quantity.unit == "date" or fact.is_statement:
            return True
        if quantity.end_of_range is not None and any(f.limit for f in self.cited):
            return fact.limit == quantity.end_of_range
        spoken_of = _LIMIT.search(self.sentence[: quantity.start])
        if spoken_of is None:
            return fact.limit is None
        return fact.limit in _ENDS.get((spoken_of[1] or "").lower(), {"low", "high"})

    def _name_fits(self, fact: Fact, place: int) -> bool:
        """False where the fact is named in the sentence, but not in the clause the number stands in."""
        label = fact.label.lower()
        named_anywhere = any(label == name for _, _, name in self.labels)
        here = self._clause_at(place).labels
        return not here or label in here or not named_anywhere

    def _window_fits(self, fact: Fact, place: int) -> bool:
        clause = self._clause_at(place)
        if clause.windows:
            return fact.is_timeless or any(fact.covers(window) for window in clause.windows)
        if clause.inherited_windows and fact.is_recent:
            return any(fact.covers(window) for window in clause.inherited_windows)
        return True

    def _clause_at(self, place: int) -> _Clause:
        return next(clause for clause in self.clauses if clause.holds(place))

    def _clauses(self, text: str) -> list[_Clause]:
        """Split at commas and conjunctions; windows and names carry over to clauses that have none."""
        breaks = [(0, ";"), *((m.end(), m[0]) for m in _CLAUSE_BREAK.finditer(text)), (len(text) + 1, ".")]
        clauses: list[_Clause] = []
        windows: tuple[str, ...] = tuple(
            w.meaning for w in self.windows if not w.meaning.startswith("before_")
        )[:1]
        labels: frozenset[str] = frozenset()
        for (start, opened_by), (end, closed_by) in itertools.pairwise(breaks):
            own = tuple(w.meaning for w in self.windows if start <= w.start < end)
            windows = tuple(name for name in own if not name.startswith("before_")) or windows
            labels = frozenset(name for place, _, name in self.labels if start <= place < end) or labels
            clauses.append(_Clause(start, end, own, windows, labels, opened_by in ";:", closed_by == ":"))
        return clauses

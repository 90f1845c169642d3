"""What changed of a participant since an earlier release: findings, results, scores, and how far data reach.

The release compared with is the newest one before in which the person's facts were others. So the facts told
here stay the same while nothing new arrives, however many releases are made: no text is written twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from outputs.facts.fact import Cell, Fact

TOPIC = "changes"
_PREFIX = "since."
# Findings by their word, not their sentence: a sentence holds numbers that move a little with every export.
_FINDING = "finding."
_TOLD = (_FINDING, "lab.", "survey.")
_ENDINGS = (".value", ".score")
_REACH = "data.valid_days.whole"
_NEW = "not there"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A participant in an earlier release. facts: rows of ``facts``; data_through: how far data reached."""

    facts: pl.DataFrame
    data_through: date | None


def changes_since(participant_id: str, facts: Sequence[Fact], releases: Iterable[Earlier]) -> list[Fact]:
    """A fact for each of ``facts`` that was another, or was not there. releases: the newest first.

    Of facts that are no more nothing is told: ``pha diff`` does. None where no release differs.
    """
    told = [fact for fact in facts if _is_told(fact.fact_id)]
    for release in releases:
        before = _words_before(release.facts)
        changed = [fact for fact in told if _is_changed(fact, before)]
        if before and changed:
            return [_change(participant_id, fact, before.get(fact.fact_id), release) for fact in changed]
    return []


def _is_told(fact_id: str) -> bool:
    if fact_id.startswith(_FINDING) or fact_id == _REACH:
        return True
    return fact_id.startswith(_TOLD) and fact_id.endswith(_ENDINGS)


def _is_changed(fact: Fact, before: Mapping[str, str]) -> bool:
    """A finding that was not there is one of a new rule, or of a result that is told by itself."""
    known = before.get(fact.fact_id)
    return known != _word(fact) and (known is not None or not fact.fact_id.startswith(_FINDING))


def _word(fact: Fact) -> str:
    return str(fact.value_text) if fact.fact_id.startswith(_FINDING) else fact.rendered


def _words_before(facts: pl.DataFrame) -> dict[str, str]:
    rows = facts.select("fact_id", "value_text", "rendered").iter_rows()
    return {
        fact_id: str(value_text) if fact_id.startswith(_FINDING) else rendered
        for fact_id, value_text, rendered in rows
        if _is_told(fact_id)
    }


def _change(participant_id: str, fact: Fact, before: str | None, release: Earlier) -> Fact:
    key = {
        "participant_id": participant_id,
        "fact_id": fact.fact_id,
        "before": before or _NEW,
        "data_through": release.data_through,
    }
    return Fact(
        f"{_PREFIX}{fact.fact_id}",
        TOPIC,
        f"{fact.label}, since an earlier release",
        f"now {_word(fact)}, before {before or _NEW}".replace("_", " "),
        Cell("facts", key, "value_text" if fact.fact_id.startswith(_FINDING) else "rendered"),
        value_text="changed" if before else "new",
        window_start=release.data_through,
        window_end=fact.window_end,
        for_participant=fact.for_participant,
    )

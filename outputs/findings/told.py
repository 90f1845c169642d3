"""Clinical facts that people or a clinic told in surveys: blood pressure, waist, medicines, smoking."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

import polars as pl

from schemas.settings import ClinicalFact

FACTS: tuple[ClinicalFact, ...] = get_args(ClinicalFact)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer. value: the number; of a yes-or-no fact 1 or 0. key: its row in ``survey_answers``."""

    fact: ClinicalFact
    value: float
    day: date | None
    key: Mapping[str, str | int]

    def evidence(self, participant_id: str, unit: str) -> dict[str, object]:
        """The input with the cell it came from."""
        return {
            "input": self.fact,
            "value": self.value,
            "unit": unit,
            "date": self.day,
            "table": "survey_answers",
            "key": {"participant_id": participant_id, **self.key},
            "column": "value_num",
        }


def told_facts(
    answers: pl.DataFrame, as_of: date, items: Mapping[ClinicalFact, str]
) -> dict[ClinicalFact, tuple[Told, ...]]:
    """The answers to each fact on or before as_of, the newest first; facts nobody answered are left out.

    items: ``item`` or ``item=code``; a fact without an entry is the item of its own name. With a code the
    answer is 1 where it is that code and 0 where it is another.
    """
    known = (
        answers.lazy()
        .filter(pl.col("value_num").is_not_null())
        .filter(pl.col("answered_on").is_null() | (pl.col("answered_on") <= as_of))
        .with_columns(_item=pl.col("item").str.to_lowercase())
        .sort("answered_on", "event", "instance", "instrument", descending=True, nulls_last=True)
        .collect()
    )
    found = {fact: _answers(known, fact, items.get(fact, fact)) for fact in FACTS}
    return {fact: found[fact] for fact in FACTS if found[fact]}


def _answers(known: pl.DataFrame, fact: ClinicalFact, where: str) -> tuple[Told, ...]:
    item, _, code = where.partition("=")
    rows = known.filter(pl.col("_item") == item.strip().lower()).iter_rows(named=True)
    return tuple(Told(fact, _value(row, code.strip()), row["answered_on"], _key(row)) for row in rows)


def _value(row: Mapping[str, Any], code: str) -> float:
    return float(str(row["value"]).strip() == code) if code else float(row["value_num"])


def _key(row: Mapping[str, Any]) -> dict[str, str | int]:
    return {name: row[name] for name in ("instrument", "event", "instance", "item")}

"""What people decided on a participant's exports, and which of it was applied.

Each decision says what stood there when somebody looked (``expect``). Where that is not there any more the
decision is not applied, and that is told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

import polars as pl

from ingest.clocks.decided_days import DecidedDays
from schemas.decision_targets import (
    CLOCK_LOCAL,
    CLOCK_UTC,
    SET_ASIDE,
    kind_of,
    parts_of,
    value_text,
)

ACCEPTED, SET_ASIDE_BY_DECISION = "accepted", "set_aside_by_decision"
# Verdicts that a person who knows more may overrule; for another person's profile there is the registry.
ACCEPTABLE = ("unchecked", "account_shared", "same_bytes", "overlap_conflict")
_CLOCKS: dict[str, Literal["local", "utc"]] = {CLOCK_LOCAL: "local", CLOCK_UTC: "utc"}


@dataclass(frozen=True, slots=True)
class ExportDecision:
    """A decision on a file, a day of a measure or the clock of days; ``value`` is None where it accepts."""

    target: str
    expect: str
    value: str | None = None


class Decided:
    """The decisions on one participant's exports, each marked as applied where it was.

    digests: of the content of their files, by file_id.
    """

    def __init__(
        self, decisions: Sequence[ExportDecision] = (), digests: Mapping[str, str] | None = None
    ) -> None:
        self._digests = digests or {}
        self._by_target = {decision.target: decision for decision in decisions}
        self._applied: set[str] = set()

    @property
    def outdated(self) -> list[ExportDecision]:
        """Decisions that were not applied, by target."""
        return [self._by_target[target] for target in sorted(self._by_target.keys() - self._applied)]

    def accepts(self, file_ids: Iterable[str], outcome: str) -> bool:
        """Whether an export with this verdict is accepted: one decided file stands for its whole export."""
        found = [self._by_target[file] for file in file_ids if file in self._by_target]
        accepting = [decision for decision in found if decision.value is None]
        # One that others sent too was let in by its decision; nothing more had to be checked of it.
        held = [d.target for d in accepting if d.expect in ACCEPTABLE and outcome in ("unchecked", "matched")]
        self._applied.update(held)
        return bool(held) and outcome == "unchecked"

    def aside(self, file_ids: Iterable[str]) -> None:
        """Files that were set aside by decision."""
        self._applied.update(self._by_target.keys() & set(file_ids))

    def clock_of(self, file_id: str) -> Literal["local", "utc"] | None:
        """The clock of the times that write a Z in a file, or None where nobody decided."""
        decision = self._by_target.get(file_id)
        if decision is None or decision.value not in _CLOCKS:
            return None
        if decision.expect != self._digests.get(file_id):
            return None
        self._applied.add(file_id)
        return _CLOCKS[decision.value]

    def days(self) -> list[tuple[str, DecidedDays]]:
        """Targets of decided clocks with their days, in the order of time."""
        found = [
            (target, DecidedDays(decision.value or "", *_span(target)))
            for target, decision in self._by_target.items()
            if kind_of(target) == "span"
        ]
        return sorted(found, key=lambda each: (each[1].first, each[0]))

    def holds(self, target: str, told: object) -> bool:
        """Whether what a decision expects is still told; marks it as applied."""
        holds = self._by_target[target].expect == value_text(told)
        self._applied.update([target] if holds else [])
        return holds

    def without_values(self, daily: pl.DataFrame, columns: Iterable[str]) -> pl.DataFrame:
        """daily_summary without the values that were set aside; ``columns``: those that may be."""
        known = set(columns)
        for target, decision in self._by_target.items():
            if kind_of(target) != "day" or decision.value != SET_ASIDE:
                continue
            parts = parts_of(target)
            day, column = date.fromisoformat(parts["first"]), parts["column"]
            row = daily.filter(pl.col("date") == day)
            if column not in known or row.is_empty() or row[column].item() is None:
                continue
            if self.holds(target, row[column].item()):
                kept = pl.when(pl.col("date") != day).then(pl.col(column)).alias(column)
                daily = daily.with_columns(kept)
        return daily


def _span(target: str) -> tuple[date, date]:
    parts = parts_of(target)
    return date.fromisoformat(parts["first"]), date.fromisoformat(parts["last"])


NOTHING = Decided()

"""What one reader may be told of a participant: the dossier's facts and findings, by id and topic."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import polars as pl

from outputs.dossier import Dossier

Reader = Literal["clinician", "participant"]
Row = Mapping[str, Any]

READERS: tuple[Reader, ...] = ("clinician", "participant")
MAIN_WINDOW = "last_30_days"
URGENT = ("critical", "high")
ITEM_9_RULE = "phq9_item_9"
_SEVERITIES = ("critical", "high", "medium", "low", "info")
_FIRST = (
    *("resting_heart_rate", "heart_rate_variability", "vo2max", "steps", "active_zone_minutes"),
    *("sleep_minutes", "deep_sleep_minutes", "rem_sleep_minutes", "bed_minute", "wake_up_minute"),
)
_WINDOWS = (MAIN_WINDOW, "last_90_days", "last_7_days", "whole")


def joined(items: Sequence[str]) -> str:
    """a; a and b; a, b and c. Names that hold a comma themselves are parted by semicolons."""
    comma = "; " if any("," in item for item in items) else ", "
    return items[0] if len(items) == 1 else f"{comma.join(items[:-1])} and {items[-1]}"


def source_name(finding: Row) -> str:
    """The source of a finding's rule up to its first stop: "NICE guideline (2019)" -> "NICE guideline"."""
    return re.split(r"[,;(]", finding["guideline"])[0].strip()


def _urgency(finding: Row) -> tuple[int, bool, str]:
    place = _SEVERITIES.index(finding["severity"])
    return place, finding["rule_id"] != ITEM_9_RULE, finding["fact_id"]


@dataclass(frozen=True)
class View:
    """A dossier for one reader. A participant's view holds only facts meant for the participant."""

    dossier: Dossier
    reader: Reader

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The reader's facts in order of fact_id."""
        facts = self.dossier.facts.sort("fact_id")
        return facts.filter("for_participant") if self.reader == "participant" else facts

    @cached_property
    def facts(self) -> dict[str, Row]:
        """fact_id -> fact."""
        return {row["fact_id"]: row for row in self.frame.iter_rows(named=True)}

    @cached_property
    def findings(self) -> list[Row]:
        """Findings that have a fact in the view, most severe first, each with ``fact_id``.

        Among the critical ones an answer to item 9 of the PHQ-9 leads: a life may hang on today.
        """
        found = [
            {**row, "fact_id": fact_id}
            for row in self.dossier.findings.iter_rows(named=True)
            if (fact_id := f"finding.{row['rule_id']}.{row['subject']}") in self.facts
        ]
        return sorted(found, key=_urgency)

    @cached_property
    def quotable(self) -> pl.DataFrame:
        """The facts, and each finding's next step and source as further ways to render its fact."""
        texts = [
            (row["fact_id"], words)
            for row in self.findings
            for words in (row["next_step"], source_name(row))
            if words
        ]
        if not texts:
            return self.frame
        renderings = pl.DataFrame(texts, schema=["fact_id", "words"], orient="row")
        added = self.frame.join(renderings, on="fact_id", how="inner", maintain_order="left").with_columns(
            rendered=pl.col("words"),
            value_num=pl.lit(None, pl.Float64),
            value_text=pl.lit(None, pl.String),
        )
        return pl.concat([self.frame, added.select(self.frame.columns)])

    def with_outcome(self, *outcomes: str) -> list[Row]:
        """The findings of these outcomes."""
        return [row for row in self.findings if row["outcome"] in outcomes]

    def _name(self, finding: Row) -> Row:
        """The fact that names a finding: its laboratory value, where the rule is one for all analytes."""
        own = self.facts[finding["fact_id"]]
        return self.facts.get(f"lab.{finding['subject']}.value", own)

    def names(self, findings: Sequence[Row]) -> str:
        """What findings are about, each once: "LDL cholesterol and Ferritin"."""
        return joined(list(dict.fromkeys(self._name(row)["label"] for row in findings)))

    def named(self, findings: Sequence[Row]) -> list[Row]:
        """The facts that a sentence with these names rests on."""
        return [fact for row in findings for fact in (self.facts[row["fact_id"]], self._name(row))]

    def of_topic(self, topic: str) -> list[Row]:
        """The facts of a topic."""
        return [row for row in self.facts.values() if row["topic"] == topic]

    def metrics(self, topic: str) -> list[str]:
        """Metrics of a topic that have a median: those that matter most first, the others by name."""
        parts = (row["fact_id"].split(".") for row in self.of_topic(topic))
        names = {first for first, kind, *_ in parts if kind == "median"}
        return sorted(names, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))

    def medians(self, metric: str) -> list[Row]:
        """A metric's medians, the leading window first."""
        return [
            self.facts[name] for window in _WINDOWS if (name := f"{metric}.median.{window}") in self.facts
        ]

    def get(self, fact_id: str) -> Row | None:
        """A fact, or None where the view has none."""
        return self.facts.get(fact_id)

"""What one reader may be told of a participant: the dossier's facts and findings, by id and topic."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import polars as pl

from outputs.dossier import Dossier

Reader = Literal["clinician", "participant"]
Row = Mapping[str, Any]

READERS: tuple[Reader, ...] = ("clinician", "participant")
_SEVERITIES = ("critical", "high", "medium", "low", "info")
_WINDOWS = ("last_30_days", "last_90_days", "last_7_days", "whole")


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
        """Findings that have a fact in the view, most severe first, each with ``fact_id`` and ``label``."""
        found = [
            {**row, "fact_id": fact_id, "label": self.facts[fact_id]["label"]}
            for row in self.dossier.findings.iter_rows(named=True)
            if (fact_id := f"finding.{row['rule_id']}.{row['subject']}") in self.facts
        ]
        return sorted(found, key=lambda row: (_SEVERITIES.index(row["severity"]), row["fact_id"]))

    @cached_property
    def quotable(self) -> pl.DataFrame:
        """The facts, and each finding's next step as another way to render its fact."""
        texts = [(row["fact_id"], row["next_step"]) for row in self.findings if row["next_step"]]
        if not texts:
            return self.frame
        renderings = pl.DataFrame(texts, schema=["fact_id", "next_step"], orient="row")
        added = self.frame.join(renderings, on="fact_id", how="inner", maintain_order="left").with_columns(
            rendered=pl.col("next_step"),
            value_num=pl.lit(None, pl.Float64),
            value_text=pl.lit(None, pl.String),
        )
        return pl.concat([self.frame, added.select(self.frame.columns)])

    def with_outcome(self, *outcomes: str) -> list[Row]:
        """The findings of these outcomes."""
        return [row for row in self.findings if row["outcome"] in outcomes]

    def of_topic(self, topic: str) -> list[Row]:
        """The facts of a topic."""
        return [row for row in self.facts.values() if row["topic"] == topic]

    def metrics(self, topic: str) -> list[str]:
        """Metrics of a topic that have a median, in order of name."""
        names = (row["fact_id"].split(".") for row in self.of_topic(topic))
        return sorted({parts[0] for parts in names if len(parts) == 3 and parts[1] == "median"})

    def lead_window(self, metric: str) -> str:
        """The window a metric is told by: 30 days where there is one, else the next of 90, 7, whole."""
        return next(window for window in _WINDOWS if f"{metric}.median.{window}" in self.facts)

    def medians(self, metric: str) -> list[Row]:
        """A metric's medians, the leading window first."""
        return [
            self.facts[name] for window in _WINDOWS if (name := f"{metric}.median.{window}") in self.facts
        ]

    def get(self, fact_id: str) -> Row | None:
        """A fact, or None where the view has none."""
        return self.facts.get(fact_id)

"""The gate of a release: great-expectations over the published tables, held back at the first fault.

great-expectations sees pandas frames of published tables and small frames of counts, keeps no values in its
results (SUMMARY, no examples), writes nothing and reports to nobody. It is imported when a gate is run.
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.tables import TABLES

# Frames of one row whose columns are what Polars counted.
COUNTED = frozenset(
    {"declared_form", "references", "counts", "enrolment", "rejected", "coverage", "magnitude"}
)

RESULT_FORMAT = {"result_format": "SUMMARY", "partial_unexpected_count": 0}


FAULTS = {
    "declared_form": "rows out of their declared form",
    "reference": "rows that point at a row that is not there",
    "counts_close": "counts that do not close",
    "minute_files": "minute files with a fault",
    "enrolment": "people neither present nor explained",
    "rejected_share": "too large a share of rows rejected",
    "coverage": "fewer rows than at the last release",
    "magnitude": "typical size has jumped since the last release",
    "key_unique": "keys that come twice",
    "not_null": "empty cells that must not be",
    "allowed_words": "words that are not declared",
    "null_share": "values gone missing since the last release",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation and its outcome.

    unexpected of examined: rows (or files) that did not meet it, of those looked at. measured: the count,
    ratio or share that was compared with its limits, low and high. What was not asked for is None.
    """

    table: str
    check: str
    subject: str
    passed: bool
    examined: int | None = None
    unexpected: int | None = None
    measured: float | None = None
    low: float | None = None
    high: float | None = None
    evaluated: bool = True

    @property
    def found(self) -> str:
        """What was found, in words."""
        if not self.evaluated:
            return "could not be evaluated"
        if self.measured is not None:
            return f"{self.measured:g}"
        return f"{self.unexpected or 0} of {self.examined or 0}"

    @property
    def limits(self) -> str:
        """What is allowed, where that is more than "none"."""
        ends = [
            f"{word} {end:g}"
            for word, end in (("at least", self.low), ("at most", self.high))
            if end is not None
        ]
        return ", ".join(ends)

    @property
    def place(self) -> str:
        """The table and the column, or what was counted."""
        return f"{self.table}.{self.subject}" if self.table in TABLES else self.subject

    def __str__(self) -> str:
        allowed = f", {self.limits}" if self.limits else ""
        return f"{FAULTS[self.check]}: {self.place} ({self.found}{allowed})"


def run_gate(release: Path, kind: str, previous: Path | None) -> list[Check]:
    """All checks of a written release folder, in a fixed order; the release passes when all have passed."""
    with warnings.catch_warnings():
        # What the libraries below it deprecate is no news of the release.
        warnings.simplefilter("ignore")
        return list(_run(release, kind, previous))


def _run(release: Path, kind: str, previous: Path | None) -> Iterator[Check]:
    import great_expectations as gx
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )

    from outputs.gate_suite import suites

    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(),
        analytics_enabled=False,
        progress_bars=ProgressBarsConfig(globally=False),
    )
    context = gx.get_context(project_config=config, mode="ephemeral")
    source = context.data_sources.add_pandas("release")
    for name, frame, expectations in suites(release, previous, kind):
        whole = source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("all")
        batch = whole.get_batch({"dataframe": frame.to_pandas()})
        suite = gx.ExpectationSuite(name=name, expectations=expectations)
        result = batch.validate(suite, result_format=RESULT_FORMAT)
        counts = frame.row(0, named=True) if name in COUNTED else {}
        yield from (read_check(name, entry.to_json_dict(), counts) for entry in result.results)


def read_check(table: str, entry: Mapping[str, Any], counts: Mapping[str, float]) -> Check:
    """An entry of great-expectations' result JSON, of which only names, counts and limits are taken.

    counts: what Polars measured, by subject, where the entry is about that.
    """
    config, result = entry["expectation_config"], entry["result"]
    asked = config["kwargs"]
    subject = " + ".join(asked.get("column_list") or [asked["column"]])
    measured: float | None = counts.get(subject) if counts else result.get("observed_value")
    return Check(
        table=table,
        check=config["meta"]["check"],
        subject=subject,
        passed=entry["success"],
        examined=result.get("element_count"),
        unexpected=result.get("unexpected_count"),
        measured=None if measured is None else round(measured, 4),
        low=asked.get("min_value"),
        high=asked.get("max_value"),
        evaluated=not entry["exception_info"].get("raised_exception", True),
    )

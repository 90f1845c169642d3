"""The gate of a release: great-expectations over the published tables, held back at the first fault.

great-expectations sees pandas frames of published tables and small frames of counts, keeps no values in its
results (BASIC, no examples), writes nothing and reports to nobody. It is imported when a gate is run.
"""

import logging
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outputs.gate_words import FAULTS, REMEDIES, SUBJECTS, shown_measured, shown_number
from outputs.large_tables import SLICE_ROWS
from schemas.settings import DriftSection
from schemas.tables import TABLES

# SUMMARY adds where the rows lie, which nobody reads and takes half as long again.
RESULT_FORMAT = {"result_format": "BASIC", "partial_unexpected_count": 0}


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
            return shown_measured(self.check, self.measured)
        return f"{self.unexpected or 0:,} of {self.examined or 0:,} rows"

    @property
    def limits(self) -> str:
        """What is allowed, where that is more than "none"."""
        ends = [
            f"{word} {shown_number(self.check, end)}"
            for word, end in (("at least", self.low), ("at most", self.high))
            if end is not None
        ]
        return ", ".join(ends)

    @property
    def place(self) -> str:
        """The table and the column, or what was counted."""
        if self.table in TABLES:
            return f"{self.table}.{self.subject}"
        return SUBJECTS.get(self.subject, self.subject)

    def __str__(self) -> str:
        allowed = f"; allowed: {self.limits}" if self.limits else ""
        return f"{FAULTS[self.check]}: {self.place} ({self.found}{allowed}): {REMEDIES[self.check]}"


def run_gate(
    release: Path, kind: str, previous: Path | None, drift: DriftSection, shown_rows: int = SLICE_ROWS
) -> list[Check]:
    """All checks of a written release folder, in a fixed order; the release passes when all have passed.

    drift: how far the population may be from the last release's. Of a table with more than ``shown_rows``
    rows great-expectations sees what Polars counted.
    """
    with warnings.catch_warnings():
        # What the libraries below it deprecate, and what it tells of itself, is no news of the release.
        warnings.simplefilter("ignore")
        logging.getLogger("great_expectations").setLevel(logging.WARNING)
        return list(_run(release, kind, previous, drift, shown_rows))


def _run(
    release: Path, kind: str, previous: Path | None, drift: DriftSection, shown_rows: int
) -> Iterator[Check]:
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
    # One asset for all frames: each new one is written to the context's settings, twice.
    whole = context.data_sources.add_pandas("release").add_dataframe_asset("table")
    whole = whole.add_batch_definition_whole_dataframe("all")
    for asked in suites(release, previous, kind, drift, shown_rows):
        batch = whole.get_batch({"dataframe": asked.frame.to_pandas()})
        suite = gx.ExpectationSuite(name=asked.name, expectations=asked.expectations)
        result = batch.validate(suite, result_format=RESULT_FORMAT)
        counts = asked.frame.row(0, named=True) if asked.is_counted else {}
        yield from (read_check(asked.name, entry.to_json_dict(), counts) for entry in result.results)


def read_check(table: str, entry: Mapping[str, Any], counts: Mapping[str, float]) -> Check:
    """An entry of great-expectations' result JSON, of which only names, counts and limits are taken.

    counts: what Polars measured, by column of the frame shown, where the entry is about that.
    """
    config, result = entry["expectation_config"], entry["result"]
    asked = config["kwargs"]
    column = " + ".join(asked.get("column_list") or [asked["column"]])
    measured: float | None = counts.get(column) if counts else result.get("observed_value")
    return Check(
        table=table,
        check=config["meta"]["check"],
        subject=config["meta"].get("subject", column),
        passed=entry["success"],
        examined=result.get("element_count"),
        unexpected=result.get("unexpected_count"),
        measured=None if measured is None else round(measured, 4),
        low=asked.get("min_value"),
        high=asked.get("max_value"),
        evaluated=not entry["exception_info"].get("raised_exception", True),
    )

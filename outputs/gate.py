"""The gate of a release: great-expectations over the published tables, held back at the first fault.

great-expectations sees pandas frames of published tables and small frames of counts, keeps no values in its
results (SUMMARY, no examples), writes nothing and reports to nobody. It is imported when a gate is run.
"""

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULT_FORMAT = {"result_format": "SUMMARY", "partial_unexpected_count": 0}


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation and its outcome.

    unexpected of examined: rows (or files, or counts) that did not meet it, of those looked at; None where
    the expectation is about the column as a whole. share: of rows with a value, where that was asked.
    """

    table: str
    check: str
    subject: str
    passed: bool
    examined: int | None = None
    unexpected: int | None = None
    share: float | None = None
    low: float | None = None
    high: float | None = None
    evaluated: bool = True

    def __str__(self) -> str:
        outcome = f", {self.unexpected} of {self.examined}" if self.unexpected else ""
        if not self.evaluated:
            outcome = ", could not be evaluated"
        return f"{self.table}: {self.check} ({self.subject}){outcome}"


def run_gate(release: Path, kind: str, previous: Path | None) -> list[Check]:
    """All checks of a written release folder, in a fixed order; the release passes when all have passed."""
    with warnings.catch_warnings():
        # What the libraries below it deprecate is no news of the release.
        warnings.simplefilter("ignore")
        return list(_run(release, kind, previous))


def _run(release: Path, kind: str, previous: Path | None) -> Iterator[Check]:
    os.environ["GX_ANALYTICS_ENABLED"] = "False"
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    from outputs.gate_suite import suites

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = context.data_sources.add_pandas("release")
    for name, frame, expectations in suites(release, previous, kind):
        whole = source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("all")
        batch = whole.get_batch({"dataframe": frame.to_pandas()})
        suite = gx.ExpectationSuite(name=name, expectations=expectations)
        result = batch.validate(suite, result_format=RESULT_FORMAT)
        yield from (read_check(name, entry.to_json_dict()) for entry in result.results)


def read_check(table: str, entry: dict[str, Any]) -> Check:
    """An entry of great-expectations' result JSON, of which only names, counts and limits are taken."""
    config, result = entry["expectation_config"], entry["result"]
    asked = config["kwargs"]
    columns = asked.get("column_list") or [
        asked[name] for name in ("column", "column_A", "column_B") if name in asked
    ]
    observed = result.get("observed_value")
    return Check(
        table=table,
        check=config["meta"]["check"],
        subject=" + ".join(columns),
        passed=entry["success"],
        examined=result.get("element_count"),
        unexpected=result.get("unexpected_count"),
        share=round(observed, 4) if isinstance(observed, float) else None,
        low=asked.get("min_value"),
        high=asked.get("max_value"),
        evaluated=not entry["exception_info"].get("raised_exception", True),
    )

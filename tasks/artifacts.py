"""What Prefect's own pages show of a release: who, which state, how many; no value and no name.

Keyed artifacts keep their history by key: cohort-status, data-quality, rejected-rows, model-spend.
"""

from pathlib import Path

import polars as pl
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from outputs.release_tables import scan

STATUS_COLUMNS = (
    "participant_id",
    "status",
    "data_through",
    "days_behind",
    "has_wearable",
    "has_labs",
    "has_surveys",
)


def show_release(release: Path) -> None:
    """Renew the four artifacts from the tables of a release."""
    create_table_artifact(
        cohort_status(release), key="cohort-status", description="Who needs attention, and why"
    )
    create_markdown_artifact(
        data_quality(release), key="data-quality", description="Cross-checks of the data"
    )
    create_table_artifact(rejected_rows(release), key="rejected-rows", description="Rows rejected, by rule")
    create_markdown_artifact(model_spend(release), key="model-spend", description="Calls of language models")


def cohort_status(release: Path) -> list[dict[str, object]]:
    """A row a participant: how far behind, and the codes of what waits, by name."""
    waiting = (
        scan(release, "attention")
        .filter(pl.col("state").is_in(("new", "open")))
        .group_by("participant_id")
        .agg(waiting=pl.col("code").unique().sort().str.join(", "))
    )
    rows = (
        scan(release, "participants")
        .select(
            "participant_id",
            "status",
            "data_through",
            "days_behind",
            "has_wearable",
            "has_labs",
            "has_surveys",
        )
        .join(waiting, on="participant_id", how="left")
        .with_columns(pl.col("data_through").dt.to_string(), pl.col("waiting").fill_null(""))
        .sort("participant_id")
        .collect()
    )
    return rows.to_dicts()


def data_quality(release: Path) -> str:
    """Checks with how many participants they hold for, differ, or could not be done."""
    counts = (
        scan(release, "quality_checks")
        .group_by("check", "outcome")
        .agg(participants=pl.len())
        .sort("check", "outcome")
        .collect()
    )
    lines = ["| check | outcome | participants |", "|---|---|---|"]
    lines += [f"| {check} | {outcome} | {n} |" for check, outcome, n in counts.iter_rows()]
    return "\n".join(lines)


def rejected_rows(release: Path) -> list[dict[str, object]]:
    """Rule, table and code with how many rows."""
    return (
        scan(release, "rejected_rows")
        .group_by("table", "rule", "code")
        .agg(pl.col("rows").sum())
        .sort("table", "rule", "code")
        .collect()
        .to_dicts()
    )


def model_spend(release: Path) -> str:
    """Calls, tokens and cost of a release by model."""
    if not list((release / "tables").glob("model_calls.parquet")):
        return "A core release makes no calls."
    spent = (
        scan(release, "model_calls")
        .group_by("model")
        .agg(
            calls=pl.len(),
            cached=pl.col("cached").sum(),
            tokens=pl.col("input_tokens").sum() + pl.col("output_tokens").sum(),
            usd=pl.col("cost_usd").sum().round(4),
        )
        .sort("model")
        .collect()
    )
    if spent.is_empty():
        return "No language model was called."
    lines = ["| model | calls | from the store | tokens | USD |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in spent.iter_rows()]
    return "\n".join(lines)

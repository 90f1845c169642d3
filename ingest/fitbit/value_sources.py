"""Where every published daily value came from, and who told the same: value_sources."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from ingest.fitbit.choosing import Choice
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.placing import Placed
from ingest.fitbit.recorders import OTHER_RECORDER
from schemas.table import polars_schema
from schemas.value_sources import ValueSources

_CHOICE = {"sleep": "whole_copy_then_newer_export"}


def value_sources(
    participant_id: str,
    daily: pl.DataFrame,
    placed: Placed,
    choices: Sequence[Choice],
    zeros: Mapping[str, pl.DataFrame],
    ledger: Ledger,
) -> pl.DataFrame:
    """The members every published daily value rests on, and those that tell the same but were not taken.

    Of a measure of several columns the alternates are given for its first.
    """
    fed = [rows for choice in choices for rows in _feeds(choice, placed)]
    for choice in choices:
        if choice.measure.sparse:
            days = zeros[choice.measure.name].with_columns(
                pl.lit("covered_day_without_row_is_zero").alias("rule")
            )
            fed.append(_of_metrics(days, choice.measure.columns, "published"))
    metrics = sorted({column for choice in choices for column in choice.measure.columns})
    told = (
        daily.select("date", *(pl.col(metric).is_not_null() for metric in metrics))
        .unpivot(index="date", variable_name="metric", value_name="there")
        .filter(pl.col("there"))
    )
    members = pl.DataFrame(
        [(n, file.id, member.id) for n, (file, member) in enumerate(ledger.members)],
        schema={"member": pl.Int32, "file_id": pl.String, "member_id": pl.String},
        orient="row",
    )
    all_fed = pl.concat(fed)
    published = all_fed.filter(pl.col("role") == "published").join(told, on=["date", "metric"], how="semi")
    alternate = (
        all_fed.filter(pl.col("role") == "alternate")
        .join(daily, on="date", how="semi")
        .join(published, on=["date", "metric", "member"], how="anti")
        .sort("rule")
        .unique(["date", "metric", "member"], keep="first", maintain_order=True)
    )
    return (
        pl.concat([published, alternate])
        .join(members, on="member")
        .with_columns(pl.lit(participant_id).alias("participant_id"))
        .select(polars_schema(ValueSources).names())
        # A member may tell a value in two ways, by the minute and as a total: what was published stands.
        .sort("date", "metric", "file_id", "member_id", pl.col("role") != "published", "rule")
        .unique(["date", "metric", "file_id", "member_id"], keep="first", maintain_order=True)
    )


def _feeds(choice: Choice, placed: Placed) -> Iterator[pl.DataFrame]:
    """Members by date: those a measure was taken from, the sources that lost, the recorders not chosen."""
    for rank, source in enumerate(choice.measure.sources):
        kept = placed.kept[source.kind]
        # Most participants have few of the kinds.
        if kept.height:
            rows = kept.select("date", "member").unique()
            won = choice.won.filter(pl.col("kind") == source.kind).select("date")
            rule = _CHOICE.get(source.kind, "newer_export" if rank == 0 else "fallback_source")
            taken = rows.join(won, on="date", how="semi").with_columns(pl.lit(rule).alias("rule"))
            yield _of_metrics(taken, choice.measure.columns, "published")
            lost = choice.lost.filter(pl.col("kind") == source.kind).select("date", "rule")
            yield _of_metrics(rows.join(lost, on="date"), (choice.measure.name,), "alternate")
        if (others := placed.others.get(source.kind)) is not None:
            rows = others.select("date", "member", pl.lit(OTHER_RECORDER).alias("rule")).unique()
            yield _of_metrics(rows, (choice.measure.name,), "alternate")


def _of_metrics(rows: pl.DataFrame, metrics: Sequence[str], role: str) -> pl.DataFrame:
    named = pl.DataFrame({"metric": list(metrics)}, schema={"metric": pl.String})
    return (
        rows.select("date", "member", "rule")
        .join(named, how="cross")
        .with_columns(pl.lit(role).alias("role"))
    )

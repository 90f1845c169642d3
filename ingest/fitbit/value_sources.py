"""Where every published daily value came from, and who told the same: value_sources."""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.fitbit.choosing import Choices
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.measures import Measure
from ingest.fitbit.placing import Placed
from ingest.fitbit.recorders import OTHER_RECORDER
from schemas.table import polars_schema
from schemas.value_sources import ValueSources

_CHOICE = {"sleep": "whole_copy_then_newer_export"}
_ZERO = "covered_day_without_row_is_zero"
_DAY_OF_MEMBER = {"kind": pl.String(), "date": pl.Date(), "member": pl.Int32()}
_FED = ("date", "metric", "member", "rule")


def value_sources(
    participant_id: str,
    daily: pl.DataFrame,
    placed: Placed,
    choices: Choices,
    zeros: Mapping[str, pl.DataFrame],
    ledger: Ledger,
) -> pl.DataFrame:
    """The members every published daily value rests on, and those that tell the same but were not taken.

    Of a measure of several columns the alternates are given for its first.
    """
    told = _values_told(daily, choices.measures)
    days = _days_of_members(placed.kept)
    fed = pl.concat([_taken(choices, days), _zeros(choices.measures, zeros)])
    published = fed.join(told, on=["date", "metric"], how="semi")
    alternate = (
        pl.concat([_lost(choices, days), _other_recorders(choices.measures, placed)])
        .join(daily.lazy(), on="date", how="semi")
        .join(published, on=["date", "metric", "member"], how="anti")
        .sort("rule")
        .unique(["date", "metric", "member"], keep="first", maintain_order=True)
    )
    roles = {"published": published, "alternate": alternate}
    return (
        pl.concat(rows.with_columns(pl.lit(role).alias("role")) for role, rows in roles.items())
        .join(_members(ledger), on="member")
        .with_columns(pl.lit(participant_id).alias("participant_id"))
        .select(polars_schema(ValueSources).names())
        # A member may tell a value in two ways, by the minute and as a total: what was published stands.
        .sort("date", "metric", "file_id", "member_id", pl.col("role") != "published", "rule")
        .unique(["date", "metric", "file_id", "member_id"], keep="first", maintain_order=True)
        .collect(engine="in-memory")
    )


def _values_told(daily: pl.DataFrame, measures: Sequence[Measure]) -> pl.LazyFrame:
    """``date`` and ``metric`` of the values that are published."""
    metrics = sorted({column for measure in measures for column in measure.columns})
    return (
        daily.lazy()
        .select("date", *(pl.col(metric).is_not_null() for metric in metrics))
        .unpivot(index="date", variable_name="metric", value_name="there")
        .filter("there")
    )


def _members(ledger: Ledger) -> pl.LazyFrame:
    rows = [(number, file.id, member.id) for number, (file, member) in enumerate(ledger.members)]
    schema = {"member": pl.Int32, "file_id": pl.String, "member_id": pl.String}
    return pl.LazyFrame(rows, schema=schema, orient="row")


def _taken(choices: Choices, days: pl.LazyFrame) -> pl.LazyFrame:
    """Members of the sources that won, for every column of their measure."""
    return (
        choices.won.lazy()
        .join(days, on=["kind", "date"])
        .join(_sources(choices.measures), on=["measure", "kind"])
        .join(_metrics(choices.measures), on="measure")
        .select(_FED)
    )


def _zeros(measures: Sequence[Measure], zeros: Mapping[str, pl.DataFrame]) -> pl.LazyFrame:
    """Members that mean zero where they have no row."""
    days = [
        zeros[measure.name].lazy().with_columns(pl.lit(measure.name).alias("measure"))
        for measure in measures
        if measure.sparse
    ]
    named = pl.concat(days).join(_metrics(measures), on="measure")
    return named.with_columns(pl.lit(_ZERO).alias("rule")).select(_FED)


def _lost(choices: Choices, days: pl.LazyFrame) -> pl.LazyFrame:
    """Members of the sources that lost."""
    rows = choices.lost.lazy().join(days, on=["kind", "date"])
    return rows.with_columns(pl.col("measure").alias("metric")).select(_FED)


def _other_recorders(measures: Sequence[Measure], placed: Placed) -> pl.LazyFrame:
    """Members of the recorders that were not chosen."""
    rows = _days_of_members(placed.others).join(_sources(measures).drop("rule"), on="kind")
    named = rows.with_columns(pl.col("measure").alias("metric"), pl.lit(OTHER_RECORDER).alias("rule"))
    return named.select(_FED)


def _days_of_members(frames: Mapping[str, pl.DataFrame]) -> pl.LazyFrame:
    """``kind``, ``date``, ``member``: which member has rows of which day."""
    told = [
        frame.select(pl.lit(kind).alias("kind"), "date", "member").unique()
        for kind, frame in frames.items()
        if frame.height and "date" in frame.columns
    ]
    return pl.concat([pl.DataFrame(schema=_DAY_OF_MEMBER), *told]).lazy()


def _sources(measures: Sequence[Measure]) -> pl.LazyFrame:
    """``measure``, ``kind`` and the rule by which it is taken from that kind."""
    rows = [
        (measure.name, source.kind, _CHOICE.get(source.kind, "fallback_source" if rank else "newer_export"))
        for measure in measures
        for rank, source in enumerate(measure.sources)
    ]
    return pl.LazyFrame(rows, schema=["measure", "kind", "rule"], orient="row")


def _metrics(measures: Sequence[Measure]) -> pl.LazyFrame:
    """``measure`` and the ``metric`` of each of its columns."""
    rows = [(measure.name, column) for measure in measures for column in measure.columns]
    return pl.LazyFrame(rows, schema=["measure", "metric"], orient="row")

"""One source a day for each measure: the best that tells it. What the others tell is kept aside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ingest.fitbit.kinds import LOG_OF_STAGES
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.measures import Measure, Source
from schemas.daily_summary import DailySummary
from schemas.table import polars_schema

# A stretch of another method at the end of a series is published from so many days on; a few days' tail is
# not worth the break it makes.
FEWEST_DAYS_OF_A_METHOD = 7
SAME_METHOD_SHARE = 0.9
# Files round to one decimal at least; another definition lies further off on most days.
SAME_VALUE = 0.1
OTHER_SOURCE, OTHER_METHOD = "other_source", "other_method"
_NO_DAYS = pl.Series(dtype=pl.Date)
_OFFER_TYPES: dict[str, pl.DataType] = {
    "measure": pl.String(),
    "date": pl.Date(),
    "rank": pl.Int32(),
    "kind": pl.String(),
    "method": pl.String(),
    "value": pl.Float64(),
}
_OFFER = tuple(_OFFER_TYPES)


@dataclass(frozen=True, slots=True)
class Choices:
    """The measures decided.

    days: a row a ``measure`` and ``date`` with its columns of daily_summary, those of others null, and
    ``<measure>_method`` where it has one. won: ``measure``, ``date``, ``kind``, ``broken`` (told in part, as
    the file is damaged). unknown: ``measure``, ``date`` of days that only a source tells whose rows are not
    all there, as nobody knows their day: the measure is null on them. lost: ``measure``, ``date``, ``kind``,
    ``rule``. compared: by measure, days on which two sources spoke, and on how many they differ.
    """

    measures: Sequence[Measure]
    days: pl.DataFrame
    won: pl.DataFrame
    unknown: pl.DataFrame
    lost: pl.DataFrame
    compared: Mapping[str, tuple[int, int]]


def choose(
    measures: Sequence[Measure], kept: Mapping[str, pl.DataFrame], broken: pl.DataFrame, torn: pl.DataFrame
) -> Choices:
    """Decide the source of each measure and day, all measures in one pass.

    kept: placed rows by kind. broken: from ``broken_days``; there a source counts only where no other is
    whole. torn: from ``torn_days``; there a source tells nothing, its rows of known day stay in the tables of
    minutes.
    """
    values = _values(measures, kept)
    offers = values.select(_OFFER)
    allowed = _of_one_method(offers, measures)
    won = _best_of_day(allowed, broken, torn)
    told = won.filter(~pl.col("torn"))
    return Choices(
        measures,
        _published(values, told, measures),
        won.select("measure", "date", "kind", "broken"),
        _unknown(torn, told, measures),
        _lost(offers, allowed, won),
        _compared(offers, measures),
    )


def winners(kept: Mapping[str, pl.DataFrame], choices: Choices, ledger: Ledger) -> dict[str, pl.DataFrame]:
    """Rows on days on which their kind won a measure, counted as staged; the others are ignored by name.

    Kinds that no measure is taken from (exercises, devices) stay whole. Stages go with their sleeps.
    """
    days_won = choices.won.group_by("kind").agg(pl.col("date").unique())
    won = dict(zip(days_won["kind"], days_won["date"], strict=True))
    chosen = {source.kind for measure in choices.measures for source in measure.sources}
    left = dict(kept)
    for kind in sorted(chosen):
        days = pl.lit(won.get(kind, _NO_DAYS)).implode()
        left[kind] = ledger.drop(kept[kind], ~pl.col("date").is_in(days), "ignored", OTHER_SOURCE)
    for stages, log in LOG_OF_STAGES.items():
        sleeps = left[log]["sleep_id"].implode()
        left[stages] = ledger.drop(left[stages], ~pl.col("sleep_id").is_in(sleeps), "ignored", OTHER_SOURCE)
    ledger.staged(list(left.values()))
    return left


def _values(measures: Sequence[Measure], kept: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """What each source tells of each day: ``_OFFER`` and the columns of all measures.

    ``value`` is the measure's first column as a number, null where it is none.
    """
    types = polars_schema(DailySummary)
    columns = {column: types[column] for measure in measures for column in measure.columns}
    nothing = pl.DataFrame(schema={**_OFFER_TYPES, **columns})
    # Most participants have few of the kinds.
    told = [
        _told(measure, source, rank, kept[source.kind], types)
        for measure in measures
        for rank, source in enumerate(measure.sources)
        if kept[source.kind].height
    ]
    is_told = pl.any_horizontal(pl.col(*columns).is_not_null()) & pl.col("date").is_not_null()
    return pl.concat([nothing, *told], how="diagonal").filter(is_told)


def _told(
    measure: Measure, source: Source, rank: int, frame: pl.DataFrame, types: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    days = source.day(frame)
    first = types[measure.name]
    return days.select(
        pl.lit(measure.name).alias("measure"),
        pl.col("date").cast(pl.Date),
        pl.lit(rank, pl.Int32).alias("rank"),
        pl.lit(source.kind).alias("kind"),
        pl.lit(source.method).alias("method"),
        (pl.col(measure.name) if first.is_numeric() else pl.lit(None)).cast(pl.Float64).alias("value"),
        *(pl.col(c).cast(types[c]) for c in measure.columns if c in days.columns),
    )


def _best_of_day(allowed: pl.DataFrame, broken: pl.DataFrame, torn: pl.DataFrame) -> pl.DataFrame:
    """The best offer of each measure and day: a whole one before one told in part, then the first source."""
    marks = {"torn": torn, "broken": broken}
    judged = allowed.lazy()
    for mark, days in marks.items():
        judged = judged.join(days.lazy().with_columns(pl.lit(True).alias(mark)), ["kind", "date"], "left")
    order = ("measure", "date", "torn", "broken", "rank")
    return (
        judged.with_columns(pl.col(*marks).fill_null(False))
        .sort(order)
        .unique(["measure", "date"], keep="first", maintain_order=True)
        .collect(engine="in-memory")
    )


def _unknown(torn: pl.DataFrame, told: pl.DataFrame, measures: Sequence[Measure]) -> pl.DataFrame:
    """Days of which a source tells in vain and no other does."""
    pairs = [(measure.name, source.kind) for measure in measures for source in measure.sources]
    sources = pl.LazyFrame(pairs, schema=["measure", "kind"], orient="row")
    return (
        torn.lazy()
        .join(sources, on="kind")
        .select("measure", "date")
        .unique()
        .join(told.lazy(), on=["measure", "date"], how="anti")
        .sort("measure", "date")
        .collect(engine="in-memory")
    )


def _lost(offers: pl.DataFrame, allowed: pl.DataFrame, won: pl.DataFrame) -> pl.DataFrame:
    key = ["measure", "date", "kind"]
    of_method = allowed.lazy().select(*key, pl.lit(OTHER_SOURCE).alias("rule"))
    return (
        offers.lazy()
        .select(key)
        .join(won.lazy().select(key), on=key, how="anti")
        .join(of_method, on=key, how="left")
        .with_columns(pl.col("rule").fill_null(OTHER_METHOD))
        .collect(engine="in-memory")
    )


def _of_one_method(offers: pl.DataFrame, measures: Sequence[Measure]) -> pl.DataFrame:
    """Offers without those of another method among the days of a better source, or in a short tail."""
    methodical = [measure.name for measure in measures if measure.has_method]
    parts = offers.filter(pl.col("measure").is_in(methodical)).partition_by("measure", "rank")
    allowed = {name: offers.clear() for name in methodical}
    for mine in sorted(parts, key=lambda part: part["rank"][0]):
        name = mine["measure"][0]
        allowed[name] = _with_allowed(allowed[name], mine)
    return pl.concat([offers.filter(~pl.col("measure").is_in(methodical)), *allowed.values()])


def _with_allowed(better: pl.DataFrame, mine: pl.DataFrame) -> pl.DataFrame:
    """What better sources tell, with what the next one may add."""
    if better.is_empty():
        return mine
    if _tells_the_same(mine, better):
        # The same value under another name on nearly all common days: it is the same method.
        return pl.concat([better, mine.with_columns(pl.lit(better["method"][0]).alias("method"))])
    first, last = better["date"].min(), better["date"].max()
    sides = (mine.filter(pl.col("date") < first), mine.filter(pl.col("date") > last))
    return pl.concat([better, *(side for side in sides if side.height >= FEWEST_DAYS_OF_A_METHOD)])


def _tells_the_same(mine: pl.DataFrame, better: pl.DataFrame) -> bool:
    if mine["method"][0] in set(better["method"]):
        return True
    first = better.sort("rank").unique("date", keep="first", maintain_order=True)
    both = mine.join(first, on="date", suffix="_better")
    close = (pl.col("value") - pl.col("value_better")).abs() <= SAME_VALUE
    return both.height > 0 and both.filter(close).height >= SAME_METHOD_SHARE * both.height


def _published(values: pl.DataFrame, told: pl.DataFrame, measures: Sequence[Measure]) -> pl.DataFrame:
    methods = [
        pl.when(pl.col("measure") == measure.name).then("method").alias(f"{measure.name}_method")
        for measure in measures
        if measure.has_method
    ]
    won = told.lazy().select("measure", "date", "rank", "method")
    return (
        values.lazy()
        .drop("method", "kind", "value")
        .join(won, on=["measure", "date", "rank"], maintain_order="left")
        .with_columns(methods)
        .drop("rank", "method")
        .collect(engine="in-memory")
    )


def _compared(offers: pl.DataFrame, measures: Sequence[Measure]) -> dict[str, tuple[int, int]]:
    """Days of which two sources of one method tell, and those on which they differ beyond tolerance."""
    asked = {measure.name: measure.tolerance for measure in measures if measure.tolerance is not None}
    tolerances = pl.LazyFrame(
        {"measure": list(asked), "tolerance": list(asked.values())},
        {"measure": pl.String, "tolerance": pl.Float64},
    )
    two = pl.col("two").list
    found = (
        offers.lazy()
        .drop_nulls("value")
        .join(tolerances, on="measure")
        .sort("measure", "date", "rank")
        .group_by("measure", "date", "method", "tolerance")
        .agg(two=pl.col("value").slice(0, 2), n=pl.len())
        .filter(pl.col("n") > 1)
        .group_by("measure")
        .agg(pl.len(), ((two.get(0) - two.get(1)).abs() > pl.col("tolerance")).sum().alias("beyond"))
        .collect(engine="in-memory")
    )
    differing = {name: (n, beyond) for name, n, beyond in found.iter_rows()}
    return {name: differing.get(name, (0, 0)) for name in asked}

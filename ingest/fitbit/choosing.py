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


@dataclass(frozen=True, slots=True)
class Choice:
    """A measure decided.

    days: ``date``, the measure's columns, ``<measure>_method`` where it has one. won: ``date``, ``kind``,
    ``broken`` (told in part, as the file is damaged). unknown: ``date`` of days that only a source tells
    whose rows are not all there, as nobody knows their day: the measure is null on them.
    lost: ``date``, ``kind``, ``rule``. compared, differing: days on which two sources spoke.
    """

    measure: Measure
    days: pl.DataFrame
    won: pl.DataFrame
    unknown: pl.DataFrame
    lost: pl.DataFrame
    compared: int
    differing: int


def choose(
    measure: Measure, kept: Mapping[str, pl.DataFrame], broken: pl.DataFrame, torn: pl.DataFrame
) -> Choice:
    """Decide the source of each day. kept: placed rows by kind. broken: from ``broken_days``; there a source
    counts only where no other is whole. torn: from ``torn_days``; there a source tells nothing, its rows of
    known day stay in the tables of minutes.
    """
    offers = _offers(measure, kept)
    allowed = _of_one_method(offers, measure) if measure.has_method else offers
    judged = allowed.pipe(_marked, broken, "broken").pipe(_marked, torn, "torn")
    won = judged.sort("date", "torn", "broken", "rank").unique("date", keep="first", maintain_order=True)
    told = won.filter(~pl.col("torn"))
    own = torn.filter(pl.col("kind").is_in([source.kind for source in measure.sources]))
    unknown = own.select("date").unique().join(told, on="date", how="anti").sort("date")
    lost = (
        offers.select("date", "kind")
        .join(won.select("date", "kind"), on=["date", "kind"], how="anti")
        .join(
            allowed.select("date", "kind", pl.lit(OTHER_SOURCE).alias("rule")),
            on=["date", "kind"],
            how="left",
        )
        .with_columns(pl.col("rule").fill_null(OTHER_METHOD))
    )
    return Choice(
        measure,
        _published(told, measure),
        won.select("date", "kind", "broken"),
        unknown,
        lost,
        *_compared(offers, measure),
    )


def _marked(offers: pl.DataFrame, days: pl.DataFrame, mark: str) -> pl.DataFrame:
    marks = days.with_columns(pl.lit(True).alias(mark))
    return offers.join(marks, on=["kind", "date"], how="left").with_columns(pl.col(mark).fill_null(False))


def winners(
    kept: Mapping[str, pl.DataFrame], choices: Sequence[Choice], ledger: Ledger
) -> dict[str, pl.DataFrame]:
    """Rows on days on which their kind won a measure, counted as staged; the others are ignored by name.

    Kinds that no measure is taken from (exercises, devices) stay whole. Stages go with their sleeps.
    """
    won = pl.concat([choice.won.select("date", "kind") for choice in choices]).unique()
    chosen = {source.kind for choice in choices for source in choice.measure.sources}
    left = dict(kept)
    for kind in sorted(chosen):
        days = won.filter(pl.col("kind") == kind)["date"].implode()
        left[kind] = ledger.drop(kept[kind], ~pl.col("date").is_in(days), "ignored", OTHER_SOURCE)
    for stages, log in LOG_OF_STAGES.items():
        sleeps = left[log]["sleep_id"].implode()
        left[stages] = ledger.drop(left[stages], ~pl.col("sleep_id").is_in(sleeps), "ignored", OTHER_SOURCE)
    ledger.staged(list(left.values()))
    return left


def _offers(measure: Measure, kept: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """``date``, columns, ``rank``, ``kind``, ``method``: what each source tells of each day."""
    types = polars_schema(DailySummary)
    schema: dict[str, pl.DataType] = {"date": pl.Date(), **{c: types[c] for c in measure.columns}}
    # Most participants have few of the kinds; the first stands also where there is none.
    told = [
        _offer(measure, source, kept[source.kind], rank, schema)
        for rank, source in enumerate(measure.sources)
        if rank == 0 or kept[source.kind].height
    ]
    return pl.concat(told)


def _offer(
    measure: Measure, source: Source, frame: pl.DataFrame, rank: int, schema: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    days = source.day(frame) if frame.height else pl.DataFrame(schema=dict(schema))
    told = [(pl.col(c) if c in days.columns else pl.lit(None)).cast(schema[c]).alias(c) for c in schema]
    return days.select(
        *told,
        pl.lit(rank, pl.Int32).alias("rank"),
        pl.lit(source.kind).alias("kind"),
        pl.lit(source.method).alias("method"),
    ).filter(pl.any_horizontal(pl.col(measure.columns).is_not_null()), pl.col("date").is_not_null())


def _of_one_method(offers: pl.DataFrame, measure: Measure) -> pl.DataFrame:
    """Offers without those of another method among the days of a better source, or in a short tail."""
    allowed = offers.clear()
    for rank in range(len(measure.sources)):
        mine = offers.filter(pl.col("rank") == rank)
        if mine.is_empty():
            continue
        if allowed.is_empty():
            allowed = mine
        elif _tells_the_same(mine, allowed, measure):
            # The same value under another name on nearly all common days: it is the same method.
            allowed = pl.concat([allowed, mine.with_columns(pl.lit(allowed["method"][0]).alias("method"))])
        else:
            first, last = allowed["date"].min(), allowed["date"].max()
            for side in (pl.col("date") < first, pl.col("date") > last):
                stretch = mine.filter(side)
                if stretch.height >= FEWEST_DAYS_OF_A_METHOD:
                    allowed = pl.concat([allowed, stretch])
    return allowed


def _tells_the_same(mine: pl.DataFrame, better: pl.DataFrame, measure: Measure) -> bool:
    if mine["method"][0] in set(better["method"]):
        return True
    first = better.sort("rank").unique("date", keep="first", maintain_order=True)
    both = mine.join(first, on="date", suffix="_better")
    close = (pl.col(measure.name) - pl.col(f"{measure.name}_better")).abs() <= SAME_VALUE
    return both.height > 0 and both.filter(close).height >= SAME_METHOD_SHARE * both.height


def _published(won: pl.DataFrame, measure: Measure) -> pl.DataFrame:
    method = [pl.col("method").alias(f"{measure.name}_method")] if measure.has_method else []
    return won.select("date", *measure.columns, *method)


def _compared(offers: pl.DataFrame, measure: Measure) -> tuple[int, int]:
    """Days of which two sources of one method tell, and those on which they differ beyond tolerance."""
    if measure.tolerance is None:
        return 0, 0
    value = pl.col(measure.name)
    pairs = (
        offers.drop_nulls(measure.name)
        .sort("date", "rank")
        .group_by("date", "method")
        .agg(value.slice(0, 2).alias("two"), pl.len().alias("n"))
        .filter(pl.col("n") > 1)
    )
    two = pl.col("two").list
    beyond = (two.get(0) - two.get(1)).abs() > measure.tolerance
    return pairs.height, pairs.filter(beyond).height

"""Days that lack rows because nobody can say on which day these were: what rests on them is unknown there."""

from collections.abc import Iterable
from datetime import timedelta

import polars as pl

from ingest.clocks.zone_history import ZoneHistory

_DAY = timedelta(days=1)
_SCHEMA = {"kind": pl.String(), "date": pl.Date()}


def torn_days(kind: str, unplaced: pl.DataFrame, zone: ZoneHistory, *, of_nights: bool) -> pl.DataFrame:
    """``kind`` and ``date`` of each day that rows of unknown day may belong to.

    unplaced: such rows, with ``utc`` (null where not even the instant is known: of them nothing is said).
    of_nights: rows count for the wake date, which may be the day after.
    """
    if unplaced.is_empty():
        return pl.DataFrame(schema=_SCHEMA)
    beside = [pl.col("early") - _DAY, pl.col("late") + _DAY]
    contradicted = pl.col("date").is_in(list(zone.contradicted_days))
    early, late = zone.possible_dates("utc")
    shown = unplaced.drop_nulls("utc").select(early=early, late=late).unique()
    within = _days(shown.select(date=pl.concat_list("early", "late", *beside[1:] * of_nights)))
    # No clock is known there: what is shown for one day may be of the next.
    around = _days(shown.select(date=pl.concat_list(*beside))).filter(contradicted)
    return pl.concat([within, around]).unique().select(pl.lit(kind).alias("kind"), "date").sort("date")


def all_torn_days(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Those of all kinds."""
    return pl.concat([pl.DataFrame(schema=_SCHEMA), *parts])


def _days(lists: pl.DataFrame) -> pl.DataFrame:
    return lists.explode("date").drop_nulls()

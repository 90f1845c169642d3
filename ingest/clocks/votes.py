"""The offset between two files that hold the same values, one on the wall clock and one in UTC.

Every offset from -12 to +14 hours in steps of a quarter of an hour has a vote for each row whose value the
other file holds at that distance.
"""

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ingest.clocks.sightings import HIGHEST, LOWEST, QUARTER, Source, no_sightings

Keys = NDArray[np.int64]

# Fewer rows, or a smaller share of a day's, are no evidence.
LEAST_ROWS = 20
LEAST_SHARE = 0.9
# The rarest values of a day tell the most; this many are enough for a verdict, whatever the file holds.
_ROWS_A_DAY = 240
# More than there are in all years that can be written.
_QUARTERS = 1 << 30
_VOTES: Final = ("day", "offset", "matches", "since", "until")


def telling_rows(local: pl.DataFrame) -> pl.DataFrame:
    """At most 240 rows of each local day, those whose values are rarest on it; with ``day``."""
    return (
        local.lazy()
        .drop_nulls(["local", "value"])
        .unique(["local", "value"])
        .with_columns(pl.col("local").dt.date().alias("day"))
        .with_columns(pl.len().over("day", "value").alias("_alike"))
        .sort("day", "_alike", "local", "value")
        .group_by("day", maintain_order=True)
        .head(_ROWS_A_DAY)
        .select("day", "local", "value")
        .collect()
    )


def votes(rows: pl.DataFrame, twin: pl.DataFrame) -> pl.DataFrame:
    """Votes by ``day`` and ``offset`` (minutes local is ahead): ``matches``, and their first and last UTC.

    sure_since, sure_until: of rows that the twin meets at this offset alone, null where there is none: a
    value that comes again an hour later would carry an offset beyond a change of clocks.
    rows: from ``telling_rows``. twin: ``utc`` and ``value``; values are equal or not, the caller rounds them.
    """
    ordered = rows.select("day", "local", "value").sort("day", "local", "value")
    values = ordered.select("value").unique().sort("value").with_row_index("code")
    same = twin.select("utc", "value").drop_nulls().join(values, on="value")
    met, offsets = _met(
        _keys(ordered.join(values, on="value", maintain_order="left"), "local", values.height),
        _keys(same, "utc", values.height),
    )
    alone = np.bincount(met, minlength=ordered.height)[met] == 1
    found = ordered[met].select("day", "local", pl.Series("offset", offsets), pl.Series("alone", alone))
    return (
        found.lazy()
        .with_columns(utc=pl.col("local") - pl.duration(minutes="offset"))
        .with_columns(sure=pl.when("alone").then("utc"))
        .group_by("day", "offset")
        .agg(
            matches=pl.len().cast(pl.Int64),
            since=pl.col("utc").min(),
            until=pl.col("utc").max(),
            sure_since=pl.col("sure").min(),
            sure_until=pl.col("sure").max(),
        )
        .sort("day", pl.col("matches"), "offset", descending=[False, True, False])
        .collect()
    )


def _keys(coded: pl.DataFrame, moment: str, codes: int) -> Keys:
    """A row's value and its second within the quarter of an hour in the upper bits, where rows that meet are
    equal; in the lower bits the number of the quarter, so that those a row may meet are one stretch.
    """
    quarter, second = np.divmod(coded[moment].dt.epoch("s").to_numpy(), 60 * QUARTER)
    return (second * codes + coded["code"].to_numpy()) * _QUARTERS + (quarter + _QUARTERS // 2)


def _met(asked: Keys, known: Keys) -> tuple[Keys, Keys]:
    """Places of those asked for, once for each offset at which they are known, and the offset in minutes."""
    known = np.sort(known)
    known = known[np.append(True, known[1:] != known[:-1])[: len(known)]]
    begins = np.searchsorted(known, asked - HIGHEST // QUARTER)
    ends = np.searchsorted(known, asked - LOWEST // QUARTER, side="right")
    counts = ends - begins
    met = np.repeat(np.arange(len(asked)), counts)
    place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts - begins, counts)
    return met, (asked[met] - known[place]) * QUARTER


def of_twins(local: pl.DataFrame, twin: pl.DataFrame, source: Source) -> pl.DataFrame:
    """Sightings by value twins: one a local day whose rows agree on one offset, two on the day of a move.

    local: ``local``, ``value``; twin: ``utc``, ``value``. A day is no evidence with fewer than 20 matches,
    where two offsets tie, or where the offset explains less than nine in ten of its rows.
    """
    rows = telling_rows(local)
    found = _agreed(rows, votes(rows, twin))
    whole = found.filter("is_whole")
    moved = _moved(rows, found.filter(~pl.col("is_whole")), twin)
    if whole.is_empty() and moved.is_empty():
        return no_sightings()
    return pl.concat([whole.drop("is_whole"), moved]).select(
        pl.lit(source.value).alias("source"),
        "since",
        "until",
        low="offset",
        high="offset",
        rows="matches",
        day="day",
    )


def _agreed(rows: pl.DataFrame, cast: pl.DataFrame) -> pl.DataFrame:
    """The offset of each day that beats all others with enough rows; ``is_whole`` if it explains the day."""
    asked = rows.group_by("day").agg(pl.len().alias("asked"))
    best = cast.group_by("day", maintain_order=True).agg(
        pl.all().first(), pl.col("matches").slice(1, 1).max().fill_null(0).alias("second")
    )
    beats = (pl.col("matches") > pl.col("second")) & (pl.col("matches") >= LEAST_ROWS)
    won = best.filter(beats).with_columns(since="sure_since", until="sure_until").drop_nulls("since")
    share = pl.col("matches") / pl.col("asked")
    return won.join(asked, on="day").select(*_VOTES, (share >= LEAST_SHARE).alias("is_whole"))


def _moved(rows: pl.DataFrame, partly: pl.DataFrame, twin: pl.DataFrame) -> pl.DataFrame:
    """Both offsets of days on which the offset moved once: each explains its rows, one after the other."""
    days = rows.join(partly.select("day", "offset"), on="day")
    rest = days.with_columns(utc=pl.col("local") - pl.duration(minutes=pl.col("offset"))).join(
        twin.select("utc", "value"), on=["utc", "value"], how="anti"
    )
    left = rest.select("day", "local", "value")
    second = _agreed(left, votes(left, twin)).filter("is_whole").drop("is_whole")
    both = partly.drop("is_whole").join(second, on="day", suffix="_2")
    apart = both.filter((pl.col("until") < pl.col("since_2")) | (pl.col("until_2") < pl.col("since")))
    return pl.concat(
        [
            apart.select(*_VOTES),
            apart.select("day", *(pl.col(f"{n}_2").alias(n) for n in _VOTES if n != "day")),
        ]
    )

"""What the kinds of an export show of the offset a participant lived at."""

from collections.abc import Mapping

import polars as pl

from ingest.clocks.sightings import Source, no_sightings, of_day_files, of_stated_offsets
from ingest.clocks.votes import of_twins

# Kinds whose rows state the offset they were written at.
_STATING = (
    "fitabase_syncs",
    "health_heart_rate",
    "health_steps",
    "health_sleep",
    "health_exercise",
    "web_exercise",
)


def sightings(accepted: Mapping[str, pl.DataFrame], runs: pl.DataFrame) -> pl.DataFrame:
    """Sightings of all sources from accepted rows by kind; kinds that an export lacks may be missing.

    runs: of the day files of heart rate, from ``day_runs``.
    Active zone minutes and calories stand in one file on the wall clock and in another in UTC. A sleep that
    states another offset than +00:00 is UTC with its true offset; at +00:00 the digits may be local, so that
    these tell nothing.
    """
    seen = [of_day_files(runs)]
    zone_and_minutes = pl.concat_str("zone", "minutes", separator=" ")
    seen += _twins(accepted, "active_zone_minutes", zone_and_minutes, Source.ACTIVE_ZONE_MINUTES)
    seen += _twins(accepted, "calories", pl.col("calories_kcal").round(2), Source.CALORIES)
    if "user_sleeps" in accepted:
        moved = accepted["user_sleeps"].filter(pl.col("offset") != 0)
        stated = moved.select(utc="stamp", offset_minutes="offset")
        seen.append(of_stated_offsets(stated, Source.SLEEP_OFFSETS))
    seen += [
        of_stated_offsets(_runs(accepted[kind], "offset"), Source.STATED_OFFSETS)
        for kind in _STATING
        if kind in accepted
    ]
    return pl.concat([no_sightings(), *seen])


def _runs(rows: pl.DataFrame, offset: str) -> pl.DataFrame:
    """``utc``, ``offset_minutes`` of the first and the last row of each run of one offset."""
    timed = rows.select("utc", offset_minutes=offset).drop_nulls().sort("utc", "offset_minutes")
    changed = pl.col("offset_minutes") != pl.col("offset_minutes").shift(1)
    ends = changed.fill_null(True) | changed.shift(-1).fill_null(True)
    return timed.filter(ends)


def _twins(
    accepted: Mapping[str, pl.DataFrame], kind: str, value: pl.Expr, source: Source
) -> list[pl.DataFrame]:
    local, utc = accepted.get(kind), accepted.get(f"{kind}_csv")
    if local is None or utc is None or local.is_empty() or utc.is_empty():
        return []
    return [of_twins(local.select("local", value=value), utc.select("utc", value=value), source)]

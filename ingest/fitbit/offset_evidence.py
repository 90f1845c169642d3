"""What the kinds of an export show of the offset a participant lived at."""

from collections.abc import Mapping
from datetime import timedelta
from itertools import pairwise

import polars as pl

from ingest.clocks.sightings import Source, no_sightings, of_day_files, of_stated_offsets
from ingest.clocks.steps import offset_steps
from ingest.clocks.votes import of_twins

_MINUTE = timedelta(minutes=1)

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
    these tell nothing, and neither do exercises at +00:00 or those that a device found itself.
    """
    seen = [of_day_files(runs)]
    zone_and_minutes = pl.concat_str("zone", "minutes", separator=" ")
    seen += _twins(accepted, "active_zone_minutes", zone_and_minutes, Source.ACTIVE_ZONE_MINUTES)
    seen += _twins(accepted, "calories", pl.col("calories_kcal").round(2), Source.CALORIES)
    if "user_sleeps" in accepted:
        moved = accepted["user_sleeps"].filter(pl.col("offset") != 0)
        stated = moved.select(utc="stamp", offset_minutes="offset")
        seen.append(of_stated_offsets(stated, Source.SLEEP_OFFSETS))
    if "user_exercises" in accepted:
        found_by_device = pl.col("log_type") == "auto_detected"
        told = accepted["user_exercises"].filter(~found_by_device, pl.col("offset") != 0)
        seen.append(of_stated_offsets(told.rename({"offset": "offset_minutes"}), Source.EXERCISE_OFFSETS))
    if "zone_settings" in accepted:
        seen.append(of_stated_offsets(_changes(accepted["zone_settings"]), Source.ZONE_SETTINGS))
    seen += [
        of_stated_offsets(_runs(accepted[kind], "offset"), Source.STATED_OFFSETS)
        for kind in _STATING
        if kind in accepted
    ]
    return pl.concat([no_sightings(), *seen])


def _changes(settings: pl.DataFrame) -> pl.DataFrame:
    """``utc``, ``offset_minutes`` on both sides of each change of the account's zone.

    What stood first says nothing of the time before: an account may have been given its newest zone for all.
    """
    rows = settings.sort("since", "zone").select("since", "zone").rows()
    sides = [
        (moment, offset_steps(zone).value_at(since))
        for (_, before), (since, after) in pairwise(rows)
        for moment, zone in ((since - _MINUTE, before), (since, after))
        if before != after
    ]
    return pl.DataFrame(sides, {"utc": pl.Datetime("us"), "offset_minutes": pl.Int64}, orient="row")


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

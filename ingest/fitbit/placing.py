"""Rows of all exports of a participant placed in time and made unique: one fact, one row."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ingest.clock import Candidate, Zone, choose_zone, is_zone, local_date, offset_minutes, utc_of_local
from ingest.fitbit.exports import Export
from ingest.fitbit.kinds import ACTIVITY_MINUTES, KIND_BY_NAME, KINDS, Kind
from ingest.fitbit.ledger import Ledger
from schemas.participant import Participant

Kept = dict[str, pl.DataFrame]


@dataclass(frozen=True, slots=True)
class Placed:
    """Accepted rows by kind, each with ``date`` (the local day it counts for), ``member`` and ``rows``."""

    kept: Kept
    zone: Zone


def place(participant: Participant, exports: Sequence[Export], ledger: Ledger) -> Placed:
    """Give every row its local day by the zone the files agree with, and merge what overlaps.

    Within one account the newer export wins, row by row; values are never added up over exports.
    """
    accepted = {kind.name: ledger.keep_best(ledger.accepted(kind), kind) for kind in KINDS}
    zone = choose_zone(_candidates(participant, exports), _spans(accepted["heart_rate"]))
    kept = {name: _dated(KIND_BY_NAME[name], frame, zone, ledger) for name, frame in accepted.items()}
    kept = _one_account_a_day(kept, exports, ledger)
    kept["sleep_score"] = _on_wake_dates(kept["sleep_score"], kept["sleep"], ledger)
    kept.update(_without_padding(kept, ledger))
    ledger.staged(list(kept.values()))
    return Placed(kept, zone)


def _candidates(participant: Participant, exports: Sequence[Export]) -> list[Candidate]:
    """Zones somebody names, most trusted first: newest profile, older ones, then the registry."""
    profiles = [export.profile for export in reversed(exports)]
    named = [
        Candidate(p.time_zone, "profile") for p in profiles if p and p.time_zone and is_zone(p.time_zone)
    ]
    return [*named, Candidate(participant.time_zone, "registry")]


def _spans(heart_rate: pl.DataFrame) -> pl.DataFrame:
    """First and last row of each heart-rate file whose name says its local day."""
    return (
        heart_rate.filter(pl.col("file_day").is_not_null())
        .group_by("member", pl.col("file_day").alias("day"))
        .agg(pl.col("utc").min().alias("first"), pl.col("utc").max().alias("last"))
        .sort("day", "member")
    )


def _dated(kind: Kind, frame: pl.DataFrame, zone: Zone, ledger: Ledger) -> pl.DataFrame:
    if kind.clock == "day":
        return frame
    if kind.clock == "utc":
        placed = frame.with_columns(
            local_date("utc", zone.name).alias("date"),
            offset_minutes("utc", zone.name).alias("utc_offset_minutes"),
        )
        return ledger.drop(placed, pl.col("date").is_in(list(zone.unclear_days)), "ignored", "clock_unclear")
    if kind.name == "sleep":
        return _sleep_in_time(frame, zone, ledger)
    return frame.with_columns(pl.col("local").dt.date().alias("date"))


def _sleep_in_time(frame: pl.DataFrame, zone: Zone, ledger: Ledger) -> pl.DataFrame:
    """Instants of logs: the offset at the start holds for the whole log, also over a change of the clocks."""
    known = ledger.drop(frame, pl.col("date").is_in(list(zone.unclear_days)), "ignored", "clock_unclear")
    timed = known.with_columns(utc_of_local("local", zone.name).alias("utc"))
    timed = ledger.drop(timed, pl.col("utc").is_null(), "rejected", "clock_unclear")
    return timed.with_columns(
        (pl.col("utc") + (pl.col("local_end") - pl.col("local"))).alias("utc_end"),
        offset_minutes("utc", zone.name).alias("utc_offset_minutes"),
    )


def _one_account_a_day(kept: Kept, exports: Sequence[Export], ledger: Ledger) -> Kept:
    """Where a person changed accounts, the newest account from its first worn day on, the older before it.

    Accounts are never mixed within a day. An export without a profile goes with the newest account.
    """
    accounts = [export.profile.account if export.profile else None for export in exports]
    newest = next((account for account in reversed(accounts) if account), None)
    older = [rank for rank, account in enumerate(accounts) if account not in (None, newest)]
    if not older:
        return kept
    worn = pl.concat([kept[name].select("newer", "date") for name in ("steps", "heart_rate")])
    first = worn.filter(~pl.col("newer").is_in(older))["date"].min()
    late = pl.col("newer").is_in(older) & (pl.col("date") >= pl.lit(first, pl.Date))
    return {name: ledger.drop(frame, late, "ignored", "older_account") for name, frame in kept.items()}


def _on_wake_dates(scores: pl.DataFrame, sleep: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Scores on the wake date of their log; scores of other logs than the day's main sleep are ignored."""
    mains = main_sleeps(sleep).select("sleep_id", pl.lit(True).alias("is_main"))
    logs = sleep.select("sleep_id", pl.col("date").alias("wake_date"))
    joined = scores.join(logs, on="sleep_id", how="left").join(mains, on="sleep_id", how="left")
    of_nap = pl.col("wake_date").is_not_null() & pl.col("is_main").is_null()
    kept = ledger.drop(joined, of_nap, "ignored", "score_of_nap")
    dated = kept.with_columns(pl.coalesce("wake_date", "date").alias("date")).sort(
        "date", pl.col("wake_date").is_null(), "local", "sleep_id"
    )
    second = pl.col("date").is_duplicated() & ~pl.col("date").is_first_distinct()
    return ledger.drop(dated, second, "ignored", "score_without_log").drop("wake_date", "is_main")


def main_sleeps(sleep: pl.DataFrame) -> pl.DataFrame:
    """The main sleep of each wake date: the vendor's flag first, then the longest, then the earliest."""
    order = ["date", "flagged_main", "time_in_bed_minutes", "local", "sleep_id"]
    return sleep.sort(order, descending=[False, True, True, False, False]).unique(
        "date", keep="first", maintain_order=True
    )


def _without_padding(kept: Kept, ledger: Ledger) -> Kept:
    """The four activity minutes without padding days: only sedentary minutes, and nothing else happened.

    Days to the end of a file's span are padded with 1440 minutes, the day of the export with those gone by.
    """
    happened = pl.concat(
        [
            kept["steps"].filter(pl.col("steps") > 0).select("date"),
            kept["heart_rate"].select("date"),
            kept["sleep"].select("date"),
        ]
    ).unique()
    moved = [
        kept[name].filter(pl.col(column) > 0).select("date")
        for name, column in ACTIVITY_MINUTES.items()
        if name != "sedentary_minutes"
    ]
    real = pl.concat([happened, *moved]).unique()["date"].to_list()
    padding = ~pl.col("date").is_in(real)
    return {name: ledger.drop(kept[name], padding, "ignored", "padding_day") for name in ACTIVITY_MINUTES}

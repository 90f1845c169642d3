"""Rows of all exports of a participant placed in time and made unique: one fact, one row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from ingest.clocks.decided_days import outside_of, with_decided_days
from ingest.clocks.inference import Candidate, infer_history
from ingest.clocks.sightings import day_runs
from ingest.clocks.steps import is_zone
from ingest.clocks.zone_history import ZoneHistory
from ingest.fitbit.decided import NOTHING, Decided
from ingest.fitbit.disputed import (
    DISPUTED_MINUTES,
    Verdicts,
    decided_clocks,
    sleeps_in_time,
    with_instants,
    z_verdicts,
)
from ingest.fitbit.exercise_logs import each_once
from ingest.fitbit.exports import Export
from ingest.fitbit.fitabase.minute_logs import with_minute_logs
from ingest.fitbit.kind import Kind
from ingest.fitbit.kinds import (
    EXERCISE_KINDS,
    HEART_RATE_KINDS,
    KIND_BY_NAME,
    KINDS,
    STEPS_KINDS,
)
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.nights import dated_scores, main_nights, on_nights
from ingest.fitbit.offset_evidence import sightings
from ingest.fitbit.padding import without_padding
from ingest.fitbit.recorders import one_recorder_a_day, with_phones, without_app_days
from ingest.fitbit.sleep_logs import (
    one_version,
    with_epochs,
    with_stages,
    with_stated_instants,
    without_twins,
)
from ingest.fitbit.torn_days import all_torn_days, torn_days
from ingest.fitbit.unnamed_units import in_our_units
from schemas.participant import Participant

Kept = dict[str, pl.DataFrame]
# Kinds whose rows are instants of a night: they count for its wake date.
NIGHT_KINDS = (
    *("hrv_details", "hrv_minutes_csv", "spo2_minutes", "spo2_minutes_csv"),
    *("health_hrv_minutes", "health_spo2_minutes", "web_hrv_minutes", "web_spo2_minutes"),
)
# Kinds whose rows get their day from their instant: no zone, no day.
_PLACED_BY_INSTANT = (
    *(kind.name for kind in KINDS if kind.clock == "utc" and kind.table != "activities"),
    *DISPUTED_MINUTES,
)
_NO_DAY = pl.col("date").is_null()
# Kinds that say a device was worn.
WORN_KINDS = (*STEPS_KINDS, *HEART_RATE_KINDS)
# A scale is no recorder to be chosen: every weigh-in is told once, whoever wrote it.
WEIGHTS = ("weight_csv", "health_weight")


@dataclass(frozen=True, slots=True)
class Placed:
    """Accepted rows by kind, each with ``date`` (the local day it counts for), ``member`` and ``rows``.

    verdicts: by member, the clock of files that write a Z. others: by kind, the rows of recorders that were
    not chosen, for cross-checks. torn: ``kind`` and ``date`` of days that lack rows of unknown day.
    """

    kept: Kept
    zone: ZoneHistory
    verdicts: Verdicts
    others: Mapping[str, pl.DataFrame]
    torn: pl.DataFrame

    @property
    def torn_worn(self) -> pl.DataFrame:
        """Those of kinds that say a device was worn."""
        return self.torn.filter(pl.col("kind").is_in(WORN_KINDS))


def place(
    participant: Participant, exports: Sequence[Export], ledger: Ledger, decided: Decided = NOTHING
) -> Placed:
    """Give every row its local day by the clocks the files agree with, and merge what overlaps.

    Within one account the newer export wins, row by row; values are never added up over exports.
    """
    accepted = {kind.name: ledger.keep_best(ledger.accepted(kind), kind) for kind in KINDS}
    accepted |= in_our_units(accepted, ledger)
    accepted |= with_minute_logs(accepted)
    zone = _history(participant, exports, accepted, decided)
    verdicts = z_verdicts(accepted, zone) | decided_clocks(accepted, ledger, decided)
    dated = {
        name: _dated(KIND_BY_NAME[name], frame, zone, verdicts, ledger) for name, frame in accepted.items()
    }
    torn = all_torn_days(
        torn_days(name, dated[name].filter(_NO_DAY), zone, of_nights=name in NIGHT_KINDS)
        for name in _PLACED_BY_INSTANT
    )
    dated |= {name: _of_known_days(KIND_BY_NAME[name], dated[name], ledger) for name in _PLACED_BY_INSTANT}
    kept = _one_account_a_day(dated, exports, ledger)
    kept["health_steps_reconciled"] = with_phones(kept["health_steps_reconciled"], kept["health_steps"])
    kept["health_steps"] = without_app_days(kept["health_steps"], kept["health_steps_reconciled"], ledger)
    chosen = {name: one_recorder_a_day(frame, ledger) for name, frame in kept.items() if name not in WEIGHTS}
    kept |= {name: rows for name, (rows, _) in chosen.items()}
    others = {name: lost for name, (_, lost) in chosen.items() if lost.height}
    return Placed(_on_their_nights(kept, ledger), zone, verdicts, others, torn)


def _on_their_nights(kept: Kept, ledger: Ledger) -> Kept:
    """Sleeps of both systems, and what counts for a night rather than for the day of its instant."""
    kept = kept | {"sleep": with_stated_instants(kept["sleep"], kept["user_sleeps"])}
    sleeps = one_version(kept["user_sleeps"], ledger)
    scores = dated_scores(kept["sleep_score"], kept["user_sleep_scores"], kept["sleep"], sleeps, ledger)
    sleeps = without_twins(sleeps, kept["sleep"], ledger)
    sleeps, stages = with_stages(sleeps, kept["user_sleep_stages"], ledger)
    nights = main_nights([kept["sleep"], sleeps, kept["health_sleep"], kept["web_sleep"]])
    kept = kept | scores | {"user_sleeps": sleeps, "user_sleep_stages": stages}
    kept |= {name: on_nights(kept[name], nights, ledger) for name in NIGHT_KINDS}
    kept |= with_epochs(kept, ledger)
    kept |= each_once({name: kept[name] for name in EXERCISE_KINDS}, ledger)
    return kept | without_padding(kept, ledger)


def _history(
    participant: Participant, exports: Sequence[Export], accepted: Kept, decided: Decided
) -> ZoneHistory:
    """Zones somebody names, most trusted first: newest profile, older ones, settings, then the registry."""
    profiles = [export.profile for export in reversed(exports)]
    named = [
        Candidate(p.time_zone, "profile") for p in profiles if p and p.time_zone and is_zone(p.time_zone)
    ]
    settings = accepted["zone_settings"].sort("since", descending=True)["zone"]
    named += [Candidate(zone, "settings") for zone in settings]
    runs = day_runs(accepted["heart_rate"])
    candidates = [*named, Candidate(participant.time_zone, "registry")]
    seen = sightings(accepted, runs)
    history = infer_history(candidates, seen, runs)
    told = {target: history.day_offset(days.first) for target, days in decided.days()}
    holding = [days for target, days in decided.days() if decided.holds(target, told[target])]
    for days in holding:
        seen = outside_of(seen, days)
    history = infer_history(candidates, seen, runs) if holding else history
    for days in holding:
        history = with_decided_days(history, days)
    return history


def _dated(
    kind: Kind, frame: pl.DataFrame, zone: ZoneHistory, verdicts: Verdicts, ledger: Ledger
) -> pl.DataFrame:
    if kind.clock == "day":
        return _labelled(frame, zone, ledger)
    if kind.clock == "stated":
        return _stated(frame)
    if kind.table == "activities":
        return _exercises_in_time(frame, zone)
    if kind.clock == "local":
        return _on_the_wall(kind, frame, zone)
    if kind.clock == "log":
        return frame
    if kind.name in DISPUTED_MINUTES:
        return _on_the_days_of_instants(with_instants(frame, zone, verdicts), zone)
    if kind.clock == "disputed":
        return sleeps_in_time(frame, zone, verdicts, ledger)
    return _on_the_days_of_instants(frame, zone)


def _on_the_days_of_instants(frame: pl.DataFrame, zone: ZoneHistory) -> pl.DataFrame:
    return frame.with_columns(
        zone.local_date("utc").alias("date"), zone.offset("utc").alias("utc_offset_minutes")
    )


def _of_known_days(kind: Kind, frame: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Rows whose day is known. What exports wrote as local and as UTC is one fact again: merged."""
    known = ledger.drop(frame, _NO_DAY, "ignored", "clock_unclear")
    if kind.clock != "disputed":
        return known
    return ledger.keep_best(known, replace(kind, key=("utc", "recorder")))


def _stated(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows that state their offset, each on the local day it shows. A night counts for the day it ends on."""
    shift = pl.duration(minutes=pl.col("offset"))
    placed = frame.with_columns(pl.col("offset").alias("utc_offset_minutes"))
    if "utc_end" not in frame.columns:
        return placed.with_columns((pl.col("utc") + shift).dt.date().alias("date")).drop("offset")
    return (
        placed.with_columns(
            (pl.col("utc") + shift).alias("local"), (pl.col("utc_end") + shift).alias("local_end")
        )
        .with_columns(pl.col("local_end").dt.date().alias("date"))
        .drop("offset")
    )


def _on_the_wall(kind: Kind, frame: pl.DataFrame, zone: ZoneHistory) -> pl.DataFrame:
    """Rows of the wall clock: their day needs no offset. Their instants may stay unknown (null)."""
    if kind.table == "sleep_sessions":
        return _sleep_in_time(frame, zone)
    dated = frame.with_columns(pl.col("local").dt.date().alias("date"))
    if kind.name not in WORN_KINDS:
        return dated
    timed = dated.with_columns(zone.utc_of_local("local").alias("utc"))
    return timed.with_columns(zone.offset("utc").alias("utc_offset_minutes"))


def _exercises_in_time(frame: pl.DataFrame, zone: ZoneHistory) -> pl.DataFrame:
    """One instant is placed wherever its own offset is known, also on a day that as a whole is unclear.

    Elsewhere its offset and its day stay null: what happened is known, only not on which clock.
    """
    shown = zone.local_time("utc").dt.date()
    known = ~shown.is_in(list(zone.contradicted_days))
    return frame.drop("offset", strict=False).with_columns(
        pl.when(known).then(shown).alias("date"),
        pl.when(known).then(zone.offset("utc")).alias("utc_offset_minutes"),
    )


def _labelled(frame: pl.DataFrame, zone: ZoneHistory, ledger: Ledger) -> pl.DataFrame:
    """Labels as they stand; one that is the instant of a local midnight is the day that begins there."""
    if "utc" not in frame.columns:
        return frame
    nearest = zone.local_time("utc").dt.offset_by("12h").dt.date()
    placed = frame.with_columns(
        pl.when(pl.col("utc").is_null()).then(pl.col("date")).otherwise(nearest).alias("date")
    )
    return ledger.drop(placed, pl.col("date").is_null(), "ignored", "clock_unclear").drop("utc")


def _sleep_in_time(frame: pl.DataFrame, zone: ZoneHistory) -> pl.DataFrame:
    """Instants of logs: the offset at the start holds for the whole log, also over a change of the clocks.

    A log of unknown offset has no instants; it still counts for the wake date the vendor states.
    """
    contradicted = pl.col("date").is_in(list(zone.contradicted_days))
    timed = frame.with_columns(pl.when(~contradicted).then(zone.utc_of_local("local")).alias("utc"))
    return timed.with_columns(
        (pl.col("utc") + (pl.col("local_end") - pl.col("local"))).alias("utc_end"),
        zone.offset("utc").alias("utc_offset_minutes"),
    )


def _one_account_a_day(kept: Kept, exports: Sequence[Export], ledger: Ledger) -> Kept:
    """Where a person changed accounts, the newest account from its first worn day on, the older before it.

    Accounts are never mixed within a day. An export without a profile goes with the newest account.
    """
    accounts = [(export.profile.account or None) if export.profile else None for export in exports]
    newest = next((account for account in reversed(accounts) if account), None)
    older = [rank for rank, account in enumerate(accounts) if account not in (None, newest)]
    if not older:
        return kept
    worn = pl.concat([kept[name].select("newer", "date") for name in WORN_KINDS])
    first = worn.filter(~pl.col("newer").is_in(older))["date"].min()
    late = pl.col("newer").is_in(older) & (pl.col("date") >= pl.lit(first, pl.Date))
    dated = {name: frame for name, frame in kept.items() if "date" in frame.columns}
    return kept | {
        name: ledger.drop(frame, late, "ignored", "older_account") for name, frame in dated.items()
    }

"""Fitbit exports of one participant: from files as they were sent to core tables.

``exports`` reads the files member by member, ``kinds`` says which member is what, ``placing`` gives each row
its local day and merges what overlaps, ``measures`` says which source a value is taken from and ``choosing``
takes it, ``daily`` and ``tables`` make the rows, ``provenance`` the accounts.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

import polars as pl

from ingest.fitbit.broken_days import broken_days
from ingest.fitbit.choosing import choose, winners
from ingest.fitbit.daily import daily_rows, newest_device_days, within_limits
from ingest.fitbit.decided import SET_ASIDE_BY_DECISION, Decided, ExportDecision
from ingest.fitbit.exports import Export, read_exports
from ingest.fitbit.kept_readings import KeptReadings
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.marks import identity_marks
from ingest.fitbit.measures import MEASURES
from ingest.fitbit.placing import Placed, place
from ingest.fitbit.profile import PHONE
from ingest.fitbit.provenance import private_names, problems, rejected_rows, source_files
from ingest.fitbit.quality import quality_checks
from ingest.fitbit.readers_version import readers_version
from ingest.fitbit.tables import (
    activities,
    heart_rate_minutes,
    sleep_logs,
    sleep_sessions,
    sleep_stages,
    steps_minutes,
)
from ingest.fitbit.value_sources import value_sources
from ingest.fitbit.zero_days import zero_days
from ingest.source_file import SourceFile
from outputs.digests import keyed_digest
from outputs.store import Result
from schemas.errors import PhaError
from schemas.participant import Participant
from schemas.table import conform
from schemas.tables import TABLES

RESULT_VERSION = 12


def ingest_fitbit(
    participant: Participant,
    files: Sequence[SourceFile],
    secret: bytes,
    readings: Path | None = None,
    decisions: Sequence[ExportDecision] = (),
) -> Result:
    """Read all files below a participant's folder. Nothing a file holds stops it: faults are problems.

    files: archives and loose files in any order. secret: the study's, for published digests. readings: the
    folder where readings of this participant's members are kept from run to run; it changes no result.
    decisions: what people decided on these files and days.
    """
    ids = {file: file.file_id(secret, participant.participant_id) for file in files}
    decided = Decided(decisions, {ids[file]: file.content_digest(secret) for file in files})
    decided.aside(ids[file] for file in files if file.set_aside == SET_ASIDE_BY_DECISION)
    kept_readings = KeptReadings(
        readings, readers_version(), {f.sha256 for f in files if f.set_aside is None}
    )
    exports = read_exports(participant, files, secret, kept_readings, decided)
    kept_readings.save()
    ledger = Ledger(exports)
    placed = place(participant, exports, ledger, decided)
    broken = broken_days(placed.kept, ledger)
    choices = choose(MEASURES, placed.kept, broken, placed.torn)
    zeros = zero_days(choices, exports, ledger, placed.kept)
    who = participant.participant_id
    daily, beyond = within_limits(daily_rows(placed, choices, zeros, who))
    daily = decided.without_values(daily, [column for measure in MEASURES for column in measure.columns])
    kept = winners(placed.kept, choices, ledger)
    logs = sleep_logs(kept)
    frames = {
        "daily_summary": daily,
        "activities": activities(kept, ledger),
        "sleep_sessions": sleep_sessions(logs, ledger),
        "sleep_stages": sleep_stages(logs),
        "heart_rate_minutes": heart_rate_minutes(kept),
        "steps_minutes": steps_minutes(kept),
        "source_files": source_files(who, files, exports, ledger, kept, placed, secret),
        "value_sources": value_sources(who, daily, placed, choices, zeros, ledger),
        "rejected_rows": rejected_rows(who, ledger),
        "identity_marks": identity_marks(exports, who, secret),
        "quality_checks": quality_checks(who, daily, placed, choices, exports, beyond),
    }
    told = [*problems(exports, placed, ledger), *_outdated(decided)]
    document = _document(placed, exports, told, secret)
    return Result(_tables(frames, who), document, private_names(exports))


def _tables(frames: Mapping[str, pl.DataFrame], participant_id: str) -> dict[str, pl.DataFrame]:
    owned = {
        name: frame.lazy().with_columns(pl.lit(participant_id).alias("participant_id"))
        for name, frame in frames.items()
    }
    return {name: conform(frame, TABLES[name]).collect() for name, frame in owned.items()}


def _outdated(decided: Decided) -> list[dict[str, str]]:
    return [
        {"code": "decision_outdated", "subject": decision.target, "what": _not_applied(decision)}
        for decision in decided.outdated
    ]


def _not_applied(decision: ExportDecision) -> str:
    """What is told of a decision on an export that was not applied."""
    kind = "accept" if decision.value is None else "correct"
    return PhaError("decision_outdated", decision=kind, target=decision.target).what


def _document(
    placed: Placed, exports: Sequence[Export], told: Sequence[Mapping[str, str]], secret: bytes
) -> dict[str, object]:
    newest = newest_device_days(placed)["date"].max()
    accounts = [export.profile.account for export in exports if export.profile and export.profile.account]
    trackers = placed.kept["trackers"].filter(pl.col("device") != PHONE)["tracker_id"].unique().sort()
    return {
        "arrived_through": newest - timedelta(days=1) if isinstance(newest, date) else None,
        "account": keyed_digest(secret, "account", accounts[-1]) if accounts else None,
        "devices": [keyed_digest(secret, "device", tracker) for tracker in trackers],
        "time_zone": placed.zone.current.name,
        "profile_height_cm": _height_cm(placed),
        "problems": told,
    }


def _height_cm(placed: Placed) -> float | None:
    """The newest height the profile held; surveys are compared with it."""
    newest = placed.kept["height"].sort("date")["height_mm"].drop_nulls()
    return None if newest.is_empty() else float(newest[-1]) / 10

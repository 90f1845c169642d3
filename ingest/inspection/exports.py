"""Fitbit exports of one person: what they are, which days they tell, by which clocks, what is wrong."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise

import polars as pl

from ingest.fitbit.exports import Export, files_of, read_exports, unjudged_exports
from ingest.fitbit.file_read import FileRead
from ingest.fitbit.kept_readings import KeptReadings
from ingest.fitbit.kinds import EXERCISE_KINDS
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.measures import MEASURES, Measure
from ingest.fitbit.placing import Placed, place
from ingest.fitbit.profile import PHONE
from ingest.fitbit.provenance import problems
from ingest.identity import contradiction
from ingest.inspection.found import Clock, ExportLook, Fault, FilesLook, JudgedClock, Span, fault, fault_of
from ingest.source_file import SourceFile
from schemas.errors import CODES, PhaError
from schemas.participant import Participant

# Nobody: nothing of the registry is compared. Without a zone in the files, days are told as if lived at UTC.
NOBODY = Participant("nobody", "unknown", 1900, "UTC")
SECRET = b"nothing of it is kept"
# Told of some days only, also where nothing is missing.
SPARSE = frozenset(("weight_kg", "floors", "active_zone_minutes", "vo2max", "activities"))
# Each export bears its own verdict.
_OF_EACH = "identity_unchecked"


def look_at_exports(files: Sequence[SourceFile], owner: Participant | None) -> FilesLook:
    """Read all exports as a run would; without an owner nobody is compared with a registry."""
    # Files are known by their place here: nothing is remembered, so no content need be digested.
    kept = KeptReadings(None, "", ())
    if owner is None:
        exports = unjudged_exports(NOBODY.participant_id, files, SECRET, kept)
    else:
        exports = read_exports(owner, files, SECRET, kept)
    ledger = Ledger(exports)
    placed = place(owner or NOBODY, exports, ledger)
    return FilesLook(
        exports=tuple(_export_look(export, owner) for export in exports),
        days=_days(placed),
        clocks=_clocks(placed, owner),
        clocks_judged=_judged(placed, ledger),
        unclear_days=placed.torn_worn["date"].n_unique(),
        devices=_devices(placed),
        accounts=len({profile.account for export in exports for profile in export.profiles}),
        faults=tuple(_faults(exports, placed, ledger, owner)),
    )


def _export_look(export: Export, owner: Participant | None) -> ExportLook:
    files = files_of([export])
    counts = sum((file.counts for file in files), Counter[tuple[str, str]]())
    outcomes: dict[str, dict[str, int]] = defaultdict(dict)
    for (outcome, what), count in sorted(counts.items()):
        outcomes[outcome][what] = count
    return ExportLook(
        form=min(file.form for file in files),
        generation=_generation(files),
        made_at=export.made_at,
        files=len(files),
        bytes=sum(file.file.size for file in files),
        parts_missing=export.missing_parts,
        members=sum(len(file.paths) for file in files),
        read=outcomes["read"],
        ignored=outcomes["ignored"],
        refused=outcomes["refused"],
        has_profile=export.profile is not None,
        identity=export.verdict.outcome if owner else None,
        codes=tuple(sorted({code for file in files for code, _ in file.errors})),
    )


def _generation(files: Sequence[FileRead]) -> str | None:
    """Of parts and loose files the newest: each shows a piece of the layout only."""
    return max((file.generation for file in files if file.generation), default=None)


def _days(placed: Placed) -> dict[str, Span]:
    """By measure of daily_summary, and for exercises: days with a row that a source gives."""
    days = {measure.name: _days_of(measure, placed.kept) for measure in MEASURES}
    exercised = [placed.kept[kind].select("date") for kind in EXERCISE_KINDS]
    days["activities"] = pl.concat(exercised).drop_nulls().unique().sort("date")["date"].to_list()
    return {name: _span(each, sparse=name in SPARSE) for name, each in days.items() if each}


def _days_of(measure: Measure, kept: Mapping[str, pl.DataFrame]) -> list[date]:
    told = [
        source.day(kept[source.kind]).filter(pl.col(measure.name).is_not_null()).select("date")
        for source in measure.sources
        if kept[source.kind].height
    ]
    return pl.concat(told).drop_nulls().unique().sort("date")["date"].to_list() if told else []


def _span(days: Sequence[date], *, sparse: bool) -> Span:
    one = timedelta(days=1)
    gaps = [] if sparse else [(a + one, b - one) for a, b in pairwise(days) if b - a > one]
    longest = sorted(gaps, key=lambda gap: (gap[0] - gap[1], gap))
    return Span(days[0], days[-1], len(days), tuple(longest), sparse)


def _clocks(placed: Placed, owner: Participant | None) -> tuple[Clock, ...]:
    """The clocks lived by; of the registry only where there is one."""
    return tuple(
        Clock(
            stay.name,
            "nobody" if stay.named_by == "registry" and owner is None else stay.named_by,
            stay.since.date() if number else None,
            dict(stay.agree),
        )
        for number, stay in enumerate(placed.zone.stays)
    )


def _judged(placed: Placed, ledger: Ledger) -> tuple[JudgedClock, ...]:
    told = Counter(
        (ledger.members[number][1].kind.name, verdict.clock, verdict.told_by)
        for number, verdict in placed.verdicts.items()
    )
    return tuple(JudgedClock(*which, files) for which, files in sorted(told.items()))


def _devices(placed: Placed) -> tuple[tuple[str, date], ...]:
    worn = placed.kept["trackers"].filter(pl.col("device") != PHONE).select("device", "date").unique()
    return tuple((str(device), day) for device, day in worn.sort("date", "device").iter_rows())


def _faults(
    exports: Sequence[Export], placed: Placed, ledger: Ledger, owner: Participant | None
) -> Iterator[Fault]:
    """What a run would tell, each text once."""
    told = Counter((problem["code"], problem["what"]) for problem in problems(exports, placed, ledger))
    for (code, what), times in sorted(told.items()):
        if code != _OF_EACH:
            yield fault(CODES[code], what, times)
    if owner is None and (differing := _of_two_people(exports)):
        yield fault_of(PhaError("people_mixed", fields=", ".join(differing)))


def _of_two_people(exports: Sequence[Export]) -> tuple[str, ...]:
    """Names of the fields by which the profiles of different accounts can't be of one person."""
    profiles = [profile for export in exports for profile in export.profiles]
    for one, other in combinations(profiles, 2):
        if one.account != other.account and (differing := contradiction(one.person, other.person)):
            return differing
    return ()

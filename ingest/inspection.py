"""What a file or folder is, in full and without a study: for a coordinator who answers a participant.

It reads as a run would, so that what it tells is what a run will find, but compares nobody with a registry.
Nothing it returns is personal: no names of people, files or members, no values.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import polars as pl

from ingest.fingerprint import files_below
from ingest.fitbit.exports import Export, files_of, unjudged_exports
from ingest.fitbit.file_read import FileRead
from ingest.fitbit.kept_readings import KeptReadings
from ingest.fitbit.kinds import DAY_KINDS, HEART_RATE_KINDS, SLEEP_KINDS, STEPS_KINDS
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.placing import Placed, place
from ingest.fitbit.profile import PHONE
from ingest.report_look import ReportLook, is_report, look_at_report
from ingest.source_file import SourceFile
from schemas.errors import PhaError
from schemas.participant import Participant

# Nobody: nothing of the registry is compared. Without a zone in the files, days are told as if lived at UTC.
_NOBODY = Participant("nobody", "unknown", 1900, "UTC")
_SECRET = b"nothing of it is kept"
# By what a day is known: worn, moved, slept.
SIGNS: Mapping[str, tuple[str, ...]] = {
    "heart rate": HEART_RATE_KINDS,
    "steps": STEPS_KINDS,
    "sleep": SLEEP_KINDS,
    "daily values": DAY_KINDS,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A code with its text and what to do; files: how many it concerns."""

    code: str
    what: str
    next_step: str
    files: int


@dataclass(frozen=True, slots=True)
class ExportLook:
    """One export.

    form: of its files. parts_missing: their numbers. read, ignored, refused: members by kind, rule or code.
    """

    form: str
    generation: str | None
    made_at: datetime | None
    files: int
    bytes: int
    parts_missing: tuple[int, ...]
    members: int
    read: Mapping[str, int]
    ignored: Mapping[str, int]
    refused: Mapping[str, int]
    has_profile: bool


@dataclass(frozen=True, slots=True)
class Span:
    """Days with rows of a sign: first, last, how many; gaps: missing days between them, longest first."""

    first: date
    last: date
    days: int
    gaps: tuple[tuple[date, date], ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock the person lived by. named_by: profile, offsets, or nobody; since: None from the beginning."""

    zone: str
    named_by: str
    since: date | None
    agree: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that was found. clocks_judged: files that write a Z, by kind, verdict and what told it."""

    exports: tuple[ExportLook, ...]
    reports: tuple[ReportLook, ...]
    days: Mapping[str, Span] = field(default_factory=dict[str, Span])
    clocks: tuple[Clock, ...] = ()
    clocks_judged: Mapping[str, int] = field(default_factory=dict[str, int])
    unclear_days: int = 0
    devices: tuple[tuple[str, date], ...] = ()
    accounts: int = 0
    faults: tuple[Fault, ...] = ()


def inspect_path(path: Path) -> Inspection:
    """Look at a file, or at all files below a folder. Raises PhaError file_unreadable where there is none."""
    if not path.exists():
        raise PhaError("file_unreadable")
    files = sorted(files_below(path)) if path.is_dir() else [path]
    reports = tuple(look_at_report(file) for file in files if is_report(file))
    base = path if path.is_dir() else path.parent
    sources = [_source(file, base) for file in files if not is_report(file)]
    if not sources:
        return Inspection((), reports)
    # Files are known by their place here: nothing is remembered, so no content need be digested.
    kept = KeptReadings(None, "", ())
    exports = unjudged_exports(_NOBODY.participant_id, sources, _SECRET, kept)
    ledger = Ledger(exports)
    placed = place(_NOBODY, exports, ledger)
    return Inspection(
        exports=tuple(_export_look(export) for export in exports),
        reports=reports,
        days=_days(placed),
        clocks=_clocks(placed),
        clocks_judged=_judged(placed, ledger),
        unclear_days=len(placed.zone.unclear_days),
        devices=_devices(placed),
        accounts=len({profile.account for export in exports for profile in export.profiles}),
        faults=_faults(exports),
    )


def _source(file: Path, base: Path) -> SourceFile:
    relative = file.relative_to(base).as_posix()
    size = file.stat().st_size if file.is_file() else 0
    return SourceFile(file, relative, size, f"place:{relative}")


def _export_look(export: Export) -> ExportLook:
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
    )


def _generation(files: Sequence[FileRead]) -> str | None:
    """Of parts and loose files the newest: each shows a piece of the layout only."""
    return max((file.generation for file in files if file.generation), default=None)


def _days(placed: Placed) -> dict[str, Span]:
    spans: dict[str, Span] = {}
    for sign, kinds in SIGNS.items():
        days = (
            pl.concat([placed.kept[kind].select("date") for kind in kinds]).drop_nulls().unique().sort("date")
        )
        if days.height:
            spans[sign] = _span(days["date"].to_list())
    return spans


def _span(days: Sequence[date]) -> Span:
    one = timedelta(days=1)
    gaps = [(a + one, b - one) for a, b in pairwise(days) if b - a > one]
    longest = sorted(gaps, key=lambda gap: (gap[0] - gap[1], gap))
    return Span(days[0], days[-1], len(days), tuple(longest))


def _clocks(placed: Placed) -> tuple[Clock, ...]:
    return tuple(
        Clock(
            stay.name,
            "nobody" if stay.named_by == "registry" else stay.named_by,
            stay.since.date() if number else None,
            dict(stay.agree),
        )
        for number, stay in enumerate(placed.zone.stays)
    )


def _judged(placed: Placed, ledger: Ledger) -> dict[str, int]:
    told = Counter(
        f"{ledger.members[number][1].kind.name}: {verdict.clock} ({verdict.told_by})"
        for number, verdict in placed.verdicts.items()
    )
    return dict(sorted(told.items()))


def _devices(placed: Placed) -> tuple[tuple[str, date], ...]:
    worn = placed.kept["trackers"].filter(pl.col("device") != PHONE).select("device", "date").unique()
    return tuple((str(device), day) for device, day in worn.sort("date", "device").iter_rows())


def _faults(exports: Sequence[Export]) -> tuple[Fault, ...]:
    """What is wrong, each code once; whose the export is was not asked."""
    found: dict[str, list[PhaError]] = defaultdict(list)
    for code, details in _coded(exports):
        found[code].append(PhaError(code, **details))
    return tuple(
        Fault(code, errors[0].what, errors[0].next_step, len(errors))
        for code, errors in sorted(found.items())
    )


def _coded(exports: Sequence[Export]) -> Iterable[tuple[str, dict[str, object]]]:
    for export in exports:
        for part in export.missing_parts:
            yield "zip_part_missing", {"part": part}
        files = files_of([export])
        if not any(file.readings or file.errors for file in files):
            yield "no_known_files", {}
    for file in files_of(exports):
        yield from file.errors

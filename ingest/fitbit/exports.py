"""From files as they were sent to exports: what belongs together, whose it is, which is newer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

from ingest.fitbit.container import Container, missing_parts
from ingest.fitbit.decided import NOTHING, Decided
from ingest.fitbit.file_read import (
    FileRead,
    MemberReading,
    Section,
    heal,
    is_archive,
    read_file,
    repeat_of,
)
from ingest.fitbit.held_back import settle
from ingest.fitbit.kept_readings import KeptReadings
from ingest.fitbit.owners import OTHER_PERSON
from ingest.fitbit.ownership import Claim, judge
from ingest.fitbit.profile import PHONE, Profile
from ingest.identity import Verdict, worse
from ingest.source_file import SourceFile
from schemas.participant import Participant

# Kinds whose logs have ids of the vendor, and the system of ids: that of the JSON, or the later one.
_LOGS = {
    "sleep": ("sleep", "sleep_id"),
    "web_sleep": ("sleep", "sleep_id"),
    "fitabase_sleep": ("sleep", "sleep_id"),
    "exercise": ("exercise", "activity_id"),
    "web_exercise": ("exercise", "activity_id"),
    "user_sleeps": ("user_sleeps", "sleep_id"),
    "health_sleep": ("user_sleeps", "sleep_id"),
}


@dataclass(slots=True)
class Export:
    """One download: an archive, the parts of a split one, or the loose files of one folder."""

    sections: list[Section]
    made_at: datetime | None = None
    missing_parts: tuple[int, ...] = ()
    verdict: Verdict = field(default_factory=lambda: Verdict("unchecked"))

    @property
    def files(self) -> list[FileRead]:
        """The files it lies in."""
        return [section.file for section in self.sections]

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Profiles in it: one, unless files of several accounts lie in one folder."""
        return tuple(section.profile for section in self.sections if section.profile)

    @property
    def profile(self) -> Profile | None:
        """The account's profile, from whichever part holds it."""
        return next(iter(self.profiles), None)

    @property
    def is_whole(self) -> bool:
        """True for an archive as the vendor made it: no part is missing, nothing in it was refused."""
        return not self.missing_parts and all(f.form != "folder" and not f.errors for f in self.files)

    @property
    def readings(self) -> Iterable[tuple[FileRead, MemberReading]]:
        """All members read, with their file."""
        return ((section.file, reading) for section in self.sections for reading in section.readings)

    @property
    def names_owner(self) -> bool | None:
        """Whether rows name the folder's owner by an id of the study; None where no row names anybody."""
        named = {reading.names_owner for _, reading in self.readings} - {None}
        return (True in named) if named else None

    def ids_of(self, kind: str, column: str) -> set[str]:
        """The values of an id column in the rows of a kind."""
        frames = [reading.reading.frame for _, reading in self.readings if reading.kind.name == kind]
        return {str(value) for frame in frames for value in frame[column].drop_nulls().unique()}

    @property
    def logs(self) -> set[str]:
        """The vendor's ids of sleeps and exercises: no two logs of anybody share one."""
        return {
            f"{system}:{log}"
            for kind, (system, column) in _LOGS.items()
            for log in self.ids_of(kind, column)
            if log.isdigit()
        }

    @property
    def devices(self) -> set[str]:
        """The vendor's ids of the devices; the phone is none."""
        frames = [r.reading.frame for _, r in self.readings if r.kind.name == "trackers"]
        worn = [frame.filter(pl.col("device") != PHONE)["tracker_id"] for frame in frames]
        return {str(tracker) for trackers in worn for tracker in trackers}


def read_exports(
    participant: Participant,
    files: Sequence[SourceFile],
    secret: bytes,
    kept: KeptReadings,
    decided: Decided = NOTHING,
) -> list[Export]:
    """Read all files that are not set aside, grouped into exports, the oldest export first.

    Of an export of another person nothing is kept but its verdict.
    """
    owners = {name.lower() for name in (participant.participant_id, *participant.aliases)}
    exports = unjudged_exports(participant.participant_id, files, secret, kept, owners)
    claims = [Claim(export.profiles, export.logs, export.devices, export.names_owner) for export in exports]
    for export, verdict in zip(exports, judge(claims, participant), strict=True):
        accepted = decided.accepts((file.id for file in export.files), verdict.outcome)
        _take_verdict(export, Verdict("accepted") if accepted else verdict)
    return exports


def unjudged_exports(
    owner: str,
    files: Sequence[SourceFile],
    secret: bytes,
    kept: KeptReadings,
    owners: Collection[str] | None = None,
) -> list[Export]:
    """The same without a look at whose they are.

    owners: ids in small letters; of rows that name a person only theirs are read, None for all.
    """
    groups: dict[tuple[str, str], list[Section]] = defaultdict(list)
    for file in _read_files(owner, files, secret, kept, owners):
        for container, section in file.sections.items():
            groups[container.group].append(section)
    return sorted((_export(sections) for sections in groups.values()), key=_age)


def files_of(exports: Sequence[Export]) -> list[FileRead]:
    """The files of all exports, each once: one file may hold several."""
    return list({file.id: file for export in exports for file in export.files}.values())


def _read_files(
    owner: str,
    files: Sequence[SourceFile],
    secret: bytes,
    kept: KeptReadings,
    owners: Collection[str] | None,
) -> list[FileRead]:
    """Files in a fixed order. A copy of an archive is not read; what is damaged is taken from another."""
    read: list[FileRead] = []
    originals: dict[str, SourceFile] = {}
    for file in sorted(files, key=lambda f: (f.relative, f.sha256)):
        if file.set_aside is not None:
            continue
        file_id = file.file_id(secret, owner)
        original = originals.setdefault(file.sha256, file) if is_archive(file) else file
        is_copy = original is not file
        read.append(
            repeat_of(original, file, file_id) if is_copy else read_file(file, file_id, owners, secret, kept)
        )
    _heal(read, kept)
    settle(read, secret, kept)
    _heal(read, kept)
    return read


def _heal(files: Sequence[FileRead], kept: KeptReadings) -> None:
    for file in files:
        heal(file, kept)


def _export(sections: Sequence[Section]) -> Export:
    containers = [section.container for section in sections]
    parts = [container.part for container in containers if container.part is not None]
    export = Export(list(sections), containers[0].made_at, missing_parts(parts))
    is_split = len({*parts, *export.missing_parts}) > 1
    for section in sections:
        _name_form(section.file, section.container, is_split=is_split)
    return export


def _name_form(file: FileRead, container: Container, *, is_split: bool) -> None:
    is_own = len(file.sections) == 1 and container.part is not None
    if is_own and file.form in ("zip", "tgz", "tar"):
        file.form = "takeout_part" if is_split else "takeout_zip"


def _take_verdict(export: Export, verdict: Verdict) -> None:
    export.verdict = verdict
    for section in export.sections:
        file = section.file
        file.verdict = verdict if file.verdict is None else worse(file.verdict, verdict)
        if verdict.outcome == "identity_mismatch":
            _forget(section)


def _forget(section: Section) -> None:
    """Keep no row of another person; what was read counts as ignored by that rule."""
    counts = section.file.counts
    first_of_member = {reading.id: reading.kind.name for reading in reversed(section.readings)}
    for kind in first_of_member.values():
        counts["read", kind] -= 1
        counts["ignored", OTHER_PERSON] += 1
    if section.profile is not None:
        counts["read", "profile"] -= 1
        counts["ignored", OTHER_PERSON] += 1
    section.file.counts = +counts
    section.profile, section.readings = None, []


def _age(export: Export) -> tuple[str, str, list[str]]:
    """Sort key, older first: by the newest row a device wrote, then by the name's time, then by content."""
    newest = [_newest(reading) for _, reading in export.readings]
    made_at = export.made_at.isoformat() if export.made_at else ""
    return max(newest, default=""), made_at, sorted(file.file.sha256 for file in export.files)


def _newest(member: MemberReading) -> str:
    column = {"utc": "utc", "stated": "utc", "local": "local"}.get(member.kind.clock)
    if column is None or member.kind.name == "weight" or member.reading.frame.is_empty():
        return ""
    newest = member.reading.frame[column].max()
    return newest.isoformat() if isinstance(newest, datetime) else ""

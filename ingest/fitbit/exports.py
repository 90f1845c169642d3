"""From files as they were sent to exports: what belongs together, whose it is, which is newer."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import polars as pl

from ingest.archive import ARCHIVE_NAME, Content, Member, form_of, members
from ingest.fitbit.kinds import PRODUCT_FOLDERS, PROFILE, Kind, ignored_by, kind_of
from ingest.fitbit.profile import Profile, read_profile
from ingest.fitbit.reading import OtherForm, Reading, Rejected
from ingest.identity import Verdict, compare
from ingest.source_file import SourceFile, member_id
from schemas.errors import PhaError
from schemas.participant import Participant

_TAKEOUT = re.compile(r"takeout-(\d{8}T\d{6}Z)(?:-\d+)?-(\d{3})(?: ?\(\d+\))?\.(?:zip|tgz)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MemberReading:
    """A member that was read: its kind, its published id and the outcome."""

    kind: Kind
    id: str
    name: str
    reading: Reading


@dataclass(slots=True)
class FileRead:
    """A file as it was sent, read.

    members: files in it; counts: what became of them, by (read, ignored or refused; kind, rule or code).
    errors: (code, details) of what is wrong with it.
    """

    file: SourceFile
    id: str
    form: str = "unreadable"
    generation: str | None = None
    profile: Profile | None = None
    readings: list[MemberReading] = field(default_factory=list[MemberReading])
    members: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    errors: list[tuple[str, dict[str, object]]] = field(default_factory=list[tuple[str, dict[str, object]]])
    names: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Export:
    """One download: an archive, the parts of a split one, or the loose files of one folder."""

    files: list[FileRead]
    made_at: datetime | None
    verdict: Verdict = field(default_factory=lambda: Verdict("unchecked"))
    missing_parts: tuple[int, ...] = ()

    @property
    def profile(self) -> Profile | None:
        """The account's profile, from whichever part holds it."""
        return next((file.profile for file in self.files if file.profile), None)

    @property
    def is_whole(self) -> bool:
        """True for an archive as the vendor made it: no part is missing, nothing in it was refused."""
        return not self.missing_parts and all(f.form != "folder" and not f.errors for f in self.files)

    @property
    def readings(self) -> Iterable[tuple[FileRead, MemberReading]]:
        """All members read, with their file."""
        return ((file, reading) for file in self.files for reading in file.readings)


def read_exports(participant: Participant, files: Sequence[SourceFile], secret: bytes) -> list[Export]:
    """Read all files that are not set aside, grouped into exports, the oldest export first.

    Of an export of another person nothing is kept but its verdict.
    """
    groups: dict[tuple[str, str], list[SourceFile]] = defaultdict(list)
    for file in sorted(files, key=lambda f: (f.relative, f.sha256)):
        if file.set_aside is None:
            groups[_group(file.relative)].append(file)
    exports = [_read_export(participant, group, secret) for group in groups.values()]
    return sorted(exports, key=_age)


def _group(relative: str) -> tuple[str, str]:
    if takeout := _TAKEOUT.search(relative):
        return "takeout", takeout.group(1)
    if ARCHIVE_NAME.search(relative):
        return "archive", relative
    top = relative.split("/")[0] if "/" in relative else ""
    return "folder", "" if top.lower() in PRODUCT_FOLDERS else top


def _read_export(participant: Participant, files: Sequence[SourceFile], secret: bytes) -> Export:
    read = [read_file(file, file.file_id(secret, participant.participant_id), secret) for file in files]
    takeouts = [found for file in files if (found := _TAKEOUT.search(file.relative))]
    parts = {int(found.group(2)) for found in takeouts}
    export = Export(read, _made_at(takeouts[0].group(1)) if takeouts else None)
    export.missing_parts = tuple(n for n in range(1, max(parts, default=1)) if n not in parts)
    for file in read:
        if takeouts and file.form in ("zip", "tgz"):
            file.form = "takeout_part" if len(parts | set(export.missing_parts)) > 1 else "takeout_zip"
    export.verdict = compare(export.profile.person if export.profile else None, participant)
    if export.verdict.outcome == "identity_mismatch":
        for file in read:
            file.readings, file.profile, file.members, file.counts = [], None, 0, Counter()
    return export


def read_file(file: SourceFile, file_id: str, secret: bytes) -> FileRead:
    """Read the members of one file that are of a known kind; the others are counted by rule."""
    read = FileRead(file, file_id)
    paths: list[str] = []
    try:
        form = form_of(file.path, file.relative)
        read.form = "folder" if form == "loose" else form
        for member in members(file.path, form, file.relative):
            paths.append(member.path)
            read.members += 1
            _read_member(read, member, secret)
    except PhaError as error:
        if error.code.scope != "input":
            raise
        read.errors.append((error.code.name, error.details))
    except OSError:
        read.errors.append(("file_unreadable", {}))
    read.generation = generation_of([file.relative, *paths])
    for code in sorted({what for outcome, what in read.counts if outcome == "refused"}):
        read.errors.append((code, {}))
    return read


def _read_member(read: FileRead, member: Member, secret: bytes) -> None:
    rule = ignored_by(member.path, member.name)
    if member.refused is not None:
        read.counts["refused", member.refused] += 1
    elif rule is not None:
        read.counts["ignored", rule] += 1
    elif PROFILE.match(member.name):
        _take_profile(read, member)
    elif kind := kind_of(member.name):
        published = member_id(secret, read.id, member.path)
        read.names[published] = member.path
        reading = _reading(read, member, kind)
        read.readings.append(MemberReading(kind, published, member.name, reading))
        read.counts["read", kind.name] += 1


def _take_profile(read: FileRead, member: Member) -> None:
    try:
        read.profile = read_profile(member.read())
        read.counts["read", "profile"] += 1
    except (PhaError, OtherForm):
        read.counts["refused", "member_unreadable"] += 1


def _reading(read: FileRead, member: Member, kind: Kind) -> Reading:
    """A reading of a member; a member that can't be read at all is one rejected row."""
    try:
        content = member.read()
    except PhaError as error:
        read.errors.append((error.code.name, {"kind": kind.name, "row": 1}))
        return _nothing(kind, error.code.name, member.name)
    try:
        reading = kind.read(content, member.name)
    except OtherForm:
        read.errors.append(("member_unreadable", {"kind": kind.name}))
        return _nothing(kind, "member_unreadable", member.name)
    if reading.damaged_from is not None:
        read.errors.append(("member_damaged", {"kind": kind.name, "row": reading.damaged_from}))
    return reading


def _nothing(kind: Kind, code: str, name: str) -> Reading:
    empty = kind.read(Content(b""), name).frame
    return Reading(empty, 1, (Rejected(1, code),))


def generation_of(paths: Iterable[str]) -> str | None:
    """Layout generation by folder names (A0 to F), or None where the folders say nothing."""
    text = "\n".join(paths).lower()
    if "user-site-export/" in text:
        return "A0"
    if "google data/" in text:
        return "A2"
    if "myfitbitdata/" in text:
        return "A1"
    if "google health/" in text:
        return "F" if re.search(r"activity_googledata/[^/\n]+/", text) else "E"
    if "_googledata/" in text:
        return "C"
    return "B" if "global export data/" in text else None


def _made_at(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def _age(export: Export) -> tuple[str, str, list[str]]:
    """Sort key, older first: by the newest row a device wrote, then by the name's time, then by content."""
    newest = [_newest(reading) for _, reading in export.readings]
    made_at = export.made_at.isoformat() if export.made_at else ""
    return max(newest, default=""), made_at, sorted(file.file.sha256 for file in export.files)


def _newest(member: MemberReading) -> str:
    column = {"utc": "utc", "local": "local"}.get(member.kind.clock)
    if column is None or member.kind.name == "weight" or member.reading.frame.is_empty():
        return ""
    newest = member.reading.frame.select(pl.col(column).max()).item()
    return newest.isoformat() if newest else ""

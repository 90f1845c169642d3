"""A file as it was sent, read member by member: what became of each, and the rows of known kinds."""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import polars as pl

from ingest.archive import ARCHIVE_NAME, Content, Member, form_of, members
from ingest.fitbit.container import Container, container_of, generation_of
from ingest.fitbit.kept_readings import KeptReadings, reading_key
from ingest.fitbit.kinds import PROFILE, Kind, ignored_by, kind_of
from ingest.fitbit.profile import Profile, read_profile
from ingest.fitbit.reading import OtherForm, Reading, Rejected
from ingest.fitbit.twin_files import TWIN_OF_JSON
from ingest.identity import Verdict
from ingest.source_file import SourceFile, member_id
from schemas.errors import PhaError

Fault = tuple[str, dict[str, object]]
# An archive that lies in the folder already, byte for byte: a browser's copy.
REPEAT = "repeat"


@dataclass(slots=True)
class MemberReading:
    """A member that was read: its kind, its published id, what it is known by, and the outcome.

    fault: code and details of what is wrong with it, or None.
    """

    kind: Kind
    id: str
    name: str
    key: str
    reading: Reading
    fault: Fault | None = None


@dataclass(slots=True)
class Section:
    """What of a file belongs to one export: all of it, or one archive within it."""

    file: "FileRead"
    container: Container
    profile: Profile | None = None
    readings: list[MemberReading] = field(default_factory=list[MemberReading])


@dataclass(slots=True)
class FileRead:
    """A file as it was sent, read.

    members: files in it; counts: what became of them, by (read, ignored or refused; kind, rule or code).
    faults: what is wrong with the file itself. verdict: the worst of the exports it holds, once they are
    judged. names: published id of a member to its real path.
    """

    file: SourceFile
    id: str
    form: str = "unreadable"
    generation: str | None = None
    sections: dict[Container, Section] = field(default_factory=dict[Container, Section])
    members: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    faults: list[Fault] = field(default_factory=list[Fault])
    verdict: Verdict | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def readings(self) -> list[MemberReading]:
        """All members read."""
        return [reading for section in self.sections.values() for reading in section.readings]

    @property
    def errors(self) -> list[Fault]:
        """All that is wrong with it: with the file, with members that were refused, with members read."""
        refused = sorted({what for outcome, what in self.counts if outcome == "refused"})
        of_members = [reading.fault for reading in self.readings if reading.fault is not None]
        return [*self.faults, *((code, {}) for code in refused), *of_members]


def names_in(file: SourceFile) -> Iterator[tuple[tuple[str, str], str]]:
    """The export and the file name of each member, as far as they can be told; nothing is read."""
    with suppress(PhaError, OSError):
        for member in members(file.path, form_of(file.path, file.relative), file.relative):
            yield container_of(file.relative, member.inner_archive).group, member.name


def read_file(
    file: SourceFile,
    file_id: str,
    secret: bytes,
    kept: KeptReadings,
    needless: Collection[tuple[tuple[str, str], str]] = (),
) -> FileRead:
    """Read the members of one file that are of a known kind; the others are counted by rule.

    needless: (export, file name) of members that only repeat others (twin_files.py).
    """
    read = FileRead(file, file_id)
    paths: list[str] = []
    try:
        form = form_of(file.path, file.relative)
        read.form = "folder" if form == "loose" else form
        for member in members(file.path, form, file.relative):
            paths.append(member.path)
            read.members += 1
            _read_member(read, member, secret, kept, needless)
    except PhaError as error:
        if error.code.scope != "input":
            raise
        read.faults.append((error.code.name, error.details))
    except OSError:
        read.faults.append(("file_unreadable", {}))
    if not read.sections:
        _section(read, container_of(file.relative, None))
    named = any(_names_recorders(reading.reading.frame) for reading in read.readings)
    read.generation = generation_of([file.relative, *paths], names_recorders=named)
    return read


def repeat_of(original: SourceFile, file: SourceFile, file_id: str) -> FileRead:
    """A copy of an archive, which is not read: it goes with the export of the other."""
    read = FileRead(file, file_id, form=REPEAT)
    _section(read, container_of(original.relative, None))
    return read


def is_archive(file: SourceFile) -> bool:
    """True for an archive by its name."""
    return ARCHIVE_NAME.search(file.relative) is not None


def heal(read: FileRead, kept: KeptReadings) -> None:
    """Replace what is damaged here by the same member, unharmed, of another file.

    Size and checksum say that it is the same; so it does not matter which of the two was read first.
    """
    for reading in read.readings:
        if reading.fault is not None and (whole := kept.find(reading.key)) is not None:
            reading.reading, reading.fault = whole, None


def _read_member(
    read: FileRead,
    member: Member,
    secret: bytes,
    kept: KeptReadings,
    needless: Collection[tuple[tuple[str, str], str]],
) -> None:
    container = container_of(read.file.relative, member.inner_archive)
    rule = ignored_by(member.path, member.name)
    if (container.group, member.name) in needless:
        rule = rule or TWIN_OF_JSON
    if member.refused is not None:
        read.counts["refused", member.refused] += 1
    elif rule is not None:
        read.counts["ignored", rule] += 1
    else:
        section = _section(read, container)
        if PROFILE.match(member.name):
            _take_profile(section, member)
        elif kind := kind_of(member.name):
            _take_rows(section, member, kind, secret, kept)


def _section(read: FileRead, container: Container) -> Section:
    return read.sections.setdefault(container, Section(read, container))


def _take_profile(section: Section, member: Member) -> None:
    try:
        section.profile = read_profile(member.read()) or section.profile
        section.file.counts["read", "profile"] += 1
    except (PhaError, OtherForm):
        section.file.counts["refused", "member_unreadable"] += 1


def _take_rows(section: Section, member: Member, kind: Kind, secret: bytes, kept: KeptReadings) -> None:
    file = section.file
    published = member_id(secret, file.id, member.path)
    file.names[published] = member.path
    file.counts["read", kind.name] += 1
    key = reading_key(kind.name, member.name, member.mark or f"{file.file.sha256}:{member.path}")
    reading, fault = kept.find(key), None
    if reading is None:
        reading, fault = _reading(member, kind)
        if fault is None:
            kept.keep(key, file.file.sha256, kind.name, reading)
    section.readings.append(MemberReading(kind, published, member.name, key, reading, fault))


def _reading(member: Member, kind: Kind) -> tuple[Reading, Fault | None]:
    """A reading of a member; a member that can't be read at all is one rejected row."""
    try:
        content = member.read()
    except PhaError as error:
        return _nothing(kind, error.code.name, member.name), (error.code.name, {"kind": kind.name, "row": 1})
    try:
        reading = kind.read(content, member.name)
    except OtherForm:
        unreadable = "member_unreadable"
        return _nothing(kind, unreadable, member.name), (unreadable, {"kind": kind.name})
    if reading.damaged_from is not None:
        return reading, ("member_damaged", {"kind": kind.name, "row": reading.damaged_from})
    return reading, None


def _nothing(kind: Kind, code: str, name: str) -> Reading:
    empty = kind.read(Content(b""), name).frame
    return Reading(empty, 1, (Rejected(1, code),))


def _names_recorders(frame: pl.DataFrame) -> bool:
    return "recorder" in frame.columns and bool((frame["recorder"].fill_null("") != "").any())

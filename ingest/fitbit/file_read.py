"""A file as it was sent, read member by member: what became of each, and the rows of known kinds."""

from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import polars as pl

from ingest.archive import ARCHIVE_NAME, Content, Member, form_of, members
from ingest.fitbit.container import Container, container_of, generation_of
from ingest.fitbit.kept_readings import KeptReadings, reading_key
from ingest.fitbit.kinds import ARCHIVE_KINDS, KIND_BY_NAME, PROFILE, Kind, ignored_by, kinds_of
from ingest.fitbit.owners import of_owner
from ingest.fitbit.profile import Profile, read_profile
from ingest.fitbit.reading import OtherForm, Reading, Rejected
from ingest.fitbit.twin_files import is_twin
from ingest.fitbit.unread import UNKNOWN
from ingest.identity import Verdict
from ingest.source_file import SourceFile, member_id
from schemas.errors import PhaError

Fault = tuple[str, dict[str, object]]
# An archive that lies in the folder already, byte for byte: a browser's copy.
REPEAT = "repeat"
# Forms of which members can be read in any order, and again.
_ANY_ORDER = ("zip", "folder")


@dataclass(slots=True)
class MemberReading:
    """What of a member is of one kind: the kind, the member's published id and name, the outcome.

    mark: what its bytes are known by. names_owner: whether its rows name the owner of the folder, None where
    they name nobody. fault: code and details of what is wrong with it, or None.
    """

    kind: Kind
    id: str
    name: str
    mark: str
    reading: Reading
    names_owner: bool | None = None
    fault: Fault | None = None


@dataclass(slots=True)
class Section:
    """What of a file belongs to one export: all of it, or one archive within it."""

    file: "FileRead"
    container: Container
    profile: Profile | None = None
    readings: list[MemberReading] = field(default_factory=list[MemberReading])


@dataclass(frozen=True, slots=True)
class Held:
    """A member that may only repeat others (twin_files.py). is_read: it could not wait, as its archive is
    read from front to back.
    """

    container: Container
    path: str
    name: str
    is_read: bool


@dataclass(slots=True)
class FileRead:
    """A file as it was sent, read.

    owners: ids of the person whose folder it lies in, None where nobody says. paths: of the files in it;
    counts: what became of them, by (read, ignored or refused; kind, rule or code). held: members whose fate
    other files decide; they count nowhere else until then.
    faults: what is wrong with the file itself. verdict: the worst of the exports it holds, once they are
    judged. names: published id of a member to its real path.
    """

    file: SourceFile
    id: str
    owners: Collection[str] | None = None
    form: str = "unreadable"
    sections: dict[Container, Section] = field(default_factory=dict[Container, Section])
    paths: list[str] = field(default_factory=list[str])
    held: list[Held] = field(default_factory=list[Held])
    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    faults: list[Fault] = field(default_factory=list[Fault])
    verdict: Verdict | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def readings(self) -> list[MemberReading]:
        """All members read."""
        return [reading for section in self.sections.values() for reading in section.readings]

    @property
    def generation(self) -> str | None:
        """Layout generation, A0 to F, or None where nothing tells it."""
        named = any(_names_recorders(reading.reading.frame) for reading in self.readings)
        return generation_of([self.file.relative, *self.paths], names_recorders=named)

    @property
    def errors(self) -> list[Fault]:
        """All that is wrong with it: with the file, with members that were refused, with members read."""
        refused = sorted({what for outcome, what in self.counts if outcome == "refused"})
        of_members = [reading.fault for reading in self.readings if reading.fault is not None]
        return [*self.faults, *((code, {}) for code in refused), *of_members]


def read_file(
    file: SourceFile, file_id: str, owners: Collection[str] | None, secret: bytes, kept: KeptReadings
) -> FileRead:
    """Read the members of one file that are of a known kind; the others are counted by rule.

    Members that may only repeat others are held back: ``held_back.settle`` decides on them.
    """
    read = FileRead(file, file_id, owners)
    with telling_faults(read):
        form = form_of(file.path, file.relative)
        read.form = "folder" if form == "loose" else form
        for member in members(file.path, form, file.relative):
            read.paths.append(member.path)
            _read_member(read, member, secret, kept)
    if not read.sections:
        _section(read, container_of(file.relative, None))
    return read


@contextmanager
def telling_faults(read: FileRead) -> Generator[None]:
    """Faults of a file are noted with it and stop nothing else; those of the machine are raised."""
    try:
        yield
    except PhaError as error:
        if error.code.scope != "input":
            raise
        fault: Fault = (error.code.name, error.details)
        read.faults.extend([fault] if fault not in read.faults else [])
    except OSError:
        read.faults.append(("file_unreadable", {}))


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
    for section in read.sections.values():
        readings, section.readings = section.readings, []
        for spoilt in readings:
            whole = _kept_of(spoilt.name, spoilt.mark, kept) if spoilt.fault is not None else {}
            if not whole:
                section.readings.append(spoilt)
            elif spoilt.id not in {reading.id for reading in section.readings}:
                read.counts["read", spoilt.kind.name] -= 1
                _add(section, spoilt.id, spoilt.name, spoilt.mark, whole)
    read.counts = +read.counts


def _read_member(read: FileRead, member: Member, secret: bytes, kept: KeptReadings) -> None:
    container = container_of(read.file.relative, member.inner_archive)
    rule = ignored_by(member.path, member.name)
    if member.refused is not None:
        read.counts["refused", member.refused] += 1
    elif rule is not None:
        read.counts["ignored", rule] += 1
    elif PROFILE.match(member.name):
        _take_profile(_section(read, container), member)
    else:
        held = is_twin(member.name)
        waits = held and read.form in _ANY_ORDER and member.inner_archive is None
        if held:
            read.held.append(Held(container, member.path, member.name, is_read=not waits))
        if not waits:
            take_rows(_section(read, container), member, secret, kept)


def _section(read: FileRead, container: Container) -> Section:
    return read.sections.setdefault(container, Section(read, container))


def _take_profile(section: Section, member: Member) -> None:
    try:
        section.profile = read_profile(member.read()) or section.profile
        section.file.counts["read", "profile"] += 1
    except (PhaError, OtherForm):
        section.file.counts["refused", "member_unreadable"] += 1


def take_rows(section: Section, member: Member, secret: bytes, kept: KeptReadings) -> None:
    """Take the rows of a member of a known kind, as they were kept or by reading it."""
    file = section.file
    published = member_id(secret, file.id, member.path)
    file.names[published] = member.path
    mark = member.mark or f"{file.file.sha256}:{member.path}"
    readings = _kept_of(member.name, mark, kept)
    fault = None
    if not readings:
        readings, fault = _read(member, kinds_of(member.name))
        if fault is None:
            for kind, reading in readings.items():
                kept.keep(reading_key(kind, member.name, mark), file.file.sha256, kind, reading)
    if readings:
        _add(section, published, member.name, mark, readings, fault)
    else:
        file.counts["ignored", UNKNOWN] += 1


def _add(
    section: Section,
    published: str,
    name: str,
    mark: str,
    readings: Mapping[str, Reading],
    fault: Fault | None = None,
) -> None:
    """Take the readings of a member, by kind; the member counts as read under the first of them."""
    file = section.file
    file.counts["read", next(iter(readings))] += 1
    for kind, reading in readings.items():
        own, names_owner = of_owner(reading, file.owners)
        section.readings.append(
            MemberReading(KIND_BY_NAME[kind], published, name, mark, own, names_owner, fault)
        )


def _kept_of(name: str, mark: str, kept: KeptReadings) -> dict[str, Reading]:
    """Kept readings of a member by kind: of all kinds it is, or none."""
    found: dict[str, Reading] = {}
    for kind in kinds_of(name):
        if (reading := kept.find(reading_key(kind.name, name, mark))) is not None:
            found[kind.name] = reading
            if kind in ARCHIVE_KINDS:
                break
    return found


def _read(member: Member, kinds: Sequence[Kind]) -> tuple[dict[str, Reading], Fault | None]:
    """Readings by kind; a member that can't be read at all is one rejected row of its likeliest kind."""
    first = kinds[0]
    try:
        content = member.read()
    except PhaError as error:
        code = error.code.name
        return {first.name: _nothing(first, code, member.name)}, (code, {"kind": first.name, "row": 1})
    readings: dict[str, Reading] = {}
    for kind in kinds:
        try:
            readings[kind.name] = kind.read(content, member.name)
        except OtherForm:
            continue
        # A file of the archive is nothing else; an empty one is of its likeliest kind.
        if kind in ARCHIVE_KINDS or not content.data.strip():
            break
    if not readings and not first.sure_name:
        return {}, None
    if not readings:
        unreadable = "member_unreadable"
        return {first.name: _nothing(first, unreadable, member.name)}, (unreadable, {"kind": first.name})
    for kind, reading in readings.items():
        if reading.damaged_from is not None:
            return readings, ("member_damaged", {"kind": kind, "row": reading.damaged_from})
    return readings, None


def _nothing(kind: Kind, code: str, name: str) -> Reading:
    empty = kind.read(Content(b""), name).frame
    return Reading(empty, 1, (Rejected(1, code),))


def _names_recorders(frame: pl.DataFrame) -> bool:
    return "recorder" in frame.columns and bool((frame["recorder"].fill_null("") != "").any())

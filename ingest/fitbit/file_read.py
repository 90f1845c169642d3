"""A file as it was sent, read member by member: what became of each, and the rows of known kinds."""

from collections import Counter
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import polars as pl

from ingest.archive import ARCHIVE_NAME, Content, Member, form_of, members
from ingest.fitbit.container import Container, container_of, generation_of
from ingest.fitbit.kept_readings import KeptReadings, ReadingKey
from ingest.fitbit.kind import Kind
from ingest.fitbit.kinds import ARCHIVE_KINDS, FORM_OF, KIND_BY_NAME, PROFILE, ignored_by, kinds_of
from ingest.fitbit.member_reading import Fault, Outcome, is_small, read_member, read_together, unread
from ingest.fitbit.owners import of_owner
from ingest.fitbit.profile import Profile, read_profile
from ingest.fitbit.reading import OtherForm, Reading
from ingest.fitbit.twin_files import is_twin
from ingest.fitbit.unread import FORM_NOT_READ, UNKNOWN, form_not_read
from ingest.identity import Verdict
from ingest.source_file import SourceFile, member_id
from schemas.errors import PhaError

# An archive that lies in the folder already, byte for byte: a browser's copy.
REPEAT = "repeat"
# Forms of which members can be read in any order, and again.
_ANY_ORDER = ("zip", "folder")
# So many small members wait for others of their kind: some megabytes at most.
_MOST_WAITING = 500


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


@dataclass(frozen=True, slots=True)
class Taken:
    """A member that is read: published id, name, and what its bytes are known by."""

    section: Section
    id: str
    name: str
    mark: str


@dataclass(slots=True)
class FileRead:
    """A file as it was sent, read.

    owners: ids of the person whose folder it lies in, None where nobody says. paths: of the files in it;
    counts: what became of them, by (read, ignored or refused; kind, rule or code). held: members whose fate
    other files decide; they count nowhere else until then. waiting: small members that are yet to be read.
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
    waiting: list[tuple[Taken, Kind, Content]] = field(default_factory=list[tuple[Taken, Kind, Content]])
    faults: list[Fault] = field(default_factory=list[Fault])
    verdict: Verdict | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def readings(self) -> list[MemberReading]:
        """All members read."""
        return [reading for section in self.sections.values() for reading in section.readings]

    @property
    def generation(self) -> str | None:
        """Layout of an archive by its folders (A0 to F), the name of another form; None: nothing tells."""
        named = any(_names_recorders(reading.reading.frame) for reading in self.readings)
        others = {FORM_OF[r.kind.name] for r in self.readings if r.kind.name in FORM_OF}
        by_folders = generation_of([self.file.relative, *self.paths], names_recorders=named)
        return by_folders or (min(others) if others else None)

    def note(self, fault: Fault) -> None:
        """Note a fault of the file itself, once."""
        if fault not in self.faults:
            self.faults.append(fault)

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
    take_waiting(read, kept)
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
        read.note((error.code.name, error.details))
    except OSError:
        read.note(("file_unreadable", {}))


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
                _add(Taken(section, spoilt.id, spoilt.name, spoilt.mark), whole)
    read.counts = +read.counts


def _read_member(read: FileRead, member: Member, secret: bytes, kept: KeptReadings) -> None:
    container = container_of(read.file.relative, member.inner_archive)
    rule = ignored_by(member.path, member.name)
    if member.refused is not None:
        read.counts["refused", member.refused] += 1
    elif rule is not None:
        read.counts["ignored", rule] += 1
        if rule == FORM_NOT_READ:
            read.note((rule, {"form": form_not_read(member.name)}))
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
    """Take the rows of a member of a known kind, as they were kept or by reading it.

    A small one waits for others of its kind: ``take_waiting`` reads it.
    """
    file = section.file
    published = member_id(secret, file.id, member.path)
    file.names[published] = member.path
    taken = Taken(section, published, member.name, member.mark or f"{file.file.sha256}:{member.path}")
    if readings := _kept_of(taken.name, taken.mark, kept):
        _add(taken, readings)
        return
    kinds = kinds_of(member.name)
    try:
        content = member.read()
    except PhaError as error:
        _add_read(taken, unread(kinds[0], error.code.name, member.name, row=1), kept)
        return
    if not is_small(kinds, content):
        _add_read(taken, read_member(kinds, content, member.name), kept)
        return
    file.waiting.append((taken, kinds[0], content))
    if len(file.waiting) >= _MOST_WAITING:
        take_waiting(file, kept)


def take_waiting(file: FileRead, kept: KeptReadings) -> None:
    """Read what waits, a kind at a time; readings then stand in the order in which members were taken."""
    waiting, file.waiting = file.waiting, []
    for kind in {kind.name: kind for _, kind, _ in waiting}.values():
        alike = [(taken, content) for taken, of_kind, content in waiting if of_kind is kind]
        outcomes = read_together(kind, [content for _, content in alike], [taken.name for taken, _ in alike])
        for (taken, _), outcome in zip(alike, outcomes, strict=True):
            _add_read(taken, outcome, kept)
    place = {published: number for number, published in enumerate(file.names)}
    for section in file.sections.values():
        section.readings.sort(key=lambda reading: place[reading.id])


def _add_read(taken: Taken, outcome: Outcome, kept: KeptReadings) -> None:
    """Take what a member gave; an unharmed one is kept for later runs."""
    readings, fault = outcome
    if not readings:
        taken.section.file.counts["ignored", fault[0] if fault else UNKNOWN] += 1
        if fault:
            taken.section.file.note(fault)
        return
    if fault is None:
        for kind, reading in readings.items():
            key = ReadingKey(kind, taken.name, taken.mark)
            kept.keep(key, taken.section.file.file.sha256, reading)
    _add(taken, readings, fault)


def _add(taken: Taken, readings: Mapping[str, Reading], fault: Fault | None = None) -> None:
    """Take the readings of a member, by kind; the member counts as read under the first of them."""
    file = taken.section.file
    file.counts["read", next(iter(readings))] += 1
    for kind, reading in readings.items():
        own, names_owner = of_owner(reading, file.owners)
        taken.section.readings.append(
            MemberReading(KIND_BY_NAME[kind], taken.id, taken.name, taken.mark, own, names_owner, fault)
        )


def _kept_of(name: str, mark: str, kept: KeptReadings) -> dict[str, Reading]:
    """Kept readings of a member by kind: of all kinds it is, or none."""
    found: dict[str, Reading] = {}
    for kind in kinds_of(name):
        if (reading := kept.find(ReadingKey(kind.name, name, mark))) is not None:
            found[kind.name] = reading
            if kind in ARCHIVE_KINDS:
                break
    return found


def _names_recorders(frame: pl.DataFrame) -> bool:
    return "recorder" in frame.columns and bool((frame["recorder"].fill_null("") != "").any())

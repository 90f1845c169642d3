"""What an inspection finds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from schemas.errors import Code, PhaError

SEVERITIES = ("critical", "high", "medium", "low")


@dataclass(frozen=True, slots=True)
class Fault:
    """A code with its text, what to do and words to send; times: how often it was found."""

    code: str
    severity: str
    what: str
    next_step: str
    message: str | None
    times: int = 1

    @property
    def is_wrong(self) -> bool:
        """False for what is accepted and only worth knowing."""
        return self.severity != "low"


def fault(code: Code, what: str, times: int = 1) -> Fault:
    """A fault as the store words it."""
    return Fault(code.name, code.severity, what, code.next_step, code.message, times)


def fault_of(error: PhaError) -> Fault:
    """A fault that was raised."""
    return fault(error.code, error.what)


@dataclass(frozen=True, slots=True)
class ExportLook:
    """One export.

    form: of its files. parts_missing: their numbers. read, ignored, refused: members by kind, rule or code.
    identity: matched, unchecked or identity_mismatch; None where no participant is known to compare with.
    codes: of what is wrong with its files.
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
    identity: str | None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Days that tell a measure: first, last, how many; gaps: missing days between them, longest first.

    sparse: days without it are nothing unusual, so there are no gaps.
    """

    first: date
    last: date
    days: int
    gaps: tuple[tuple[date, date], ...]
    sparse: bool = False

    @property
    def missing(self) -> int:
        """Days missing in all gaps."""
        return sum((last - first).days + 1 for first, last in self.gaps)


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock the person lived by. named_by: as in a Stay, or nobody; since: None from the
    beginning; agree: sightings it explains, by source.
    """

    zone: str
    named_by: str
    since: date | None
    agree: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class JudgedClock:
    """Files of a kind that write a Z: how they are read and what told it."""

    kind: str
    clock: str
    told_by: str
    files: int


@dataclass(frozen=True, slots=True)
class ReportLook:
    """What a PDF shows.

    pages: None where it can't be opened. is_text: words can be read from it, else a run recognises them.
    collection_days: days of collection printed. results, in_doubt: readings a run would accept, and those a
    person has to look at; None where it was not read here. codes: of what is wrong with it.
    """

    bytes: int
    pages: int | None = None
    is_text: bool = False
    collection_days: int = 0
    results: int | None = None
    in_doubt: int | None = None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SurveyLook:
    """A survey file.

    form: as in source_files. rows: of the file; fields: of a dictionary. records: people it names. answers,
    rejected: cells.
    instruments: questionnaires it has answers to, and whether they are scored.
    """

    form: str
    bytes: int
    rows: int
    fields: int
    records: int
    answers: int
    rejected: int
    instruments: Mapping[str, bool]
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True, slots=True)
class FilesLook:
    """All files of one person, or of a folder.

    owner: the registered participant whose folder it is, or None. clocks_judged: files that write a Z.
    accounts: different ones the profiles name.
    """

    owner: str | None = None
    exports: tuple[ExportLook, ...] = ()
    reports: tuple[ReportLook, ...] = ()
    surveys: tuple[SurveyLook, ...] = ()
    days: Mapping[str, Span] = field(default_factory=dict[str, Span])
    clocks: tuple[Clock, ...] = ()
    clocks_judged: tuple[JudgedClock, ...] = ()
    unclear_days: int = 0
    devices: tuple[tuple[str, date], ...] = ()
    accounts: int = 0
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyLook:
    """A study folder: people registered; by source folders that hold files, those of nobody, files; bytes."""

    participants: int
    folders: Mapping[str, int]
    stray: Mapping[str, int]
    files: Mapping[str, int]
    bytes: int


Kind = Literal["nothing", "files", "people", "study"]


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that was found. looks: one for ``files``; one a folder, in the order of names, for ``people``."""

    kind: Kind
    looks: tuple[FilesLook, ...] = ()
    study: StudyLook | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def looks_wrong(self) -> bool:
        """True where there is nothing, or something that is more than worth knowing."""
        faults = [*self.faults, *(fault for look in self.looks for fault in look.faults)]
        return self.kind == "nothing" or any(fault.is_wrong for fault in faults)

"""A trap: one declaration, the function that plants it, and its right answer."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

import polars as pl

from synthetic.exports.forms import FORMS
from synthetic.exports.members import Member, Request
from synthetic.exports.takeout.archives import write_zip
from synthetic.exports.takeout.containers import single_name
from synthetic.exports.takeout.export import morning_after
from synthetic.exports.takeout.generations import GENERATIONS, Group
from synthetic.exports.takeout.write import takeout_members
from synthetic.labs.plan import LabPlan
from synthetic.life.recording import Recording
from synthetic.people.persona import LAST_DAY, Person
from synthetic.traps.answers import Answer, Problems, TablesEqual

Members = Iterable[Member]
Frames = dict[str, pl.DataFrame]


@dataclass(frozen=True, slots=True)
class Life:
    """What a trap is planted into: its participant's recording, and a companion's where it needs one."""

    recording: Recording
    request: Request
    other: "Life | None" = None

    @property
    def person(self) -> Person:
        """Whose life it is."""
        return self.recording.person

    @property
    def dates(self) -> tuple[date, ...]:
        """The local days with data."""
        return self.recording.days.dates

    @property
    def archive(self) -> str:
        """Name of the export where it is sent as one zip."""
        return single_name(self.request)

    @property
    def companion(self) -> "Life":
        """The other person of a trap that has one."""
        assert self.other is not None
        return self.other

    @property
    def is_takeout(self) -> bool:
        """Whether the export consists of the members of an account's export."""
        return self.request.form in GENERATIONS

    def members(self) -> Members:
        """The members of the whole export, one at a time."""
        return takeout_members(self.recording, self.request)

    def home(self, fitbit: Path) -> Path:
        """The participant's folder; it is made where it is missing."""
        folder = fitbit / self.person.participant_id
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def of(self, recording: Recording, requested_utc: datetime) -> "Life":
        """The same person asking at another time, for another part of the recording."""
        return replace(self, recording=recording, request=replace(self.request, requested_utc=requested_utc))


Cast = Callable[[Person], Person]
Edit = Callable[[Life, Members], Members]
# From the members, as edited, to files below the folder ``fitbit`` of the study.
Truth = Callable[[Life, Frames], Frames]
Answers = Callable[[Life], tuple[Answer, ...]]
Pack = Callable[[Life, Members, Path], None]


def as_they_are(_: Life, members: Members) -> Members:
    """No edit."""
    return members


def one_archive(life: Life, members: Members, fitbit: Path) -> None:
    """The export as one zip in the participant's folder."""
    write_zip(life.home(fitbit) / life.archive, members, life.request.requested_utc)


def as_the_form_is(life: Life, _: Members, fitbit: Path) -> None:
    """Whatever files the form consists of."""
    FORMS[life.request.form](life.recording, life.request, life.home(fitbit))


def tables_equal(life: Life) -> TablesEqual:
    """Every published value is true; where the Google account's files give weight in grams, to the 0.1 lb at
    which the truth is cut."""
    grams = life.is_takeout and Group.GOOGLE in GENERATIONS[life.request.form].groups
    return TablesEqual(within={"weight_kg": 0.05} if grams else {})


def telling(*codes: str) -> Answers:
    """Every published value is true, and these problems are told."""
    return lambda life: (tables_equal(life), Problems(codes))


all_equal = telling()


def the_whole_truth(_: Life, frames: Frames) -> Frames:
    """Nothing is lost by the trap."""
    return frames


def nothing(_: Life, frames: Frames) -> Frames:
    """All is set aside: not a row is published."""
    return {name: frame.clear() for name, frame in frames.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """One named switch.

    name: also the participant's id. what: in one sentence, for the catalogue. known: where it was seen.
    form, language, sampling_seconds: of the export. days: local days with data, the last of them
    ``last_day``. cast: makes of an ordinary person one whom it can happen to. edit: changes the export's
    members. pack: lays the files. companion: makes the second participant it needs. truth, companion_truth:
    what a right reader publishes of either, where the trap takes something away. answers: what is right.
    reports: lab reports, for a trap among those. phrases: planted words that must go nowhere, by kind.
    """

    name: str
    what: str
    known: str
    form: str = "B"
    days: int = 8
    last_day: date = LAST_DAY
    language: str = "en_US"
    sampling_seconds: int = 60
    cast: Cast = lambda person: person
    edit: Edit = as_they_are
    pack: Pack = one_archive
    companion: Callable[[Person, Person], Person] | None = None
    truth: Truth = the_whole_truth
    companion_truth: Truth = the_whole_truth
    answers: Answers = all_equal
    reports: LabPlan | None = None
    phrases: Mapping[str, str] = field(default_factory=dict[str, str])

    def request(self, recording: Recording) -> Request:
        """How the export is asked for."""
        return Request(morning_after(recording), self.form, self.sampling_seconds, self.language)

"""The answers of traps against what ingest makes of a study's exports, in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import singledispatch
from pathlib import Path

import polars as pl
from fitbit_files import SECRET, sources, table

from ingest.fitbit import ingest_fitbit
from ingest.identity import shared_files
from ingest.labs import ingest_labs
from ingest.labs.ocr import engine_version
from ingest.same_data import conflicts
from ingest.source_file import SourceFile
from outputs.observation import Ingested, observe
from outputs.store import Result
from schemas.participant import Participant
from schemas.settings import Settings, StudySection
from synthetic.people.persona import LAST_DAY, STUDY_ZONE, Person
from synthetic.traps.answers import (
    Answer,
    Clock,
    DayState,
    LogTable,
    Members,
    Problems,
    Published,
    ReportVerdict,
    Rows,
    TablesEqual,
    Verdict,
)
from synthetic.traps.planting import Planted
from synthetic.traps.trap import Frames

# What needs the registry or the study's secret, and names of our own methods.
OURS = (
    "participant_id",
    "file_id",
    "study_day",
    "resting_heart_rate_method",
    "heart_rate_variability_method",
)
# What ingest calls the files whose clock it judges.
KINDS = {"heart_rate_variability": "hrv_minutes_csv"}
AS_OF = LAST_DAY - timedelta(days=1)
SETTINGS = Settings(study=StudySection(name="Traps", time_zone=STUDY_ZONE, made_up=True))
PRINTED = ("analyte_key", "value_num", "unit_ucum", "collected_date")
KEYS: Mapping[LogTable, str] = {"sleep_sessions": "sleep_id", "activities": "activity_id"}


@dataclass(frozen=True)
class Read:
    """What was asked, what ingest made of the trap's participant, and of all of its people by their ids.

    reports: what became of lab reports, by their names.
    """

    planted: Planted
    files: Sequence[SourceFile]
    result: Result
    results: Mapping[str, Result]
    reports: Mapping[str, "ReadReport"]

    @property
    def truth(self) -> Frames:
        return self.planted.frames[self.planted.people[0].participant_id]

    def file(self, name: str) -> dict[str, object]:
        """The row of source_files of a file as it was sent."""
        owner = self.planted.people[0].participant_id
        (file_id,) = (file.file_id(SECRET, owner) for file in self.files if file.relative == name)
        return table(self.result, "source_files").row(by_predicate=pl.col("file_id") == file_id, named=True)


def registered(person: Person) -> Participant:
    return Participant(
        person.participant_id,
        person.sex,
        person.birth_date.year,
        STUDY_ZONE,
        birth_date=person.birth_date,
        name=person.name,
        consent_from=person.consent_from,
        consent_to=person.consent_to,
    )


def read(planted: Planted, fitbit: Path) -> Read:
    """As a run reads them: everybody's files, then again those set aside because of another's."""
    people = {person.participant_id: registered(person) for person in planted.people}
    sent = {person.participant_id: sources(_home(person, fitbit)) for person in planted.people}
    shared = dict.fromkeys(shared_files(sent), "same_bytes")
    files = {owner: _marked(sent, owner, shared) for owner in sent}
    results = {owner: ingest_fitbit(people[owner], files[owner], SECRET) for owner in sent}
    told = conflicts(pl.concat([table(result, "identity_marks").lazy() for result in results.values()]))
    verdicts = {(owner, content): verdict for owner, content, verdict in told.iter_rows()}
    for owner in {owner for owner, _ in verdicts}:
        files[owner] = [
            replace(file, set_aside=verdicts.get((owner, file.content_digest(SECRET)), file.set_aside))
            for file in files[owner]
        ]
        results[owner] = ingest_fitbit(people[owner], files[owner], SECRET)
    own = planted.people[0].participant_id
    reports = _reports(people[own], fitbit.parent / "labs" / own) if planted.labs else {}
    return Read(planted, files[own], results[own], results, reports)


@dataclass(frozen=True)
class ReadReport:
    """Status and reason of lab_files; accepted: printed results that were published (PRINTED)."""

    status: str
    reason: str | None
    accepted: pl.DataFrame

    @property
    def is_used(self) -> bool:
        return self.status in ("accepted", "partial")


def _reports(owner: Participant, folder: Path) -> dict[str, ReadReport]:
    files = {file.file_id(SECRET, owner.participant_id): file.relative for file in sources(folder)}
    result = ingest_labs(owner, sources(folder), SECRET)
    told = table(result, "lab_files").select("file_id", "status", "reason")
    # A reading that a later report replaced is in no doubt.
    printed = table(result, "lab_results").filter(~pl.col("derived"))
    doubted = set(table(result, "lab_review").filter(pl.col("reasons") != "superseded")["file_id"])
    return {
        files[file_id]: ReadReport(
            status,
            None if status == "partial" and file_id not in doubted else reason,
            printed.filter(pl.col("file_id") == file_id).select(PRINTED),
        )
        for file_id, status, reason in told.iter_rows()
    }


def _home(person: Person, fitbit: Path) -> Path:
    folder = fitbit / person.participant_id
    return folder if folder.is_dir() else fitbit / str(person.alias)


def _marked(
    sent: Mapping[str, Sequence[SourceFile]], owner: str, verdicts: Mapping[tuple[str, str], str]
) -> list[SourceFile]:
    return [replace(file, set_aside=verdicts.get((owner, file.sha256))) for file in sent[owner]]


def asked(answer: Answer) -> str:
    """An answer in words, for the table of traps."""
    match answer:
        case TablesEqual():
            return "tables equal the truth"
        case Problems():
            return f"told: {', '.join(answer.codes) or 'nothing'}"
        case Verdict():
            return f"a file is {answer.identity}"
        case Rows():
            return f"{answer.at_least} rows {answer.fate}"
        case Members():
            return f"{answer.refused} members refused, {answer.ignored_at_least} ignored"
        case Clock():
            return f"{answer.kind} is {answer.reading}"
        case DayState():
            return f"{len(answer.dates)} days are {answer.state}"
        case Published():
            return f"published {answer.first} to {answer.last}"
        case ReportVerdict():
            return f"a report is {answer.verdict}{f' ({answer.code})' if answer.code else ''}"


def wrong(read: Read, answer: Answer) -> str | None:
    """What ingest got where it is not what was asked, or None."""
    return _wrong(answer, read)


@singledispatch
def _wrong(answer: Answer, read: Read) -> str | None:
    raise NotImplementedError(type(answer))


@_wrong.register
def _(answer: TablesEqual, read: Read) -> str | None:
    found = _differing_days(answer, read)
    found += [f"{name} differ" for name in answer.logs if not _logs_equal(name, read)]
    return "; ".join(found) or None


def _differing_days(answer: TablesEqual, read: Read) -> list[str]:
    got, truth = table(read.result, "daily_summary"), read.truth["daily_summary"]
    if answer.worn_days:
        truth = truth.filter(pl.col("wear_minutes") > 0)
        got = got.join(truth, on="date", how="semi")
    return _differing_columns(answer, truth, got)


def _differing_columns(answer: TablesEqual, truth: pl.DataFrame, got: pl.DataFrame) -> list[str]:
    both = truth.join(got, on="date", suffix="_got", how="full", coalesce=True).sort("date")
    columns = answer.columns or tuple(name for name in truth.columns if name not in (*OURS, "date"))
    return [text for name in columns if (text := _differing(both, name, answer))]


def _differing(both: pl.DataFrame, name: str, answer: TablesEqual) -> str | None:
    one = pl.lit(None) if name in answer.lacking else pl.col(name)
    other = pl.col(f"{name}_got")
    far = ~one.eq_missing(other)
    if name in answer.within:
        gap = (one - other).abs()
        gap = gap.dt.total_seconds() if both.schema[name].is_temporal() else gap
        far &= ~(gap <= answer.within[name]).fill_null(False)
    rows = both.filter(far).select("date", one.alias("true"), other.alias("got"))
    if rows.is_empty():
        return None
    day, true, got = rows.row(0)
    return f"{name} on {rows.height} days ({day}: {got} for {true})"


def _logs_equal(name: LogTable, read: Read) -> bool:
    key = KEYS[name]
    true, got = (
        frame.drop("file_id", "participant_id").sort(key)
        for frame in (read.truth[name], table(read.result, name))
    )
    return got.equals(true)


@_wrong.register
def _(answer: Verdict, read: Read) -> str | None:
    verdict = read.file(answer.file)["identity"]
    return None if verdict == answer.identity else f"{answer.file} is {verdict}"


@_wrong.register
def _(answer: Problems, read: Read) -> str | None:
    told = {problem["code"] for problem in read.result.document["problems"]}
    told = sorted(told | set(table(read.result, "source_files")["error_code"].drop_nulls()))
    return None if told == sorted(answer.codes) else f"told: {', '.join(told) or 'nothing'}"


@_wrong.register
def _(answer: Rows, read: Read) -> str | None:
    count = read.file(answer.file)[f"rows_{answer.fate}"]
    assert isinstance(count, int)
    return None if count >= answer.at_least else f"{count} rows {answer.fate}"


@_wrong.register
def _(answer: Members, read: Read) -> str | None:
    members = json.loads(str(read.file(answer.file)["members_json"]))
    refused, ignored = sum(members["refused"].values()), sum(members["ignored"].values())
    if refused == answer.refused and ignored >= answer.ignored_at_least:
        return None
    return f"{refused} members refused, {ignored} ignored"


@_wrong.register
def _(answer: Clock, read: Read) -> str | None:
    told: set[str] = set()
    for text in table(read.result, "source_files")["clocks_json"].drop_nulls():
        for verdict in json.loads(text)["verdicts"].get(KINDS[answer.kind], {}).get("members", {}):
            told.add(verdict.split(" ")[0].removesuffix("_with_false_z"))
    return None if told == {answer.reading} else f"{answer.kind} is {', '.join(sorted(told)) or 'undecided'}"


@_wrong.register
def _(answer: DayState, read: Read) -> str | None:
    days = table(read.result, "daily_summary").filter(pl.col("date").is_in(list(answer.dates)))
    states = days["day_state"].to_list()
    return None if states == [answer.state] * len(answer.dates) else f"days are {states}"


@_wrong.register
def _(answer: Published, read: Read) -> str | None:
    person = registered(read.planted.people[0])
    tables = {name: table(read.result, name).lazy() for name in read.result.tables}
    arrived = read.result.document["arrived_through"]
    assert arrived is None or isinstance(arrived, date)
    ingested = Ingested(tables, arrived)
    observed = observe(person, ingested, AS_OF, SETTINGS)
    days = table(observed, "daily_summary").filter(pl.col("day_state").is_in(["worn", "partly_worn"]))["date"]
    got = (days.min(), days.max())
    return None if got == (answer.first, answer.last) else f"{got[0]} to {got[1]}"


@_wrong.register
def _(answer: ReportVerdict, read: Read) -> str | None:
    report = read.reports[answer.file]
    if answer.code == "lab_text_unusable" and engine_version():
        return _misread(report, next(file.rows for file in read.planted.labs if file.name == answer.file))
    is_right = report.is_used == (answer.verdict == "accepted") and report.reason == answer.code
    return None if is_right else f"{answer.file} is {report.status} ({report.reason})"


def _misread(report: ReadReport, rows: pl.DataFrame) -> str | None:
    """Where characters are recognised a picture may be set aside all the same; what is used stands on it."""
    wrong = report.accepted.join(rows, on=PRINTED, how="anti", nulls_equal=True)
    if report.is_used == report.accepted.is_empty():
        return f"it is {report.status} with {report.accepted.height} results"
    return f"{wrong.height} results are not as printed" if wrong.height else None

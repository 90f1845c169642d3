"""The coordinator's page of a participant: what arrived, what is missing, what to do; without a value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from outputs.board_people import SEVERITIES, WAITING
from outputs.reports import words
from outputs.reports.clinician import About, calendar_of
from outputs.reports.pages import render
from outputs.reports.release_rows import ReleaseRows, Row

# Shorter times without wear are everyday life.
LONG_GAP_DAYS = 7
OLD_AFTER_DAYS = 14
SOURCE_WORDS = {"fitbit": "Wearable", "labs": "Laboratory report", "surveys": "Questionnaire"}
FORM_WORDS = {
    "takeout_zip": "Google Takeout",
    "takeout_part": "Google Takeout, in parts",
    "zip": "zip archive",
    "tgz": "tgz archive",
    "tar": "tar archive",
    "folder": "unpacked files",
    "unreadable": "could not be read",
    "repeat": "copy of another file here, not read again",
    "set_aside": "not read",
    "lab_pdf": "PDF",
}
IDENTITY_WORDS = {
    "matched": "is this participant's",
    "unchecked": "could not be checked whose it is",
    "identity_mismatch": "another person's: not used",
    "account_shared": "of an account others sent too: not used",
    "same_bytes": "lies in another folder too: not used",
    "overlap_conflict": "holds data that others sent too: not used",
    "accepted": "accepted by decision",
    "set_aside_by_decision": "set aside by decision: not used",
}
# Columns of daily_summary a page may ask for, as people name them.
MEASURES = {
    "resting_heart_rate": "resting heart rate",
    "heart_rate_variability": "heart rate variability",
    "steps": "steps",
    "sleep_minutes": "sleep",
}


@dataclass(frozen=True, slots=True)
class Missing:
    """What is not there, and what to do about it."""

    what: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """Files of one kind and verdict: what they are, whose, which days they hold, what is wrong with them."""

    source: str
    form: str
    identity: str
    files: int
    first_day: date | None
    last_day: date | None
    rows_staged: int
    rows_read: int
    code: str | None


def arrivals_page(rows: ReleaseRows, person: Row, about: About) -> str:
    """The page as HTML."""
    owner = person["participant_id"]
    daily = rows.of(owner, "daily_summary")
    return render(
        "arrivals.html",
        study=about.study,
        person=person,
        as_of=about.as_of,
        not_whole={day["date"] for day in daily if day["is_partial"]},
        arrived=arrived(rows.of(owner, "source_files")),
        missing=list(missing(person, daily)),
        answered=answered(rows.of(owner, "survey_scores")),
        matters=_matters(rows.of(owner, "attention")),
        calendar=calendar_of(daily),
    )


def arrived(files: Sequence[Row]) -> list[Arrived]:
    """What was sent; files alike in everything but their days are one line: an export may be thousands."""

    def alike(row: Row) -> tuple[str, str, str, str]:
        return row["source"], row["form"], row["identity"] or "", row["error_code"] or ""

    lines = [_line(list(group)) for _, group in groupby(sorted(files, key=alike), key=alike)]
    return sorted(lines, key=lambda line: (line.source, -line.rows_staged, line.form, line.code or ""))


def _line(files: Sequence[Row]) -> Arrived:
    one = files[0]
    return Arrived(
        SOURCE_WORDS[one["source"]],
        FORM_WORDS.get(one["form"], words.plain(one["form"])),
        IDENTITY_WORDS.get(one["identity"] or "", ""),
        len(files),
        min((file["first_day"] for file in files if file["first_day"]), default=None),
        max((file["last_day"] for file in files if file["last_day"]), default=None),
        sum(file["rows_staged"] for file in files),
        sum(file["rows_read"] for file in files),
        one["error_code"],
    )


def answered(scores: Sequence[Row]) -> list[str]:
    """Questionnaires with a score and the newest day of each, by name."""
    newest: dict[str, date | None] = {}
    for row in sorted(scores, key=lambda row: (row["instrument"], row["answered_on"] or date.min)):
        newest[row["instrument"]] = row["answered_on"]
    return [f"{name} ({words.day(on)})" if on else name for name, on in newest.items()]


def missing(person: Row, daily: Sequence[Row]) -> Iterator[Missing]:
    """What is not there, from the whole to the single measure."""
    if not person["has_wearable"]:
        yield Missing("No wearable data that can be used.", "Ask for the Fitbit export.")
    elif (person["days_behind"] or 0) > OLD_AFTER_DAYS:
        behind = words.counted(person["days_behind"], "day")
        what = f"The newest wearable data are of {words.day(person['data_through'])}: {behind} behind."
        yield Missing(what, "Ask to sync the device and to send a new export.")
    yield from _gaps(daily)
    if person["has_wearable"]:
        worn = [day for day in daily if day["day_state"] == "worn"]
        never = [
            name for column, name in MEASURES.items() if worn and all(day[column] is None for day in worn)
        ]
        if never:
            step = "Look with pha inspect whether the export holds it: not every device measures it."
            yield Missing(f"On no worn day: {', '.join(never)}.", step)
    if not person["has_labs"]:
        yield Missing("No laboratory result that can be used.", "Ask for the report if it is due.")
    if not person["has_surveys"]:
        step = "If they answered, see pha check: their record id may not be in participants.csv."
        yield Missing("No answer to a questionnaire.", step)


def _gaps(daily: Sequence[Row]) -> Iterator[Missing]:
    """Long times without wear among days that arrived, and days set aside."""
    off = [day["date"] for day in daily if day["day_state"] == "not_worn"]
    for first, last in _runs(off):
        if (length := (last - first).days + 1) >= LONG_GAP_DAYS:
            what = f"Not worn from {words.day(first)} to {words.day(last)} ({length} days)."
            yield Missing(what, "Ask whether the device was worn and synced then.")
    aside = sum(day["day_state"] == "set_aside" for day in daily)
    if aside:
        what = f"{words.counted(aside, 'day')} set aside: their clock is unclear."
        yield Missing(what, "docs/clocks.md says which files would settle it.")


def _runs(days: Sequence[date]) -> Iterator[tuple[date, date]]:
    """First and last of days that follow each other."""
    first = last = None
    for day in sorted(days):
        if last is not None and first is not None and day - last > timedelta(days=1):
            yield first, last
            first = day
        first, last = first or day, day
    if first is not None and last is not None:
        yield first, last


def _matters(attention: Sequence[Row]) -> list[Row]:
    """What waits for anybody, worst first; a finding of the data is the clinician's page's matter."""
    waiting = [row for row in attention if row["state"] in WAITING and row["kind"] != "finding"]
    return sorted(waiting, key=lambda row: (SEVERITIES.index(row["severity"]), row["attention_id"]))

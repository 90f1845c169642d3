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
    "folder": "unpacked files",
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
}
# Columns of daily_summary a page may ask for, as people name them.
MEASURES = {
    "resting_heart_rate": "resting heart rate",
    "heart_rate_variability": "heart rate variability",
    "steps": "steps",
    "sleep_minutes": "sleep",
}


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
        arrived=arrived(rows.of(owner, "source_files")),
        missing=list(missing(person, daily)),
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


def missing(person: Row, daily: Sequence[Row]) -> Iterator[str]:
    """Sentences on what is not there, from the whole to the single measure."""
    if not person["has_wearable"]:
        yield "No wearable data that can be used."
    elif (person["days_behind"] or 0) > OLD_AFTER_DAYS:
        behind = words.counted(person["days_behind"], "day")
        yield f"The newest wearable data are of {words.day(person['data_through'])}: {behind} behind."
    yield from _gaps(daily)
    if person["has_wearable"]:
        worn = [day for day in daily if day["day_state"] == "worn"]
        never = [
            name for column, name in MEASURES.items() if worn and all(day[column] is None for day in worn)
        ]
        if never:
            yield f"On no worn day: {', '.join(never)}."
    if not person["has_labs"]:
        yield "No laboratory result that can be used."
    if not person["has_surveys"]:
        yield "No answer to a questionnaire."


def _gaps(daily: Sequence[Row]) -> Iterator[str]:
    """Long times without wear among days that arrived, and days set aside."""
    off = [day["date"] for day in daily if day["day_state"] == "not_worn"]
    for first, last in _runs(off):
        if (length := (last - first).days + 1) >= LONG_GAP_DAYS:
            yield f"Not worn from {words.day(first)} to {words.day(last)} ({length} days)."
    aside = sum(day["day_state"] == "set_aside" for day in daily)
    if aside:
        yield f"{words.counted(aside, 'day')} set aside: their clock is unclear."


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

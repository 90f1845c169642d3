"""Traps of what stands in a file: another language, encoding or form than expected, or nothing at all."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import polars as pl

from synthetic.exports.members import Member
from synthetic.traps.answers import Answer, Rows, Verdict
from synthetic.traps.edits import Records, adding, changing, changing_records
from synthetic.traps.trap import Frames, Life, Members, Trap, all_equal, one_archive, telling

GLOBAL = "Takeout/Fitbit/Global Export Data"
STRESS = r"/Stress Score\.csv$"
VERY_ACTIVE = r"/very_active_minutes-"
CUSTOM_ACTIVITY = "Zimtstern lantern procession"
CUSTOM_TYPE = 91_057_417
ABOUT_ME = "velvet orchard behind the seventh lighthouse"
WEB_PAGE = b"<!DOCTYPE html><html><title>404</title><p>Not found</p></html>\n"
SHEET = b"Date,Weight goal,Comment\n2026-06-01,70,keep going\n"


def _with_mark(_: Life, content: bytes) -> bytes:
    return b"\xef\xbb\xbf" + content


def _as_unicode_text(_: Life, content: bytes) -> bytes:
    """As a spreadsheet program saves "Unicode text"."""
    return content.decode().encode("utf-16")


def _without_stress(_: Life, frames: Frames) -> Frames:
    lost = pl.lit(None).cast(pl.Float64).alias("stress_management_score")
    return frames | {"daily_summary": frames["daily_summary"].with_columns(lost)}


def _cut_on(life: Life) -> date:
    """The day within whose record the file breaks off."""
    return life.dates[5]


def _cut_off(life: Life, content: bytes) -> bytes:
    stamp = f'"{_cut_on(life):%m/%d/%y} 00:00:00"'.encode()
    return content[: content.index(stamp) + len(stamp)]


def _without_the_rest(life: Life, frames: Frames) -> Frames:
    kept = pl.when(pl.col("date") < _cut_on(life)).then(pl.col("very_active_minutes"))
    daily = frames["daily_summary"].with_columns(kept.alias("very_active_minutes"))
    return frames | {"daily_summary": daily}


def _empty_files(life: Life) -> Iterator[Member]:
    """What a kind looks like that has no rows: an empty list, a header, words, nothing."""
    day = life.dates[0] - timedelta(days=300)
    yield Member(f"Takeout/Fitbit/Biometrics/Glucose {day:%Y%m}.csv", b"no data")
    yield Member(f"{GLOBAL}/exercise-100.json", b"[]")
    yield Member(f"Takeout/Fitbit/Oxygen Saturation (SpO2)/Minute SpO2 - {day}.csv", b"timestamp,value\n")
    yield Member(
        f"Takeout/Fitbit/Temperature/Device Temperature - {day}.csv",
        b"recorded_time,temperature,sensor_type\n",
    )
    yield Member("Takeout/Fitbit/Snore and Noise Detect/Snore and Noise Detect README.txt", b"No data.\n")


def _wrong_files(_: Life) -> Iterator[Member]:
    yield Member(f"{GLOBAL}/steps-2019-01-01.json", WEB_PAGE)


def _wrong_sheet(_: Life) -> Iterator[Member]:
    yield Member("Takeout/Fitbit/Stress Score/copy/Stress Score.csv", SHEET)


def _custom(_: Life, records: Records) -> Records:
    """The first exercise under a name of the person's own."""
    first = records[0] | {"activityName": CUSTOM_ACTIVITY, "activityTypeId": CUSTOM_TYPE}
    return [first, *records[1:]]


def _nameless(_: Life, frames: Frames) -> Frames:
    """Custom names are not published: a type that the vendor does not know, and no name."""
    first = pl.col("activity_id") == frames["activities"]["activity_id"][0]
    activities = frames["activities"].with_columns(
        activity_name=pl.when(~first).then(pl.col("activity_name")),
        activity_type_id=pl.when(first).then(CUSTOM_TYPE).otherwise(pl.col("activity_type_id")),
    )
    return frames | {"activities": activities}


def _about_me(_: Life, content: bytes) -> bytes:
    """The profile's free text; the account has no other word of its own."""
    header, row = content.decode().splitlines()[:2]
    cells = row.split(",")
    cells[header.split(",").index("about_me")] = ABOUT_ME
    return f"{header}\n{','.join(cells)}\n".encode()


def named_archive(life: Life) -> str:
    """An archive that is called by its owner's name and birth date, as people call their files."""
    return f"{life.person.name} {life.person.birth_date:%d.%m.%Y} Fitbit.zip"


def _called_by_name(life: Life, members: Members, fitbit: Path) -> None:
    one_archive(life, members, fitbit)
    home = life.home(fitbit)
    (home / life.archive).rename(home / named_archive(life))


def _report_among_exports(life: Life, members: Members, fitbit: Path) -> None:
    one_archive(life, members, fitbit)
    (life.home(fitbit) / "labs.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")


def _cut_member(life: Life) -> tuple[Answer, ...]:
    return *telling("member_damaged")(life), Rows(life.archive, "rejected", 1)


def _sheet_refused(life: Life) -> tuple[Answer, ...]:
    return *telling("member_unreadable")(life), Rows(life.archive, "rejected", 1)


CONTENT_TRAPS = (
    Trap(
        name="german_account",
        what="Exercises and zones are named in German, with soft hyphens, and the archive's index too.",
        known="measured on a German account",
        language="de_DE",
    ),
    Trap(
        name="empty_files",
        what='Kinds with an empty list, a header alone, the words "no data", or a readme only: no fault.',
        known="217 to 234 such files in a public export",
        edit=adding(_empty_files),
    ),
    Trap(
        name="byte_order_marks",
        what="Files that a program saved again with a byte order mark in front.",
        known="spreadsheet programs do",
        edit=changing(r"/(?:steps|sleep)-|/sleep_score\.csv$|" + STRESS, _with_mark),
    ),
    Trap(
        name="unicode_text",
        what='The stress scores were saved again as "Unicode text" (UTF-16): the file is no CSV any more.',
        known="spreadsheet programs do",
        edit=changing(STRESS, _as_unicode_text),
        truth=_without_stress,
        answers=telling("member_unreadable"),
    ),
    Trap(
        name="cut_member",
        what="The very active minutes break off within the sixth day: what stands before is kept.",
        known="partial downloads",
        edit=changing(VERY_ACTIVE, _cut_off),
        truth=_without_the_rest,
        answers=_cut_member,
    ),
    Trap(
        name="web_page_for_steps",
        what='A further file of steps is a page that says "not found".',
        known="links expire",
        edit=adding(_wrong_files),
        answers=_sheet_refused,
    ),
    Trap(
        name="sheet_for_stress",
        what="A further file of stress scores is somebody's own sheet: other columns under the right name.",
        known="participants mix their own files in",
        edit=adding(_wrong_sheet),
        answers=_sheet_refused,
    ),
    Trap(
        name="report_among_exports",
        what="A lab report lies among the exports.",
        known="coordinators sort by hand",
        pack=_report_among_exports,
        answers=telling("no_known_files"),
    ),
    Trap(
        name="custom_activity",
        what="An exercise under a name of the person's own: it is published without the name.",
        known="custom activities of the app",
        edit=changing_records(r"/exercise-\d+\.json$", _custom),
        truth=_nameless,
        phrases={"activity_name": CUSTOM_ACTIVITY},
    ),
    Trap(
        name="words_of_their_own",
        what="The archive is called by name and birth date, the profile holds a sentence: neither goes on.",
        known="participants do",
        edit=changing(r"/Profile\.csv$", _about_me),
        pack=_called_by_name,
        phrases={"about_me": ABOUT_ME},
        answers=lambda life: (*all_equal(life), Verdict(named_archive(life), "matched")),
    ),
)

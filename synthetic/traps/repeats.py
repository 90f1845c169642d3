"""Traps of what is told twice: borders of files, two algorithms, two exports, a copy."""

import shutil
from datetime import timedelta
from pathlib import Path

from synthetic.exports.members import Member
from synthetic.exports.takeout.archives import write_zip
from synthetic.traps.answers import Answer, Problems, Rows, TablesEqual
from synthetic.traps.clocks import MEASURED, OF_THE_NIGHT, SLEEP_JSON
from synthetic.traps.edits import Records, changing_records, leaving_out
from synthetic.traps.part import part_of
from synthetic.traps.trap import Life, Members, Trap, all_equal, one_archive

# How far the second algorithm's nights lie from the first one's.
SECOND_ALGORITHM: dict[str, float] = dict.fromkeys(OF_THE_NIGHT, 8.0)
REPEATED = 3
OLDER_STOPS = 6
WEEK = timedelta(days=7)


def _one_night_each(_: Life) -> tuple[Answer, ...]:
    return TablesEqual(columns=OF_THE_NIGHT, within=SECOND_ALGORITHM, logs=()), Problems()


def _repeat_minutes(_: Life, records: Records) -> Records:
    """Some minutes with steps again, with fewer of them."""
    walked = [record for record in records if int(record["value"]) > 1][:REPEATED]
    return records + [record | {"value": "1"} for record in walked]


def _merges_repeats(life: Life) -> tuple[Answer, ...]:
    return *all_equal(life), Rows(life.archive, "merged", REPEATED)


def older(life: Life) -> Life:
    """The export asked for in the middle of the days."""
    return life.of(part_of(life.recording, 0, OLDER_STOPS), life.request.requested_utc - WEEK)


def _before_recomputing(_: Life, records: Records) -> Records:
    """Resting heart rates as they stood before the vendor worked them out again."""
    return [
        record | {"value": record["value"] | {"value": record["value"]["value"] + 1.5}}
        if record["value"]["date"]
        else record
        for record in records
    ]


def _two_exports(life: Life, members: Members, fitbit: Path) -> None:
    first = older(life)
    edit = changing_records(r"/resting_heart_rate-", _before_recomputing)
    one_archive(first, edit(first, first.members()), fitbit)
    one_archive(life, members, fitbit)


def _merges_older(life: Life) -> tuple[Answer, ...]:
    return *all_equal(life), Rows(older(life).archive, "merged", 5_000)


def _clicked_twice(life: Life, members: Members, fitbit: Path) -> None:
    one_archive(life, members, fitbit)
    path = life.home(fitbit) / life.archive
    shutil.copyfile(path, path.with_name(life.archive.replace(".zip", " (1).zip")))


def _beside_its_folder(life: Life, members: Members, fitbit: Path) -> None:
    """The archive, and what somebody unpacked of it."""
    kept: list[Member] = []

    def passing() -> Members:
        for member in members:
            if "/steps-" in member.path or "/sleep-" in member.path:
                kept.append(member)
            yield member

    write_zip(life.home(fitbit) / life.archive, passing(), life.request.requested_utc)
    for member in kept:
        path = life.home(fitbit) / "unpacked" / member.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(member.content)


REPEAT_TRAPS = (
    Trap(
        name="border_duplicates",
        what="Sleep logs at the border of two files of thirty days stand in both, in one without averages.",
        known=MEASURED,
        # Files are cut every thirty days from the day of the account, twenty days before the first with data.
        days=14,
    ),
    Trap(
        name="nights_told_twice",
        what="UserSleeps holds each night by two algorithms with other ids, times and stages: one night.",
        known=MEASURED,
        form="D",
        edit=leaving_out(SLEEP_JSON),
        answers=_one_night_each,
    ),
    Trap(
        name="nights_told_three_times",
        what="The same beside the JSON logs, which are the ones to take.",
        known=MEASURED,
        form="D",
    ),
    Trap(
        name="repeated_minutes",
        what="Minutes of steps stand twice in a file: the higher value counts, never the sum.",
        known="289,674 minutes of a public export hold two such pairs",
        edit=changing_records(r"/steps-", _repeat_minutes),
        answers=_merges_repeats,
    ),
    Trap(
        name="overlapping_exports",
        what="Two exports of different dates: days of both count once, and values worked out again are the "
        "newer export's.",
        known="last days of resting heart rate differ between exports",
        pack=_two_exports,
        answers=_merges_older,
    ),
    Trap(
        name="clicked_twice",
        what="The browser's second copy of the same archive.",
        known="participants send both",
        pack=_clicked_twice,
    ),
    Trap(
        name="archive_beside_its_folder",
        what="The archive and some of its files unpacked beside it: no profile says whose they are, "
        "but their rows are the archive's.",
        known="participants send both",
        pack=_beside_its_folder,
    ),
)

"""Rows of exports that count for the days of a value."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

import polars as pl

from ingest.clocks.false_z import Reading
from ingest.fitbit.member_rows import LocalDay, read_rows, rows_of_day
from ingest.source_file import SourceFile
from pha.tracing.cells import Cells
from pha.tracing.step import Day, Origin, Records

_SHOWN_ROWS = 3
Member = dict[str, pl.DataFrame]


def day_records(
    cells: Cells, column: str, days: Sequence[Day], sent: Callable[[str], SourceFile | None]
) -> list[Day]:
    """The days, each origin with the rows of its member. Members are read once, whatever the days."""
    read: dict[tuple[str, str], Member] = {}
    found: list[Day] = []
    for day in days:
        origins = tuple(_with_records(cells, origin, day, read, sent) for origin in day.origins)
        found.append(replace(day, origins=origins))
    return found


def _with_records(
    cells: Cells,
    origin: Origin,
    day: Day,
    read: dict[tuple[str, str], Member],
    sent: Callable[[str], SourceFile | None],
) -> Origin:
    file = sent(origin.file_id)
    if file is None or origin.member is None:
        return origin
    place = (origin.file_id, origin.member)
    if place not in read:
        read[place] = read_rows(file, origin.member)
    lived = local_day(cells, day, _disputed_clock(cells, origin.file_id))
    records = (_records(kind, rows_of_day(kind, frame, lived)) for kind, frame in read[place].items())
    return replace(origin, records=tuple(record for record in records if record.count))


def _records(kind: str, rows: pl.DataFrame) -> Records:
    count = int(rows["rows"].sum()) if "rows" in rows.columns else rows.height
    numbers = rows["row"].to_list() if "row" in rows.columns else []
    values = rows.drop("row", "owner", strict=False).head(_SHOWN_ROWS).to_dicts()
    return Records(kind, count, tuple(numbers), tuple(values))


def local_day(cells: Cells, day: Day, disputed: Reading) -> LocalDay:
    """A day's bounds and nights from the tables of the release."""
    sleeps = cells.table("sleep_sessions").filter(pl.col("date") == day.date)
    mains = sleeps.filter("is_main").to_dicts()
    spans = {
        clock: (_digits(mains[0][start]), _digits(mains[0][end]))
        for clock, start, end in (
            ("utc", "start_utc", "end_utc"),
            ("local", "start_time", "end_time"),
        )
        if mains and mains[0][start] is not None
    }
    return LocalDay(day.date, _bounds(cells, day), sleeps["sleep_id"].to_list(), spans, disputed)


def _bounds(cells: Cells, day: Day) -> tuple[datetime, datetime] | None:
    """The day in UTC. One on which clocks moved begins by yesterday's offset and ends by tomorrow's."""
    near = cells.table("daily_summary").filter(
        pl.col("date").is_between(day.date - timedelta(days=1), day.date + timedelta(days=1))
    )
    known: Mapping[Any, dict[str, Any]] = {row["date"]: row for row in near.to_dicts()}
    own = known.get(day.date, {})
    offsets = [
        known.get(day.date + timedelta(days=step), own).get("utc_offset_minutes")
        if own.get("tz_change")
        else own.get("utc_offset_minutes")
        for step in (-1, 1)
    ]
    if None in offsets:
        return None
    midnight = datetime.combine(day.date, time())
    begins, ends = (midnight + timedelta(days=d, minutes=-int(o or 0)) for d, o in enumerate(offsets))
    return begins, ends


def _disputed_clock(cells: Cells, file_id: str) -> Reading:
    """The clock of files whose Z is in doubt, as most of their members were judged."""
    rows = cells.rows("source_files", {"file_id": file_id})
    clocks = json.loads(rows[0]["clocks_json"] or "{}") if rows else {}
    told = [
        (count, name)
        for verdict in clocks.get("verdicts", {}).values()
        for name, count in verdict["members"].items()
    ]
    return "local" if told and max(told)[1].startswith("local") else "utc"


def _digits(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None)

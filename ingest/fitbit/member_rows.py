"""The rows of one member that count for a day: the last part of the way from a value to its file."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

import polars as pl

from ingest.archive import form_of, members
from ingest.fitbit.kind import Clock, Kind
from ingest.fitbit.kinds import KIND_BY_NAME, kinds_of
from ingest.fitbit.member_reading import read_member
from ingest.fitbit.placing import NIGHT_KINDS
from ingest.fitbit.reading import numbered_rows
from ingest.source_file import SourceFile

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class LocalDay:
    """A local day as it was lived, by what a release tells of it.

    utc: its first instant and the one after its last. sleep_ids: logs that count for it. nights: spans of
    its main sleep, by clock (utc, local). disputed: the clock of files whose Z is not to be trusted.
    """

    date: date
    utc: Span | None
    sleep_ids: Collection[str] = ()
    nights: Mapping[str, Span] = field(default_factory=dict[str, Span])
    disputed: Clock = "utc"


def read_rows(file: SourceFile, member_path: str) -> dict[str, pl.DataFrame]:
    """Accepted rows of a member by kind, numbered (``row``) where one row is read as one.

    Empty where the file has no such member. Raises PhaError where the file or member cannot be read.
    """
    form = form_of(file.path, file.relative)
    for member in members(file.path, form, file.relative):
        if member.path == member_path:
            with numbered_rows():
                readings, _ = read_member(kinds_of(member.name), member.read(), member.name)
            return {kind: reading.frame for kind, reading in readings.items()}
    return {}


def rows_of_day(kind: str, frame: pl.DataFrame, day: LocalDay) -> pl.DataFrame:
    """The rows of a member that count for a day, by the clock of their kind."""
    return frame.filter(_counts_for(KIND_BY_NAME[kind], frame.columns, day))


def _counts_for(kind: Kind, columns: Collection[str], day: LocalDay) -> pl.Expr:
    if "sleep_id" in columns and day.sleep_ids:
        return pl.col("sleep_id").is_in(list(day.sleep_ids))
    clock = next((name for name in ("utc", "local") if name in columns), "")
    if kind.name in NIGHT_KINDS and clock in day.nights:
        return pl.col(clock).is_between(*day.nights[clock])
    if kind.clock == "stated":
        end = "utc_end" if "utc_end" in columns else "utc"
        return (pl.col(end) + pl.duration(minutes=pl.col("offset"))).dt.date() == day.date
    if "stamp" in columns:
        return _within("stamp", day) if day.disputed == "utc" else pl.col("stamp").dt.date() == day.date
    if "date" in columns:
        return pl.col("date") == day.date
    if clock == "local":
        return pl.col("local_end" if "local_end" in columns else "local").dt.date() == day.date
    return _within("utc", day) if clock == "utc" else pl.lit(False)


def _within(column: str, day: LocalDay) -> pl.Expr:
    return pl.col(column).is_between(*day.utc, closed="left") if day.utc else pl.lit(False)

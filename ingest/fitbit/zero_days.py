"""Days on which no row means zero: sparse kinds write a minute only when something was earned in it."""

import calendar
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import polars as pl

from ingest.fitbit.choosing import Choices
from ingest.fitbit.devices import known_devices, with_device
from ingest.fitbit.exports import Export
from ingest.fitbit.kept_rows import rows_of
from ingest.fitbit.kinds import DAY_KINDS, HEART_RATE_KINDS, KIND_BY_NAME, STEPS_KINDS
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.measures import Measure
from ingest.fitbit.recorders import phone_days

ALTITUDE_CHUNK_DAYS = 30
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def zero_days(
    choices: Choices, exports: Sequence[Export], ledger: Ledger, kept: Mapping[str, pl.DataFrame]
) -> dict[str, pl.DataFrame]:
    """By sparse measure: ``date`` and ``member`` of days that a file covers without a row: zero is meant.

    The day must be worn (a step, or a heart rate with contact), and its device one that has written rows of
    this measure: another may lack the sensor. On any other day nothing is known and the value stays null.
    """
    worn, trackers = _worn_days(kept), known_devices(kept)
    return {
        measure.name: _spoken_for(measure, exports, ledger, kept)
        .join(worn, on="date", how="semi")
        .pipe(_without_row, _days_with_row(measure, kept, choices), trackers)
        for measure in choices.measures
        if measure.sparse
    }


def _spoken_for(
    measure: Measure, exports: Sequence[Export], ledger: Ledger, kept: Mapping[str, pl.DataFrame]
) -> pl.DataFrame:
    """``member`` and ``date`` of the days each file of a measure speaks for."""
    kinds = [source.kind for source in measure.sources]
    covered = [_covered(exports, ledger, kind) for kind in kinds]
    return pl.concat([*covered, *(_listed(ledger, kind, kept) for kind in kinds)])


def _days_with_row(measure: Measure, kept: Mapping[str, pl.DataFrame], choices: Choices) -> pl.DataFrame:
    """Days of which a row tells the measure, or may."""
    kinds = [source.kind for source in measure.sources if kept[source.kind].height]
    unknown = choices.unknown.filter(pl.col("measure") == measure.name).select("date")
    return pl.concat([unknown, *(_told(kept[kind], kind, measure) for kind in kinds)]).unique()


def _told(rows: pl.DataFrame, kind: str, measure: Measure) -> pl.DataFrame:
    """Days of which a kind tells the measure: a row of a day may tell other measures only."""
    return (rows.drop_nulls(measure.name) if kind in DAY_KINDS else rows).select("date")


def _worn_days(kept: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    by_phone = pl.col("date").is_in(phone_days(kept, HEART_RATE_KINDS, STEPS_KINDS))
    walked = rows_of(kept, STEPS_KINDS, "date", "steps").filter((pl.col("steps") > 0) & ~by_phone)
    touched = rows_of(kept, HEART_RATE_KINDS, "date", "samples").filter(pl.col("samples") > 0)
    return pl.concat([walked[["date"]], touched[["date"]]]).unique()


def _without_row(days: pl.DataFrame, told: pl.DataFrame, trackers: pl.DataFrame) -> pl.DataFrame:
    """Days of a device that has told the measure on another day; of several files the last one speaks."""
    earned = told.lazy().pipe(with_device, trackers).select("device").unique()
    return (
        days.lazy()
        .join(told.lazy(), on="date", how="anti")
        .pipe(with_device, trackers)
        .join(earned, on="device", how="semi", nulls_equal=True)
        .drop("device")
        .sort("date", "member")
        .unique("date", keep="last", maintain_order=True)
        .collect(engine="in-memory")
    )


def _covered(exports: Sequence[Export], ledger: Ledger, kind: str) -> pl.DataFrame:
    """``member`` and ``date`` of the days each file of a kind speaks for."""
    spans = [
        (number, day)
        for number, (_, member) in enumerate(ledger.members)
        if member.kind.name == kind and member.reading.damaged_from is None
        for day in covered_days(kind, member.name, open_end=exports[ledger.newer[number]].is_whole)
    ]
    return pl.DataFrame(spans, schema={"member": pl.Int32, "date": pl.Date}, orient="row")


def _listed(ledger: Ledger, kind: str, kept: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Days that a service's list speaks for: it was asked for the days its minutes of heart rate are of."""
    if KIND_BY_NAME[kind].clock != "stated":
        return pl.DataFrame(schema={"member": pl.Int32, "date": pl.Date})
    asked = kept["health_heart_rate"].group_by("newer").agg(pl.col("date").unique()).explode("date")
    lists = [
        (number, ledger.newer[number])
        for number, (_, member) in enumerate(ledger.members)
        if member.kind.name == kind and member.reading.damaged_from is None
    ]
    members = pl.DataFrame(lists, schema={"member": pl.Int32, "newer": pl.Int32}, orient="row")
    return members.join(asked, on="newer").select("member", "date")


def covered_days(kind: str, name: str, *, open_end: bool) -> list[date]:
    """Days a sparse file speaks for, from the day in its name on; none where the name has no day.

    An altitude file of the JSON export spans 30 days. The others end with their month; in a whole export
    (``open_end``) they speak for a year, as a month in which nothing was earned has no file.
    """
    found = _DAY.search(name)
    if found is None:
        return []
    try:
        first = date(*map(int, found.groups()))
    except ValueError:
        return []
    if kind == "altitude":
        length = ALTITUDE_CHUNK_DAYS
    elif open_end:
        length = 366
    else:
        length = calendar.monthrange(first.year, first.month)[1] - first.day + 1
    return [first + timedelta(days=n) for n in range(length)]

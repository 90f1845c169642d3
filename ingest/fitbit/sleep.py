"""Sleep logs: local times without offset, one log a night or nap, and its stages."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import numpy as np
import polars as pl

from ingest.archive import Content
from ingest.fitbit.json_rows import Whole, decode
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift
from schemas.sleep_sessions import SleepSessions

STAGES = ("deep", "light", "rem", "wake", "asleep", "restless", "awake")
_ISO_MS = "%Y-%m-%dT%H:%M:%S%.f"


class StageSummary(msgspec.Struct):
    """Minutes of a stage; short wakes are in it already."""

    minutes: Whole = 0
    thirtyDayAvgMinutes: Whole = 0  # noqa: N815


class Epoch(msgspec.Struct):
    """A stretch of one stage."""

    dateTime: str  # noqa: N815
    level: str
    seconds: Whole


class Levels(msgspec.Struct):
    """Stages of a log. ``shortData`` holds wakes of up to three minutes and may be missing."""

    summary: dict[str, StageSummary] = {}
    data: list[Epoch] = []
    shortData: list[Epoch] = []  # noqa: N815


class SleepLog(msgspec.Struct):
    """A record of sleep-*.json; equal keys since 2015, ``logType`` since about 2021."""

    logId: Whole  # noqa: N815
    dateOfSleep: str  # noqa: N815
    startTime: str  # noqa: N815
    endTime: str  # noqa: N815
    minutesAsleep: Whole  # noqa: N815
    timeInBed: Whole  # noqa: N815
    type: str
    duration: Whole | None = None
    minutesAwake: Whole | None = None  # noqa: N815
    minutesToFallAsleep: Whole | None = None  # noqa: N815
    efficiency: Whole | None = None
    mainSleep: bool = False  # noqa: N815
    logType: str | None = None  # noqa: N815
    levels: Levels = msgspec.field(default_factory=Levels)


def read_sleep(content: Content, _name: str) -> Reading:
    """A row a log: ids, ``date`` (wake date as stated), ``local`` start, ``local_end``, minutes, ``epochs``.

    Stage minutes are null for classic logs, which know none.
    """
    records = decode(content, SleepLog)
    frame = pl.DataFrame([row_of_log(log) for log in records.good], schema=LOG_SCHEMA).with_columns(
        pl.col("date").str.to_date("%Y-%m-%d", strict=False),
        *(pl.col(c).str.to_datetime(_ISO_MS, strict=False, time_unit="us") for c in ("local", "local_end")),
    )
    return sift(records.rows_of(frame), REJECT_LOG)


def epochs_of(log: SleepLog) -> list[dict[str, object]]:
    """Stages of a log in order, the short wakes laid over them; equal neighbours are joined.

    A dict an epoch: ``after`` (seconds from the log's start), ``seconds``, ``stage``.
    """
    start = _moment(log.startTime)
    if start is None:
        return []
    placed = [*_place(log.levels.data, start), *_place(log.levels.shortData, start)]
    if not placed:
        return []
    line = np.full(max(end for _, end, _ in placed), -1, dtype=np.int8)
    for begin, end, stage in placed:
        line[begin:end] = stage
    edges = np.flatnonzero(np.diff(line)) + 1
    begins, ends = np.concatenate([[0], edges]), np.concatenate([edges, [line.size]])
    return [
        {"after": int(begin), "seconds": int(end - begin), "stage": STAGES[line[begin]]}
        for begin, end in zip(begins, ends, strict=True)
        if line[begin] >= 0
    ]


def _place(epochs: Sequence[Epoch], start: datetime) -> list[tuple[int, int, int]]:
    placed: list[tuple[int, int, int]] = []
    for epoch in epochs:
        moment = _moment(epoch.dateTime)
        if moment is None or epoch.level not in STAGES or not 0 < epoch.seconds <= _LONGEST_SECONDS:
            continue
        after = round((moment - start).total_seconds())
        if 0 <= after <= _LONGEST_SECONDS:
            placed.append((after, after + epoch.seconds, STAGES.index(epoch.level)))
    return placed


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=None)


def row_of_log(log: SleepLog) -> dict[str, object]:
    """A row in the form of LOG_SCHEMA; times and date as written."""
    staged = log.type == "stages"
    summary = log.levels.summary
    stage = {name: summary[name].minutes if staged and name in summary else None for name in STAGES[:3]}
    return {
        "sleep_id": str(log.logId),
        "date": log.dateOfSleep,
        "local": log.startTime,
        "local_end": log.endTime,
        "kind": log.type,
        "flagged_main": log.mainSleep,
        "duration_ms": log.duration,
        "minutes_asleep": log.minutesAsleep,
        "minutes_awake": log.minutesAwake,
        "minutes_to_fall_asleep": log.minutesToFallAsleep,
        "time_in_bed_minutes": log.timeInBed,
        "deep_minutes": stage["deep"],
        "rem_minutes": stage["rem"],
        "light_minutes": stage["light"],
        "efficiency": log.efficiency,
        "log_type": log.logType,
        "has_average": any(part.thirtyDayAvgMinutes > 0 for part in summary.values()),
        "epochs": epochs_of(log),
    }


_LONGEST_SECONDS = 2 * 24 * 3600
EPOCH = pl.Struct({"after": pl.Int64, "seconds": pl.Int64, "stage": pl.String})
_WHOLE = (
    "duration_ms",
    "minutes_asleep",
    "minutes_awake",
    "minutes_to_fall_asleep",
    "time_in_bed_minutes",
    "deep_minutes",
    "rem_minutes",
    "light_minutes",
    "efficiency",
)
LOG_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(("sleep_id", "date", "local", "local_end", "kind", "log_type"), pl.String),
    **dict.fromkeys(("flagged_main", "has_average"), pl.Boolean),
    **dict.fromkeys(_WHOLE, pl.Int64),
    "epochs": pl.List(EPOCH),
}
REJECT_LOG = (
    missing("date"),
    missing("local"),
    missing("local_end"),
    Rule("ends_before_it_starts", pl.col("local_end") <= pl.col("local"), "end_time"),
    Rule("longer_than_two_days", pl.col("local_end") - pl.col("local") > pl.duration(days=2), "end_time"),
    Rule("kind_unknown", ~pl.col("kind").is_in(["stages", "classic"]), "kind"),
    *(outside_limits(SleepSessions, column) for column in _WHOLE[1:]),
)

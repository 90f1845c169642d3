"""Sleep logs of ``Global Export Data``: wall times, each log in the offset of its start."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from synthetic.exports.logs import Run, efficiency, level_names, level_runs, month_averages
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.json_text import CHUNK_DAYS, chunk_starts, json_file, pretty
from synthetic.life.sleep import WAKE, SleepLog


def sleep(export: Export) -> Files:
    """30-day files, newest log first.

    The first log of a chunk stands also in the chunk before, there with ``thirtyDayAvgMinutes`` 0: the copy
    to be dropped.
    """
    recording = export.recording
    logs = list(zip(recording.sleep_ids, recording.sleeps, strict=True))
    averages = month_averages(recording.sleeps)
    for first in chunk_starts(export.created, export.last_day, CHUNK_DAYS):
        after = first + timedelta(days=CHUNK_DAYS)
        border = [(log_id, log, {}) for log_id, log in logs if log.wake_date == after and log.is_main]
        here = [
            (log_id, log, averages[log.wake_date])
            for log_id, log in reversed(logs)
            if first <= log.wake_date < after
        ]
        if border or here:
            texts = [pretty(_record(export, *entry)) for entry in border + here]
            yield json_file(f"sleep-{first}.json", texts)


def _record(export: Export, log_id: int, log: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    record = sleep_record(log_id, log, averages)
    if not export.generation.log_type:
        del record["logType"]
    return record


def sleep_record(log_id: int, log: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    """One log with the keys of the export; ``averages`` are thirty-day means by stage, 0 where absent."""
    return {
        "logId": log_id,
        "dateOfSleep": log.wake_date.isoformat(),
        "startTime": _local(log.start),
        "endTime": _local(log.end),
        "duration": log.minutes_in_bed * 60_000,
        "minutesToFallAsleep": 0,
        "minutesAsleep": log.minutes_asleep,
        "minutesAwake": log.minutes_awake,
        "minutesAfterWakeup": 0,
        "timeInBed": log.minutes_in_bed,
        "efficiency": efficiency(log),
        "type": log.kind,
        "infoCode": log.info_code,
        "logType": "auto_detected",
        "levels": _levels(log, averages),
        "mainSleep": log.is_main,
    }


def _levels(log: SleepLog, averages: Mapping[str, int]) -> dict[str, Any]:
    data = _epochs(log, level_runs(log.segments))
    levels: dict[str, Any] = {"summary": _summary(log, averages), "data": data}
    if log.kind == "stages":
        short = np.where(log.levels != log.segments, log.levels, -1).astype(np.int8)
        levels["shortData"] = _epochs(log, [run for run in level_runs(short) if run[0] == WAKE])
    return levels


def _summary(log: SleepLog, averages: Mapping[str, int]) -> dict[str, dict[str, int]]:
    minutes, runs = log.minutes_by_level(), level_runs(log.levels)
    return {
        name: {"count": sum(level == code for level, _, _ in runs), "minutes": minutes[name]}
        | ({"thirtyDayAvgMinutes": averages.get(name, 0)} if log.kind == "stages" else {})
        for code, name in enumerate(level_names(log))
    }


def _epochs(log: SleepLog, runs: list[Run]) -> list[dict[str, Any]]:
    names = level_names(log)
    return [
        {
            "dateTime": _local(log.start + timedelta(seconds=30 * first)),
            "level": names[level],
            "seconds": 30 * length,
        }
        for level, first, length in runs
    ]


def _local(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")

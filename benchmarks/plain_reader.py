"""A plain reader of whole exports to measure ours against: orjson, lists and Polars, as a good script does.

It reads the members that ours reads and no others, and writes the same six tables with the same writer, daily
values from the same sources in the same order. It has one fixed zone and none of our clocks, rules, accounts
and checks: no bad row is looked for, no overlap, nobody's identity, no account of where a value came from.
"""

import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import polars as pl

from ingest.fitbit.csv_form import CsvForm
from ingest.fitbit.json_rows import TIME_FORM
from ingest.fitbit.kind import Kind
from ingest.fitbit.kinds import ignored_by, kinds_of
from ingest.fitbit.measures import MEASURES
from ingest.fitbit.twin_files import Group, day_of_name, is_twin, needless_twins
from outputs.parquet import write_table
from schemas.tables import TABLES

ZONE = timedelta(hours=-5)
Frames = dict[str, list[pl.DataFrame]]
Record = Mapping[str, Any]
# Files of a time and a value by the minute or the day: column, and the factor to our unit.
_VALUES = {
    "steps": ("steps", 1.0),
    "distance": ("distance_m", 0.01),
    "calories": ("calories_kcal", 1.0),
    "altitude": ("floors", 0.1),
    "sedentary_minutes": ("sedentary_minutes", 1.0),
    "lightly_active_minutes": ("lightly_active_minutes", 1.0),
    "moderately_active_minutes": ("fairly_active_minutes", 1.0),
    "very_active_minutes": ("very_active_minutes", 1.0),
    "height": ("height_mm", 1.0),
}
# Other CSV files: the column of time, and columns by our names.
_TABLES = {
    "heart_rate_csv": ("timestamp", {"heart_rate": "beats per minute"}),
    "active_zone_minutes": ("date_time", {"zone": "heart_zone_id", "minutes": "total_minutes"}),
    "active_zone_minutes_csv": ("timestamp", {"zone": "heart rate zone", "minutes": "total minutes"}),
    "temperature": ("sleep_end", {"skin_temperature_variation": "baseline_relative_sample_sum"}),
    "temperature_csv": ("timestamp", {"skin_temperature_variation": "nightly temperature celsius"}),
    "stress": ("DATE", {"stress_management_score": "STRESS_SCORE"}),
    "sleep_score": (
        "timestamp",
        {"sleep_score": "overall_score", "resting_heart_rate": "resting_heart_rate"},
    ),
    "user_sleep_scores": ("score_time", {"sleep_score": "overall_score"}),
    "user_sleeps": ("sleep_end", {"sleep_minutes": "minutes_asleep", "awake_minutes": "minutes_awake"}),
    "user_sleep_stages": ("sleep_stage_start", {"stage": "sleep_stage_type"}),
    "user_exercises": ("exercise_start", {"steps": "tracker_total_steps"}),
    "trackers": ("date_added", {"device": "device_type"}),
}
# What serves our clocks alone.
_NOT_USED = ("zone_settings",)
_KEYS = {
    "heart_rate_minutes": ["minute_utc"],
    "steps_minutes": ["minute_utc"],
    "activities": ["activity_id"],
    "sleep_sessions": ["sleep_id"],
    "sleep_stages": ["sleep_id", "start_utc"],
}
_GROUP: Group = ("archive", "")
_TEXTS = ("zone", "stage", "device")
_SUMMED = ("steps", "distance", "calories", "floors", "altitude", "active_minutes", "active_zone_minutes")
_ZONES = {"FAT_BURN": "fatburn", "CARDIO": "cardio", "PEAK": "peak"}


def read_plainly(archive: Path, out: Path) -> None:
    """Write daily_summary, activities, sleep_sessions, sleep_stages and the minute tables of a zip."""
    found: Frames = defaultdict(list)
    with zipfile.ZipFile(archive) as packed:
        for path, kind in _members(packed.namelist()):
            _take(kind, packed.read(path), found)
    frames = {name: pl.concat(parts, how="diagonal_relaxed") for name, parts in found.items()}
    for table in ("heart_rate_minutes", "steps_minutes", "activities", "sleep_sessions", "sleep_stages"):
        _write(frames.pop(table).unique(_KEYS[table], keep="last"), table, out)
    _write(_daily(frames), "daily_summary", out)


def _members(paths: Sequence[str]) -> Iterator[tuple[str, Kind]]:
    """The members that ours reads, with their kind."""
    names = {path: path.rsplit("/", 1)[-1] for path in paths}
    days = {day_of_name(name) for name in names.values() if name.startswith("heart_rate-")}
    told = {_GROUP: [day for day in days if day is not None]}
    twins = [(_GROUP, name) for name in names.values() if is_twin(name)]
    needless = needless_twins(told, twins)
    for path, name in names.items():
        kinds = kinds_of(name)
        is_read = ignored_by(path, name) is None and (_GROUP, name) not in needless
        if kinds and is_read and kinds[0].name not in _NOT_USED:
            yield path, kinds[0]


def _take(kind: Kind, data: bytes, found: Frames) -> None:
    if kind.file.shown.endswith(".csv"):
        found[kind.name].append(_csv(kind, data))
        return
    records = orjson.loads(data)
    if kind.name == "heart_rate":
        minutes = _heart_minutes(records)
        found["heart_rate_minutes"].append(minutes)
        found[kind.name].append(minutes.select("date", wear_minutes=pl.lit(1)))
    elif kind.name == "sleep":
        found["sleep_sessions"].append(_sessions(records))
        found["sleep_stages"].append(_stages(records))
        found[kind.name].append(_nights(records))
    elif kind.name == "exercise":
        found["activities"].append(_activities(records))
    elif kind.name in _VALUES:
        frame = _timed(records, *_VALUES[kind.name], is_utc=kind.clock == "utc")
        found[kind.name].append(frame)
        if kind.name == "steps":
            steps = frame.group_by("utc").agg(pl.col("steps").max().cast(pl.Int64))
            found["steps_minutes"].append(steps.select("steps", minute_utc=_as_utc("utc")))
    else:
        found[kind.name].append(_days_of_records(kind.name, records))


def _heart_minutes(records: Sequence[Record]) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "time": [each["dateTime"] for each in records],
            "heart_rate": [float(each["value"]["bpm"]) for each in records],
            "confidence": [each["value"]["confidence"] for each in records],
        }
    )
    return (
        frame.with_columns(utc=_parsed("time").dt.truncate("1m"), contact=pl.col("confidence") >= 1)
        .group_by("utc")
        .agg(
            pl.col("heart_rate").filter("contact").mean(),
            samples=pl.col("contact").sum(),
            samples_no_contact=(~pl.col("contact")).sum(),
        )
        .filter(pl.col("samples") > 0)
        .with_columns(date=_local_day("utc"), minute_utc=_as_utc("utc"))
    )


def _timed(records: Sequence[Record], column: str, times: float, *, is_utc: bool) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "time": [each["dateTime"] for each in records],
            column: [float(each["value"]) * times for each in records],
        }
    ).with_columns(utc=_parsed("time"))
    return frame.select("utc", column, date=_local_day("utc") if is_utc else pl.col("utc").dt.date())


def _days_of_records(kind: str, records: Sequence[Record]) -> pl.DataFrame:
    if kind == "weight":
        times = [f"{each['date']} {each['time']}" for each in records]
        values = [each["weight"] * 0.45359237 for each in records]
    else:
        times = [each["dateTime"] for each in records]
        field = "value" if kind == "resting_heart_rate" else "filteredDemographicVO2Max"
        values = [each["value"].get(field) or None for each in records]
    column = {"weight": "weight_kg"}.get(kind, kind)
    frame = pl.DataFrame({"time": times, column: values}, schema={"time": pl.String, column: pl.Float64})
    return frame.drop_nulls(column).select(column, date=_parsed("time").dt.date())


def _sessions(logs: Sequence[Record]) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "sleep_id": [str(log["logId"]) for log in logs],
            "date": [log["dateOfSleep"] for log in logs],
            "start_time": [log["startTime"] for log in logs],
            "end_time": [log["endTime"] for log in logs],
            "minutes_asleep": [log["minutesAsleep"] for log in logs],
            "minutes_awake": [log["minutesAwake"] for log in logs],
            "time_in_bed_minutes": [log["timeInBed"] for log in logs],
            "efficiency": [log["efficiency"] for log in logs],
            "is_main": [log["mainSleep"] for log in logs],
        }
    ).with_columns(pl.col("date").str.to_date(), _iso("start_time"), _iso("end_time"))
    instants = {f"{end}_utc": _as_utc(pl.col(f"{end}_time") - ZONE) for end in ("start", "end")}
    return frame.with_columns(file_id=pl.lit("F"), **instants)


def _stages(logs: Sequence[Record]) -> pl.DataFrame:
    epochs = [
        (str(log["logId"]), epoch["dateTime"], epoch["seconds"], epoch["level"])
        for log in logs
        for epoch in (*log["levels"]["data"], *log["levels"].get("shortData", ()))
    ]
    frame = pl.DataFrame(epochs, schema=["sleep_id", "start", "seconds", "stage"], orient="row")
    return frame.with_columns(_iso("start")).with_columns(start_utc=_as_utc(pl.col("start") - ZONE))


def _nights(logs: Sequence[Record]) -> pl.DataFrame:
    named = {"deep": "deep_sleep_minutes", "rem": "rem_sleep_minutes", "light": "light_sleep_minutes"}
    rows = [
        {
            "date": log["dateOfSleep"],
            "sleep_minutes": log["minutesAsleep"],
            "awake_minutes": log["minutesAwake"],
            "time_in_bed_minutes": log["timeInBed"],
            "nap_minutes": 0 if log["mainSleep"] else log["minutesAsleep"],
            **{c: log["levels"]["summary"].get(stage, {}).get("minutes") for stage, c in named.items()},
        }
        for log in logs
    ]
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col("date").str.to_date())


def _activities(records: Sequence[Record]) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "activity_id": [str(each["logId"]) for each in records],
            "activity_type_id": [each["activityTypeId"] for each in records],
            "time": [each["startTime"] for each in records],
            "duration_minutes": [each["duration"] / 60_000 for each in records],
            "steps": [each.get("steps") for each in records],
            "calories_kcal": [each.get("calories") for each in records],
            "average_heart_rate": [each.get("averageHeartRate") for each in records],
            "log_type": [each.get("logType") for each in records],
        }
    )
    moment = _parsed("time")
    return frame.with_columns(file_id=pl.lit("F"), start_time=moment + ZONE, start_utc=_as_utc(moment))


def _csv(kind: Kind, data: bytes) -> pl.DataFrame:
    """``date`` and the kind's columns, the time read by the form of the first row."""
    table = pl.read_csv(data, infer_schema=False, truncate_ragged_lines=True)
    time, columns = _columns_of(kind)
    time = next(name for name in time if name in table.columns)
    shown = [
        (pl.col(header) if name in _TEXTS else pl.col(header).cast(pl.Float64, strict=False)).alias(name)
        for name, headers in columns.items()
        for header in [next(header for header in headers if header in table.columns)]
    ]
    first = table[time][0] if table.height else ""
    form = "%Y-%m-%dT%H:%M:%S"[: {16: 14, 10: 8}.get(len(first), 17)]
    text = pl.col(time).str.slice(0, 19).str.replace(" ", "T", literal=True)
    moment = text.str.to_datetime(form, strict=False, time_unit="us")
    is_utc = kind.clock in ("utc", "disputed")
    return table.select(*shown, date=(moment + ZONE).dt.date() if is_utc else moment.dt.date())


def _columns_of(kind: Kind) -> tuple[Sequence[str], dict[str, Sequence[str]]]:
    if isinstance(kind.read, CsvForm):
        return _names(kind.read.time), {value.name: _names(value.header) for value in kind.read.values}
    time, columns = _TABLES[kind.name]
    return [time], {name: [header] for name, header in columns.items()}


def _names(header: str | tuple[str, ...]) -> Sequence[str]:
    return (header,) if isinstance(header, str) else header


def _daily(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Each column from the first source that has the day."""
    days = {name: _by_day(name, frame) for name, frame in frames.items() if "date" in frame.columns}
    daily = pl.concat([frame.select("date") for frame in days.values()]).unique().drop_nulls()
    for column in (column for measure in MEASURES for column in measure.columns):
        kinds = [source.kind for m in MEASURES if column in m.columns for source in m.sources]
        told = [days[kind] for kind in kinds if kind in days and column in days[kind].columns]
        for rank, frame in enumerate(told):
            daily = daily.join(frame.select("date", pl.col(column).alias(f"{column}_{rank}")), "date", "left")
        if told:
            every = [f"{column}_{rank}" for rank in range(len(told))]
            daily = daily.with_columns(pl.coalesce(every).alias(column)).drop(every)
    return daily


def _by_day(kind: str, frame: pl.DataFrame) -> pl.DataFrame:
    if kind.startswith("active_zone_minutes"):
        zone = pl.col("zone").replace(_ZONES)
        each = [
            pl.col("minutes").filter(zone == name).sum().alias(f"{name}_active_zone_minutes")
            for name in _ZONES.values()
        ]
        return frame.group_by("date").agg(pl.col("minutes").sum().alias("active_zone_minutes"), *each)
    is_summed = kind.removesuffix("_csv") in _SUMMED or kind in ("heart_rate", "sleep")
    numbers = pl.selectors.numeric()
    return frame.group_by("date").agg(numbers.sum() if is_summed else numbers.mean())


def _parsed(column: str) -> pl.Expr:
    return pl.col(column).str.to_datetime(TIME_FORM, time_unit="us")


def _iso(column: str) -> pl.Expr:
    return pl.col(column).str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us")


def _local_day(column: str) -> pl.Expr:
    return (pl.col(column) + ZONE).dt.date()


def _as_utc(moment: str | pl.Expr) -> pl.Expr:
    return (pl.col(moment) if isinstance(moment, str) else moment).dt.replace_time_zone("UTC")


def _write(frame: pl.DataFrame, table: str, out: Path) -> None:
    named = frame.with_columns(participant_id=pl.lit("P"), utc_offset_minutes=pl.lit(-300))
    write_table(named, TABLES[table], out / f"{table}.parquet")

"""What a right reader gets from an export: rows in the form of the published tables.

Columns a made export says nothing about stay null, and so do those that name our own methods. The end of a
sleep is as the vendor writes and shows it: on the clock of its start, also when the clocks change that night.
"""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import polars as pl

from schemas.activities import Activities
from schemas.daily_summary import DailySummary
from schemas.sleep_sessions import SleepSessions
from schemas.table import conform, polars_schema
from synthetic.exports.account import usual_stride_m, wearable_on
from synthetic.exports.logs import efficiency, elevation_gain_m
from synthetic.life.activity import CARDIO, FAT_BURN, PEAK, ZONE_MULTIPLIER, per_day
from synthetic.life.recording import METRES_A_MILE, WORN_DAY_MINUTES, Recording
from synthetic.life.sleep import SleepLog
from synthetic.local_days import DAY_MINUTES, Ints


def daily_summary(recording: Recording) -> pl.DataFrame:
    """One row for every local day with data of any kind, worn or not."""
    days, person = recording.days, recording.person
    known = pl.col("wear_minutes") > 0
    frame = pl.DataFrame(
        {
            "date": days.dates,
            "utc_offset_minutes": [days.offset_at_noon(day) for day in range(len(days.dates))],
            "tz_change": np.bincount(days.day, minlength=len(days.dates)) != DAY_MINUTES,
            "wear_minutes": recording.wear,
            "steps": per_day(days, recording.minutes.steps),
            "distance_m": per_day(days, recording.measures.distance_cm) / 100,
            "calories_kcal": recording.measures.energy_tenths.sum(axis=1) / 10,
            "floors": per_day(days, recording.measures.floors),
            **_intensity(recording),
            **_zone_minutes(recording),
            "is_partial": [day == days.dates[-1] for day in days.dates],
        }
    )
    wearable = ("steps", "distance_m", "floors", *_intensity(recording), *_zone_minutes(recording))
    return (
        frame.with_columns(pl.when(known).then(pl.col(name)).alias(name) for name in wearable)
        .join(_by_phone(recording), on="date", how="left")
        .with_columns(pl.coalesce(name, f"{name}_by_phone").alias(name) for name in ("steps", "distance_m"))
        .join(_nightly(recording), on="date")
        .join(_sleep_by_date(recording), on="date", how="left")
        .with_columns(
            day_state=pl.when(pl.col("wear_minutes") >= WORN_DAY_MINUTES)
            .then(pl.lit("worn"))
            .when(known)
            .then(pl.lit("partly_worn"))
            .otherwise(pl.lit("not_worn")),
            participant_id=pl.lit(person.participant_id),
            device=pl.Series([wearable_on(recording, day).name for day in days.dates]),
            wear_from_steps=pl.lit(False),
            break_before=pl.col("date").is_in([watch.first_day for watch in person.watches[1:]]),
        )
        .with_columns(valid_day=pl.col("day_state") == "worn")
        .lazy()
        .pipe(conform, DailySummary)
        .collect()
    )


def _by_phone(recording: Recording) -> pl.DataFrame:
    """What the phone counted of days: told of those without a wearable, which are not worn all the same.

    Its distance is told in hundredths of a metre a minute.
    """
    days = recording.days
    centimetres = np.rint(recording.phone_steps * usual_stride_m(recording.person) * 100).astype(np.int64)
    return pl.DataFrame(
        {
            "date": days.dates,
            "steps_by_phone": per_day(days, recording.phone_steps),
            "distance_m_by_phone": per_day(days, centimetres) / 100,
        }
    ).filter(pl.col("steps_by_phone") > 0)


def _intensity(recording: Recording) -> dict[str, Ints]:
    return {
        "sedentary_minutes": recording.intensity["sedentary"],
        "lightly_active_minutes": recording.intensity["lightly"],
        "fairly_active_minutes": recording.intensity["moderately"],
        "very_active_minutes": recording.intensity["very"],
    }


def _zone_minutes(recording: Recording) -> dict[str, Ints]:
    earned = {
        name: per_day(recording.days, recording.measures.zone == zone) * ZONE_MULTIPLIER[zone]
        for name, zone in (
            ("fatburn_active_zone_minutes", FAT_BURN),
            ("cardio_active_zone_minutes", CARDIO),
            ("peak_active_zone_minutes", PEAK),
        )
    }
    return {"active_zone_minutes": np.sum(list(earned.values()), axis=0), **earned}


def _nightly(recording: Recording) -> pl.DataFrame:
    return recording.nightly.select(
        "date",
        "resting_heart_rate",
        "heart_rate_variability",
        "respiratory_rate",
        "spo2_avg",
        "spo2_min",
        "spo2_max",
        "stress_management_score",
        "vo2max",
        "sleep_score",
        "skin_temperature_variation",
        "readiness_score",
        weight_kg=pl.col("weight_lb") * 0.45359237,
    )


def _sleep_by_date(recording: Recording) -> pl.DataFrame:
    """Sums over all logs of a wake date, stages where a log has them; times of the main sleep."""
    rows = [_sleep_day(day, sleeps) for day, sleeps in _by_date(recording.sleeps).items()]
    columns = (
        "date", "sleep_minutes", "nap_minutes", "time_in_bed_minutes", "deep_sleep_minutes",
        "rem_sleep_minutes", "light_sleep_minutes", "awake_minutes", "bed_time", "wake_up_time",
        "bed_minute", "wake_up_minute",
    )  # fmt: skip
    published = polars_schema(DailySummary)
    return pl.DataFrame(rows, schema={name: published[name] for name in columns})


def _by_date(sleeps: tuple[SleepLog, ...]) -> dict[date, list[SleepLog]]:
    found: dict[date, list[SleepLog]] = {}
    for sleep in sleeps:
        found.setdefault(sleep.wake_date, []).append(sleep)
    return found


def _sleep_day(day: date, sleeps: list[SleepLog]) -> dict[str, date | int | None]:
    main = next(sleep for sleep in sleeps if sleep.is_main)
    midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - wall clock
    staged = [sleep.minutes_by_level() for sleep in sleeps if sleep.kind == "stages"]
    stages = {
        f"{name}_sleep_minutes": sum(minutes[name] for minutes in staged) if staged else None
        for name in ("deep", "rem", "light")
    }
    return {
        "date": day,
        "sleep_minutes": sum(sleep.minutes_asleep for sleep in sleeps),
        "nap_minutes": sum(sleep.minutes_asleep for sleep in sleeps if not sleep.is_main),
        "time_in_bed_minutes": sum(sleep.minutes_in_bed for sleep in sleeps),
        **stages,
        "awake_minutes": sum(sleep.minutes_awake for sleep in sleeps),
        "bed_time": main.start,
        "wake_up_time": main.end,
        "bed_minute": (main.start - midnight) // timedelta(minutes=1),
        "wake_up_minute": (main.end - midnight) // timedelta(minutes=1),
    }


def sleep_sessions(recording: Recording, file_name: str) -> pl.DataFrame:
    """One row a log; ``file_id`` holds the zip's name, since a file id needs the study's secret."""
    rows = [
        _session(recording, log_id, sleep)
        for log_id, sleep in zip(recording.sleep_ids, recording.sleeps, strict=True)
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return _named(frame, recording, file_name).lazy().pipe(conform, SleepSessions).collect()


def _session(recording: Recording, log_id: int, sleep: SleepLog) -> dict[str, object]:
    offset = recording.days.offset_at(sleep.start)
    minutes = sleep.minutes_by_level()
    return {
        "sleep_id": str(log_id),
        "date": sleep.wake_date,
        "is_main": sleep.is_main,
        "kind": sleep.kind,
        "start_time": sleep.start,
        "end_time": sleep.end,
        "start_utc": _utc(sleep.start, offset),
        "end_utc": _utc(sleep.end, offset),
        "utc_offset_minutes": offset,
        "minutes_asleep": sleep.minutes_asleep,
        "minutes_awake": sleep.minutes_awake,
        "minutes_to_fall_asleep": 0,
        "time_in_bed_minutes": sleep.minutes_in_bed,
        "deep_minutes": minutes.get("deep"),
        "rem_minutes": minutes.get("rem"),
        "light_minutes": minutes.get("light"),
        "efficiency": efficiency(sleep),
        "log_type": "auto_detected",
    }


def activities(recording: Recording, file_name: str) -> pl.DataFrame:
    """One row a recorded exercise, distances in metres; ``file_id`` holds the zip's name."""
    unit = METRES_A_MILE if recording.person.miles else 1000.0
    rows: list[dict[str, object]] = []
    for log in recording.exercises:
        start, sport = log.exercise.start, log.exercise.sport
        offset = recording.days.offset_at(start)
        rows.append(
            {
                "activity_id": str(log.log_id),
                "activity_name": sport.name,
                "activity_type_id": sport.type_id,
                "start_time": start,
                "start_utc": _utc(start, offset),
                "utc_offset_minutes": offset,
                "duration_minutes": log.exercise.seconds / 60,
                "active_duration_minutes": log.exercise.seconds / 60,
                "distance_m": None if log.distance is None else log.distance * unit,
                "steps": log.steps or None,
                "calories_kcal": float(log.calories),
                "average_heart_rate": log.average_heart_rate,
                "active_zone_minutes": log.active_zone_minutes,
                "elevation_gain_m": elevation_gain_m(log),
                "log_type": sport.log_type,
            }
        )
    names = [name for name in polars_schema(Activities) if name not in ("participant_id", "file_id")]
    frame = pl.DataFrame(rows, schema={name: polars_schema(Activities)[name] for name in names})
    return _named(frame, recording, file_name).lazy().pipe(conform, Activities).collect()


def _named(frame: pl.DataFrame, recording: Recording, file_name: str) -> pl.DataFrame:
    return frame.with_columns(
        participant_id=pl.lit(recording.person.participant_id), file_id=pl.lit(file_name)
    )


def _utc(local: datetime, offset_minutes: int) -> datetime:
    return (local - timedelta(minutes=offset_minutes)).replace(tzinfo=UTC)

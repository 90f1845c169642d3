"""Fitabase files with a row a day, a weigh-in, an exercise or a synchronisation."""

from datetime import timedelta

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthetic.exports import wall_clock
from synthetic.exports.account import wearable_on
from synthetic.exports.logs import activity_level, distance_m, elevation_gain_m
from synthetic.life.activity import INTENSITIES, minute_intensity, per_day
from synthetic.life.recording import ExerciseLog, Recording
from synthetic.life.wear import SYNC_WALL_MINUTE
from synthetic.local_days import Ints
from synthetic.people.body import Floats

Singles = NDArray[np.float32]

POUNDS_A_KG = 1 / 0.45359237
WEIGHED_AT = timedelta(hours=7, minutes=12, seconds=30)
COLUMNS_2016 = (
    "day", "ActivityDate", "TotalSteps", "TotalDistance", "TrackerDistance", "LoggedActivitiesDistance",
    "VeryActiveDistance", "ModeratelyActiveDistance", "LightActiveDistance", "SedentaryActiveDistance",
    "VeryActiveMinutes", "FairlyActiveMinutes", "LightlyActiveMinutes", "SedentaryMinutes", "Calories",
)  # fmt: skip
NEWER_COLUMNS = ("Floors", "CaloriesBMR", "MarginalCalories", "RestingHeartRate")
INTENSITY_COLUMNS = (
    "SedentaryMinutes", "LightlyActiveMinutes", "FairlyActiveMinutes", "VeryActiveMinutes",
    "SedentaryActiveDistance", "LightActiveDistance", "ModeratelyActiveDistance", "VeryActiveDistance",
)  # fmt: skip


def activity(recording: Recording) -> pl.DataFrame:
    """Day totals: kilometres to 0.01, minutes, whole kcal.

    A day without the device has 0 steps and 1440 sedentary minutes.
    """
    energy = recording.measures.energy_tenths.sum(axis=1) / 10
    basal = _basal_energy(recording)
    kilometres = _kilometres(per_day(recording.days, recording.measures.distance_cm))
    return pl.DataFrame(
        {
            "day": np.arange(len(recording.days.dates)),
            "ActivityDate": recording.days.dates,
            "TotalSteps": per_day(recording.days, recording.minutes.steps),
            "TotalDistance": kilometres,
            "TrackerDistance": kilometres,
            "LoggedActivitiesDistance": np.zeros(len(energy), dtype=np.float32),
            **_by_intensity(recording),
            "Calories": np.rint(energy).astype(np.int64),
            "Floors": per_day(recording.days, recording.measures.floors),
            "CaloriesBMR": np.rint(basal).astype(np.int64),
            "MarginalCalories": np.rint(np.maximum(energy - basal, 0)).astype(np.int64),
            "RestingHeartRate": recording.nightly["resting_heart_rate"].round(0).cast(pl.Int64),
        }
    ).select(*COLUMNS_2016, *NEWER_COLUMNS)


def activity_2016(recording: Recording) -> pl.DataFrame:
    """Day totals with the columns of the public data of 2016."""
    return activity(recording).select(COLUMNS_2016)


def steps(recording: Recording) -> pl.DataFrame:
    """Steps a day."""
    return activity(recording).select("day", ActivityDay="ActivityDate", StepTotal="TotalSteps")


def calories(recording: Recording) -> pl.DataFrame:
    """Whole kcal a day."""
    return (
        activity(recording)
        .select("day", "Calories", ActivityDay="ActivityDate")
        .select("day", "ActivityDay", "Calories")
    )


def intensities(recording: Recording) -> pl.DataFrame:
    """Minutes and kilometres a day by intensity."""
    return activity(recording).select("day", pl.col("ActivityDate").alias("ActivityDay"), *INTENSITY_COLUMNS)


def _by_intensity(recording: Recording) -> dict[str, Ints | Singles]:
    level = minute_intensity(recording.minutes)
    minutes = (recording.intensity[name] for name in INTENSITIES)
    metres = (
        _kilometres(per_day(recording.days, np.where(level == place, recording.measures.distance_cm, 0)))
        for place in range(len(INTENSITIES))
    )
    return dict(zip(INTENSITY_COLUMNS, (*minutes, *metres), strict=True))


def _kilometres(centimetres: Ints) -> Singles:
    return np.round(centimetres / 100_000, 2).astype(np.float32)


def _basal_energy(recording: Recording) -> Floats:
    """Kilocalories a day at rest: the emptiest minute of the recording, all day; less on the last day."""
    energy = recording.measures.energy_tenths
    lengths = np.full(len(energy), 1440)
    lengths[-1] = SYNC_WALL_MINUTE
    return energy[energy > 0].min() * lengths / 10


def weight(recording: Recording) -> pl.DataFrame:
    """Weigh-ins, kilograms to 0.1; the log's id is the local time read as if it were UTC, in milliseconds."""
    person = recording.person
    known = recording.nightly.with_row_index("day").filter(pl.col("weight_lb").is_not_null())
    kilograms = (pl.col("weight_lb") / POUNDS_A_KG).round(1)
    at = pl.col("date").cast(pl.Datetime("ms")) + WEIGHED_AT
    return known.select(
        pl.col("day").cast(pl.Int64),
        Date=at,
        WeightKg=kilograms.cast(pl.Float32),
        WeightPounds=(kilograms * POUNDS_A_KG).cast(pl.Float32),
        Fat=pl.lit(None, pl.Int64),
        BMI=(kilograms / (person.body.height_cm / 100) ** 2).round(2).cast(pl.Float32),
        IsManualReport=pl.lit(value=False),
        LogId=at.dt.epoch("ms"),
    )


def exercises(recording: Recording) -> pl.DataFrame:
    """Recorded exercises; ``Duration`` in milliseconds, distance in kilometres."""
    rows = [_exercise(recording, log) for log in recording.exercises]
    return pl.DataFrame(rows, schema=EXERCISE_COLUMNS, orient="row")


EXERCISE_COLUMNS = {
    "day": pl.Int64,
    "Date": pl.Date,
    "StartTime": pl.Datetime("ms"),
    "Duration": pl.Int64,
    "Activity": pl.String,
    "ActivityType": pl.Int64,
    "LogType": pl.String,
    "Steps": pl.Int64,
    "Distance": pl.Float32,
    "ElevationGain": pl.Float32,
    "Calories": pl.Int64,
    "SedentaryMinutes": pl.Int64,
    "LightlyActiveMinutes": pl.Int64,
    "FairlyActiveMinutes": pl.Int64,
    "VeryActiveMinutes": pl.Int64,
    "AverageHeartRate": pl.Int64,
    "OutOfRangeHeartRateMinutes": pl.Int64,
    "FatBurnHeartRateMinutes": pl.Int64,
    "CardioHeartRateMinutes": pl.Int64,
    "PeakHeartRateMinutes": pl.Int64,
}


def _exercise(recording: Recording, log: ExerciseLog) -> tuple[object, ...]:
    start, sport = log.exercise.start, log.exercise.sport
    metres = distance_m(recording.person, log)
    return (
        (start.date() - recording.days.dates[0]).days,
        start.date(),
        start,
        log.exercise.seconds * 1000,
        sport.name,
        sport.type_id,
        sport.log_type,
        log.steps,
        None if metres is None else metres / 1000,
        elevation_gain_m(log),
        log.calories,
        *(level["minutes"] for level in activity_level(log)),
        log.average_heart_rate,
        *log.zones,
    )


def sync_events(recording: Recording) -> pl.DataFrame:
    """One synchronisation a day, on the wall clock and in UTC: the only place that shows both."""
    days = recording.days
    places = np.flatnonzero(days.wall == SYNC_WALL_MINUTE - 1)
    day, first = np.unique(days.day[places], return_index=True)
    utc, offset = days.utc_minute[places[first]] + 1, days.offset[places[first]]
    return pl.DataFrame(
        {
            "day": day,
            "DateTime": wall_clock.instants(utc + offset),
            "SyncDateUTC": wall_clock.instants(utc),
            "Provider": "Fitbit App",
            "DeviceName": [wearable_on(recording, recording.days.dates[place]).name for place in day],
        }
    )

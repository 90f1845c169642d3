"""Exports of the research service Fitabase: a CSV file for each kind, times on the wall clock.

``batch`` is what a study downloads for one person: ``<person>_<kind>_<from>_<to>.csv``, a period at a time.
``merged`` is the public layout of 2016: ``<kind>_merged.csv`` with an ``Id`` column, several people a file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import polars as pl

from synthetic.exports.fitabase import days, minutes, sleep
from synthetic.exports.members import Member, Request
from synthetic.life.recording import Recording

PERIOD_DAYS = 28
DATE_TEXT = "%-m/%-d/%Y"
TIME_TEXT = "%-m/%-d/%Y %-I:%M:%S %p"

Kind = Callable[[Recording], pl.DataFrame]
"""Makes the rows of a kind, with ``day``: the index of the local day a row counts for."""

KINDS: Mapping[str, Kind] = {
    "dailyActivity": days.activity,
    "dailySteps": days.steps,
    "dailyCalories": days.calories,
    "dailyIntensities": days.intensities,
    "hourlySteps": minutes.hourly_steps,
    "hourlyCalories": minutes.hourly_calories,
    "hourlyIntensities": minutes.hourly_intensities,
    "minuteStepsNarrow": minutes.steps,
    "minuteCaloriesNarrow": minutes.calories,
    "minuteIntensitiesNarrow": minutes.intensities,
    "minuteMETsNarrow": minutes.mets,
    "heartrate_1min": minutes.heart_rate,
    "minuteSleep": sleep.minutes,
    "sleepDay": sleep.days,
    "sleepStagesDay": sleep.stages_days,
    "sleepLogInfo": sleep.logs,
    "sleepStageLogInfo": sleep.stage_logs,
    "30secondSleepStages": sleep.half_minutes,
    "weightLogInfo": days.weight,
    "activitylogs": days.exercises,
    "fitbitWearTimeViaHR": minutes.wear_time,
    "syncEvents": days.sync_events,
}

MERGED_2016: dict[str, Kind] = {
    name: KINDS[name]
    for name in (
        "dailySteps", "dailyCalories", "dailyIntensities", "hourlySteps", "hourlyCalories",
        "hourlyIntensities", "minuteStepsNarrow", "minuteCaloriesNarrow", "minuteIntensitiesNarrow",
        "minuteMETsNarrow", "minuteSleep", "weightLogInfo",
    )
} | {
    "dailyActivity": days.activity_2016,
    "minuteStepsWide": minutes.wide_steps,
    "minuteCaloriesWide": minutes.wide_calories,
    "minuteIntensitiesWide": minutes.wide_intensities,
    "sleepDay": sleep.days_with_a_repeat,
}  # fmt: skip


def batch(recording: Recording, request: Request) -> Iterator[Member]:
    """One person's files, kind by kind and 28 days a file; a kind without a row in a period has none.

    Samples of heart rate are there where finer ones than a minute were asked for.
    """
    for name, kind in KINDS.items():
        rows = kind(recording)
        for first, last in _periods(recording):
            part = rows.filter(pl.col("day").is_between(first, last)).drop("day")
            if part.height:
                yield Member(_batch_name(recording, name, first, last), csv_of(part))
    if request.sampling_seconds < 60:
        for first, last in _periods(recording):
            rows = minutes.heart_seconds(recording, request.sampling_seconds, first, last)
            yield Member(_batch_name(recording, "heartrate_seconds", first, last), csv_of(rows))


def _periods(recording: Recording) -> Iterator[tuple[int, int]]:
    """First and last local day of each period."""
    count = len(recording.days.dates)
    for first in range(0, count, PERIOD_DAYS):
        yield first, min(first + PERIOD_DAYS, count) - 1


def _batch_name(recording: Recording, kind: str, first: int, last: int) -> str:
    dates = recording.days.dates
    return f"{recording.person.participant_id}_{kind}_{dates[first]:%Y%m%d}_{dates[last]:%Y%m%d}.csv"


def merged(recordings: Sequence[Recording], every_seconds: int = 60) -> Iterator[Member]:
    """The files of 2016 with the rows of several people, whose ``Id`` is the study's id."""
    seconds = partial(_all_heart_seconds, every_seconds=every_seconds)
    for name, kind in (MERGED_2016 | {"heartrate_seconds": seconds}).items():
        parts = [_with_id(kind(recording), recording) for recording in recordings]
        found = [part for part in parts if part.height]
        if found:
            yield Member(f"{name}_merged.csv", csv_of(pl.concat(found)))


def merged_of_one(recording: Recording, request: Request) -> Iterator[Member]:
    """The files of 2016 of one person."""
    return merged([recording], request.sampling_seconds)


def _all_heart_seconds(recording: Recording, every_seconds: int) -> pl.DataFrame:
    return minutes.heart_seconds(recording, every_seconds, 0, len(recording.days.dates) - 1)


def _with_id(rows: pl.DataFrame, recording: Recording) -> pl.DataFrame:
    return rows.select(pl.lit(recording.person.participant_id).alias("Id"), pl.exclude("day"))


def csv_of(rows: pl.DataFrame) -> bytes:
    """The CSV file of rows: dates M/D/YYYY, times on a twelve-hour clock, reals in single precision."""
    shown = rows.with_columns(
        pl.col(pl.Date).dt.strftime(DATE_TEXT),
        pl.col(pl.Datetime).dt.strftime(TIME_TEXT),
        *(real_text(rows[name]) for name, kind in rows.schema.items() if kind == pl.Float32),
        *(_flag_text(name) for name, kind in rows.schema.items() if kind == pl.Boolean),
    )
    return shown.write_csv().encode()


def real_text(values: pl.Series) -> pl.Series:
    """Single-precision numbers in fifteen digits, as the service's database prints them: 1.87999999523163."""
    known = values.drop_nulls().unique()
    texts = pl.Series([f"{value:.15g}" for value in known.to_list()], dtype=pl.String)
    return values.replace_strict(known, texts, default=None, return_dtype=pl.String)


def _flag_text(name: str) -> pl.Expr:
    return pl.when(pl.col(name)).then(pl.lit("True")).otherwise(pl.lit("False")).alias(name)

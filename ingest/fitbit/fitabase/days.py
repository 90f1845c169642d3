"""Fitabase files with a row a day: kilometres, minutes, kilocalories; sums of the sleep of a wake date."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from ingest.archive import Content
from ingest.fitbit.csv_form import Value
from ingest.fitbit.csv_rows import Header, number
from ingest.fitbit.fitabase.table import timed_rows
from ingest.fitbit.reading import OtherForm, Reading, Rule
from ingest.fitbit.stated_days import stated_days

M_PER_KM = 1000


@dataclass(frozen=True, slots=True)
class DayFile:
    """A kind of day file: its column of days, the columns it always has, those of later years."""

    day: Header
    values: tuple[Value, ...]
    later: tuple[Value, ...] = ()


_MINUTES = (
    Value("sedentary_minutes", "SedentaryMinutes", whole=True),
    Value("lightly_active_minutes", "LightlyActiveMinutes", whole=True),
    Value("fairly_active_minutes", "FairlyActiveMinutes", whole=True),
    Value("very_active_minutes", "VeryActiveMinutes", whole=True),
)
_SLEEP = (
    Value("sleep_minutes", "TotalMinutesAsleep", whole=True),
    Value("time_in_bed_minutes", "TotalTimeInBed", whole=True),
)
_DAY = ("ActivityDay", "ActivityDate")
# In the order of trust: of two files the first that tells a value is taken.
DAY_FILES: Mapping[str, DayFile] = {
    "dailyActivity": DayFile(
        ("ActivityDate", "ActivityDay"),
        (
            Value("steps", "TotalSteps", whole=True),
            Value("distance_m", "TotalDistance", times=M_PER_KM),
            *_MINUTES,
            Value("calories_kcal", "Calories"),
        ),
        (
            Value("floors", "Floors", whole=True),
            Value("resting_heart_rate", "RestingHeartRate", none_up_to=0),
        ),
    ),
    "dailySteps": DayFile(_DAY, (Value("steps", "StepTotal", whole=True),)),
    "dailyCalories": DayFile(_DAY, (Value("calories_kcal", "Calories"),)),
    "dailyIntensities": DayFile(_DAY, _MINUTES),
    "sleepStagesDay": DayFile(("SleepDay", "SleepDate"), _SLEEP),
    "sleepDay": DayFile(("SleepDay", "SleepDate"), _SLEEP),
    "fitbitWearTimeViaHR": DayFile("Day", (Value("wear_minutes", "TotalMinutesWearTime", whole=True),)),
}


def read_days(content: Content, name: str) -> Reading:
    """Rows of ``stated_days``; a cell of another kind than a number or ``NaN`` rejects its row.

    Awake are the minutes in bed but not asleep. A wake date without sleep has zeros: none is told of it.
    """
    part = next((part for part in DAY_FILES if part.lower() in name.lower()), None)
    if part is None:
        if content.data.strip():
            raise OtherForm
        part = "dailyActivity"
    form = DAY_FILES[part]
    rows = timed_rows(
        content,
        name,
        form.day,
        [value.header for value in form.values],
        [value.header for value in form.later],
        a_day_will_do=True,
    )
    values = (*form.values, *form.later)
    frame = rows.frame.with_columns(
        pl.col("local").dt.date().alias("date"), *(value.read() for value in values)
    )
    if form.values is _SLEEP:
        frame = frame.pipe(_with_awake)
    garbled = [Rule("value_missing", _garbled(value), value.name) for value in values]
    return stated_days(rows.like(frame), part, garbled)


def _garbled(value: Value) -> pl.Expr:
    text = pl.col(value.source)
    is_none = text.str.to_lowercase().is_in(["nan", "n/a", "na"])
    return text.is_not_null() & ~is_none & number(value.source).is_null()


def _with_awake(days: pl.DataFrame) -> pl.DataFrame:
    slept = pl.col("time_in_bed_minutes") > 0
    return days.with_columns(
        (pl.col("time_in_bed_minutes") - pl.col("sleep_minutes")).alias("awake_minutes")
    ).with_columns(
        pl.when(slept).then(pl.col(name)).alias(name)
        for name in ("sleep_minutes", "time_in_bed_minutes", "awake_minutes")
    )

"""Day files of the JSON export: activity minutes, resting heart rate, cardio fitness. Dates are labels."""

from collections.abc import Callable

import msgspec
import polars as pl

from ingest.archive import Content
from ingest.fitbit.json_rows import Records, T, decode, parsed_time, timed_text
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift, whole
from schemas.daily_summary import DailySummary

_HEIGHTS_MM = (500, 2500)


class RestingHeartRate(msgspec.Struct):
    """``date`` is null and ``value`` 0.0 on days without a value, up to a year ahead."""

    value: float
    date: str | None = None


class RestingHeartRateDay(msgspec.Struct):
    """A day of resting_heart_rate-*.json."""

    dateTime: str  # noqa: N815
    value: RestingHeartRate


class Fitness(msgspec.Struct):
    """The app shows the filtered estimate as cardio fitness."""

    filteredDemographicVO2Max: float | None = None  # noqa: N815


class FitnessDay(msgspec.Struct):
    """A day of demographic_vo2_max-*.json."""

    dateTime: str  # noqa: N815
    value: Fitness


def minutes_reader(column: str) -> Callable[[Content, str], Reading]:
    """A reader of ``date`` and one of the four activity minutes."""

    def read(content: Content, _name: str) -> Reading:
        rows = timed_text(content)
        frame = rows.frame.select("row", pl.col("time").dt.date().alias("date"), whole("value").alias(column))
        reject = (missing("date"), missing(column), outside_limits(DailySummary, column))
        return sift(rows.like(frame), reject)

    return read


def read_resting_heart_rate(content: Content, _name: str) -> Reading:
    """``date``, ``resting_heart_rate`` (bpm); placeholders of value 0 or without date are ignored."""
    records = decode(content, RestingHeartRateDay)
    values = [float(day.value.value) if day.value.date else 0.0 for day in records.good]
    return _valued_days(records, [day.dateTime for day in records.good], values, "resting_heart_rate")


def read_vo2max(content: Content, _name: str) -> Reading:
    """``date``, ``vo2max`` (mL/kg/min), the filtered estimate."""
    records = decode(content, FitnessDay)
    values = [day.value.filteredDemographicVO2Max or 0.0 for day in records.good]
    return _valued_days(records, [day.dateTime for day in records.good], values, "vo2max")


def read_height(content: Content, _name: str) -> Reading:
    """``date``, ``height_mm``: as the profile held it then. No result; weights are checked against it."""
    rows = timed_text(content)
    frame = rows.frame.select(
        "row", pl.col("time").dt.date().alias("date"), pl.col("value").alias("height_mm")
    )
    impossible = Rule("outside_limits", ~pl.col("height_mm").is_between(*_HEIGHTS_MM), "height_mm")
    return sift(rows.like(frame), (missing("date"), missing("height_mm"), impossible))


def _valued_days(records: Records[T], days: list[str], values: list[float], column: str) -> Reading:
    frame = pl.DataFrame(
        {"date": pl.Series(days, dtype=pl.String), column: pl.Series(values, dtype=pl.Float64)}
    ).with_columns(parsed_time("date").dt.date())
    placeholder = Rule("placeholder_zero", pl.col(column) == 0, column)
    reject = (missing("date"), outside_limits(DailySummary, column))
    return sift(records.rows_of(frame), reject, (placeholder,))

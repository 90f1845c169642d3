"""Hand-made tables of one participant for programs: every day worn, values set column by column."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import polars as pl

from schemas.activities import Activities
from schemas.daily_summary import DailySummary
from schemas.lab_results import LabResults
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform

LAST_DAY = date(2025, 6, 29)  # a Sunday


def participants(**changes: Any) -> pl.DataFrame:
    row = {
        "participant_id": "P1",
        "sex": "female",
        "age": 40,
        "age_approximate": False,
        "age_group": "35-44",
        "status": "active",
        "time_zone": "Europe/Amsterdam",
        "data_through": LAST_DAY,
        "days_behind": 0,
        "has_wearable": True,
        "has_labs": False,
        "has_surveys": False,
        "days_observed": 120,
        "valid_days": 120,
    }
    return conform(pl.LazyFrame([row | changes]), Participants).collect()


def days(count: int = 120, **columns: list[Any]) -> pl.DataFrame:
    """The ``count`` days ending with LAST_DAY; a column is given for all of them, oldest first."""
    dates = [LAST_DAY - timedelta(count - 1 - n) for n in range(count)]
    plain = {
        "participant_id": ["P1"] * count,
        "date": dates,
        "day_state": ["worn"] * count,
        "wear_from_steps": [False] * count,
        "valid_day": [True] * count,
        "break_before": [False] * count,
        "tz_change": [False] * count,
        "is_partial": [False] * count,
    }
    return conform(pl.LazyFrame(plain | columns, strict=False), DailySummary).collect()


def percentiles(values: dict[str, float | None], n: int = 20, **changes: str) -> pl.DataFrame:
    rows = [
        {
            "edition": "2025-06",
            "metric": "resting_heart_rate",
            "definition": "person",
            "window": "last_30_days",
            "sex": "female",
            "age_group": "35-44",
            "percentile": percentile,
            "value": value,
            "n": n,
            "unit": "bpm",
            "quantile_type": 8,
        }
        | changes
        for percentile, value in values.items()
    ]
    return conform(pl.LazyFrame(rows), PopulationPercentiles).collect()


def no_population() -> pl.DataFrame:
    return percentiles({"50": None}).clear()


def exercises(days_from_first: Iterable[int], count: int = 120, **changes: Any) -> pl.DataFrame:
    """An exercise of 30 minutes at 18:00 on each of these of ``count`` days, counted from the oldest (0)."""
    rows = [
        {
            "participant_id": "P1",
            "activity_id": f"A{place}",
            "start_time": datetime.combine(LAST_DAY - timedelta(count - 1 - n), time(18)),
            "start_utc": datetime.combine(LAST_DAY - timedelta(count - 1 - n), time(16), UTC),
            "duration_minutes": 40.0,
            "active_duration_minutes": 30.0,
            "file_id": "F1",
        }
        | changes
        for place, n in enumerate(days_from_first)
    ]
    return conform(pl.LazyFrame(rows), Activities).collect()


def draws(analyte: str, results: dict[int, float], unit: str = "mg/dL", **changes: Any) -> pl.DataFrame:
    """Results of an analyte by the days of their draws before LAST_DAY."""
    rows = [
        {
            "participant_id": "P1",
            "file_id": f"F{before}",
            "row_no": 1,
            "page": 1,
            "source_kind": "text",
            "reader_version": 1,
            "analyte_key": analyte,
            "value_num": value,
            "value_canonical": value,
            "canonical_unit": unit,
            "collected_date": LAST_DAY - timedelta(before),
            "fasting": "yes",
            "derived": False,
        }
        | changes
        for before, value in results.items()
    ]
    return conform(pl.LazyFrame(rows), LabResults).collect()

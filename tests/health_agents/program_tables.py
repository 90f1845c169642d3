"""Hand-made tables of one participant for programs: every day worn, values set column by column."""

from datetime import date, timedelta
from typing import Any

import polars as pl

from schemas.daily_summary import DailySummary
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

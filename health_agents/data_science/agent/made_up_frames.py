"""Made-up frames a program is proven on: plausible by the schema's limits, and nobody's data."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from health_agents.data_science.agent.person_sources import KEYED
from health_agents.data_science.frames import FRAMES
from schemas.table import Table, conform, polars_schema

COUNT_OF_DAYS = 400
LAST_DAY = date(2024, 6, 30)
_FLAGS = {"valid_day": True, "day_state": "worn", "status": "active", "sex": "female", "age_group": "35-44"}
_FIXED = {"days_behind": 0, "age": 40, "age_at_enrolment": 40, "utc_offset_minutes": 60}
_PERCENTILES = ("5", "10", "25", "50", "75", "90", "95")

Frames = dict[str, pl.DataFrame]


def whole_frames(required: Iterable[str]) -> Frames:
    """Complete frames of one made-up person: 400 days, 60 exercises, six draws, scores and percentiles."""
    keys: dict[str, list[str]] = {frame: [] for frame in KEYED}
    for frame, _, key in (name.partition(".") for name in sorted(required)):
        if frame in keys:
            keys[frame].append(key)
    return {
        "summary_df": _days(),
        "activities_df": _rows("activities_df", 60, start_utc=_moments(60), start_time=_moments(60)),
        "population_df": _percentiles(keys["population_df"]),
        "profile_df": _rows("profile_df", 1, data_through=[LAST_DAY]),
        "labs_df": _keyed("labs_df", keys["labs_df"]),
        "surveys_df": _keyed("surveys_df", keys["surveys_df"]),
    }


def with_summary(frames: Frames, summary: pl.DataFrame) -> Frames:
    """The same frames with other days."""
    return {**frames, "summary_df": summary}


@cache
def _days() -> pl.DataFrame:
    dates = [LAST_DAY - timedelta(COUNT_OF_DAYS - 1 - n) for n in range(COUNT_OF_DAYS)]
    nights = {
        "bed_time": [_midnight(day) - timedelta(hours=1) for day in dates],
        "wake_up_time": [_midnight(day) + timedelta(hours=7) for day in dates],
        "bed_minute": [-60 + n % 7 for n in range(COUNT_OF_DAYS)],
        "wake_up_minute": [420 + n % 11 for n in range(COUNT_OF_DAYS)],
    }  # fmt: skip
    return _rows("summary_df", COUNT_OF_DAYS, date=dates, study_day=list(range(COUNT_OF_DAYS)), **nights)


def _rows(frame: str, count: int, **columns: list[Any]) -> pl.DataFrame:
    table = FRAMES[frame]
    made = {name: _column(table, name, count, at) for at, name in enumerate(polars_schema(table))}
    whole = pl.LazyFrame(made | columns, strict=False, height=count)
    return conform(whole, table).drop("participant_id", strict=False).collect()


def _column(table: type[Table], name: str, count: int, at: int) -> list[Any]:
    kind, declared = polars_schema(table)[name], table.columns()[name]
    if name in _FLAGS or name in _FIXED:
        return [(_FLAGS | _FIXED)[name]] * count
    if kind.is_numeric():
        low, high = _limits(declared)
        values = _values(low, high, count, at)
        return np.round(values).astype(int).tolist() if kind.is_integer() else values.tolist()
    if kind == pl.Boolean:
        return [False] * count
    if kind == pl.String:
        allowed = (declared.metadata or {}).get("allowed") or ["made up"]
        return [allowed[0]] * count
    return [None] * count


def _limits(declared: Any) -> tuple[float, float]:
    low = declared.min if declared.min is not None else 0.0
    high = declared.max if declared.max is not None else max(100.0, low * 3)
    return float(low), float(high)


def _values(low: float, high: float, count: int, seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Around a third of the way between the limits, with noise and a gentle rise."""
    noise = np.random.default_rng(seed).normal(0, 0.02, count)
    share = 0.3 + 0.05 * np.arange(count) / max(count, 1) + noise
    return low + (high - low) * np.clip(share, 0.05, 0.95)


def _moments(count: int) -> list[datetime]:
    end = _midnight(LAST_DAY)
    return [end - timedelta(days=3 * (count - n), hours=-9) for n in range(count)]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time())


def _keyed(frame: str, keys: list[str]) -> pl.DataFrame:
    key, _ = KEYED[frame]
    table = FRAMES[frame]
    day = "collected_date" if frame == "labs_df" else "answered_on"
    parts = [
        _rows(frame, 6, **{key: [one] * 6, day: [LAST_DAY - timedelta(60 * (5 - n)) for n in range(6)]})
        for one in keys
    ]
    nothing = conform(pl.LazyFrame(), table).drop("participant_id").collect()
    return pl.concat([nothing, *parts])


def _percentiles(metrics: list[str]) -> pl.DataFrame:
    table = FRAMES["population_df"]
    groups = [("female", "35-44"), ("female", "all"), ("all", "all")]
    rows = [
        {"edition": "cohort", "metric": metric, "definition": "person", "window": f"last_{days}_days",
         "sex": sex, "age_group": age, "percentile": percentile, "value": 40.0 + at, "n": 50,
         "unit": "unit", "quantile_type": 8}
        for metric in metrics for days in (30, 90) for sex, age in groups
        for at, percentile in enumerate(_PERCENTILES)
    ]  # fmt: skip
    return conform(pl.LazyFrame(rows, infer_schema_length=None), table).collect()

"""From the compact tables of a test to the frames of the interface (docs/programs.md).

A column is a list. ``"5*8000"`` in it stands for five values 8000, ``"1..7"`` for 1, 2 ... 7 and
``"10..30..5"`` for 10, 15 ... 30; NaN is a missing value. Days end with LAST_DAY, or begin with ``first``.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from math import isnan
from typing import Any

import polars as pl

from evaluation.ds_code.items import Case
from health_agents.data_science.frames import program_frames
from schemas.activities import Activities
from schemas.daily_summary import DailySummary
from schemas.lab_results import LabResults
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.survey_scores import SurveyScores
from schemas.table import Table, conform, empty

LAST_DAY = date(2025, 6, 29)  # a Sunday
_REPEATED = re.compile(r"(\d+)\*(.+)")
_STEPPED = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?")
_PERSON = {
    "participant_id": "P1",
    "sex": "female",
    "age": 40,
    "age_approximate": False,
    "age_group": "35-44",
    "status": "active",
    "time_zone": "UTC",
    "data_through": LAST_DAY,
    "days_behind": 0,
    "has_wearable": True,
    "has_labs": True,
    "has_surveys": True,
    "days_observed": 120,
    "valid_days": 120,
}
_DAY = {
    "day_state": "worn",
    "wear_from_steps": False,
    "valid_day": True,
    "break_before": False,
    "tz_change": False,
    "is_partial": False,
}
_ACTIVITY = {"file_id": "made"}
_LAB = {
    "file_id": "made",
    "page": 1,
    "reader_version": 1,
    "source_kind": "text",
    "report_status": "final",
    "fasting": "unknown",
    "derived": False,
}
_SURVEY = {"event": "", "instance": 1, "items_missing": 0, "rule": "made"}
_PERCENTILE = {
    "edition": "2025-06",
    "definition": "person",
    "window": "last_30_days",
    "sex": "all",
    "age_group": "all",
    "n": 50,
    "unit": "made",
    "quantile_type": 8,
}


def case_frames(case: Case) -> dict[str, pl.DataFrame]:
    """The six frames of one test; a table it does not give is empty, but for the profile's one row."""
    given = {
        name: {key: _spread(value) for key, value in table.items()} for name, table in case.given.items()
    }
    tables = {
        "daily_summary": _days(given.get("summary", {})),
        "activities": _activities(given.get("activities", {})),
        "participants": _rows({key: [value] for key, value in _PERSON.items()} | given.get("profile", {}),
                              {}, Participants),
        "lab_results": _rows(_numbered(given.get("labs", {}), "row_no"), _LAB, LabResults),
        "survey_scores": _rows(given.get("surveys", {}), _SURVEY, SurveyScores),
    }  # fmt: skip
    return program_frames(tables, _rows(given.get("population", {}), _PERCENTILE, PopulationPercentiles))


def _spread(value: Any) -> list[Any]:
    """The values of a column in full, missing ones as None."""
    cells = value if isinstance(value, list) else [value]
    return [None if isinstance(one, float) and isnan(one) else one for cell in cells for one in _cell(cell)]


def _cell(cell: Any) -> list[Any]:
    if not isinstance(cell, str):
        return [cell]
    if match := _REPEATED.fullmatch(cell):
        return [_plain(match[2])] * int(match[1])
    if match := _STEPPED.fullmatch(cell):
        step = int(match[3] or 1)
        return list(range(int(match[1]), int(match[2]) + (1 if step > 0 else -1), step))
    return [cell]


def _plain(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


def _days(given: Mapping[str, list[Any]]) -> pl.DataFrame:
    columns = dict(given)
    first = columns.pop("first", [None])[0]
    count = max((len(values) for values in columns.values()), default=0)
    start = first or LAST_DAY - timedelta(count - 1)
    dates = {"date": [start + timedelta(n) for n in range(count)]} if count else {}
    return _rows(dates | columns, _DAY, DailySummary)


def _activities(given: Mapping[str, list[Any]]) -> pl.DataFrame:
    if not given:
        return empty(Activities)
    starts = [datetime.fromisoformat(str(start)) for start in given["start_time"]]
    ids = [f"{number:04}" for number in range(len(starts))]
    return _rows(
        {**given, "start_time": starts, "start_utc": starts, "activity_id": ids}, _ACTIVITY, Activities
    )


def _numbered(given: Mapping[str, list[Any]], name: str) -> dict[str, list[Any]]:
    count = max((len(values) for values in given.values()), default=0)
    return {**given, name: list(range(1, count + 1))} if count else {}


def _rows(given: Mapping[str, list[Any]], defaults: Mapping[str, Any], table: type[Table]) -> pl.DataFrame:
    """Rows in the form of a table; a value that stands alone holds for every row."""
    if not given:
        return empty(table)
    count = max(len(values) for values in given.values())
    full = {name: values * count if len(values) == 1 else values for name, values in given.items()}
    rest = {name: [value] * count for name, value in {"participant_id": "P1", **defaults}.items()}
    columns = {name: pl.Series(name, values, strict=False) for name, values in (rest | full).items()}
    frame = pl.LazyFrame(columns)
    if "start_utc" in columns:
        frame = frame.with_columns(pl.col("start_utc").dt.replace_time_zone("UTC"))
    return conform(frame, table).collect()

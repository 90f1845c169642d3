"""Daily values of ``Global Export Data``: day labels, padded far into the future."""

from datetime import date, timedelta
from typing import Any

from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.json_text import (
    CHUNK_DAYS,
    YEAR_DAYS,
    chunk_starts,
    day_stamp,
    json_file,
    pretty,
)

DAY_MINUTES = 1440


def intensity(export: Export) -> Files:
    """Four files, padded to the end of the chunk, and before the device came, with 1440 and 0."""
    dates = export.recording.days.dates
    for name, values in export.recording.intensity.items():
        by_day = dict(zip(dates, values.tolist(), strict=True))
        padding = DAY_MINUTES if name == "sedentary" else 0
        stem = f"{name}_minutes" if name == "sedentary" else f"{name}_active_minutes"
        for first in chunk_starts(export.created, export.last_day, CHUNK_DAYS):
            rows = [
                pretty({"dateTime": day_stamp(day), "value": str(by_day.get(day, padding))})
                for day in _days(first, CHUNK_DAYS)
            ]
            yield json_file(f"{stem}-{first}.json", rows)


def resting_heart_rate(export: Export) -> Files:
    """A year of days from the account's first; days without a value, and all to come, say null and 0.0."""
    columns = ("date", "resting_heart_rate", "resting_heart_rate_error")
    known = {
        day: (value, error) for day, value, error in export.recording.nightly.select(columns).iter_rows()
    }
    for first in chunk_starts(export.created, export.last_day, YEAR_DAYS):
        rows = [
            pretty({"dateTime": day_stamp(day), "value": _resting(day, *known.get(day, (None, 0.0)))})
            for day in _days(first, YEAR_DAYS)
        ]
        yield json_file(f"resting_heart_rate-{first}.json", rows)


def _resting(day: date, value: float | None, error: float) -> dict[str, Any]:
    if value is None:
        return {"date": None, "value": 0.0, "error": 0.0}
    return {"date": day.strftime("%m/%d/%y"), "value": value, "error": error}


def cardio_fitness(export: Export) -> Files:
    """Days with an estimate; the app shows the filtered one."""
    rows = [
        pretty({"dateTime": day_stamp(day), "value": _fitness(value)})
        for day, value in export.recording.nightly.select("date", "vo2max").iter_rows()
        if value is not None
    ]
    yield json_file(f"demographic_vo2_max-{export.created}.json", rows)


def _fitness(value: float) -> dict[str, float]:
    return {
        "demographicVO2Max": round(value * 1.004, 5),
        "demographicVO2MaxError": 3.0000000000000004,
        "filteredDemographicVO2Max": value,
        "filteredDemographicVO2MaxError": 0.36576000000000003,
    }


def _days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=n) for n in range(count)]

"""Times of the Google Health API as text: an instant, its offset in seconds, and the civil time."""

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta

import numpy as np
import polars as pl

from synthetic.local_days import EPOCH, Ints, LocalDays


def point(key: str, value: Mapping[str, object], source: Mapping[str, object], name: str = "") -> str:
    """A data point: its name where the type has one, where it came from, and its value under ``key``."""
    named = {"name": name} if name else {}
    return compact(named | {"dataSource": source, key: value})


def point_name(data_type: str, number: int) -> str:
    """The name of an identifiable point."""
    return f"users/me/dataTypes/{data_type}/dataPoints/{number}"


def compact(fields: Mapping[str, object]) -> str:
    """JSON without blanks."""
    return json.dumps(fields, separators=(",", ":"))


def watch(device: str) -> dict[str, object]:
    """The source of what a worn device measured by itself."""
    return {
        "recordingMethod": "PASSIVELY_MEASURED",
        "device": {"displayName": device},
        "platform": "FITBIT",
    }


DERIVED: dict[str, object] = {"recordingMethod": "DERIVED", "platform": "FITBIT"}


def civil_date(day: date) -> dict[str, int]:
    """A calendar date."""
    return {"year": day.year, "month": day.month, "day": day.day}


def civil_time(local: datetime) -> dict[str, object]:
    """A wall time; parts that are 0 are left out."""
    parts = {"hours": local.hour, "minutes": local.minute, "seconds": local.second}
    return {"date": civil_date(local.date()), "time": {name: value for name, value in parts.items() if value}}


def instant(utc: datetime) -> str:
    """A UTC time in full seconds."""
    return f"{utc:%Y-%m-%dT%H:%M:%S}Z"


def offset_text(minutes: int) -> str:
    """An offset from UTC, in seconds."""
    return f"{minutes * 60}s"


def offset_at(days: LocalDays, utc: datetime) -> int:
    """Minutes local is ahead of UTC at an instant of the recording, or at the nearest one in it."""
    place = (utc - EPOCH) // timedelta(minutes=1) - int(days.utc_minute[0])
    return int(days.offset[min(max(place, 0), len(days.offset) - 1)])


def intervals(days: LocalDays, places: Ints) -> pl.Series:
    """``"interval"`` of elapsed minutes: from each to the next."""
    ends = np.minimum(places + 1, len(days.offset) - 1)
    frame = pl.DataFrame(
        {
            "start": days.utc_minute[places] * 60,
            "end": days.utc_minute[places] * 60 + 60,
            "start_offset": days.offset[places] * 60,
            "end_offset": days.offset[ends] * 60,
        }
    )
    text = pl.format(
        '"interval":{{"startTime":"{}","startUtcOffset":"{}s","endTime":"{}","endUtcOffset":"{}s",'
        '"civilStartTime":{},"civilEndTime":{}}}',
        _instant("start"), "start_offset", _instant("end"), "end_offset",
        _civil("start", "start_offset"), _civil("end", "end_offset"),
    )  # fmt: skip
    return frame.select(text).to_series()


def sample_times(utc_seconds: Ints, offsets: Ints) -> pl.Series:
    """``"sampleTime"`` of instants, with the minutes local is ahead of UTC at each."""
    frame = pl.DataFrame({"at": utc_seconds, "offset": offsets * 60})
    text = pl.format(
        '"sampleTime":{{"physicalTime":"{}","utcOffset":"{}s","civilTime":{}}}',
        _instant("at"), "offset", _civil("at", "offset"),
    )  # fmt: skip
    return frame.select(text).to_series()


def _instant(column: str) -> pl.Expr:
    return (pl.col(column) * 1000).cast(pl.Datetime("ms")).dt.strftime("%Y-%m-%dT%H:%M:%SZ")


def _civil(column: str, offset: str) -> pl.Expr:
    local = ((pl.col(column) + pl.col(offset)) * 1000).cast(pl.Datetime("ms")).dt
    parts = {"hours": local.hour(), "minutes": local.minute(), "seconds": local.second()}
    time = pl.concat_str(
        [pl.when(value > 0).then(pl.format(f'"{name}":{{}}', value)) for name, value in parts.items()],
        separator=",",
        ignore_nulls=True,
    )
    return pl.format(
        '{{"date":{{"year":{},"month":{},"day":{}}},"time":{{{}}}}}',
        local.year(), local.month(), local.day(), time.fill_null(""),
    )  # fmt: skip

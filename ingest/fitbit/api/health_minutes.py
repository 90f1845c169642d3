"""Google Health API types by the minute: steps, distance, floors, zone and active minutes, heart rate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.document import at, real, text
from ingest.fitbit.api.health_points import CLOCK, INTERVAL, SAMPLE, points_of, timed
from ingest.fitbit.minutes_of_samples import by_minute_and_recorder
from ingest.fitbit.product_csv import ZONE_OF
from ingest.fitbit.reading import Reading, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary
from schemas.heart_rate_minutes import HeartRateMinutes
from schemas.steps_minutes import StepsMinutes

MM_PER_M, MM_PER_FLOOR = 1000, 3048
_LEVELS = {
    "LIGHT": "lightly_active_minutes",
    "MODERATE": "fairly_active_minutes",
    "VIGOROUS": "very_active_minutes",
}
_WHOLE = ("steps", *_LEVELS.values())


@dataclass(frozen=True, slots=True)
class Intervals:
    """A type whose points are intervals; called, it reads a page. values: of a point to our columns.

    Rows come with ``utc`` (minute), ``offset``, ``recorder``; what one recorder tells of a minute in several
    intervals is added up, the same interval told twice is not.
    """

    key: str
    values: Callable[[Any], Mapping[str, object]]
    columns: tuple[str, ...]
    rules: tuple[Rule, ...]
    reconciled: bool | None = False

    def __call__(self, content: Content, _name: str) -> Reading:
        """Read a page. Raises OtherForm where it holds no point of the type."""
        document, points = points_of(content, self.key, reconciled=self.reconciled)
        types = {c: pl.Int64 if c in _WHOLE else pl.Float64 for c in self.columns}
        rows = timed(
            document,
            points,
            self.key,
            INTERVAL,
            lambda value: {**self.values(value), "end": text(at(value, "interval", "endTime"))},
            {**dict.fromkeys(self.columns, pl.Float64), "end": pl.String},
        )
        frame = rows.frame.with_columns(pl.col(c).cast(kind, strict=False) for c, kind in types.items())
        reading = sift(rows.like(frame), (*CLOCK, *self.rules))
        once = reading.frame.unique(["utc", "end", "recorder"], keep="first", maintain_order=True)
        summed = (
            once.group_by(pl.col("utc").dt.truncate("1m"), "recorder", maintain_order=True)
            .agg(pl.col("offset").first(), pl.col(self.columns).sum(), pl.len().cast(pl.Int64).alias("rows"))
            .sort("utc", "recorder")
        )
        return replace(reading, frame=summed, merged=reading.frame.height - once.height)


def _levels(value: object) -> dict[str, object]:
    """Minutes of each level of an interval."""
    told: dict[str, float] = dict.fromkeys(_LEVELS.values(), 0.0)
    entries = at(value, "activeMinutesByActivityLevel")
    for entry in entries if isinstance(entries, list) else []:
        column = _LEVELS.get(str(at(entry, "activityLevel")))
        if column:
            told[column] += real(at(entry, "activeMinutes")) or 0
    return dict(told)


def _told(column: str, limits: type[StepsMinutes] | type[DailySummary]) -> tuple[Rule, ...]:
    return missing(column), outside_limits(limits, column)


def _steps(value: object) -> dict[str, object]:
    return {"steps": real(at(value, "count"))}


def _times(factor: float, column: str, key: str) -> Callable[[Any], dict[str, object]]:
    def value(point: object) -> dict[str, object]:
        number = real(at(point, key))
        return {column: None if number is None else number / factor}

    return value


read_health_steps = Intervals("steps", _steps, ("steps",), _told("steps", StepsMinutes))
read_health_steps_reconciled = Intervals(
    "steps", _steps, ("steps",), _told("steps", StepsMinutes), reconciled=True
)
read_health_distance = Intervals(
    "distance",
    _times(MM_PER_M, "distance_m", "millimeters"),
    ("distance_m",),
    _told("distance_m", DailySummary),
    reconciled=None,
)
read_health_floors = Intervals(
    "floors", _times(1, "floors", "count"), ("floors",), _told("floors", DailySummary), reconciled=None
)
read_health_altitude = Intervals(
    "altitude",
    _times(MM_PER_FLOOR, "floors", "gainMillimeters"),
    ("floors",),
    _told("floors", DailySummary),
    reconciled=None,
)
read_health_active_minutes = Intervals(
    "activeMinutes",
    _levels,
    tuple(_LEVELS.values()),
    tuple(outside_limits(DailySummary, column) for column in _LEVELS.values()),
    reconciled=None,
)


def read_health_zone_minutes(content: Content, _name: str) -> Reading:
    """``utc`` (minute), ``offset``, ``zone``, ``minutes`` earned, ``recorder``."""
    key = "activeZoneMinutes"
    document, points = points_of(content, key, reconciled=None)
    rows = timed(
        document,
        points,
        key,
        INTERVAL,
        lambda value: {"zone": text(at(value, "heartRateZone")), "minutes": real(at(value, key))},
        {"zone": pl.String, "minutes": pl.Int64},
    )
    frame = rows.frame.with_columns(
        pl.col("utc").dt.truncate("1m"),
        pl.col("zone").replace_strict(ZONE_OF, default=None, return_dtype=pl.String),
    )
    earned = Rule("outside_limits", pl.col("minutes") < 0, "active_zone_minutes")
    return sift(rows.like(frame), (*CLOCK, missing("zone"), missing("minutes"), earned))


def read_health_heart_rate(content: Content, _name: str) -> Reading:
    """A row a minute and recorder: ``utc``, ``offset``, ``heart_rate``, ``samples``, ``rows``, ``recorder``.

    The service gives no confidence: ``samples_no_contact`` is 0.
    """
    document, points = points_of(content, "heartRate", reconciled=None)
    rows = timed(
        document,
        points,
        "heartRate",
        SAMPLE,
        lambda value: {"heart_rate": real(at(value, "beatsPerMinute"))},
        {"heart_rate": pl.Float64},
    )
    limits = outside_limits(HeartRateMinutes, "heart_rate")
    return by_minute_and_recorder(sift(rows, (*CLOCK, missing("heart_rate"), limits)), "offset")

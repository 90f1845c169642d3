"""Values of a day as a file states them: one form for all that come outside the account's archive.

A row is what one file (``part``) says of a day; columns it says nothing of are null.
"""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from ingest.fitbit.reading import Reading, Rows, Rule, missing, outside_limits, sift
from schemas.daily_summary import DailySummary
from schemas.table import polars_schema

# Only a device that was carried makes them; a day without one has zeros there, and 1440 sedentary minutes.
CARRIED = (
    "steps",
    "distance_m",
    "floors",
    "lightly_active_minutes",
    "fairly_active_minutes",
    "very_active_minutes",
    "active_zone_minutes",
    "fatburn_active_zone_minutes",
    "cardio_active_zone_minutes",
    "peak_active_zone_minutes",
)
PADDED = (*CARRIED, "sedentary_minutes")
STATED = (
    *PADDED,
    "calories_kcal",
    "resting_heart_rate",
    "heart_rate_variability",
    "respiratory_rate",
    "spo2_avg",
    "spo2_min",
    "spo2_max",
    "skin_temperature_variation",
    "stress_management_score",
    "vo2max",
    "wear_minutes",
    "sleep_minutes",
    "time_in_bed_minutes",
    "awake_minutes",
)
# A distance in a unit that the file does not name.
LENGTH = "length"
_TYPES = polars_schema(DailySummary)
_SCHEMA = {name: _TYPES[name] for name in STATED} | {LENGTH: pl.Float64()}
KEY = ("date", "part")


def stated_days(rows: Rows, part: str | pl.Expr, reject: Sequence[Rule] = ()) -> Reading:
    """``date``, ``part`` and every column of STATED and LENGTH; ``owner`` where the rows have it.

    rows: ``row``, ``date`` and some of the columns. reject: rules on these rows. A row without any value is
    ignored as ``no_value``.
    """
    there = set(rows.frame.columns)
    frame = rows.frame.select(
        "row",
        "date",
        (pl.lit(part) if isinstance(part, str) else part).alias("part"),
        *(
            (pl.col(name) if name in there else pl.lit(None)).cast(kind, strict=False).alias(name)
            for name, kind in _SCHEMA.items()
        ),
        *(["owner"] if "owner" in there else []),
        *(rule.fails.alias(f"_rule_{n}") for n, rule in enumerate(reject)),
    )
    named = [Rule(rule.name, pl.col(f"_rule_{n}"), rule.column) for n, rule in enumerate(reject)]
    limits = [outside_limits(DailySummary, name) for name in STATED if name in there]
    negative = Rule("outside_limits", pl.col(LENGTH) < 0, "distance_m")
    refused = pl.any_horizontal(pl.lit(False), *(rule.fails.fill_null(False) for rule in named))
    empty = pl.all_horizontal(pl.col(name).is_null() for name in _SCHEMA)
    none = Rule("no_value", empty & ~refused)
    reading = sift(rows.like(frame), (missing("date"), *named, *limits, negative), (none,))
    return replace(reading, frame=reading.frame.drop(pl.selectors.starts_with("_rule_")))

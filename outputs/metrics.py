"""What the percentile and feature tables measure: every metric with its words, unit and decimals.

A daily metric is named as its column of ``daily_summary``, a laboratory metric as its ``analyte_key``, a
score as ``<instrument>_score``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import polars as pl

from schemas.analytes import ANALYTES
from schemas.metrics import Metrics
from schemas.table import conform

Direction = Literal["higher", "lower", "middle", "none"]
Measured = Literal["day", "night", "draw", "survey"]
Topic = Literal["heart", "activity", "sleep", "labs", "surveys", "body"]

WINDOW_NEWEST = "newest"
WINDOW_WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure of a person.

    unit: UCUM-like unit of the tables; decimals: those it is shown with.
    direction: which way is thought better, for wording only.
    measured: by day (counted on valid days), night (counted where the night has a value), draw or survey.
    """

    metric: str
    label: str
    definition: str
    unit: str
    direction: Direction
    measured: Measured
    decimals: int
    topic: Topic

    @property
    def daily(self) -> bool:
        """True for metrics of ``daily_summary``."""
        return self.measured in ("day", "night")


def _day(metric: str, label: str, unit: str, direction: Direction, decimals: int, topic: Topic) -> Metric:
    return Metric(metric, label, "Median over valid days.", unit, direction, "day", decimals, topic)


def _night(metric: str, label: str, unit: str, direction: Direction, decimals: int, topic: Topic) -> Metric:
    definition = "Median over nights with a value; a night stands on the day of waking."
    return Metric(metric, label, definition, unit, direction, "night", decimals, topic)


def _score(instrument: str, label: str, direction: Direction, unit: str = "points") -> Metric:
    definition = "Newest score by the published rule."
    return Metric(f"{instrument}_score", label, definition, unit, direction, "survey", 0, "surveys")


_DAILY = (
    _day("steps", "Steps", "steps", "higher", 0, "activity"),
    _day("distance_m", "Distance", "m", "higher", 0, "activity"),
    _day("calories_kcal", "Energy spent", "kcal", "none", 0, "activity"),
    _day("floors", "Floors climbed", "floors", "higher", 0, "activity"),
    _day("sedentary_minutes", "Sedentary time", "minutes", "lower", 0, "activity"),
    _day("lightly_active_minutes", "Lightly active time", "minutes", "higher", 0, "activity"),
    _day("fairly_active_minutes", "Moderately active time", "minutes", "higher", 0, "activity"),
    _day("very_active_minutes", "Very active time", "minutes", "higher", 0, "activity"),
    _day("active_zone_minutes", "Active zone minutes", "minutes", "higher", 0, "activity"),
    _day("fatburn_active_zone_minutes", "Fat-burn zone minutes", "minutes", "higher", 0, "activity"),
    _day("cardio_active_zone_minutes", "Cardio zone minutes", "minutes", "higher", 0, "activity"),
    _day("peak_active_zone_minutes", "Peak zone minutes", "minutes", "higher", 0, "activity"),
    _day("resting_heart_rate", "Resting heart rate", "bpm", "lower", 1, "heart"),
    _day("stress_management_score", "Stress management score", "points", "higher", 0, "heart"),
    _day("readiness_score", "Readiness score", "points", "higher", 0, "heart"),
    _day("vo2max", "Cardio fitness (VO2max estimate)", "mL/kg/min", "higher", 1, "heart"),
    _night("heart_rate_variability", "Heart rate variability (RMSSD)", "ms", "higher", 1, "heart"),
    _night("respiratory_rate", "Breathing rate asleep", "breaths/min", "middle", 1, "heart"),
    _night("spo2_avg", "Blood oxygen saturation asleep", "%", "higher", 1, "heart"),
    _night("skin_temperature_variation", "Skin temperature variation", "degC", "none", 2, "body"),
    _night("sleep_minutes", "Sleep duration", "minutes", "middle", 0, "sleep"),
    _night("time_in_bed_minutes", "Time in bed", "minutes", "none", 0, "sleep"),
    _night("deep_sleep_minutes", "Deep sleep", "minutes", "higher", 0, "sleep"),
    _night("rem_sleep_minutes", "REM sleep", "minutes", "higher", 0, "sleep"),
    _night("light_sleep_minutes", "Light sleep", "minutes", "none", 0, "sleep"),
    _night("awake_minutes", "Time awake in bed", "minutes", "lower", 0, "sleep"),
    _night("bed_minute", "Bedtime, in minutes from midnight", "minutes", "none", 0, "sleep"),
    _night("wake_up_minute", "Wake-up time, in minutes from midnight", "minutes", "none", 0, "sleep"),
    _night("sleep_score", "Sleep score", "points", "higher", 0, "sleep"),
)

_SCORES = (
    _score("phq9", "PHQ-9 (low mood)", "lower"),
    _score("phq8", "PHQ-8 (low mood)", "lower"),
    _score("gad7", "GAD-7 (worry)", "lower"),
    _score("pss10", "PSS-10 (stress)", "lower"),
    _score("ipaq", "IPAQ (self-reported activity)", "higher", "MET-min/week"),
    _score("auditc", "AUDIT-C (alcohol)", "lower"),
    _score("who5", "WHO-5 (well-being)", "higher"),
    _score("berlin", "Berlin questionnaire (sleep apnoea risk)", "lower", "categories"),
)

_LABS = tuple(
    Metric(
        analyte.key,
        analyte.label,
        "Newest accepted result, in this unit; preliminary and cancelled reports left out.",
        analyte.unit,
        "none",
        "draw",
        analyte.decimals,
        "labs",
    )
    for analyte in ANALYTES
)

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.metric: metric for metric in (*_DAILY, *_LABS, *_SCORES)}
)
DAILY_METRICS: tuple[Metric, ...] = _DAILY


def metrics_table() -> pl.DataFrame:
    """The table ``metrics``: one row per declared metric."""
    rows = [
        {
            "metric": metric.metric,
            "label": metric.label,
            "definition": metric.definition,
            "unit": metric.unit,
            "direction": metric.direction,
            "measured": metric.measured,
            "decimals": metric.decimals,
        }
        for metric in METRICS.values()
    ]
    return pl.LazyFrame(rows).pipe(conform, Metrics).sort("metric").collect()

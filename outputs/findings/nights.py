"""Nights: efficiency, regularity (SRI), social jetlag and low oxygen; hints, never a diagnosis."""

from collections.abc import Sequence
from math import atan2, cos, pi, sin
from typing import Any

import numpy as np
import polars as pl

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, Measured, UncheckedError, banded
from outputs.findings.rule import Case, Guideline
from outputs.rendering import rounded, shown_duration
from outputs.windows import Window, last_days

MINUTES_A_DAY = 1440
_NSF = Guideline(
    "National Sleep Foundation, sleep quality recommendations",
    2017,
    "https://doi.org/10.1016/j.sleh.2016.11.006",
)
_WINDRED = Guideline(
    "Windred et al., Sleep 47:zsad253 (UK Biobank; first quarter ends at 73.8); no guideline has a limit",
    2024,
    "https://doi.org/10.1093/sleep/zsad253",
)
_ROENNEBERG = Guideline(
    "Roenneberg et al., Current Biology 22:939 (social jetlag); bands by the hour set by us",
    2012,
    "https://doi.org/10.1016/j.cub.2012.03.038",
)
_OXYGEN = Guideline(
    "AASM guideline on diagnostic testing for sleep apnea (a device is a hint only); limit set by us",
    2017,
    "https://doi.org/10.5664/jcsm.6506",
)


def inputs_of(case: Case, columns: Sequence[str], window: Window, **told: object) -> list[dict[str, object]]:
    """Daily inputs with the cells they came from."""
    key = {"participant_id": case.participant_id, "from": window.start, "to": window.end}
    return [{"input": name, **told, "table": "daily_summary", "key": key, "column": name} for name in columns]


def whole_days(case: Case, window: Window) -> pl.DataFrame:
    """Rows of the window whose day is whole."""
    inside = pl.col("date").is_between(window.start, window.end)
    return case.daily.filter(inside, ~pl.col("is_partial"))


def _efficiency(case: Case) -> Measured:
    """Median over nights of minutes asleep within minutes in bed."""
    window = last_days(30, case.last_day)
    nights = whole_days(case, window).filter(pl.col("time_in_bed_minutes") > 0, pl.col("sleep_minutes") >= 0)
    if nights.height < window.sufficient_days:
        raise UncheckedError("insufficient_days")
    share = nights.select((100 * pl.col("sleep_minutes") / pl.col("time_in_bed_minutes")).median()).item()
    value = rounded(float(share), 0)
    shown = f"{value:.0f} %, median of {nights.height} nights of the last 30 days"
    columns = ("sleep_minutes", "time_in_bed_minutes")
    return Measured(value, shown, window.end, inputs_of(case, columns, window, value=value, unit="%"))


EFFICIENCY = Checked(
    "sleep_efficiency_nsf",
    "Sleep efficiency",
    "sleep",
    ("sleep_minutes", "time_in_bed_minutes"),
    "last 30 days",
    "23 of 30 nights",
    _NSF,
    banded(_efficiency, "%"),
    {
        "any": (
            Band("below 75 %", severity="low", fires=True, says="below what the recommendation calls good",
                 next_step="Ask about lying awake, pain, breathing and worry; devices overstate sleep."),
            Band("75 to below 85 %", {"%": 75}, "info", True, "below what the recommendation calls good",
                 "Ask how nights feel; devices overstate sleep."),
            Band("85 % or above", {"%": 85}, says="as the recommendation calls good"),
        )
    },
    pregnancy_stops=False,
    recent=True,
)  # fmt: skip


def regularity_index(asleep: np.ndarray[Any, np.dtype[np.int8]]) -> float | None:
    """Sleep Regularity Index of days (rows) by minute: 1 asleep, 0 awake, -1 not known.

    -100 + 200 times the share of pairs of minutes 24 hours apart, both known, that are alike (Phillips 2017).
    None where fewer than five pairs of days have three quarters of their minutes known.
    """
    known = (asleep[:-1] >= 0) & (asleep[1:] >= 0)
    usable = known.mean(axis=1) >= 0.75
    if usable.sum() < 5:
        return None
    alike = (asleep[:-1] == asleep[1:]) & known
    return float(-100 + 200 * alike[usable].sum() / known[usable].sum())


def minutes_asleep(case: Case, window: Window) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Days of the window by minute: asleep within a sleep log; unknown around a night without one.

    A day counts from noon to noon, so that a night lies in one row; it is known where its main sleep is.
    """
    days = window.days
    state = np.full((days, MINUTES_A_DAY), -1, dtype=np.int8)
    noon = pl.datetime(window.start.year, window.start.month, window.start.day) - pl.duration(hours=12)
    logs = case.nights.filter(pl.col("date").is_between(window.start, window.end)).select(
        "is_main",
        row=(pl.col("date") - pl.lit(window.start)).dt.total_days(),
        begin=(pl.col("start_time") - noon).dt.total_minutes(),
        end=(pl.col("end_time") - noon).dt.total_minutes(),
    )
    for is_main, row, _, _ in logs.iter_rows():
        if is_main:
            state[row] = 0
    flat = state.reshape(-1)
    for _, _, begin, end in logs.iter_rows():
        part = flat[max(begin, 0) : max(end, 0)]
        part[part >= 0] = 1
    return state


def _regularity(case: Case) -> Measured:
    window = last_days(28, case.last_day)
    index = regularity_index(minutes_asleep(case, window))
    if index is None:
        raise UncheckedError("insufficient_days")
    value = rounded(index, 0)
    note = " The figure holds for this device only; naps and lying awake count as the device logs them."
    evidence = inputs_of(case, ("bed_time", "wake_up_time"), window, value=value, unit="points")
    return Measured(value, f"{value:.0f} over the last 28 days", window.end, evidence, note)


REGULARITY = Checked(
    "sleep_regularity_index",
    "Sleep regularity index",
    "sleep",
    ("bed_time", "wake_up_time"),
    "last 28 days",
    "five pairs of neighbouring nights with a main sleep",
    _WINDRED,
    banded(_regularity, "points"),
    {
        "any": (
            Band("least regular quarter", severity="info", fires=True,
                 says="in the least regular quarter of a large cohort",
                 next_step="Ask about shifts, care at home and weekends; a steady wake-up time helps most."),
            Band("more regular", {"points": 74}, says="more regular than a quarter of a large cohort"),
        )
    },
    pregnancy_stops=False,
    recent=True,
)  # fmt: skip


def circular_mean(minutes: Sequence[float]) -> float:
    """Mean of clock times in minutes, on the circle: of 23:45 and 00:15 it is 00:00."""
    angles = [2 * pi * minute / MINUTES_A_DAY for minute in minutes]
    mean = atan2(sum(map(sin, angles)), sum(map(cos, angles)))
    return mean * MINUTES_A_DAY / (2 * pi) % MINUTES_A_DAY


def circular_difference(late: float, early: float) -> float:
    """Signed difference of two clock times in minutes, within half a day."""
    return (late - early + MINUTES_A_DAY / 2) % MINUTES_A_DAY - MINUTES_A_DAY / 2


def _social_jetlag(case: Case) -> Measured:
    """Midpoint of sleep on Saturdays and Sundays against the other days, by date of waking."""
    window = last_days(30, case.last_day)
    nights = (
        whole_days(case, window)
        .drop_nulls(["bed_minute", "wake_up_minute"])
        .select(
            middle=(pl.col("bed_minute") + pl.col("wake_up_minute")) / 2, free=pl.col("date").dt.weekday() > 5
        )
    )
    free, other = (nights.filter(pl.col("free") == side)["middle"].to_list() for side in (True, False))
    if len(free) < 4 or len(other) < 10:
        raise UncheckedError("insufficient_days")
    minutes = abs(rounded(circular_difference(circular_mean(free), circular_mean(other)), 0))
    note = " Weekends stand for free days, which nobody told; it means nothing for shift workers."
    evidence = inputs_of(case, ("bed_minute", "wake_up_minute"), window, value=minutes, unit="minutes")
    return Measured(minutes, shown_duration(minutes), window.end, evidence, note)


SOCIAL_JETLAG = Checked(
    "social_jetlag",
    "Shift of sleep between weekends and other days",
    "sleep",
    ("bed_minute", "wake_up_minute"),
    "last 30 days",
    "four weekend nights and ten others",
    _ROENNEBERG,
    banded(_social_jetlag, "minutes"),
    {
        "any": (
            Band("below an hour", says="less than an hour"),
            Band("one to two hours", {"minutes": 60}, "info", True, "between one and two hours",
                 "Ask whether weekdays start too early for this person."),
            Band("two hours or more", {"minutes": 120}, "low", True, "two hours or more",
                 "Ask about work hours, and whether bed and wake-up times can move together."),
        )
    },
    pregnancy_stops=False,
    recent=True,
)  # fmt: skip

OXYGEN_BELOW, OXYGEN_NIGHTS = 92, 3


def _low_oxygen(case: Case) -> Measured:
    """Nights of the last seven whose mean oxygen lies below 92 %; single minima are never read."""
    window = last_days(7, case.last_day)
    nights = whole_days(case, window)["spo2_avg"].drop_nulls()
    if nights.len() < 5:
        raise UncheckedError("insufficient_days")
    low = int((nights < OXYGEN_BELOW).sum() or 0)
    shown = f"below {OXYGEN_BELOW} % in {low} of the last {nights.len()} nights with a value"
    note = " A wrist device is no oximeter: altitude, cold hands and skin tone mislead it." if low else ""
    evidence = inputs_of(case, ("spo2_avg",), window, value=low, unit="nights")
    return Measured(low, shown, window.end, evidence, note)


LOW_OXYGEN = Checked(
    "night_oxygen_hint",
    "Blood oxygen asleep",
    "sleep",
    ("spo2_avg",),
    "last 7 days",
    "5 of 7 nights",
    _OXYGEN,
    banded(_low_oxygen, "nights"),
    {
        "any": (
            Band("seldom low", says="not enough for a hint"),
            Band("often low", {"nights": OXYGEN_NIGHTS}, "low", True, "a hint, not a diagnosis",
                 "Ask about snoring, pauses in breathing and sleepiness; formal oximetry if wanted."),
        )
    },
    pregnancy_stops=False,
    recent=True,
)  # fmt: skip

RULES = (EFFICIENCY.rule(), REGULARITY.rule(), SOCIAL_JETLAG.rule(), LOW_OXYGEN.rule())

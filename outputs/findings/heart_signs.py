"""Signs of the heart and body over the last days: resting heart rate by itself, and unlike-usual nights."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

import polars as pl

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, Measured, UncheckedError, banded, verdict
from outputs.findings.nights import inputs_of, whole_days
from outputs.findings.rule import Case, Finding, Guideline
from outputs.findings.trend_tests import has_break
from outputs.rendering import rounded, shown_number
from outputs.windows import Window, last_days

MAD_TO_SD = 1.4826
_QUER = Guideline(
    "Quer et al., PLoS ONE 15:e0227709 (resting heart rate of wearers: 40 to 109 bpm); limits set by us",
    2020,
    "https://doi.org/10.1371/journal.pone.0227709",
)
_NATARAJAN = Guideline(
    "Natarajan et al., npj Digit Med 3:156 (resting heart rate, breathing and variability in illness);"
    " limits set by us",
    2020,
    "https://doi.org/10.1038/s41746-020-00363-7",
)


def _resting(case: Case) -> Measured:
    """What three of the last seven days reach, above 100 or below 40; else the median."""
    window = last_days(7, case.last_day)
    days = whole_days(case, window).filter(pl.col("valid_day").fill_null(False))
    values = sorted(days["resting_heart_rate"].drop_nulls().to_list())
    if len(values) < 4:
        raise UncheckedError("insufficient_days")
    among = f"of the last {len(values)} days with a value"
    value, shown = rounded(median(values), 0), f"median {among}"
    if values[-3] > 100 or values[2] < 40:
        side = "or more" if values[-3] > 100 else "or less"
        value = values[-3] if values[-3] > 100 else values[2]
        shown = f"{side} on three {among}"
    evidence = inputs_of(case, ("resting_heart_rate",), window, value=value, unit="bpm")
    return Measured(value, f"{shown_number(value, 0)} bpm, {shown}", window.end, evidence)


LEVEL = Checked(
    "resting_heart_rate_level",
    "Resting heart rate",
    "heart",
    ("resting_heart_rate",),
    "last 7 days",
    "4 of 7 valid days",
    _QUER,
    banded(_resting, "bpm"),
    {
        "any": (
            Band("below 40", severity="medium", fires=True, says="rare but in athletes",
                 next_step="Ask about fainting, training and medicines; record an ECG if unsure."),
            Band("40 to 100", {"bpm": 40}, says="within what wearers have"),
            Band("above 100", {"bpm": 100}, "medium", True, "rare at rest",
                 "Ask about fever, bleeding, thyroid, medicines and palpitations; record an ECG.",
                 strictly=True),
        )
    },
    recent=True,
)  # fmt: skip

BASELINE_DAYS, RECENT_DAYS, LEAST_BASELINE = 56, 7, 28


@dataclass(frozen=True, slots=True)
class Sign:
    """A nightly measure: how far from usual (in robust standard deviations, with a floor) counts."""

    metric: str
    name: str
    beyond: float
    floor: float
    falling: bool = False
    logarithm: bool = False


SIGNS = (
    Sign("resting_heart_rate", "resting heart rate up", 2.5, 1.5),
    Sign("respiratory_rate", "breathing up", 3.0, 0.3),
    Sign("skin_temperature_variation", "skin temperature up", 2.0, 0.15),
    Sign("heart_rate_variability", "heart rate variability down", 2.0, 0.04, falling=True, logarithm=True),
)
_UNUSUAL = Band(
    "unlike usual",
    severity="info",
    fires=True,
    next_step="Ask about symptoms, alcohol, travel, vaccination, heat and cycle; the device cannot tell.",
)
_USUAL = Band("as usual")


def z_score(value: float, usual: Sequence[float], floor: float) -> float:
    """Distance from the median of usual values in robust standard deviations, of at least ``floor``."""
    middle = median(usual)
    spread = max(MAD_TO_SD * median(abs(each - middle) for each in usual), floor)
    return (value - middle) / spread


def _off_days(case: Case, sign: Sign, usual: Window, recent: Window) -> set[date] | None:
    """Recent days on which the sign is beyond its limit; None where it has no baseline."""
    scale = math.log if sign.logarithm else float
    before = [scale(value) for _, value in _values(case, sign.metric, usual)]
    if len(before) < LEAST_BASELINE:
        return None
    turn = -1 if sign.falling else 1
    return {
        day
        for day, value in _values(case, sign.metric, recent)
        if turn * z_score(scale(value), before, sign.floor) >= sign.beyond
    }


def _values(case: Case, metric: str, window: Window) -> list[tuple[date, float]]:
    return whole_days(case, window).drop_nulls(metric).select("date", pl.col(metric).cast(pl.Float64)).rows()


def _runs(off: Mapping[str, set[date]]) -> list[date]:
    """Days with two or more signs that are followed or preceded by another such day."""
    counts: dict[date, int] = {}
    for days in off.values():
        for day in days:
            counts[day] = counts.get(day, 0) + 1
    many = {day for day, count in counts.items() if count >= 2}
    return sorted(day for day in many if {day - timedelta(1), day + timedelta(1)} & many)


def _unlike_usual(rule: Checked, case: Case) -> Finding:
    recent = last_days(RECENT_DAYS, case.last_day)
    usual = Window("usual", recent.start - timedelta(BASELINE_DAYS), recent.start - timedelta(1))
    if has_break(case.daily, usual.start, recent.end):
        raise UncheckedError("break", "not_comparable")
    found = {sign: _off_days(case, sign, usual, recent) for sign in SIGNS}
    known = {sign.name: days for sign, days in found.items() if days is not None}
    if len(known) < 2:
        raise UncheckedError("insufficient_days")
    days = _runs(known)
    band = _UNUSUAL if days else _USUAL
    signs = [name for name, off in known.items() if off & set(days)]
    statement = (
        f"{len(days)} nights of the last {RECENT_DAYS} were unlike this person's own: {', '.join(signs)}."
        if days
        else f"No two nights running of the last {RECENT_DAYS} were unlike this person's own in two measures."
    )
    columns = [sign.metric for sign in SIGNS if sign.name in known]
    evidence = inputs_of(
        case, columns, Window("both", usual.start, recent.end), value=len(days), unit="nights"
    )
    return verdict(rule, recent.end, statement, band, evidence)


UNLIKE_USUAL = Checked(
    "nights_unlike_usual",
    "Nights unlike usual",
    "heart",
    tuple(sign.metric for sign in SIGNS),
    f"last {RECENT_DAYS} nights against the {BASELINE_DAYS} before",
    f"{LEAST_BASELINE} of {BASELINE_DAYS} nights of two measures",
    _NATARAJAN,
    _unlike_usual,
    {},
    lines=(
        "two nights running with two of: "
        + ", ".join(f"{sign.name} by {shown_number(sign.beyond, 1)} SD" for sign in SIGNS)
        + " (info)",
        "else (nothing found)",
    ),
    gate="no change of device or method",
    recent=True,
)
RULES = (LEVEL.rule(), UNLIKE_USUAL.rule())

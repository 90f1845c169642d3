"""Steps and sitting of a usual day. No guideline has a limit for either: the bands are ours."""

import polars as pl

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, Measured, UncheckedError, banded
from outputs.findings.nights import inputs_of, whole_days
from outputs.findings.rule import Case, Guideline
from outputs.rendering import rounded, shown_duration, shown_number
from outputs.windows import Window, last_days

# Wrist devices count hours without them as sitting: only days worn nearly throughout say anything of it.
WORN_THROUGH_MINUTES = 1200
_PALUCH = Guideline(
    "Paluch et al., Lancet Public Health 7:e219 (steps and mortality, 15 cohorts); bands set by us",
    2022,
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC9289978/",
)
_EKELUND = Guideline(
    "Ekelund et al., BMJ 366:l4570 (9.5 hours a day and more); WHO 2020 found no ground for a limit",
    2019,
    "https://doi.org/10.1136/bmj.l4570",
)
_ASK = "Ask what walking is possible and liked; a slow gait, a pram or a walker hides steps."


def _usual(case: Case, metric: str, window: Window, worn: pl.Expr) -> tuple[float, int]:
    """Median over the days of the window that count, and how many there are."""
    days = whole_days(case, window).filter(worn.fill_null(False)).drop_nulls(metric)
    if days.height < window.sufficient_days:
        raise UncheckedError("insufficient_days")
    return rounded(float(days.select(pl.col(metric).median()).item()), 0), days.height


def _steps(case: Case) -> Measured:
    window = last_days(30, case.last_day)
    value, days = _usual(case, "steps", window, pl.col("valid_day"))
    shown = f"{shown_number(value, 0)} a day, median of {days} of the last 30 days"
    return Measured(value, shown, window.end, inputs_of(case, ("steps",), window, value=value, unit="steps"))


def _sitting(case: Case) -> Measured:
    window = last_days(30, case.last_day)
    worn = pl.col("wear_minutes") >= WORN_THROUGH_MINUTES
    value, days = _usual(case, "sedentary_minutes", window, worn)
    shown = f"{shown_duration(value)} a day, median of {days} days worn throughout of the last 30"
    evidence = inputs_of(case, ("sedentary_minutes",), window, value=value, unit="minutes")
    note = " A wrist device cannot tell sitting from standing still."
    return Measured(value, shown, window.end, evidence, note)


STEPS = Checked(
    "steps_volume",
    "Steps",
    "activity",
    ("steps",),
    "last 30 days",
    "23 of 30 valid days",
    _PALUCH,
    banded(_steps, "steps"),
    {
        "any": (
            Band("below 4,000", severity="low", fires=True, says="a low volume of walking", next_step=_ASK),
            Band("4,000 to below 7,000", {"steps": 4000}, says="in the middle of the cohorts"),
            Band("7,000 or more", {"steps": 7000}, says="in the upper half of the cohorts"),
        )
    },
    pregnancy_stops=False,
    recent=True,
)
SITTING = Checked(
    "sedentary_time",
    "Sedentary time",
    "activity",
    ("sedentary_minutes", "wear_minutes"),
    "last 30 days",
    "23 of 30 days with the device worn 20 hours or more",
    _EKELUND,
    banded(_sitting, "minutes"),
    {
        "any": (
            Band("below 9.5 hours", says="below what the review links with risk"),
            Band("9.5 hours or more", {"minutes": 570}, "info", True, "as long as the review links with risk",
                 "Ask about work and screens; short breaks and walking count."),
        )
    },
    pregnancy_stops=False,
    recent=True,
)  # fmt: skip
RULES = (STEPS.rule(), SITTING.rule())

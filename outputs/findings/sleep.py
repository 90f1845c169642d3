"""Sleep: its usual length against the consensus for adults."""

import polars as pl

from outputs.findings.bands import Band, band_index, described, finding_of
from outputs.findings.rule import Case, Finding, Guideline, Rule, age_gate, unchecked
from outputs.person_values import countable_values
from outputs.rendering import rounded, shown_duration
from outputs.windows import Window, data_is_old, last_days, sufficient_days

RULE_ID = "sleep_duration_aasm"
TITLE = "Sleep duration"
METRIC = "sleep_minutes"
WINDOW_DAYS = 30
OLDEST_AGE_OF_AASM = 60

_AASM = Guideline(
    "AASM and Sleep Research Society consensus, adults 18-60",
    2015,
    "https://doi.org/10.5664/jcsm.4758",
)
_STEP = (
    "Ask about sleep opportunity, shift work, sleepiness by day and sleep quality; trackers tend to overstate"
    " sleep."
)

BANDS = (
    Band("below 6 h", severity="medium", fires=True, says="shorter than recommended", next_step=_STEP),
    Band("6 to below 7 h", {"minutes": 360}, "low", True, "shorter than recommended", _STEP),
    Band("7 to 9 h", {"minutes": 420}, says="within the recommended length"),
    Band(
        "above 9 h",
        {"minutes": 540},
        "info",
        True,
        "longer than 9 h, which suits some people",
        "Ask about sleep debt, illness and low energy.",
        strictly=True,
    ),
)


def check(case: Case) -> list[Finding]:
    """One finding on the median night of the last 30 days."""
    return [_gated(case) or _classed(case, last_days(WINDOW_DAYS, case.last_day))]


def _gated(case: Case) -> Finding | None:
    if case.data_through is None:
        return unchecked(TITLE, METRIC, case.last_day, "no_wearable")
    if data_is_old(case.data_through, case.as_of):
        return unchecked(TITLE, METRIC, case.last_day, "data_old")
    return age_gate(case, TITLE, METRIC, case.last_day)


def _classed(case: Case, window: Window) -> Finding:
    nights = nights_of(case.daily, window)
    if nights.len() < window.sufficient_days:
        return unchecked(TITLE, METRIC, window.end, "insufficient_days")
    minutes = rounded(float(pl.select(pl.lit(nights).median()).item()), 0)
    place = band_index(minutes, "minutes", BANDS)
    statement = (
        f"Sleep duration, median of {nights.len()} nights of the last {WINDOW_DAYS} days:"
        f" {shown_duration(minutes)}, {BANDS[place].says} ({_recommended(case)})."
    )
    evidence = _evidence(case, window, minutes, nights.len())
    return finding_of(
        BANDS, place, "minutes", statement, subject=METRIC, window_end=window.end, evidence=[evidence]
    )


def nights_of(daily: pl.DataFrame, window: Window) -> pl.Series:
    """Minutes asleep of the nights of a window that have a value."""
    return (
        countable_values(daily.lazy())
        .filter(pl.col("metric") == METRIC, pl.col("date").is_between(window.start, window.end))
        .sort("date")
        .collect()["value"]
    )


def _recommended(case: Case) -> str:
    """Above 60 years the consensus gives no number of its own; the lower limit is used and said so."""
    if case.age is not None and case.age > OLDEST_AGE_OF_AASM:
        return "7 h or more, a recommendation for adults up to 60"
    return "7 h or more"


def _evidence(case: Case, window: Window, minutes: float, nights: int) -> dict[str, object]:
    return {
        "input": METRIC,
        "value": minutes,
        "unit": "minutes",
        "days": nights,
        "table": "daily_summary",
        "key": {"participant_id": case.participant_id, "from": window.start, "to": window.end},
        "column": METRIC,
    }


SLEEP_DURATION = Rule(
    RULE_ID,
    TITLE,
    "sleep",
    (METRIC,),
    f"last {WINDOW_DAYS} days",
    f"{sufficient_days(WINDOW_DAYS)} of {WINDOW_DAYS} nights",
    "age 18 or above; data at most 14 days behind",
    described(BANDS),
    _AASM,
    check,
)

RULES = (SLEEP_DURATION,)

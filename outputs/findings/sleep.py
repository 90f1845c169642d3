"""Sleep: its usual length against the consensus for adults, and its trend."""

from outputs.findings.bands import Band, band_index, described, limits_of
from outputs.findings.rule import Case, Finding, Guideline, Rule, age_gate, unchecked
from outputs.findings.trend import TrendRule
from outputs.rendering import rounded, shown_duration

RULE_ID = "sleep_duration_aasm"
TITLE = "Sleep duration"
WINDOW = "last_30_days"
OLDEST_AGE_OF_AASM = 60

_AASM = Guideline(
    "AASM and Sleep Research Society consensus, adults 18-60",
    2015,
    "https://doi.org/10.5664/jcsm.4758",
)
_OWN = Guideline(
    "AASM and Sleep Research Society consensus on sleep duration; limit of change set by us",
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
    return [_gated(case) or _classed(case)]


def _gated(case: Case) -> Finding | None:
    row = case.values.get(("sleep_minutes", WINDOW))
    if case.data_through is None or row is None:
        return unchecked(TITLE, "sleep_minutes", case.last_day, "no_wearable")
    if row["value"] is None:
        reason = "data_old" if row["no_value_reason"] == "data_old" else "insufficient_days"
        return unchecked(TITLE, "sleep_minutes", case.last_day, reason)
    return age_gate(case, TITLE, "sleep_minutes", case.last_day)


def _classed(case: Case) -> Finding:
    row = case.values["sleep_minutes", WINDOW]
    minutes = rounded(row["value"], 0)
    place = band_index(minutes, "minutes", BANDS)
    band = BANDS[place]
    return Finding(
        "sleep_minutes",
        case.last_day,
        "fired" if band.fires else "normal",
        f"Sleep duration, median of {row['days']} nights of the last 30 days: {shown_duration(minutes)},"
        f" {band.says} ({_recommended(case)}).",
        band.severity if band.fires else "info",
        category=band.category,
        next_step=band.next_step,
        limits=limits_of(place, "minutes", BANDS),
        evidence=[_evidence(case)],
    )


def _recommended(case: Case) -> str:
    """Above 60 years the consensus gives no number of its own; the lower limit is used and said so."""
    if case.age is not None and case.age > OLDEST_AGE_OF_AASM:
        return "7 h or more, a recommendation for adults up to 60"
    return "7 h or more"


def _evidence(case: Case) -> dict[str, object]:
    row = case.values["sleep_minutes", WINDOW]
    key = {"participant_id": case.participant_id, "metric": "sleep_minutes", "window": WINDOW}
    return {
        "input": "sleep_minutes",
        "value": row["value"],
        "unit": "minutes",
        "days": row["days"],
        "table": "participant_percentiles",
        "key": key,
        "column": "value",
    }


SLEEP_DURATION = Rule(
    RULE_ID,
    TITLE,
    "sleep",
    ("sleep_minutes",),
    "last 30 days",
    "23 of 30 nights",
    "age 18 or above; data at most 14 days behind",
    described(BANDS),
    _AASM,
    check,
)
SLEEP_TREND = TrendRule(
    "sleep_duration_trend",
    "sleep_minutes",
    "falling",
    30.0,
    60.0,
    _OWN,
    "Ask what changed: work, care at home, stress, illness, season.",
)

RULES = (SLEEP_DURATION, SLEEP_TREND.rule())

"""Trends that are findings: heart, activity and sleep against the person's own earlier days.

Which way is worth a look is in ``trend_tests``; the other way is told, and is no finding. Sizes are ours.
"""

from outputs.findings.rule import Guideline
from outputs.findings.trend import TrendRule

_ASK = (
    "Ask about illness, alcohol, travel, heat, stress, training and medicines; the device cannot tell which."
)

TRENDS = (
    TrendRule(
        "resting_heart_rate_trend",
        "resting_heart_rate",
        10.0,
        Guideline(
            "Quer et al., PLoS ONE 15:e0227709 (resting heart rate within a person); limit set by us",
            2020,
            "https://doi.org/10.1371/journal.pone.0227709",
        ),
        _ASK,
    ),
    TrendRule(
        "heart_rate_variability_trend",
        "heart_rate_variability",
        40.0,
        Guideline(
            "Natarajan et al., Lancet Digit Health 2:e650 (RMSSD of wearers by age); limit set by us",
            2020,
            "https://doi.org/10.1016/S2589-7500(20)30246-6",
        ),
        _ASK,
    ),
    TrendRule(
        "steps_trend",
        "steps",
        60.0,
        Guideline(
            "Paluch et al., Lancet Public Health 7:e219 (steps and mortality); limit set by us",
            2022,
            "https://pmc.ncbi.nlm.nih.gov/articles/PMC9289978/",
        ),
        "Ask what changed: pain, illness, season, work, or how the device is worn.",
    ),
    TrendRule(
        "sleep_duration_trend",
        "sleep_minutes",
        60.0,
        Guideline(
            "AASM and Sleep Research Society consensus on sleep duration; limit of change set by us",
            2015,
            "https://doi.org/10.5664/jcsm.4758",
        ),
        "Ask what changed: work, care at home, stress, illness, season.",
    ),
)

RULES = tuple(trend.rule() for trend in TRENDS)

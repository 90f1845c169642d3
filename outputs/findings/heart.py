"""Resting heart rate: its trend against the person's own weeks."""

from outputs.findings.rule import Guideline
from outputs.findings.trend import TrendRule

_QUER = Guideline(
    "Quer et al., PLoS ONE 15:e0227709 (spread of resting heart rate within a person); limit set by us",
    2020,
    "https://doi.org/10.1371/journal.pone.0227709",
)

RESTING_HEART_RATE_TREND = TrendRule(
    "resting_heart_rate_trend",
    "resting_heart_rate",
    "rising",
    3.0,
    10.0,
    _QUER,
    "Ask about illness, alcohol, travel, heat, stress, training and medicines; the device cannot tell which.",
)

RULES = (RESTING_HEART_RATE_TREND.rule(),)

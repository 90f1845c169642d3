"""Kidney: eGFR and urine albumin/creatinine ratio in the categories of KDIGO."""

from outputs.findings.banded_lab import BandedLab
from outputs.findings.bands import Band
from outputs.findings.rule import Guideline, Severity

KDIGO = Guideline(
    "KDIGO guideline on chronic kidney disease",
    2024,
    "https://kdigo.org/guidelines/ckd-evaluation-and-management/",
)
_REPEAT = "Repeat with urine albumin/creatinine ratio: chronic kidney disease is defined over three months."
_UNIT = "mL/min/{1.73_m2}"


def _g(category: str, lower: float | None, severity: Severity, fires: bool) -> Band:
    return Band(
        category,
        {} if lower is None else {_UNIT: lower},
        severity,
        fires,
        f"{'once ' if fires else ''}in category {category}",
        _REPEAT if fires else None,
    )


EGFR = BandedLab(
    "egfr_kdigo",
    "egfr",
    {
        "any": (
            _g("G5", None, "critical", True),
            _g("G4", 15, "high", True),
            _g("G3b", 30, "medium", True),
            _g("G3a", 45, "low", True),
            _g("G2", 60, "info", False),
            _g("G1", 90, "info", False),
        )
    },
    KDIGO,
    derived_decimals=0,
)

ALBUMIN_CREATININE = BandedLab(
    "urine_acr_kdigo",
    "urine_albumin_creatinine_ratio",
    {
        "any": (
            Band("A1", says="in category A1"),
            Band(
                "A2",
                {"mg/g": 30, "mg/mmol": 3},
                "low",
                True,
                "once in category A2",
                "Repeat on a first morning sample, not after exercise or with fever.",
            ),
            Band(
                "A3",
                {"mg/g": 300, "mg/mmol": 30},
                "medium",
                True,
                "once in category A3",
                "Repeat on a first morning sample, with eGFR.",
                strictly=True,
            ),
        )
    },
    KDIGO,
)

RULES = (EGFR.rule(), ALBUMIN_CREATININE.rule())

"""Glucose and insulin: HbA1c and fasting glucose (ADA), HOMA-IR (classes of the study)."""

from outputs.findings.banded_lab import BandedLab
from outputs.findings.bands import Band
from outputs.findings.rule import Case, Guideline

_ADA = Guideline(
    "American Diabetes Association, Standards of Care in Diabetes",
    2026,
    "https://diabetesjournals.org/care/issue/49/Supplement_1",
)
_WEAR_ME = Guideline(
    "WEAR-ME study, Nature 652:451; study classes, not a guideline",
    2026,
    "https://doi.org/10.1038/s41586-026-10179-2",
)
HBA1C_CAUTION = (
    "Haemoglobin variants, recent blood loss or transfusion, dialysis, iron deficiency or its treatment can"
    " mislead HbA1c."
)
_DIABETES_RANGE_FROM = {"mg/dL": 126, "mmol/L": 7.0}
CRITERION = "meets the numeric criterion of diabetes, confirmation required"

HBA1C = BandedLab(
    "hba1c_ada",
    "hba1c",
    {
        "any": (
            Band("below prediabetes range", says="below the guideline's prediabetes range"),
            Band(
                "prediabetes range",
                {"%": 5.7, "mmol/mol": 39},
                "low",
                True,
                "in the guideline's prediabetes range",
                f"Repeat, or pair with a fasting plasma glucose. {HBA1C_CAUTION}",
            ),
            Band(
                "diabetes range",
                {"%": 6.5, "mmol/mol": 48},
                "high",
                True,
                CRITERION,
                f"Confirm with a second test, such as fasting plasma glucose. {HBA1C_CAUTION}",
            ),
            Band(
                "diabetes range, far above",
                {"%": 10.0, "mmol/mol": 86},
                "high",
                True,
                CRITERION,
                f"Review promptly and confirm. {HBA1C_CAUTION}",
            ),
        )
    },
    _ADA,
)

FASTING_GLUCOSE = BandedLab(
    "fasting_glucose_ada",
    "glucose",
    {
        "any": (
            Band("below impaired fasting range", says="below the guideline's impaired fasting range"),
            Band(
                "impaired fasting range",
                {"mg/dL": 100, "mmol/L": 5.6},
                "low",
                True,
                "in the guideline's impaired fasting glucose range",
                "Repeat fasting on another day, or pair with HbA1c.",
            ),
            Band(
                "diabetes range",
                _DIABETES_RANGE_FROM,
                "high",
                True,
                CRITERION,
                "Confirm with a second test on another day, or HbA1c.",
            ),
            Band(
                "diabetes range, far above",
                {"mg/dL": 250, "mmol/L": 13.9},
                "high",
                True,
                CRITERION,
                "Review promptly and confirm.",
            ),
        )
    },
    _ADA,
    fasting=True,
    name="Fasting glucose",
)


def _diabetes_range_glucose(case: Case) -> str | None:
    """HOMA-IR says nothing with medicines for glucose, or a fasting glucose in the diabetes range."""
    if case.says("glucose_drug") or case.says("metformin"):
        return "taken"
    glucose = case.results.get("glucose")
    if glucose is None or glucose.unit not in _DIABETES_RANGE_FROM or not glucose.fasting:
        return None
    return "diabetes_range_glucose" if glucose.value >= _DIABETES_RANGE_FROM[glucose.unit] else None


HOMA_IR = BandedLab(
    "homa_ir_wear_me",
    "homa_ir",
    {
        "any": (
            Band("insulin sensitive", says="in the study's insulin-sensitive class"),
            Band(
                "impaired insulin sensitivity",
                {"1": 1.5},
                "info",
                True,
                "in the study's class of impaired insulin sensitivity",
                "A research index: read it with HbA1c, triglycerides, HDL and waist.",
            ),
            Band(
                "insulin resistant",
                {"1": 2.9},
                "low",
                True,
                "in the study's insulin-resistant class",
                "A research index: read it with HbA1c, triglycerides, HDL and waist.",
                strictly=True,
            ),
        )
    },
    _WEAR_ME,
    fasting=True,
    excluded=_diabetes_range_glucose,
    excluded_words="newest fasting glucose below 126 mg/dL (7.0 mmol/L); no medicine for glucose, as told",
)

RULES = (HOMA_IR.rule(),)

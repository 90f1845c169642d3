"""Haemoglobin (WHO), vitamin D (IOM), hs-CRP (CDC/AHA) and TSH (NICE)."""

from outputs.findings.banded_lab import BandedLab
from outputs.findings.bands import Band
from outputs.findings.rule import Guideline

_WHO_HB = Guideline("WHO guideline on haemoglobin cutoffs", 2024, "https://iris.who.int/handle/10665/376196")
_IOM = Guideline(
    "Institute of Medicine, Dietary Reference Intakes for vitamin D",
    2011,
    "https://nap.nationalacademies.org/catalog/13050",
)
_CDC_AHA = Guideline(
    "CDC/AHA statement on markers of inflammation", 2003, "https://doi.org/10.1161/01.CIR.0000052939.59093.45"
)
_NICE = Guideline("NICE guideline NG145 on thyroid disease", 2019, "https://www.nice.org.uk/guidance/ng145")
_HB_STEP = "Consider ferritin, CRP, MCV, B12, folate and eGFR; altitude and smoking were not adjusted for."
_TSH_STEP = "Repeat with free T4. Ask about biotin, which can distort the test, and about thyroid medicines."


def _hemoglobin(mild: float, lowest_normal: float) -> tuple[Band, ...]:
    def grams(per_litre: float) -> dict[str, float]:
        return {"g/dL": per_litre / 10, "g/L": per_litre}

    return (
        Band(
            "severe range",
            severity="high",
            fires=True,
            says="in the severe range of the guideline",
            next_step=_HB_STEP,
        ),
        Band("moderate range", grams(80), "medium", True, "in the guideline's moderate range", _HB_STEP),
        Band("mild range", grams(mild), "low", True, "in the guideline's mild range", _HB_STEP),
        Band("not low", grams(lowest_normal), says="not below the guideline's limit"),
    )


HEMOGLOBIN = BandedLab(
    "hemoglobin_who",
    "hemoglobin",
    {"female": _hemoglobin(110, 120), "male": _hemoglobin(110, 130)},
    _WHO_HB,
)

VITAMIN_D = BandedLab(
    "vitamin_d_iom",
    "vitamin_d_25oh",
    {
        "any": (
            Band(
                "risk of deficiency",
                severity="medium",
                fires=True,
                says="in the range of a risk of deficiency",
                next_step="Ask about bone symptoms, diet, sun and malabsorption; consider supplements.",
            ),
            Band(
                "some at risk of inadequacy",
                {"ng/mL": 12, "nmol/L": 30},
                "low",
                True,
                "in the range where some are at risk of inadequacy",
                "Ask about diet, sun and supplements.",
            ),
            Band(
                "sufficient for nearly all",
                {"ng/mL": 20, "nmol/L": 50},
                says="in the range that is sufficient for nearly all",
            ),
        )
    },
    _IOM,
)

HS_CRP = BandedLab(
    "hs_crp_cdc_aha",
    "hs_crp",
    {
        "any": (
            Band("lower", says="in the statement's range of lower relative risk"),
            Band("average", {"mg/L": 1}, says="in the statement's range of average relative risk"),
            Band(
                "higher",
                {"mg/L": 3},
                "low",
                True,
                "in the statement's range of higher relative risk",
                "Repeat two weeks apart when well; one value is not enough.",
                strictly=True,
            ),
            Band(
                "repeat",
                {"mg/L": 10},
                "low",
                True,
                "in the range to repeat before reading it as risk",
                "Look for infection or inflammation and repeat after two weeks.",
                strictly=True,
            ),
        )
    },
    _CDC_AHA,
)

TSH = BandedLab(
    "tsh_nice",
    "tsh",
    {
        "any": (
            Band(
                "suppressed range",
                severity="medium",
                fires=True,
                says="below the guideline's lower decision limit",
                next_step=_TSH_STEP,
            ),
            Band(
                "between the decision limits",
                {"m[IU]/L": 0.1, "u[IU]/mL": 0.1},
                says="between the guideline's decision limits; the laboratory's interval is another rule",
            ),
            Band(
                "raised range",
                {"m[IU]/L": 10, "u[IU]/mL": 10},
                "medium",
                True,
                "at or above the guideline's upper decision limit",
                _TSH_STEP,
            ),
        )
    },
    _NICE,
)

RULES = (HEMOGLOBIN.rule(), VITAMIN_D.rule(), HS_CRP.rule(), TSH.rule())

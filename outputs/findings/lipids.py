"""Blood lipids. Goals by risk group are not coded: they need a clinician's grouping (docs/findings.md)."""

from outputs.findings.banded_lab import BandedLab
from outputs.findings.bands import Band
from outputs.findings.rule import Guideline

_ACC_AHA = Guideline(
    "ACC/AHA/multisociety guideline on dyslipidemia", 2026, "https://doi.org/10.1161/CIR.0000000000001423"
)
_HARMONISED = Guideline(
    "Harmonised definition of the metabolic syndrome (IDF, NHLBI, AHA, WHF, IAS, IASO)",
    2009,
    "https://doi.org/10.1161/CIRCULATIONAHA.109.192644",
)
_NLA = Guideline(
    "National Lipid Association, statement on lipoprotein(a)",
    2024,
    "https://pubmed.ncbi.nlm.nih.gov/38565461/",
)
_LPA_STEP = "Measured once in a lifetime; relatives may be offered a test."

LDL = BandedLab(
    "ldl_acc_aha",
    "ldl_cholesterol",
    {
        "any": (
            Band("below severe range", says="below the guideline's severe range"),
            Band(
                "severe range",
                {"mg/dL": 190, "mmol/L": 4.9},
                "high",
                True,
                "in the guideline's range of severe hypercholesterolemia",
                "Repeat; look for secondary causes and a family history.",
            ),
        )
    },
    _ACC_AHA,
)

TRIGLYCERIDES = BandedLab(
    "triglycerides_acc_aha",
    "triglycerides",
    {
        "any": (
            Band("below elevated range", says="below the guideline's elevated range"),
            Band(
                "elevated range",
                {"mg/dL": 150, "mmol/L": 1.7},
                "low",
                True,
                "in the guideline's elevated range if it persists",
                "Repeat fasting; review alcohol, glucose, thyroid and medicines.",
            ),
            Band(
                "severe range",
                {"mg/dL": 500, "mmol/L": 5.7},
                "high",
                True,
                "in the guideline's severe range",
                "Repeat fasting soon; review alcohol, glucose, thyroid and medicines.",
            ),
            Band(
                "pancreatitis risk range",
                {"mg/dL": 1000, "mmol/L": 11.3},
                "high",
                True,
                "in the range the guideline links with a risk of pancreatitis",
                "Review this week; with abdominal pain at once.",
            ),
        )
    },
    _ACC_AHA,
    fasting=True,
)


def _hdl(mg_dl: float, mmol_l: float) -> tuple[Band, ...]:
    return (
        Band(
            "low",
            severity="low",
            fires=True,
            says="low by the harmonised definition",
            next_step="Read with triglycerides, glucose, waist and blood pressure.",
        ),
        Band("not low", {"mg/dL": mg_dl, "mmol/L": mmol_l}, says="not low by the harmonised definition"),
    )


HDL = BandedLab(
    "hdl_harmonised", "hdl_cholesterol", {"female": _hdl(50, 1.3), "male": _hdl(40, 1.0)}, _HARMONISED
)


def _lipoprotein_a(unit: str, intermediate: float, high: float) -> tuple[Band, ...]:
    return (
        Band("low risk range", says="in the statement's low range"),
        Band(
            "intermediate range",
            {unit: intermediate},
            "low",
            True,
            "in the statement's intermediate range",
            _LPA_STEP,
        ),
        Band("high range", {unit: high}, "medium", True, "in the statement's high range", _LPA_STEP),
    )


# Two ladders: mass and amount of lipoprotein(a) have no conversion, since the particles differ in size.
LIPOPROTEIN_A = BandedLab(
    "lipoprotein_a_nla", "lipoprotein_a_moles", {"any": _lipoprotein_a("nmol/L", 75, 125)}, _NLA
)
LIPOPROTEIN_A_MASS = BandedLab(
    "lipoprotein_a_mass_nla", "lipoprotein_a_mass", {"any": _lipoprotein_a("mg/dL", 30, 50)}, _NLA
)

RULES = (
    LDL.rule(),
    TRIGLYCERIDES.rule(),
    HDL.rule(),
    LIPOPROTEIN_A.rule(),
    LIPOPROTEIN_A_MASS.rule(),
)

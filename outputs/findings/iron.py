"""Iron: ferritin by its context, and the pattern of a low haemoglobin; vitamin B12 and folate."""

from outputs.findings.banded_lab import BandedLab
from outputs.findings.bands import Band
from outputs.findings.blood import HEMOGLOBIN
from outputs.findings.measured import Checked, UncheckedError, canonical, lab, lab_inputs, reaches, verdict
from outputs.findings.rule import Case, Finding, Guideline
from outputs.printed_result import PrintedResult

_WHO = Guideline("WHO guideline on ferritin concentrations", 2020, "https://iris.who.int/handle/10665/331505")
_CLASSES = Guideline(
    "Clinician Reviews, diagnosing and classifying anemia in adult primary care (MCV below 80, above 100 fL)",
    2017,
    "https://www.mdedge.com/clinicianreviews/article/143212/hematology/diagnosing-and-classifying-anemia-adult-primary-care",
)
_NICE = Guideline(
    "NICE guideline NG239 on vitamin B12 deficiency", 2024, "https://www.nice.org.uk/guidance/ng239"
)
_FOLATE = Guideline(
    "WHO, serum and red blood cell folate concentrations (metabolic indicator)",
    2012,
    "https://iris.who.int/handle/10665/162114",
)
# WHO 2020: 15 in health, 70 with inflammation; AGA 2020 (10.1053/j.gastro.2020.06.046): 45 with anaemia.
DEPLETED, ANAEMIC, INFLAMED = 15.0, 45.0, 70.0
INFLAMED_CRP = 5.0
_FERRITIN_UNITS = ("ng/mL", "ug/L")
_STEP = "Ask about bleeding, periods, diet and stomach; in men and after menopause look for the cause."
_LOW = Band("compatible with iron deficiency", severity="medium", fires=True, next_step=_STEP)
_ENOUGH = Band("not low for its context")
_MICROCYTIC = Band(
    "microcytic", severity="low", fires=True, next_step="Iron studies; then inherited haemoglobins."
)
_MACROCYTIC = Band(
    "macrocytic", severity="low", fires=True, next_step="B12, folate, thyroid, liver, alcohol and medicines."
)
_NORMOCYTIC = Band(
    "normocytic", severity="low", fires=True, next_step="Ferritin, CRP, eGFR, blood loss and reticulocytes."
)


def ferritin_limit(anaemic: bool, inflamed: bool) -> float:
    """The limit below which ferritin (ng/mL) goes with iron deficiency, by context."""
    if inflamed:
        return INFLAMED
    return ANAEMIC if anaemic else DEPLETED


def _ferritin(rule: Checked, case: Case) -> Finding:
    ferritin = lab(case, "ferritin")
    if ferritin.unit not in _FERRITIN_UNITS:
        raise UncheckedError("unit", "not_comparable", ferritin.collected)
    crp = _same_draw(case, ferritin, "hs_crp") or _same_draw(case, ferritin, "crp")
    blood = _same_draw(case, ferritin, "hemoglobin")
    anaemic = blood is not None and is_anaemic(case, blood)
    inflamed = crp is not None and canonical(crp) > INFLAMED_CRP
    limit = ferritin_limit(anaemic, inflamed)
    band = _LOW if ferritin.value < limit else _ENOUGH
    context = (
        "with a raised CRP" if inflamed else "with a low haemoglobin" if anaemic else "without either known"
    )
    statement = f"Ferritin {ferritin.shown}: {band.category} (the limit {context} is {limit:.0f} ng/mL)."
    used = [each for each in (ferritin, crp, blood) if each is not None]
    return verdict(rule, ferritin.collected, statement, band, lab_inputs(case, *used))


def _same_draw(case: Case, result: PrintedResult, analyte: str) -> PrintedResult | None:
    """The result of an analyte in the same draw, where it is a number."""
    try:
        return lab(case, analyte, result.collected)
    except UncheckedError:
        return None


def is_anaemic(case: Case, blood: PrintedResult) -> bool:
    """Haemoglobin below WHO's limit for the registered sex; False where there is none for it."""
    bands = HEMOGLOBIN.bands.get(case.sex)
    return bands is not None and not reaches(blood, bands[-1].lower)


def _pattern(rule: Checked, case: Case) -> Finding:
    blood = lab(case, "hemoglobin")
    if not is_anaemic(case, blood):
        raise UncheckedError("not_low", "not_applicable", blood.collected)
    mcv = lab(case, "mcv", blood.collected)
    band = _MICROCYTIC if mcv.value < 80 else _MACROCYTIC if mcv.value > 100 else _NORMOCYTIC
    statement = f"Low haemoglobin {blood.shown} with a mean cell volume of {mcv.shown}: {band.category}."
    return verdict(rule, blood.collected, statement, band, lab_inputs(case, blood, mcv))


FERRITIN = Checked(
    "ferritin_who",
    "Ferritin in context",
    "labs",
    ("ferritin", "hs_crp", "hemoglobin"),
    "newest draw",
    "ferritin; CRP and haemoglobin of that draw where they are",
    _WHO,
    _ferritin,
    {},
    lines=(
        f"below {DEPLETED:.0f} ng/mL; below {ANAEMIC:.0f} with a low haemoglobin (AGA 2020); below"
        f" {INFLAMED:.0f} with a CRP above {INFLAMED_CRP:.0f} mg/L (medium)",
        "else (nothing found)",
    ),
)
ANAEMIA = Checked(
    "anaemia_pattern",
    "Pattern of a low haemoglobin",
    "labs",
    ("hemoglobin", "mcv"),
    "newest draw",
    "haemoglobin and mean cell volume of one draw",
    _CLASSES,
    _pattern,
    {"female": (), "male": ()},
    lines=(
        "microcytic: below 80 fL (low)",
        "normocytic: 80 to 100 fL (low)",
        "macrocytic: above 100 fL (low)",
    ),
    gate="haemoglobin below WHO's limit",
)
B12 = BandedLab(
    "vitamin_b12_nice",
    "vitamin_b12",
    {
        "any": (
            Band("deficiency range", severity="medium", fires=True,
                 says="in the guideline's deficiency range",
                 next_step="Ask about nerves, diet, metformin, acid blockers and nitrous oxide."),
            Band("indeterminate", {"pg/mL": 180, "ng/L": 180, "pmol/L": 133}, "low", True,
                 "in the guideline's indeterminate range", "Methylmalonic acid where symptoms fit."),
            Band("unlikely", {"pg/mL": 350, "ng/L": 350, "pmol/L": 258},
                 says="in the range where deficiency is unlikely", strictly=True),
        )
    },
    _NICE,
)  # fmt: skip
FOLATE = BandedLab(
    "folate_who",
    "folate",
    {
        "any": (
            Band("possible deficiency", severity="low", fires=True,
                 says="below the limit at which homocysteine rises",
                 next_step="Check B12 before folic acid; the last meals move this test."),
            Band("sufficient", {"ng/mL": 4, "ug/L": 4, "nmol/L": 10}, says="not below that limit"),
        )
    },
    _FOLATE,
)  # fmt: skip

RULES = (FERRITIN.rule(), ANAEMIA.rule(), B12.rule(), FOLATE.rule())

"""The same person's blood on another day: values move as much as they do within a person."""

from collections.abc import Mapping

import numpy as np

from synthetic.labs.blood import DECIMALS, with_derived
from synthetic.people.body import Floats

# Coefficients of variation within a person, in percent, about as studies of biological variation give them.
WITHIN_PERSON = {
    "glucose": 4.5, "insulin": 20, "hba1c": 1.2, "triglycerides": 18, "hdl_cholesterol": 5,
    "ldl_cholesterol": 7, "hs_crp": 30, "urea_nitrogen": 12, "creatinine": 4, "sodium": 0.5, "potassium": 3.5,
    "chloride": 1, "carbon_dioxide": 3.5, "calcium": 1.5, "phosphate": 7, "magnesium": 3, "urate": 8,
    "bilirubin_total": 15, "alkaline_phosphatase": 5, "ast": 9, "alt": 10, "ggt": 9, "tsh": 15, "free_t4": 5,
    "vitamin_d_25oh": 8, "vitamin_b12": 8, "folate": 10, "ferritin": 12, "iron": 20,
    "iron_binding_capacity": 4, "leukocytes": 9, "platelets": 6, "mpv": 2, "rdw_cv": 1.5,
    "lymphocytes_percent": 7, "monocytes_percent": 8, "eosinophils_percent": 12, "urine_albumin": 25,
    "urine_creatinine": 20,
}  # fmt: skip
TOGETHER = {
    "total_protein": ("proteins", 2.0), "albumin": ("proteins", 2.0), "erythrocytes": ("red", 2.0),
    "hematocrit": ("red", 2.0), "hemoglobin": ("red", 2.0),
}  # fmt: skip
MOST_DEVIATIONS = 2.0
LIMITS = {
    "potassium": (3.3, 5.5), "sodium": (132.0, 148.0), "triglycerides": (35.0, 395.0),
    "lymphocytes_percent": (14.0, 50.0),
}  # fmt: skip


def drawn_again(
    rng: np.random.Generator, values: Mapping[str, Floats], female: Floats, age: Floats
) -> dict[str, Floats]:
    """Values of a later draw, rounded and derived anew. What rises together (dilution) keeps its ratio."""
    n = len(female)
    deviates = {name: _deviate(rng, n) for name in ("proteins", "red")}
    moved: dict[str, Floats] = {}
    for key in (*WITHIN_PERSON, *TOGETHER):
        group, percent = TOGETHER.get(key, (None, WITHIN_PERSON.get(key, 0.0)))
        deviate = deviates[group] if group else _deviate(rng, n)
        moved[key] = values[key] * (1 + percent / 100 * deviate)
    for key, (low, high) in LIMITS.items():
        moved[key] = np.clip(moved[key], low, high)
    moved["basophils_percent"] = values["basophils_percent"]
    derived = with_derived(moved, female, age)
    return {key: derived[key] for key in DECIMALS}


def _deviate(rng: np.random.Generator, n: int) -> Floats:
    return np.clip(rng.normal(0, 1, n), -MOST_DEVIATIONS, MOST_DEVIATIONS)

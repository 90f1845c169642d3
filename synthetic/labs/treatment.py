"""What drugs and pregnancy do to blood: factors on what is measured, of about the size that is taught."""

from collections.abc import Mapping

import numpy as np

from synthetic.labs.blood import with_derived
from synthetic.people.body import Floats
from synthetic.people.health import STATINS, Health

FACTORS: dict[str, dict[str, float]] = {
    **{statin: {"ldl_cholesterol": 0.68, "triglycerides": 0.9} for statin in STATINS},
    "metformin": {"vitamin_b12": 0.85},
    "hydrochlorothiazide": {"potassium": 0.95, "urate": 1.1},
    "lisinopril": {"potassium": 1.03},
    "losartan": {"potassium": 1.03, "urate": 0.95},
}
PREGNANCY = {
    "erythrocytes": 0.9, "hemoglobin": 0.9, "hematocrit": 0.9, "creatinine": 0.75, "urea_nitrogen": 0.75,
    "albumin": 0.88, "total_protein": 0.92, "alkaline_phosphatase": 1.25, "ldl_cholesterol": 1.2,
    "triglycerides": 1.6, "ferritin": 0.6, "urate": 0.8, "tsh": 0.85, "leukocytes": 1.2,
}  # fmt: skip
LOWEST_POTASSIUM, HIGHEST_TRIGLYCERIDES = 3.3, 395.0


def as_treated(
    values: Mapping[str, Floats], health: Health, female: Floats, age: Floats, ldl_rise: float = 0.0
) -> dict[str, Floats]:
    """Values of one person under their drugs and pregnancy, derived anew.

    ``ldl_rise`` in mg/dL is a planted effect and comes on top, so that its size is what is planted.
    """
    drugs = [*health.antihypertensives, health.statin, health.diabetes_drug]
    moved = dict(values)
    for factors in (*(FACTORS.get(drug or "", {}) for drug in drugs), PREGNANCY if health.pregnant else {}):
        moved |= {key: moved[key] * factor for key, factor in factors.items()}
    moved["potassium"] = np.maximum(moved["potassium"], LOWEST_POTASSIUM)
    moved["triglycerides"] = np.minimum(moved["triglycerides"], HIGHEST_TRIGLYCERIDES)
    moved["ldl_cholesterol"] = moved["ldl_cholesterol"] + ldl_rise
    return with_derived(moved, female, age)

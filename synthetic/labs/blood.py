"""Laboratory values of the made people: one latent insulin resistance, and the profile, behind them."""

from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthetic.labs.blood_count import CELLS, draw_cells, shares_and_counts
from synthetic.labs.chemistry import draw_chemistry, draw_iron, draw_lipids, draw_urine
from synthetic.people.body import Floats, profile_column

DECIMALS = {
    "total_cholesterol": 0, "hdl_cholesterol": 0, "triglycerides": 0, "ldl_cholesterol": 0,
    "cholesterol_hdl_ratio": 1, "non_hdl_cholesterol": 0, "vldl_cholesterol": 0, "apolipoprotein_b": 0,
    "hs_crp": 1, "glucose": 0, "urea_nitrogen": 0, "urea": 0, "urea_nitrogen_creatinine_ratio": 0,
    "creatinine": 2, "egfr": 0, "sodium": 0, "potassium": 1, "chloride": 0, "carbon_dioxide": 0,
    "bicarbonate": 0, "anion_gap": 0, "calcium": 1, "adjusted_calcium": 2, "phosphate": 1, "magnesium": 1,
    "urate": 1, "total_protein": 1, "albumin": 1, "globulin": 1, "albumin_globulin_ratio": 1,
    "bilirubin_total": 1, "alkaline_phosphatase": 0, "ast": 0, "alt": 0, "ggt": 0, "hba1c": 1,
    "estimated_average_glucose": 0, "insulin": 1, "tsh": 3, "free_t4": 2, "vitamin_d_25oh": 1,
    "vitamin_b12": 0, "folate": 1, "ferritin": 0, "iron": 0, "iron_binding_capacity": 0,
    "transferrin_saturation": 0, "leukocytes": 1, "erythrocytes": 2, "hemoglobin": 1, "hematocrit": 1,
    "mcv": 0, "mch": 1, "mchc": 1, "rdw_cv": 1, "platelets": 0, "mpv": 1, "urine_albumin": 1,
    "urine_creatinine": 0, "urine_albumin_creatinine_ratio": 0,
    **{f"{cell}_percent": 0 for cell in CELLS}, **{f"{cell}_absolute": 2 for cell in CELLS},
}  # fmt: skip
FASTING_BELOW_MEAN = 12.5


def draw_blood(
    rng: np.random.Generator, bodies: pl.DataFrame, female: Floats, age: Floats, profile: NDArray[np.int64]
) -> pl.DataFrame:
    """One row a person, a column for each analyte key, in US units and rounded as printed.

    ``bodies`` needs bmi, steps and exercises_per_week. HbA1c follows the mean glucose by ADAG (Nathan 2008,
    Diabetes Care 31:1473: eAG = 28.7 HbA1c - 46.7), which lies 12.5 mg/dL above the fasting one.
    """
    shift = partial(profile_column, profile)
    n = len(age)
    bmi = bodies["bmi"].to_numpy()
    resistance = insulin_resistance(rng, bodies)
    severity = np.exp(rng.normal(0, 0.2, n))
    settled = 91 + severity * shift("glucose") + 4 * resistance + 0.12 * (age - 45)
    values = {
        **draw_lipids(rng, shift("ldl"), shift("hdl"), shift("triglycerides_factor"), female, resistance),
        **draw_chemistry(rng, female, age, resistance),
        **draw_cells(rng, female),
        "glucose": settled + rng.normal(0, 4, n),
        "hba1c": (settled + FASTING_BELOW_MEAN + 46.7) / 28.7 + rng.normal(0, 0.1, n),
        "insulin": 7.6 * shift("insulin_factor") * np.exp(resistance + rng.normal(0, 0.42, n)),
        "hs_crp": 1.1 * shift("crp_factor") * np.exp(0.05 * (bmi - 26) + rng.normal(0, 0.6, n)),
        "tsh": 1.7 * shift("tsh_factor") * np.exp(rng.normal(0, 0.22, n)),
        "vitamin_d_25oh": np.clip(rng.normal(31, 8, n) - 0.3 * (bmi - 26), 9, 75),
        **draw_iron(rng, female),
        **draw_urine(rng, shift("glucose")),
    }
    values["free_t4"] = np.clip(1.2 - 0.25 * np.log(values["tsh"] / 1.7) + rng.normal(0, 0.1, n), 0.5, 1.8)
    return pl.DataFrame(with_derived(values, female, age)).select(*DECIMALS)


def insulin_resistance(rng: np.random.Generator, bodies: pl.DataFrame) -> Floats:
    """Latent resistance (log scale, 0 in the middle): more with BMI, less with steps and exercise."""
    bmi, steps = bodies["bmi"].to_numpy(), bodies["steps"].to_numpy()
    active = 0.2 * np.log(steps / 7900) + 0.02 * (bodies["exercises_per_week"].to_numpy() - 2)
    return 0.05 * (bmi - 26) - active + rng.normal(0, 0.3, len(bmi))


def with_derived(values: dict[str, Floats], female: Floats, age: Floats) -> dict[str, Floats]:
    """Values rounded as printed, with those a laboratory works out from the printed ones."""
    found = {key: np.round(column, DECIMALS[key]) for key, column in values.items()}
    found |= _derived_lipids(found)
    found |= _derived_chemistry(found)
    found |= shares_and_counts(found)
    found["egfr"] = egfr_ckd_epi_2021(found["creatinine"], female, age)
    return {key: np.round(column, DECIMALS[key]) for key, column in found.items()}


def egfr_ckd_epi_2021(creatinine: Floats, female: Floats, age: Floats) -> Floats:
    """CKD-EPI 2021 without race, in mL/min/1.73 m2, from creatinine in mg/dL (Inker 2021, NEJM 385:1737)."""
    kappa, alpha = np.where(female > 0, 0.7, 0.9), np.where(female > 0, -0.241, -0.302)
    ratio = creatinine / kappa
    filtered = 142 * np.minimum(ratio, 1) ** alpha * np.maximum(ratio, 1) ** -1.2 * 0.9938**age
    return filtered * np.where(female > 0, 1.012, 1.0)


def _derived_lipids(found: dict[str, Floats]) -> dict[str, Floats]:
    """Friedewald's rule backwards, so that the total fits its parts."""
    remnants = found["triglycerides"] / 5
    total = np.round(found["ldl_cholesterol"] + found["hdl_cholesterol"] + remnants)
    return {
        "total_cholesterol": total,
        "non_hdl_cholesterol": total - found["hdl_cholesterol"],
        "cholesterol_hdl_ratio": total / found["hdl_cholesterol"],
        "vldl_cholesterol": remnants,
        "apolipoprotein_b": 0.65 * (total - found["hdl_cholesterol"]) + 8,
    }


def _derived_chemistry(found: dict[str, Floats]) -> dict[str, Floats]:
    globulin = np.round(found["total_protein"] - found["albumin"], 1)
    return {
        "globulin": globulin,
        "albumin_globulin_ratio": found["albumin"] / globulin,
        "urea": 2.144 * found["urea_nitrogen"],
        "urea_nitrogen_creatinine_ratio": found["urea_nitrogen"] / found["creatinine"],
        "bicarbonate": found["carbon_dioxide"],
        "anion_gap": found["sodium"] - found["chloride"] - found["carbon_dioxide"],
        "adjusted_calcium": 0.2495 * (found["calcium"] + 0.8 * (4.4 - found["albumin"])),
        "estimated_average_glucose": 28.7 * found["hba1c"] - 46.7,
        "transferrin_saturation": 100 * found["iron"] / found["iron_binding_capacity"],
        "urine_albumin_creatinine_ratio": 100 * found["urine_albumin"] / found["urine_creatinine"],
    }

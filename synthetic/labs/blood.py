"""Laboratory values of the made people: one latent insulin resistance, and the profile, behind them."""

from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthetic.people.body import Floats, profile_column

DECIMALS = {
    "total_cholesterol": 0, "hdl_cholesterol": 0, "triglycerides": 0, "ldl_cholesterol": 0,
    "cholesterol_hdl_ratio": 1, "non_hdl_cholesterol": 0, "hs_crp": 1, "glucose": 0, "urea_nitrogen": 0,
    "creatinine": 2, "egfr": 0, "sodium": 0, "potassium": 1, "chloride": 0, "carbon_dioxide": 0, "calcium": 1,
    "total_protein": 1, "albumin": 1, "globulin": 1, "albumin_globulin_ratio": 1, "bilirubin_total": 1,
    "alkaline_phosphatase": 0, "ast": 0, "alt": 0, "hba1c": 1, "insulin": 1, "tsh": 3, "vitamin_d_25oh": 1,
    "leukocytes": 1, "erythrocytes": 2, "hemoglobin": 1, "hematocrit": 1, "mcv": 0, "mch": 1, "mchc": 1,
    "rdw_cv": 1, "platelets": 0,
}  # fmt: skip


def draw_blood(
    rng: np.random.Generator, bodies: pl.DataFrame, female: Floats, age: Floats, profile: NDArray[np.int64]
) -> pl.DataFrame:
    """One row a person, a column for each analyte key, in US units and rounded as printed."""
    shift = partial(profile_column, profile)
    n = len(age)
    bmi = bodies["bmi"].to_numpy()
    resistance = 0.045 * (bmi - 26) + rng.normal(0, 0.18, n)
    severity = np.exp(rng.normal(0, 0.2, n))
    values = {
        **_lipids(rng, shift("ldl"), shift("hdl"), shift("triglycerides_factor"), female, resistance),
        **_metabolic(rng, female, age, resistance),
        **_blood_count(rng, female),
        "glucose": 91 + severity * shift("glucose") + 5 * resistance + rng.normal(0, 4, n),
        "hba1c": 5.25 + severity * shift("hba1c") + 0.004 * (age - 45) + rng.normal(0, 0.1, n),
        "insulin": 7.5 * shift("insulin_factor") * np.exp(resistance),
        "hs_crp": 1.1 * shift("crp_factor") * np.exp(0.05 * (bmi - 26) + rng.normal(0, 0.6, n)),
        "tsh": 1.7 * shift("tsh_factor") * np.exp(rng.normal(0, 0.22, n)),
        "vitamin_d_25oh": np.clip(rng.normal(31, 8, n) - 0.3 * (bmi - 26), 9, 75),
    }
    return pl.DataFrame(with_derived(values, female, age)).select(*DECIMALS)


def with_derived(values: dict[str, Floats], female: Floats, age: Floats) -> dict[str, Floats]:
    """Values rounded as printed, with those a laboratory works out from the printed ones."""
    found = {key: np.round(column, DECIMALS[key]) for key, column in values.items()}
    found["non_hdl_cholesterol"] = found["total_cholesterol"] - found["hdl_cholesterol"]
    found["cholesterol_hdl_ratio"] = found["total_cholesterol"] / found["hdl_cholesterol"]
    found["globulin"] = found["total_protein"] - found["albumin"]
    found["albumin_globulin_ratio"] = found["albumin"] / np.round(found["globulin"], 1)
    found["egfr"] = egfr_ckd_epi_2021(found["creatinine"], female, age)
    found["mcv"] = 10 * found["hematocrit"] / found["erythrocytes"]
    found["mch"] = 10 * found["hemoglobin"] / found["erythrocytes"]
    found["mchc"] = 100 * found["hemoglobin"] / found["hematocrit"]
    return {key: np.round(column, DECIMALS[key]) for key, column in found.items()}


def egfr_ckd_epi_2021(creatinine: Floats, female: Floats, age: Floats) -> Floats:
    """CKD-EPI 2021 without race, in mL/min/1.73 m2, from creatinine in mg/dL (Inker 2021, NEJM 385:1737)."""
    kappa, alpha = np.where(female > 0, 0.7, 0.9), np.where(female > 0, -0.241, -0.302)
    ratio = creatinine / kappa
    filtered = 142 * np.minimum(ratio, 1) ** alpha * np.maximum(ratio, 1) ** -1.2 * 0.9938**age
    return filtered * np.where(female > 0, 1.012, 1.0)


def _lipids(
    rng: np.random.Generator, ldl: Floats, hdl: Floats, factor: Floats, female: Floats, resistance: Floats
) -> dict[str, Floats]:
    """LDL by Friedewald's rule backwards, so that the total fits its parts; triglycerides stay below 400."""
    n = len(female)
    triglycerides = np.round(np.clip(98 * factor * np.exp(0.8 * resistance + rng.normal(0, 0.2, n)), 40, 390))
    high = np.round(np.clip(52 + 9 * female + hdl - 9 * resistance + rng.normal(0, 7, n), 25, 100))
    low = np.round(np.clip(108 + ldl + rng.normal(0, 18, n), 45, 240))
    return {
        "triglycerides": triglycerides,
        "hdl_cholesterol": high,
        "ldl_cholesterol": low,
        "total_cholesterol": low + high + triglycerides / 5,
    }


def _metabolic(
    rng: np.random.Generator, female: Floats, age: Floats, resistance: Floats
) -> dict[str, Floats]:
    n = len(female)
    creatinine = 0.96 - 0.2 * female + 0.0012 * (age - 45) + rng.normal(0, 0.08, n)
    return {
        "urea_nitrogen": np.clip(rng.normal(14, 2.6, n) + 0.05 * (age - 45), 7, 30),
        "creatinine": np.clip(creatinine, 0.45, 1.5),
        "sodium": np.clip(rng.normal(139.8, 1.6, n), 135, 145),
        "potassium": np.clip(rng.normal(4.3, 0.27, n), 3.6, 5.1),
        "chloride": np.clip(rng.normal(103, 1.7, n), 98, 108),
        "carbon_dioxide": np.clip(rng.normal(25.5, 1.6, n), 21, 30),
        "calcium": np.clip(rng.normal(9.4, 0.28, n), 8.7, 10.2),
        "total_protein": np.clip(rng.normal(7.1, 0.3, n), 6.3, 8.0),
        "albumin": np.clip(rng.normal(4.4, 0.22, n), 3.8, 5.0),
        "bilirubin_total": np.clip(np.exp(rng.normal(-0.65, 0.3, n)), 0.2, 1.2),
        "alkaline_phosphatase": np.clip(rng.normal(70, 15, n), 35, 124),
        "ast": np.clip(20 * np.exp(0.25 * resistance + rng.normal(0, 0.18, n)), 10, 60),
        "alt": np.clip((23 - 6 * female) * np.exp(0.5 * resistance + rng.normal(0, 0.22, n)), 7, 95),
    }


def _blood_count(rng: np.random.Generator, female: Floats) -> dict[str, Floats]:
    n = len(female)
    red = np.round(np.clip(4.95 - 0.5 * female + rng.normal(0, 0.22, n), 3.9, 5.7), 2)
    volume, concentration = rng.normal(89, 2.8, n), rng.normal(33.5, 0.5, n)
    hematocrit = np.round(red * volume / 10, 1)
    return {
        "leukocytes": np.clip(np.exp(rng.normal(1.8, 0.2, n)), 3.5, 10.6),
        "erythrocytes": red,
        "hematocrit": hematocrit,
        "hemoglobin": hematocrit * concentration / 100,
        "rdw_cv": np.clip(rng.normal(13.1, 0.6, n), 11.8, 15.3),
        "platelets": np.clip(rng.normal(250, 48, n), 155, 440),
    }

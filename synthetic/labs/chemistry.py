"""Lipids, chemistry, iron and urine of the made people, in US units before rounding."""

import numpy as np

from synthetic.people.body import Floats


def draw_lipids(
    rng: np.random.Generator, ldl: Floats, hdl: Floats, factor: Floats, female: Floats, resistance: Floats
) -> dict[str, Floats]:
    """Triglycerides stay below 400 mg/dL, where a calculated LDL would not be printed."""
    n = len(female)
    triglycerides = 98 * factor * np.exp(0.6 * resistance + rng.normal(0, 0.2, n))
    high = 52 + 9 * female + hdl - 7 * resistance + rng.normal(0, 7, n)
    return {
        "triglycerides": np.clip(triglycerides, 40, 390),
        "hdl_cholesterol": np.clip(high, 25, 100),
        "ldl_cholesterol": np.clip(108 + ldl + rng.normal(0, 18, n), 45, 240),
    }


def draw_chemistry(
    rng: np.random.Generator, female: Floats, age: Floats, resistance: Floats
) -> dict[str, Floats]:
    """Kidney, salts, proteins and liver; nobody is critical by chance."""
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
        "phosphate": np.clip(rng.normal(3.5, 0.4, n), 2.4, 4.6),
        "magnesium": np.clip(rng.normal(2.1, 0.13, n), 1.7, 2.5),
        "urate": np.clip(5.9 - 1.3 * female + 0.8 * resistance + rng.normal(0, 0.7, n), 2.2, 9.8),
        "total_protein": np.clip(rng.normal(7.1, 0.3, n), 6.3, 8.0),
        "albumin": np.clip(rng.normal(4.4, 0.22, n), 3.8, 5.0),
        "bilirubin_total": np.clip(np.exp(rng.normal(-0.65, 0.3, n)), 0.2, 1.2),
        "alkaline_phosphatase": np.clip(rng.normal(70, 15, n), 35, 124),
        "ast": np.clip(20 * np.exp(0.25 * resistance + rng.normal(0, 0.18, n)), 10, 60),
        "alt": np.clip((23 - 6 * female) * np.exp(0.5 * resistance + rng.normal(0, 0.22, n)), 7, 95),
        "ggt": np.clip((24 - 8 * female) * np.exp(0.4 * resistance + rng.normal(0, 0.35, n)), 6, 160),
    }


def draw_iron(rng: np.random.Generator, female: Floats) -> dict[str, Floats]:
    """Iron and the vitamins of blood."""
    n = len(female)
    return {
        "ferritin": np.clip(np.exp(rng.normal(4.7 - 0.9 * female, 0.55, n)), 6, 480),
        "iron": np.clip(rng.normal(98 - 10 * female, 24, n), 32, 180),
        "iron_binding_capacity": np.clip(rng.normal(325 + 15 * female, 32, n), 245, 440),
        "vitamin_b12": np.clip(np.exp(rng.normal(6.15, 0.33, n)), 160, 1150),
        "folate": np.clip(np.exp(rng.normal(2.5, 0.35, n)), 3.5, 26),
    }


def draw_urine(rng: np.random.Generator, glucose: Floats) -> dict[str, Floats]:
    """Albumin in mg/L and creatinine in mg/dL of a morning urine; more albumin where glucose is high."""
    n = len(glucose)
    creatinine = np.clip(np.exp(rng.normal(4.6, 0.4, n)), 25, 290)
    return {
        "urine_creatinine": creatinine,
        "urine_albumin": creatinine / 100 * np.exp(1.6 + 0.012 * glucose + rng.normal(0, 0.45, n)),
    }

"""The blood count of the made people, in US units before rounding: cells that fit each other."""

from collections.abc import Mapping

import numpy as np

from synthetic.people.body import Floats

CELLS = ("neutrophils", "lymphocytes", "monocytes", "eosinophils", "basophils")


def draw_cells(rng: np.random.Generator, female: Floats) -> dict[str, Floats]:
    """Red cells by their volume and concentration; white cells with their shares in percent."""
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
        "mpv": np.clip(rng.normal(10.1, 0.8, n), 7.6, 12.4),
        "lymphocytes_percent": np.clip(rng.normal(31, 5, n), 16, 47),
        "monocytes_percent": np.clip(rng.normal(7.5, 1.5, n), 4, 12),
        "eosinophils_percent": np.clip(np.exp(rng.normal(0.9, 0.4, n)), 1, 7),
        "basophils_percent": np.clip(rng.normal(0.8, 0.3, n), 0, 2),
    }


def shares_and_counts(found: Mapping[str, Floats]) -> dict[str, Floats]:
    """Neutrophils are what remains of 100 %; counts are the printed share of the printed white cells."""
    derived = {
        "mcv": 10 * found["hematocrit"] / found["erythrocytes"],
        "mch": 10 * found["hemoglobin"] / found["erythrocytes"],
        "mchc": 100 * found["hemoglobin"] / found["hematocrit"],
        "neutrophils_percent": 100 - sum((found[f"{cell}_percent"] for cell in CELLS[1:]), np.zeros(1)),
    }
    shares = {**found, **derived}
    counts = {f"{cell}_absolute": shares[f"{cell}_percent"] * found["leukocytes"] / 100 for cell in CELLS}
    return derived | counts

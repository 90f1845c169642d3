"""What a clinic would ask and measure: size, blood pressure, smoking, pregnancy, medication."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from synthetic.people.body import Body
from synthetic.people.profiles import Profile

Smoking = Literal["never", "former", "current"]

ANTIHYPERTENSIVES = ("lisinopril", "amlodipine", "losartan", "hydrochlorothiazide")
STATINS = ("atorvastatin", "rosuvastatin", "simvastatin")
DIABETES_DRUGS = ("metformin", "empagliflozin", "semaglutide")
PREGNANCY_AGES = (21, 44)
PREGNANCY_SHARE = 0.03
SMOKING_SHARES: tuple[tuple[Smoking, float], ...] = (("never", 0.62), ("former", 0.26), ("current", 0.12))


@dataclass(frozen=True, slots=True)
class Health:
    """Facts of a person that no wearable knows; cm, kg, mmHg. Blood pressure is the one on treatment."""

    height_cm: float
    weight_kg: float
    waist_cm: float
    systolic: int
    diastolic: int
    smoking: Smoking
    pregnant: bool
    antihypertensives: tuple[str, ...]
    statin: str | None
    diabetes_drug: str | None


def draw_health(rng: np.random.Generator, body: Body, profile: Profile, female: bool, age: int) -> Health:
    """Facts that agree with body and profile; drugs only where the profile has their condition or risk."""
    pressure = _pressure(rng, body, profile, age)
    drugs = _drugs(rng, profile)
    smoking = SMOKING_SHARES[int(rng.choice(3, p=[share for _, share in SMOKING_SHARES]))][0]
    draw = float(rng.random())
    low, high = PREGNANCY_AGES
    pregnant = female and low <= age <= high and not any(drugs) and draw < PREGNANCY_SHARE
    waist = 2.35 * body.bmi + 0.12 * (age - 45) + (24.5 if female else 31.5) + float(rng.normal(0, 3.5))
    return Health(
        height_cm=round(body.height_cm, 1),
        weight_kg=round(body.weight_kg, 1),
        waist_cm=round(waist, 1),
        systolic=pressure[0],
        diastolic=pressure[1],
        smoking=smoking,
        pregnant=pregnant,
        antihypertensives=drugs[0],
        statin=drugs[1],
        diabetes_drug=drugs[2],
    )


def _pressure(rng: np.random.Generator, body: Body, profile: Profile, age: int) -> tuple[int, int]:
    """Systolic and diastolic pressure: with age and BMI, and what the profile adds on its treatment."""
    common = float(rng.normal(0, 1))
    systolic = 114 + 0.28 * (age - 40) + 0.7 * (body.bmi - 25) + profile.systolic + 7 * common
    diastolic = 73 + 0.05 * (age - 40) + 0.45 * (body.bmi - 25) + 0.5 * profile.systolic + 4 * common
    diastolic += float(rng.normal(0, 3))
    return round(float(np.clip(systolic, 92, 178))), round(float(np.clip(diastolic, 55, 108)))


def _drugs(rng: np.random.Generator, profile: Profile) -> tuple[tuple[str, ...], str | None, str | None]:
    """Drugs for blood pressure, a statin and one for diabetes: by the profile's share of the treated."""
    draws, picks = rng.random(3), rng.integers(0, 1_000, 3)
    pressure: tuple[str, ...] = ()
    if draws[0] < profile.pressure_treated:
        first = int(picks[0]) % len(ANTIHYPERTENSIVES)
        second = (ANTIHYPERTENSIVES[(first + 1) % len(ANTIHYPERTENSIVES)],) if draws[0] < 0.3 else ()
        pressure = (ANTIHYPERTENSIVES[first], *second)
    statin = STATINS[int(picks[1]) % len(STATINS)] if draws[1] < profile.statin_treated else None
    treated = draws[2] < profile.diabetes_treated
    return pressure, statin, DIABETES_DRUGS[int(picks[2]) % len(DIABETES_DRUGS)] if treated else None

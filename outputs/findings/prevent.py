"""PREVENT base equations of the American Heart Association: risk within ten years (Khan 2024, table S12A).

Total cardiovascular disease and atherosclerotic disease; heart failure alone is not coded, since no guideline
at hand uses it. Outside the ranges the equations were made in there is no answer: no value is moved.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["cvd", "ascvd"]

RANGES = {
    "age": (30, 79),
    "total_cholesterol": (130, 320),
    "hdl_cholesterol": (20, 100),
    "systolic": (90, 200),
    "bmi": (18.5, 39.9),
    "egfr": (15, 140),
}
_MMOL = 0.02586

_TERMS = (
    "a", "n", "h", "s1", "s2", "dm", "smk", "e1", "e2", "bptx", "statin", "bptx_s2", "statin_n", "a_n", "a_h",
    "a_s2", "a_dm", "a_smk", "a_e1", "constant",
)  # fmt: skip
_COEFFICIENTS: Mapping[tuple[Outcome, str], tuple[float, ...]] = {
    ("cvd", "female"): (
        0.7939329, 0.0305239, -0.1606857, -0.2394003, 0.3600781, 0.8667604, 0.5360739, 0.6045917, 0.0433769,
        0.3151672, -0.1477655, -0.0663612, 0.1197879, -0.0819715, 0.0306769, -0.0946348, -0.27057, -0.078715,
        -0.1637806, -3.307728,
    ),
    ("cvd", "male"): (
        0.7688528, 0.0736174, -0.0954431, -0.4347345, 0.3362658, 0.7692857, 0.4386871, 0.5378979, 0.0164827,
        0.288879, -0.1337349, -0.0475924, 0.150273, -0.0517874, 0.0191169, -0.1049477, -0.2251948, -0.0895067,
        -0.1543702, -3.031168,
    ),
    ("ascvd", "female"): (
        0.719883, 0.1176967, -0.151185, -0.0835358, 0.3592852, 0.8348585, 0.4831078, 0.4864619, 0.0397779,
        0.2265309, -0.0592374, -0.0395762, 0.0844423, -0.0567839, 0.0325692, -0.1035985, -0.2417542,
        -0.0791142, -0.1671492, -3.819975,
    ),
    ("ascvd", "male"): (
        0.7099847, 0.1658663, -0.1144285, -0.2837212, 0.3239977, 0.7189597, 0.3956973, 0.3690075, 0.0203619,
        0.2036522, -0.0865581, -0.0322916, 0.114563, -0.0300005, 0.0232747, -0.0927024, -0.2018525,
        -0.0970527, -0.1217081, -3.500655,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the equations ask: mg/dL, mmHg, mL/min/1.73 m2 and kg/m2; bmi only bounds who they hold for."""

    sex: Literal["female", "male"]
    age: int
    total_cholesterol: float
    hdl_cholesterol: float
    systolic: float
    bmi: float
    egfr: float
    diabetes: bool
    smoker: bool
    antihypertensives: bool
    statin: bool

    @property
    def in_range(self) -> bool:
        """Every input lies where the equations hold."""
        return all(low <= getattr(self, name) <= high for name, (low, high) in RANGES.items())


def ten_year_risk(inputs: Inputs, outcome: Outcome) -> float | None:
    """The risk as a share of 1; None outside the ranges."""
    if not inputs.in_range:
        return None
    terms = _terms(inputs)
    coefficients = dict(zip(_TERMS, _COEFFICIENTS[outcome, inputs.sex], strict=True))
    predictor = math.fsum(coefficients[name] * terms[name] for name in _TERMS)
    return 1 / (1 + math.exp(-predictor))


def _terms(inputs: Inputs) -> dict[str, float]:
    a = (inputs.age - 55) / 10
    n = (inputs.total_cholesterol - inputs.hdl_cholesterol) * _MMOL - 3.5
    h = (inputs.hdl_cholesterol * _MMOL - 1.3) / 0.3
    s2 = (max(inputs.systolic, 110) - 130) / 20
    e1 = (min(inputs.egfr, 60) - 60) / -15
    dm, smk, bptx, statin = (
        float(each) for each in (inputs.diabetes, inputs.smoker, inputs.antihypertensives, inputs.statin)
    )
    return {
        "a": a,
        "n": n,
        "h": h,
        "s1": (min(inputs.systolic, 110) - 110) / 20,
        "s2": s2,
        "dm": dm,
        "smk": smk,
        "e1": e1,
        "e2": (max(inputs.egfr, 60) - 90) / -15,
        "bptx": bptx,
        "statin": statin,
        "bptx_s2": bptx * s2,
        "statin_n": statin * n,
        "a_n": a * n,
        "a_h": a * h,
        "a_s2": a * s2,
        "a_dm": a * dm,
        "a_smk": a * smk,
        "a_e1": a * e1,
        "constant": 1.0,
    }

"""Body: mass index in the classes of WHO, and weight that fell over months."""

from datetime import timedelta

import polars as pl

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, Measured, UncheckedError, banded, told
from outputs.findings.rule import Case, Guideline
from outputs.rendering import rounded, shown_number

_WHO = Guideline(
    "WHO Technical Report 894 (classes of body mass index)", 2000, "https://iris.who.int/handle/10665/42330"
)
_AFP = Guideline(
    "Gaddey and Holder, Am Fam Physician 89:718 (unintentional weight loss)",
    2014,
    "https://www.aafp.org/pubs/afp/issues/2014/0501/p718.html",
)
_ABOVE = "Read with waist, blood pressure, glucose and lipids; limits differ between populations."
_LEAST_DAYS, _LONGEST_DAYS, _RECENT_DAYS = 150, 365, 30
WEIGHINGS = 3


def bmi(weight_kg: float, height_cm: float) -> float:
    """Weight over height squared, kg/m2."""
    return weight_kg / (height_cm / 100) ** 2


def _bmi(case: Case) -> Measured:
    height, weight = told(case, "height_cm"), told(case, "weight_kg")
    value = rounded(bmi(weight.value, height.value), 1)
    evidence = [height.evidence(case.participant_id, "cm"), weight.evidence(case.participant_id, "kg")]
    day = max(each.day for each in (height, weight) if each.day)
    return Measured(value, f"{shown_number(value, 1)} kg/m²", day, evidence)


BMI = Checked(
    "bmi_who",
    "Body mass index",
    "body",
    ("height_cm", "weight_kg"),
    "newest answers",
    "height and weight, told or measured",
    _WHO,
    banded(_bmi, "kg/m2"),
    {
        "any": (
            Band("below 18.5", severity="low", fires=True, says="in WHO's class of underweight",
                 next_step="Ask about eating, illness and weight before."),
            Band("18.5 to below 25", {"kg/m2": 18.5}, says="in WHO's normal range"),
            Band("25 to below 30", {"kg/m2": 25}, "info", True, "in WHO's class of pre-obesity", _ABOVE),
            Band("30 to below 35", {"kg/m2": 30}, "low", True, "in WHO's obesity class I", _ABOVE),
            Band("35 to below 40", {"kg/m2": 35}, "low", True, "in WHO's obesity class II", _ABOVE),
            Band("40 or above", {"kg/m2": 40}, "medium", True, "in WHO's obesity class III", _ABOVE),
        )
    },
)  # fmt: skip


def _weight_loss(case: Case) -> Measured:
    """Median of the weighings of the last 30 days against that of 6 to 12 months before."""
    recent = _weighings(case, 0, _RECENT_DAYS)
    before = _weighings(case, _LEAST_DAYS, _LONGEST_DAYS)
    if min(recent.len(), before.len()) < WEIGHINGS:
        raise UncheckedError("few_weighings")
    new, old = (float(pl.select(pl.lit(part).median()).item()) for part in (recent, before))
    lost = rounded(100 * (old - new) / old, 1)
    evidence = {
        "input": "weight_kg",
        "value": new,
        "before": old,
        "unit": "kg",
        "table": "daily_summary",
        "key": {
            "participant_id": case.participant_id,
            "from": case.last_day - timedelta(_LONGEST_DAYS - 1),
            "to": case.last_day,
        },
        "column": "weight_kg",
    }
    shown = f"{shown_number(lost, 1)} % of {shown_number(old, 1)} kg"
    return Measured(lost, shown, case.last_day, [evidence])


def _weighings(case: Case, from_days: int, to_days: int) -> pl.Series:
    last = case.last_day - timedelta(from_days)
    inside = pl.col("date").is_between(case.last_day - timedelta(to_days - 1), last)
    return case.daily.filter(inside, ~pl.col("is_partial"))["weight_kg"].drop_nulls()


WEIGHT_LOSS = Checked(
    "weight_loss_afp",
    "Weight lost within a year",
    "body",
    ("weight_kg",),
    f"last {_RECENT_DAYS} days against {_LEAST_DAYS} to {_LONGEST_DAYS} days before",
    f"{WEIGHINGS} weighings in each",
    _AFP,
    banded(_weight_loss, "%"),
    {
        "any": (
            Band("5 % or less", says="within what is common"),
            Band("above 5 %", {"%": 5}, "medium", True, "a loss to look into, unless it was meant",
                 "Ask whether it was meant; if not, look for illness, low mood, teeth and medicines.",
                 strictly=True),
            Band("above 10 %", {"%": 10}, "high", True, "a large loss to look into, unless it was meant",
                 "Ask whether it was meant; if not, examine soon.", strictly=True),
        )
    },
    recent=True,
)  # fmt: skip

RULES = (BMI.rule(), WEIGHT_LOSS.rule())

"""Blood pressure as told by a clinic or measured at home, in the categories of AHA and ACC.

Only cuffs count: pressures that a watch estimates are in no field that this reads, as the guideline asks.
"""

from dataclasses import dataclass
from datetime import date
from statistics import fmean

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, UncheckedError, verdict
from outputs.findings.rule import Case, Finding, Guideline
from outputs.findings.told import Told
from outputs.rendering import rounded
from schemas.settings import ClinicalFact

_AHA = Guideline(
    "AHA/ACC guideline on high blood pressure", 2025, "https://doi.org/10.1161/HYP.0000000000000249"
)
_REPEAT = "Repeat after five minutes of seated rest, and confirm out of the office."
NORMAL = Band("normal")
ELEVATED = Band("elevated", severity="info", fires=True, next_step=_REPEAT)
STAGE_1 = Band("stage 1", severity="low", fires=True, next_step=_REPEAT)
STAGE_2 = Band("stage 2", severity="medium", fires=True, next_step=_REPEAT)
SEVERE = Band(
    "above 180/120",
    severity="high",
    fires=True,
    next_step="Repeat at once; with chest pain, breathlessness or neurological symptoms it is an emergency.",
)
PREGNANT_HIGH = Band(
    "140/90 or above",
    severity="high",
    fires=True,
    next_step="Review promptly: lower limits hold for this person.",
)
PREGNANT_SEVERE = Band(
    "160/110 or above",
    severity="critical",
    fires=True,
    next_step="Reach the participant today: the guideline treats this within the hour.",
)
# Limits of which either is enough, from the highest category down.
_LADDER = ((STAGE_2, 140, 90), (STAGE_1, 130, 80))

_LINES = (
    "above 180 or above 120 mmHg (high)",
    "stage 2: 140 or 90 mmHg or above (medium)",
    "stage 1: 130 or 80 mmHg or above (low)",
    "elevated: 120 to 129 and below 80 mmHg (info)",
    "normal: below 120 and below 80 mmHg (nothing found)",
    "in pregnancy: 140 or 90 mmHg or above (high), 160 or 110 mmHg or above (critical)",
)


@dataclass(frozen=True, slots=True)
class Pressure:
    """Mean of the readings, in mmHg, and the days they were taken on."""

    systolic: float
    diastolic: float
    days: tuple[date, ...]
    readings: tuple[tuple[Told, Told], ...]


def category(systolic: float, diastolic: float) -> Band:
    """The higher category of the two; above 180/120 is strict, 120/80 begins where the table does."""
    if systolic > 180 or diastolic > 120:
        return SEVERE
    for band, upper, lower in _LADDER:
        if systolic >= upper or diastolic >= lower:
            return band
    return ELEVATED if systolic >= 120 else NORMAL


def category_in_pregnancy(systolic: float, diastolic: float) -> Band:
    """140/90 and 160/110, either number."""
    if systolic >= 160 or diastolic >= 110:
        return PREGNANT_SEVERE
    return PREGNANT_HIGH if systolic >= 140 or diastolic >= 90 else NORMAL


def pressure(case: Case, upper: ClinicalFact, lower: ClinicalFact) -> Pressure:
    """Mean of all readings within 90 days of the newest; UncheckedError where none has both numbers."""
    by_form = {_form(each): each for each in case.told.get(lower, ())}
    pairs = [(each, by_form[_form(each)]) for each in case.told.get(upper, ()) if _form(each) in by_form]
    dated = [(pair, pair[0].day) for pair in pairs if pair[0].day is not None]
    if not dated:
        raise UncheckedError("not_told")
    newest = max(day for _, day in dated)
    kept = [(pair, day) for pair, day in dated if (newest - day).days < 90]
    return Pressure(
        rounded(fmean(high.value for (high, _), _ in kept), 0),
        rounded(fmean(low.value for (_, low), _ in kept), 0),
        tuple(sorted({day for _, day in kept})),
        tuple(pair for pair, _ in kept),
    )


def _form(reading: Told) -> tuple[object, ...]:
    return tuple(reading.key[name] for name in ("instrument", "event", "instance"))


def pressure_inputs(case: Case, measured: Pressure) -> list[dict[str, object]]:
    """Both numbers of each reading with their cells."""
    return [each.evidence(case.participant_id, "mm[Hg]") for pair in measured.readings for each in pair]


def _check(case: Case, rule: Checked, facts: tuple[ClinicalFact, ClinicalFact], where: str) -> Finding:
    measured = pressure(case, *facts)
    judge = category_in_pregnancy if case.pregnant else category
    band = judge(measured.systolic, measured.diastolic)
    readings, days = len(measured.readings), len(measured.days)
    how = f"mean of {readings} readings on {days} days" if readings > 1 else "one reading"
    once = " The category needs two or more readings on two or more days." if days < 2 and band.fires else ""
    statement = (
        f"Blood pressure {where} {measured.systolic:.0f}/{measured.diastolic:.0f} mmHg ({how}):"
        f" {band.category}.{once}"
    )
    return verdict(rule, measured.days[-1], statement, band, pressure_inputs(case, measured))


def _rule(rule_id: str, where: str, facts: tuple[ClinicalFact, ClinicalFact]) -> Checked:
    return Checked(
        rule_id,
        f"Blood pressure {where}",
        "heart",
        facts,
        "readings within 90 days of the newest",
        "one reading with both numbers; fewer than two days are told as such",
        _AHA,
        lambda rule, case: _check(case, rule, facts, where),
        {},
        lines=_LINES,
        gate="in pregnancy its own limits; by cuff, never from a watch",
        pregnancy_stops=False,
    )


OFFICE = _rule("blood_pressure_aha", "at the visit", ("systolic", "diastolic"))
HOME = _rule("blood_pressure_home_aha", "at home", ("home_systolic", "home_diastolic"))
RULES = (OFFICE.rule(), HOME.rule())

"""True scores, by arithmetic of our own from the published rules; the readers' code is not used.

PHQ-9: Kroenke, Spitzer, Williams 2001 (J Gen Intern Med 16:606). PHQ-8: Kroenke 2009 (J Affect Disord
114:163). GAD-7: Spitzer 2006 (Arch Intern Med 166:1092). AUDIT-C: Bush 1998 (Arch Intern Med 158:1789).
PSS-10: Cohen, Williamson 1988 (The social psychology of health, p. 31); no cut-offs were published with it.
IPAQ short: scoring protocol of November 2005. Berlin: Netzer 1999 (Ann Intern Med 131:485).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from synthetic.people.persona import Person
from synthetic.surveys.answering import REVERSED_STRESS_ITEMS
from synthetic.surveys.answers import Filling

# Frequency words that count in the Berlin questionnaire: nearly every day, 3-4 times a week.
OFTEN_ENOUGH = ("1", "2")
MET = {"vigorous": Fraction(8), "moderate": Fraction(4), "walking": Fraction(33, 10)}
LONGEST_SUM, LONGEST_DAY, SHORTEST_BOUT = 960, 180, 10
OBESE = 30.0
PRORATED_ITEMS = 2
DEPRESSION = ((20, "severe"), (15, "moderately_severe"), (10, "moderate"), (5, "mild"), (0, "minimal"))
ANXIETY = ((15, "severe"), (10, "moderate"), (5, "mild"), (0, "minimal"))

Answers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Score:
    """A score, its category and how many items have no answer that should have one."""

    score: float | None
    category: str | None
    items_missing: int


def score_of(filling: Filling, person: Person, body_mass_index: float | None) -> Score | None:
    """The score of a filled-in scale; None for other forms and where no item is answered."""
    rule = RULES.get(filling.form.name)
    answers = {name: value for name, value in filling.values.items() if isinstance(value, str)}
    if rule is None or not answers:
        return None
    return rule(answers, person, body_mass_index)


def _items(answers: Answers, stem: str, count: int) -> list[int]:
    return [int(answers[name]) for n in range(1, count + 1) if (name := f"{stem}_{n}") in answers]


def _mood(stem: str, count: int, bands: tuple[tuple[int, str], ...]) -> "Rule":
    """Sum of items; up to two missing ones take the mean of the others, rounded half up to a whole score."""

    def rule(answers: Answers, person: Person, body_mass_index: float | None) -> Score:
        items = _items(answers, stem, count)
        missing = count - len(items)
        if missing > PRORATED_ITEMS:
            return Score(None, None, missing)
        total = floor(Fraction(sum(items) * count, len(items)) + Fraction(1, 2))
        return Score(total, next(name for lowest, name in bands if total >= lowest), missing)

    return rule


def _stress(answers: Answers, person: Person, body_mass_index: float | None) -> Score:
    missing = 10 - len(_items(answers, "pss10", 10))
    if missing:
        return Score(None, None, missing)
    told = {n: int(answers[f"pss10_{n}"]) for n in range(1, 11)}
    return Score(sum(4 - told[n] if n in REVERSED_STRESS_ITEMS else told[n] for n in told), None, 0)


def _alcohol(answers: Answers, person: Person, body_mass_index: float | None) -> Score:
    """Positive from 3 in women and 4 in men; 3 of somebody whose sex is neither has no category."""
    items = _items(answers, "auditc", 3)
    if len(items) < 3:
        return Score(None, None, 3 - len(items))
    total = sum(items)
    if total == 3 and person.sex not in ("female", "male"):
        return Score(total, None, 0)
    return Score(total, "positive" if total >= (3 if person.sex == "female" else 4) else "negative", 0)


def _activity(answers: Answers, person: Person, body_mass_index: float | None) -> Score:
    """MET-minutes a week: bouts under 10 minutes are none, a day's minutes of a kind end at 180.

    No score where minutes of a kind are not known, or where they add up to more than 16 hours a day.
    """
    days, minutes, missing = dict[str, int](), dict[str, int](), 0
    for kind in MET:
        on, long = answers.get(f"ipaq_{kind}_days"), answers.get(f"ipaq_{kind}_minutes")
        missing += (on is None) + (on != "0" and long is None)
        days[kind], minutes[kind] = int(on or 0), int(long or 0)
    if missing or sum(minutes.values()) > LONGEST_SUM:
        return Score(None, None, missing)
    for kind in days:
        if minutes[kind] < SHORTEST_BOUT:
            days[kind] = minutes[kind] = 0
        minutes[kind] = min(minutes[kind], LONGEST_DAY)
    total = sum(MET[kind] * days[kind] * minutes[kind] for kind in days)
    return Score(float(total), _activity_level(days, minutes, total), 0)


def _activity_level(days: Mapping[str, int], minutes: Mapping[str, int], total: Fraction | int) -> str:
    all_days = sum(days.values())
    if (days["vigorous"] >= 3 and total >= 1500) or (all_days >= 7 and total >= 3000):
        return "high"
    half_hours = sum(days[kind] for kind in ("moderate", "walking") if minutes[kind] >= 30)
    enough_hard = days["vigorous"] >= 3 and minutes["vigorous"] >= 20
    return "moderate" if enough_hard or half_hours >= 5 or (all_days >= 5 and total >= 600) else "low"


def _breathing(answers: Answers, person: Person, body_mass_index: float | None) -> Score:
    """Positive categories of three; two or more are a high risk. A category not known leaves no score."""
    asked = ["berlin_1", *(f"berlin_{n}" for n in (5, 6, 7, 8, 10))]
    if answers.get("berlin_1") == "1":
        asked += ["berlin_2", "berlin_3", "berlin_4"]
    missing = sum(name not in answers for name in asked)
    pressure = answers.get("berlin_10") == "1"
    if missing or (body_mass_index is None and not pressure):
        return Score(None, None, missing)
    snoring = (
        (answers["berlin_1"] == "1")
        + (answers.get("berlin_2") in ("3", "4"))
        + (answers.get("berlin_3") in OFTEN_ENOUGH)
        + (answers.get("berlin_4") == "1")
        + 2 * (answers["berlin_5"] in OFTEN_ENOUGH)
    )
    tired = sum(answers[f"berlin_{n}"] in OFTEN_ENOUGH for n in (6, 7)) + (answers["berlin_8"] == "1")
    heavy = body_mass_index is not None and body_mass_index > OBESE
    positive = (snoring >= 2) + (tired >= 2) + (pressure or heavy)
    return Score(positive, "high_risk" if positive >= 2 else "low_risk", 0)


Rule = Callable[[Answers, Person, float | None], Score]

RULES: Mapping[str, Rule] = {
    "phq9": _mood("phq9", 9, DEPRESSION),
    "phq8": _mood("phq8", 8, DEPRESSION),
    "gad7": _mood("gad7", 7, ANXIETY),
    "pss10": _stress,
    "auditc": _alcohol,
    "ipaq": _activity,
    "berlin": _breathing,
}

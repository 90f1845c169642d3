"""What can be planted in a person's data: the kinds, their sizes, what they move and what they leave."""

from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from typing import Literal

EffectKind = Literal[
    "resting_heart_rate_step",
    "resting_heart_rate_slope",
    "better_regularity",
    "worse_regularity",
    "ldl_rise",
    "fever_week",
    "training_block",
    "new_watch",
]
Size = Literal["full", "half", "quarter"]

SHARES: dict[Size, float] = {"full": 1.0, "half": 0.5, "quarter": 0.25}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A kind of effect.

    full: its amount at full size, in ``unit``. signed: it comes in both directions. begins: share of the
    study that has passed when it begins. lasts: days, or None to the end. is_change: False for what looks
    like a change of the person and is none. moves, leaves: metrics that follow it, and that must not.
    """

    full: float
    unit: str
    signed: bool
    begins: float
    lasts: int | None
    is_change: bool
    moves: tuple[str, ...]
    leaves: tuple[str, ...]


_REGULARITY_MOVES = ("bed_minute", "wake_up_minute")
_OF_THE_HEART = ("resting_heart_rate", "heart_rate_variability", "stress_management_score", "vo2max")
_OF_THE_BODY = ("respiratory_rate", "spo2_avg", "skin_temperature_variation", "weight_kg")
_OF_SLEEP = ("sleep_minutes", "bed_minute", "wake_up_minute")

DECLARED: dict[EffectKind, Declaration] = {
    "resting_heart_rate_step": Declaration(
        3.0, "bpm", True, 0.5, None, True, _OF_THE_HEART, ("steps", *_OF_SLEEP, *_OF_THE_BODY)
    ),
    "resting_heart_rate_slope": Declaration(
        6.0, "bpm over the study", True, 0.0, None, True, _OF_THE_HEART, ("steps", *_OF_SLEEP, *_OF_THE_BODY)
    ),
    "better_regularity": Declaration(
        0.3, "times the spread of bed times", False, 0.5, None, True, _REGULARITY_MOVES,
        ("steps", "sleep_minutes", "resting_heart_rate", *_OF_THE_BODY),
    ),
    "worse_regularity": Declaration(
        3.0, "times the spread of bed times", False, 0.5, None, True, _REGULARITY_MOVES,
        ("steps", "sleep_minutes", "resting_heart_rate", *_OF_THE_BODY),
    ),
    "ldl_rise": Declaration(
        40.0, "mg/dL between the draws", False, 0.6, None, True,
        ("ldl_cholesterol", "total_cholesterol", "non_hdl_cholesterol", "cholesterol_hdl_ratio"),
        ("hdl_cholesterol", "triglycerides", "glucose", "hba1c", "resting_heart_rate", "steps"),
    ),
    "fever_week": Declaration(
        1.0, "of a fever with 12 bpm and 1.4 degC", False, 0.6, 7, True,
        (*_OF_THE_HEART, "respiratory_rate", "skin_temperature_variation", "steps", "sleep_minutes",
         "readiness_score"),
        ("weight_kg", "bed_minute"),
    ),
    "training_block": Declaration(
        4.0, "exercises more a week", False, 0.65, None, True,
        (*_OF_THE_HEART, "active_zone_minutes", "very_active_minutes", "steps", "calories_kcal"),
        (*_OF_SLEEP, *_OF_THE_BODY),
    ),
    "new_watch": Declaration(
        4.0, "bpm that the new watch reads higher", False, 0.6, None, False,
        ("resting_heart_rate", "heart_rate_variability", "steps"),
        (*_OF_SLEEP, *_OF_THE_BODY),
    ),
}  # fmt: skip
RATIOS: tuple[EffectKind, ...] = ("better_regularity", "worse_regularity")


@dataclass(frozen=True, slots=True)
class Effect:
    """One planted effect; ``amount`` in the unit of its declaration, ``begins`` as share of the study."""

    kind: EffectKind
    size: Size
    amount: float
    begins: float

    @property
    def declared(self) -> Declaration:
        """What the kind moves and leaves."""
        return DECLARED[self.kind]

    def first_day(self, days: int) -> int:
        """Index of the first day it shows on, in a study of ``days`` days."""
        return min(ceil(self.begins * days), days)

    def stop_day(self, days: int) -> int:
        """Index of the day after its last."""
        lasts = self.declared.lasts
        return days if lasts is None else min(self.first_day(days) + lasts, days)

    def starts_on(self, first_day: date, days: int) -> date | None:
        """The date of the first day it shows on; None where the study ends before."""
        place = self.first_day(days)
        return None if place >= days else first_day + timedelta(days=place)


def effect(kind: EffectKind, size: Size = "full", sign: int = 1) -> Effect:
    """An effect at a stated size: a share of the amount, or of the doublings where it is a ratio.

    ``sign`` is -1 for falling; ValueError for a kind that comes in one direction.
    """
    declared = DECLARED[kind]
    if sign != 1 and not declared.signed:
        raise ValueError(f"{kind} comes in one direction")
    share = SHARES[size]
    amount = declared.full**share if kind in RATIOS else declared.full * share * sign
    return Effect(kind, size, amount, declared.begins)


@dataclass(frozen=True, slots=True)
class Planted:
    """What is put into a person's data on purpose, for tests and demonstrations to find again.

    effects: what an analysis should find, or must not take for a change. stops_early: the newest data are
    weeks old. badly_worn: the last weeks are mostly not worn.
    """

    effects: tuple[Effect, ...] = ()
    stops_early: bool = False
    badly_worn: bool = False
    critical_potassium: bool = False
    phq_item_9: int = 0
    form_never_opened: bool = False
    unanswered_item: bool = False

    def find(self, *kinds: EffectKind) -> Effect | None:
        """The first effect of one of the kinds."""
        return next((effect for effect in self.effects if effect.kind in kinds), None)

    def amount(self, kind: EffectKind) -> float:
        """The amount of a kind; 0 where it is not planted."""
        found = self.find(kind)
        return 0.0 if found is None else found.amount


STORIES = {
    0: Planted((Effect("resting_heart_rate_slope", "full", -7.0, 0.0),)),
    1: Planted(phq_item_9=1),
    2: Planted(critical_potassium=True),
    3: Planted(stops_early=True),
    4: Planted((effect("worse_regularity"),)),
    5: Planted(badly_worn=True),
    6: Planted((Effect("resting_heart_rate_slope", "full", 6.0, 0.0),)),
    7: Planted(form_never_opened=True),
    8: Planted(unanswered_item=True),
    9: Planted((effect("better_regularity"),)),
}
STORY_PEOPLE = 12

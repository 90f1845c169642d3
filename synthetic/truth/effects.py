"""What was planted in a person: what, how large, from when, what follows it and what must stay as it was."""

from datetime import date, timedelta
from typing import Any

from synthetic.people.effects import Effect
from synthetic.people.persona import Person


def planted_truth(person: Person) -> dict[str, Any]:
    """A person's entry of ``effects.json``, for a right analysis to find again.

    ``effects`` is empty for people without any. An effect that would begin after the last day is left out.
    """
    days = (person.last_day - person.first_day).days + 1
    planted = person.planted
    regularity = planted.find("better_regularity", "worse_regularity")
    starts = None if regularity is None else regularity.starts_on(person.first_day, days)
    slope = planted.amount("resting_heart_rate_slope") / max(days - 1, 1)
    return {
        "effects": [
            _effect(effect, begins, person, days)
            for effect in planted.effects
            if (begins := effect.starts_on(person.first_day, days)) is not None
        ],
        "resting_heart_rate_slope_bpm_per_day": round(slope, 6),
        "bed_time_sd_changes_on": None if starts is None else starts.isoformat(),
        "bed_time_sd_factor": 1.0 if regularity is None else regularity.amount,
        "last_day": person.last_day.isoformat(),
        "stops_early": planted.stops_early,
        "badly_worn": planted.badly_worn,
        "critical_potassium": planted.critical_potassium,
        "phq_item_9": planted.phq_item_9,
        "form_never_opened": planted.form_never_opened,
        "unanswered_item": planted.unanswered_item,
    }


def _effect(effect: Effect, begins: date, person: Person, days: int) -> dict[str, Any]:
    ends = person.first_day + timedelta(days=effect.stop_day(days) - 1)
    return {
        "effect": effect.kind,
        "size": effect.size,
        "amount": round(effect.amount, 6),
        "unit": effect.declared.unit,
        "first_day": begins.isoformat(),
        "last_day": ends.isoformat(),
        "is_change": effect.declared.is_change,
        "moves": list(effect.declared.moves),
        "must_not_move": list(effect.declared.leaves),
    }

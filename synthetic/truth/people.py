"""What is true of the people: their rows, who they are, and what was planted in whom."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from math import ceil
from typing import Any

import polars as pl

from schemas.participants import Participants
from schemas.table import conform
from synthetic.people.persona import LAST_DAY, Person
from synthetic.surveys.redcap import FREE_TEXT_CANARY


def participants(people: Sequence[Person]) -> pl.DataFrame:
    """What is known of the people without reading their data."""
    rows = [
        {
            "participant_id": person.participant_id,
            "sex": person.sex,
            "gender": person.sex,
            "age_at_enrolment": person.age,
            "age_approximate": False,
            "site": person.site,
            "status": "active",
            "enrolled_on": person.enrolled_on,
            "time_zone": person.time_zone,
            "has_wearable": True,
            "has_labs": True,
            "has_surveys": True,
            "identity": "matched",
        }
        for person in people
    ]
    return pl.DataFrame(rows).lazy().pipe(conform, Participants).collect()


def persona(person: Person) -> dict[str, Any]:
    """Who a participant is, with what stays in the study folder only."""
    return {
        "participant_id": person.participant_id,
        "name": person.name,
        "sex": person.sex,
        "birth_date": person.birth_date.isoformat(),
        "profile": person.profile,
        "time_zone": person.time_zone,
        "device": person.device,
        "body": {name: round(value, 4) for name, value in asdict(person.body).items()},
    }


def effects(people: Sequence[Person]) -> dict[str, Any]:
    """What was planted in whom, with dates and slopes that a right analysis finds again."""
    return {
        "free_text_canary": FREE_TEXT_CANARY,
        "last_day": LAST_DAY.isoformat(),
        "participants": {person.participant_id: _effects_of(person) for person in people},
    }


def _effects_of(person: Person) -> dict[str, Any]:
    days = (person.last_day - person.first_day).days + 1
    change = person.planted.resting_heart_rate_change
    return {
        "resting_heart_rate_slope_bpm_per_day": round(change / max(days - 1, 1), 6),
        "bed_time_sd_changes_on": _change_of_bed_times(person, days),
        "bed_time_sd_factor": person.planted.bed_time_sd_factor,
        "last_day": person.last_day.isoformat(),
        "stops_early": person.planted.stops_early,
        "badly_worn": person.planted.badly_worn,
        "critical_potassium": person.planted.critical_potassium,
        "phq_item_9": person.planted.phq_item_9,
        "form_never_opened": person.planted.form_never_opened,
        "unanswered_item": person.planted.unanswered_item,
    }


def _change_of_bed_times(person: Person, days: int) -> str | None:
    share = person.planted.bed_time_sd_from
    if share is None or ceil(share * days) >= days:
        return None
    return (person.first_day + timedelta(days=ceil(share * days))).isoformat()

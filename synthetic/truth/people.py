"""What is true of the people: their rows, who they are, and what was planted in whom."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import polars as pl

from schemas.participants import Participants
from schemas.table import conform
from synthetic.people.persona import LAST_DAY, Person
from synthetic.surveys.answering import FREE_TEXT_CANARY
from synthetic.truth.effects import planted_truth


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
            "status": person.status,
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
        "participants": {person.participant_id: planted_truth(person) for person in people},
    }

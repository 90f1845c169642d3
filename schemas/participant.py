"""One row of participants.csv: who is in the study. It never leaves the study folder whole."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

Sex = Literal["female", "male", "intersex", "unknown"]
Status = Literal["active", "completed", "withdrawn", "excluded"]

OLDEST_AGE_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Participant:
    """A registered person. ``name`` and ``birth_date`` serve the identity gate and ages only."""

    participant_id: str
    sex: Sex
    birth_year: int
    time_zone: str
    birth_date: date | None = None
    gender: str | None = None
    enrolled_on: date | None = None
    consent_from: date | None = None
    consent_to: date | None = None
    status: Status = "active"
    left_on: date | None = None
    site: str | None = None
    group: str | None = None
    aliases: tuple[str, ...] = ()
    name: str | None = None
    results_to: Literal["participant", "clinician", "none"] = "none"
    external_model: bool = False

    def __repr__(self) -> str:
        """Only the id: names and birth dates must not reach a log by accident."""
        return f"Participant({self.participant_id})"

    @property
    def age_approximate(self) -> bool:
        """True where only the birth year is known."""
        return self.birth_date is None

    def age_on(self, day: date) -> int:
        """Completed years on a day, capped at 90; from the birth year alone it may be one too high."""
        years = day.year - self.birth_year
        if self.birth_date is not None and (day.month, day.day) < (
            self.birth_date.month,
            self.birth_date.day,
        ):
            years -= 1
        return min(max(years, 0), OLDEST_AGE_SHOWN)

"""Dates as study days: a prompt says "study day 12", the renderer writes the date back."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from health_agents.domain_expert.phrases import long_date
from health_agents.quantities import find_quantities
from outputs.dossier import Dossier

_STUDY_DAY = re.compile(r"\bstudy day (\d{1,5})\b", re.IGNORECASE)
_UNKNOWN_DATE = "an earlier date"


@dataclass(frozen=True, slots=True)
class StudyDays:
    """Study day 1 is the earliest day the dossier speaks of."""

    first: date

    @classmethod
    def of(cls, dossier: Dossier) -> "StudyDays":
        """The count of days of a dossier."""
        columns = ("window_start", "window_end")
        days = [day for name in columns for day in dossier.facts[name].drop_nulls().to_list()]
        days += dossier.findings["window_end"].drop_nulls().to_list()
        return cls(min(days, default=dossier.data_through or date(1970, 1, 1)))

    def name(self, day: date) -> str:
        """The name of a date in a prompt."""
        return f"study day {(day - self.first).days + 1}"

    def hide_dates(self, text: str) -> str:
        """A text with every date as its study day; one without a year, or before day 1, loses it."""
        for quantity in reversed(find_quantities(text)):
            if quantity.unit == "date":
                known = quantity.day is not None and quantity.day >= self.first
                words = self.name(quantity.day) if known and quantity.day else _UNKNOWN_DATE
                text = text[: quantity.start] + words + text[quantity.after :]
        return text

    def write_dates(self, text: str) -> str:
        """A model's text with study days as dates again."""
        return _STUDY_DAY.sub(lambda m: long_date(self.first + timedelta(days=int(m[1]) - 1)), text)

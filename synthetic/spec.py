"""What a made study is made of: how many people, how long, and which preset."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

PresetName = Literal["demo", "load"]


@dataclass(frozen=True, slots=True)
class Preset:
    """What a name stands for: the numbers a study has unless they are given."""

    participants: int
    days: int
    says: str


PRESETS: dict[PresetName, Preset] = {
    "demo": Preset(12, 120, "a small cohort with a story in each of the first ten people"),
    "load": Preset(1_165, 120, "a cohort of the size of a real study, to measure speed and memory"),
}


@dataclass(frozen=True, slots=True)
class Spec:
    """All that the bytes of a made study depend on.

    days: local days with data a person up to the first as-of date; the last day is 2026-06-28.
    heart_rate_seconds: between two samples. weeks: how many weekly as-of dates the study is made for; each
    after the first adds a week of data.
    """

    participants: int
    days: int
    seed: int
    preset: PresetName = "demo"
    heart_rate_seconds: int = 60
    weeks: int = 1

    @property
    def days_with_data(self) -> int:
        """Local days of data in all."""
        return self.days + 7 * (self.weeks - 1)

    def as_of_dates(self, last_day: date) -> tuple[date, ...]:
        """The weekly as-of dates, the last of them the day before the partial ``last_day``."""
        return tuple(last_day - timedelta(days=1 + 7 * n) for n in reversed(range(self.weeks)))

"""What a made study is made of: how many people, how long, and which preset."""

from dataclasses import dataclass
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

    days: local days with data a person; they end on 2026-06-28. heart_rate_seconds: between two samples.
    """

    participants: int
    days: int
    seed: int
    preset: PresetName = "demo"
    heart_rate_seconds: int = 60

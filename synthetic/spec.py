"""What a made study is made of: how many people, how long, and which preset."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from synthetic.people.casting import Casting
from synthetic.people.effects import DECLARED, EffectKind, Size
from synthetic.traps.casts import NOBODY_SPECIAL
from synthetic.traps.catalogue import TRAPS
from synthetic.traps.trap import Trap

PresetName = Literal["demo", "load", "traps"]


@dataclass(frozen=True, slots=True)
class Preset:
    """What a name stands for: the numbers a study has unless they are given, its cast, its export forms.

    forms: keys of synthetic.exports.forms.FORMS, given to the participants in turn.
    """

    participants: int
    days: int
    casting: Casting
    forms: tuple[str, ...] = ("B",)


PRESETS: dict[PresetName, Preset] = {
    # A small cohort with a story in each of the first ten people.
    "demo": Preset(12, 120, Casting()),
    # A cohort of the size of a real study, with all its standings, to measure speed and memory.
    "load": Preset(1_165, 120, Casting(stories=False, varied_standing=True), ("B", "C", "D", "E", "F")),
    # The catalogue of planted traps: so many of them, each on a participant of its own, with days of its own.
    "traps": Preset(len(TRAPS), 8, NOBODY_SPECIAL),
}


@dataclass(frozen=True, slots=True)
class Spec:
    """All that the bytes of a made study depend on.

    days: local days with data a person up to the first as-of date; the last day is 2026-06-28.
    heart_rate_seconds: between two samples. weeks: how many weekly as-of dates the study is made for; each
    after the first adds a week of data. scored: a cast in which all carry the same effect, or none. form: of
    all exports, None for the preset's own; survey_form: of the questionnaires. Of the
    preset "traps" ``participants`` are the traps; days, heart rate and casting are each trap's own.
    """

    participants: int
    days: int
    seed: int
    preset: PresetName = "demo"
    heart_rate_seconds: int = 60
    weeks: int = 1
    scored: Casting | None = None
    form: str | None = None
    survey_form: str = "redcap_raw"

    @property
    def traps(self) -> tuple[Trap, ...]:
        """The traps of the preset of that name, the first ``participants`` of the catalogue."""
        return tuple(TRAPS.values())[: self.participants] if self.preset == "traps" else ()

    @property
    def casting(self) -> Casting:
        """Who is cast: what is to be scored, else what the preset says."""
        return self.scored or PRESETS[self.preset].casting

    def form_of(self, number: int) -> str:
        """The form of the export of participant ``number``."""
        forms = PRESETS[self.preset].forms
        return self.form or forms[number % len(forms)]

    @property
    def days_with_data(self) -> int:
        """Local days of data in all."""
        return self.days + 7 * (self.weeks - 1)

    def as_of_dates(self, last_day: date) -> tuple[date, ...]:
        """The weekly as-of dates, the last of them the day before the partial ``last_day``."""
        return tuple(last_day - timedelta(days=1 + 7 * n) for n in reversed(range(self.weeks)))


def scored_cast(effect: str | None, size: Size) -> Casting | None:
    """A cast in which everyone carries one effect, or with "none" nobody any; None for the preset's own.

    Raises ValueError for a kind that cannot be planted.
    """
    if effect is None:
        return None
    if effect == "none":
        return Casting(effect_free=True)
    kinds: dict[str, EffectKind] = {kind: kind for kind in DECLARED}
    if effect not in kinds:
        raise ValueError(f"no such effect; there are: none, {', '.join(DECLARED)}")
    return Casting(effect=kinds[effect], size=size)

"""How a study is cast: who tells the demonstration's stories, and what is planted in whom."""

from dataclasses import dataclass, replace

import numpy as np

from synthetic.people.effects import (
    DECLARED,
    STORIES,
    STORY_PEOPLE,
    Effect,
    EffectKind,
    Planted,
    Size,
    effect,
)

EFFECT_FREE_SHARE = 0.5
SIZES: tuple[Size, ...] = ("full", "half", "quarter")


@dataclass(frozen=True, slots=True)
class Casting:
    """How a study is cast.

    effect, size: everyone carries this one effect and nothing else; None draws by lot. effect_free: nobody
    carries any. stories: the first twelve tell the demonstration's stories. varied_standing: some are
    withdrawn, excluded, completed, re-consented or enrolled twice.
    """

    effect: EffectKind | None = None
    size: Size = "full"
    effect_free: bool = False
    stories: bool = True
    varied_standing: bool = False

    def without_standing(self) -> "Casting":
        """The same with everyone plainly active."""
        return replace(self, varied_standing=False)

    @property
    def scored(self) -> bool:
        """Whether everyone carries the same, so that a study can be scored."""
        return self.effect is not None or self.effect_free

    def is_story(self, number: int) -> bool:
        """Whether a participant is one of the demonstration's."""
        return self.stories and not self.scored and number < STORY_PEOPLE


DEMONSTRATION = Casting()


def planted_in(number: int, casting: Casting, rng: np.random.Generator) -> Planted:
    """What participant ``number`` carries; as many draws whatever the casting."""
    draws = rng.random(4)
    sign = 1 if draws[2] < 0.5 else -1
    if casting.effect_free:
        return Planted()
    if casting.effect is not None:
        return Planted((_signed(casting.effect, casting.size, sign),))
    if casting.is_story(number):
        return STORIES.get(number, Planted())
    if draws[0] < EFFECT_FREE_SHARE:
        return Planted()
    kind = tuple(DECLARED)[int(draws[1] * len(DECLARED))]
    return Planted((_signed(kind, SIZES[int(draws[3] * len(SIZES))], sign),))


def _signed(kind: EffectKind, size: Size, sign: int) -> Effect:
    return effect(kind, size, sign if DECLARED[kind].signed else 1)

"""The phone as a second step counter: it counts where it is carried, also while the watch is off."""

import numpy as np

from synthetic.life.minutes import Minutes
from synthetic.life.wear import Mask
from synthetic.local_days import Ints
from synthetic.people.persona import Person

STRETCH_MINUTES = 30
CARRIED_SHARE = 0.55
FEWEST_STEPS_TOLD = 8


def phone_steps(person: Person, minutes: Minutes, arrived: Mask, rng: np.random.Generator) -> Ints:
    """Steps the phone counted in each elapsed minute: 0 where it lay elsewhere, or is no recorder.

    It is taken along or left for half hours; it misses a few steps, and a minute with hardly any.
    """
    if not person.has_phone_recorder:
        return np.zeros(len(minutes.walked), dtype=np.int64)
    stretches = len(minutes.walked) // STRETCH_MINUTES + 1
    carried = np.repeat(rng.random(stretches) < CARRIED_SHARE, STRETCH_MINUTES)[: len(arrived)]
    sensed = np.repeat(rng.uniform(0.86, 1.02, stretches), STRETCH_MINUTES)[: len(arrived)]
    counted = np.rint(minutes.walked * sensed).astype(np.int64)
    return np.where(carried & arrived & (counted >= FEWEST_STEPS_TOLD), counted, 0)

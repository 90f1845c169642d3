"""Weak sightings that strong ones on both sides of them contradict.

Offsets that stand beside a row may be of another time than the row: of rows moved from an older system they
are often the account's newest.
"""

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ingest.clocks.sightings import WEAK

# A source that contradicts a more trusted one more often than this is not believed at all.
OVERRULED_SHARE: Final = 0.2
# Strong sightings further off leave room for a journey between them.
_REACH = np.timedelta64(2, "D")

Flags = NDArray[np.bool_]


def overruled(seen: pl.DataFrame, fits: Flags) -> Flags:
    """Which sightings don't count: weak ones that no clock explains which explains the strong ones before and
    after them, two days away at most, or that no clock explains at all; and all of a weak source of which
    more than a fifth is so contradicted.

    seen: sightings in the order of time. fits: by sighting and clock, whether the clock explains it.
    """
    is_weak = seen["source"].is_in(WEAK).to_numpy()
    strong = np.flatnonzero(~is_weak)
    since, until = seen["since"].to_numpy(), seen["until"].to_numpy()
    judged, wrong = np.zeros(seen.height, bool), np.zeros(seen.height, bool)
    for weak in np.flatnonzero(is_weak):
        judged[weak] = wrong[weak] = not fits[weak].any()
        place = int(np.searchsorted(strong, weak))
        if wrong[weak] or not 0 < place < len(strong):
            continue
        before, after = strong[place - 1], strong[place]
        both = fits[before] & fits[after]
        near = since[weak] - until[before] <= _REACH and since[after] - until[weak] <= _REACH
        judged[weak] = near and both.any()
        wrong[weak] = judged[weak] and not (both & fits[weak]).any()
    for source in WEAK:
        own = (seen["source"] == source).to_numpy()
        if wrong[own].sum() > OVERRULED_SHARE * judged[own].sum():
            wrong |= own
    return wrong

"""Units that a file does not name, told by what its numbers are about: bodies and steps. Never guessed.

A weight and the body mass index beside it give a height, and only one unit gives that of an adult. A step is
two fifths of the height long, so that a day's steps tell kilometres from miles.
"""

import polars as pl

from ingest.fitbit.stated_days import LENGTH

KILOGRAMS = {"kg": 1.0, "lb": 0.45359237, "st": 6.35029318}
METRES = {"km": 1000.0, "mi": 1609.344}
# Heights that kilograms, pounds and stones can't give of one weight at once.
_HEIGHTS_M = (1.40, 2.07)
_STEP_OF_HEIGHT, _USUAL_STEP_M = 0.414, 0.70
# Of days with a thousand steps, walked or partly run.
_LEAST_STEPS = 1000
_STRIDES = {"km": (0.85, 1.6), "mi": (0.85, 1.35)}


def weight_unit(weights: pl.DataFrame) -> str | None:
    """The unit of ``weight`` by the ``bmi`` beside it, or None where not exactly one gives a real height."""
    told = weights.filter((pl.col("weight") > 0) & (pl.col("bmi") > 0))
    heights = {
        unit: told.select((pl.col("weight") * kilograms / pl.col("bmi")).sqrt().median()).item()
        for unit, kilograms in KILOGRAMS.items()
    }
    fitting = [u for u, h in heights.items() if h is not None and _HEIGHTS_M[0] <= h <= _HEIGHTS_M[1]]
    return fitting[0] if len(fitting) == 1 else None


def height_m(weights: pl.DataFrame) -> float | None:
    """The height that ``weight`` and ``bmi`` give, in metres, where their unit is clear."""
    unit = weight_unit(weights)
    if unit is None:
        return None
    told = weights.filter((pl.col("weight") > 0) & (pl.col("bmi") > 0))
    return told.select((pl.col("weight") * KILOGRAMS[unit] / pl.col("bmi")).sqrt().median()).item()


def distance_unit(days: pl.DataFrame, height: float | None) -> str | None:
    """The unit of ``length`` by the ``steps`` of the same days, or None where neither fits."""
    walked = days.filter((pl.col("steps") >= _LEAST_STEPS) & (pl.col(LENGTH) > 0))
    ratio = walked.select((pl.col(LENGTH) / pl.col("steps")).median()).item()
    if ratio is None:
        return None
    step = _USUAL_STEP_M if height is None else height * _STEP_OF_HEIGHT
    fitting = [u for u, (low, high) in _STRIDES.items() if low <= ratio * METRES[u] / step <= high]
    return fitting[0] if len(fitting) == 1 else None

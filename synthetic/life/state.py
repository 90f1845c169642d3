"""The hidden state of each day: strain and fever, which all that is measured of a body shares.

Strain is one series of unit variance with an autocorrelation of a half; resting heart rate, RMSSD,
respiration, skin temperature and the stress score of a day all lean on it, each with noise of its own.
"""

from dataclasses import dataclass

import numpy as np

from synthetic.people.body import Floats
from synthetic.people.effects import SHARES
from synthetic.people.persona import Person

PERSISTENCE = 0.5
RESTING_SD = 2.5
STRAIN_SHARE = 0.8
FEVER_BPM = 12.0
TRAINED_BPM, TRAINING_DAYS = -2.5, 28
# How a fever comes and goes over its seven days.
FEVER_COURSE = np.array([0.5, 1.0, 1.0, 0.9, 0.7, 0.5, 0.25])


@dataclass(frozen=True, slots=True)
class DayStates:
    """Arrays over the local days.

    strain: unit variance. fever: 0 to 1. trained: 0 to 1, how far a training block has shown. resting: true
    resting heart rate in bpm. drift: its distance from the settled value without strain and fever.
    read_higher: bpm that the watch of the day reads above the truth.
    """

    strain: Floats
    fever: Floats
    trained: Floats
    drift: Floats
    resting: Floats
    read_higher: Floats

    @property
    def read_resting(self) -> Floats:
        """Resting heart rate as the watch of the day reads it."""
        return self.resting + self.read_higher


def day_states(person: Person, days: int, rng: np.random.Generator) -> DayStates:
    """The states of all days: noise first, then what is planted."""
    strain, own = autocorrelated(days, rng), autocorrelated(days, rng)
    fever, trained = _fever(person, days), _trained(person, days)
    drift = _planted_drift(person, days) + TRAINED_BPM * trained
    noise = RESTING_SD * (STRAIN_SHARE * strain + np.sqrt(1 - STRAIN_SHARE**2) * own)
    resting = person.body.resting_heart_rate + drift + noise + FEVER_BPM * fever
    return DayStates(strain, fever, trained, drift, np.clip(resting, 36, 130), _read_higher(person, days))


def autocorrelated(days: int, rng: np.random.Generator) -> Floats:
    """A stationary series of unit variance in which a day keeps half of the day before."""
    shocks = rng.normal(0, 1, days)
    shocks[1:] *= np.sqrt(1 - PERSISTENCE**2)
    series = np.empty(days)
    value = 0.0
    for day, shock in enumerate(shocks.tolist()):
        value = PERSISTENCE * value + shock
        series[day] = value
    return series


def _planted_drift(person: Person, days: int) -> Floats:
    """Slope over the study around its middle, and step."""
    drift = np.linspace(-0.5, 0.5, days) * person.planted.amount("resting_heart_rate_slope")
    step = person.planted.find("resting_heart_rate_step")
    if step is not None:
        drift[step.first_day(days) :] += step.amount
    return drift


def _fever(person: Person, days: int) -> Floats:
    fever = np.zeros(days)
    week = person.planted.find("fever_week")
    if week is not None:
        first, stop = week.first_day(days), week.stop_day(days)
        fever[first:stop] = week.amount * FEVER_COURSE[: stop - first]
    return fever


def _trained(person: Person, days: int) -> Floats:
    """Rises over four weeks to the size of the block."""
    trained = np.zeros(days)
    block = person.planted.find("training_block")
    if block is not None:
        first = block.first_day(days)
        trained[first:] = SHARES[block.size] * np.minimum(np.arange(1, days - first + 1) / TRAINING_DAYS, 1)
    return trained


def _read_higher(person: Person, days: int) -> Floats:
    higher = np.zeros(days)
    change = person.planted.find("new_watch")
    if change is not None:
        higher[change.first_day(days) :] = change.amount
    return higher

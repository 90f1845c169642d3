"""What the device derives from the minutes: zones, energy, distance, floors, minutes by intensity."""

from dataclasses import dataclass

import numpy as np

from synthetic.life.minutes import Minutes
from synthetic.life.wear import SYNC_WALL_MINUTE, Mask
from synthetic.local_days import Ints, LocalDays
from synthetic.people.persona import Person

OUT_OF_ZONE, FAT_BURN, CARDIO, PEAK = range(4)
ZONE_SHARES = (0.40, 0.60, 0.85)
ZONE_MULTIPLIER = np.array([0, 1, 2, 2])

LIGHT_MET, MODERATE_MET, VIGOROUS_MET = 1.7, 3.0, 6.0
INTENSITIES = ("sedentary", "lightly", "moderately", "very")


@dataclass(frozen=True, slots=True)
class Measures:
    """Arrays over the elapsed minutes; energy_tenths by (local day, minute on the wall)."""

    zone: Ints
    distance_cm: Ints
    floors: Ints
    energy_tenths: Ints


def measure(person: Person, days: LocalDays, minutes: Minutes, rng: np.random.Generator) -> Measures:
    """All that is worked out of the minutes."""
    return Measures(
        zone=zone_minutes(person, minutes),
        distance_cm=distance_cm(person, minutes),
        floors=floors_climbed(minutes, rng),
        energy_tenths=energy_tenths(person, days, minutes),
    )


def zone_limits(person: Person) -> tuple[int, int, int]:
    """Lowest bpm of fat burn, cardio and peak: shares of the heart-rate reserve, 220 - age at the top."""
    resting = person.body.resting_heart_rate
    reserve = 220 - person.age - resting
    fat_burn, cardio, peak = (int(np.ceil(share * reserve + resting)) for share in ZONE_SHARES)
    return fat_burn, cardio, peak


def zone_minutes(person: Person, minutes: Minutes) -> Ints:
    """Zone of every minute; only worn minutes with effort are in one."""
    zone = np.searchsorted(np.array(zone_limits(person)), minutes.heart_rate, side="right")
    return np.where(minutes.worn & ~minutes.in_bed & (minutes.effort > 0.12), zone, OUT_OF_ZONE)


def distance_cm(person: Person, minutes: Minutes) -> Ints:
    """Distance of every minute in cm, in full decimetres as devices give it."""
    stride = person.body.height_cm * np.where(minutes.steps > 140, 0.58, 0.414)
    return (np.rint(minutes.steps * stride / 10) * 10).astype(np.int64)


def energy_tenths(person: Person, days: LocalDays, minutes: Minutes) -> Ints:
    """Energy in tenths of a kcal by (local day, minute on the wall): always 1440 minutes a day.

    The basal rate (Mifflin-St Jeor) fills minutes that were not worn, or that a clock change left out.
    """
    body = person.body
    basal = 10 * body.weight_kg + 6.25 * body.height_cm - 5 * person.age + (-161 if person.female else 5)
    per_minute = basal / 1440 * 10
    energy = np.full((len(days.dates), 1440), round(per_minute), dtype=np.int64)
    spent = np.rint(per_minute * minutes.met).astype(np.int64)
    energy[days.day[minutes.worn], days.wall[minutes.worn]] = spent[minutes.worn]
    energy[-1, SYNC_WALL_MINUTE:] = 0
    return energy


def intensity_minutes(days: LocalDays, minutes: Minutes, in_bed_minutes: Ints) -> dict[str, Ints]:
    """Minutes of each local day by intensity, by the file name's word.

    Sedentary is what remains of 1440 (of the time to the last sync on the last day) after the other three and
    the time in bed of the logs that wake on the day; 1440 on a day that was not worn.
    """
    lengths = np.full(len(days.dates), 1440, dtype=np.int64)
    lengths[-1] = SYNC_WALL_MINUTE
    level = minute_intensity(minutes)
    found = {INTENSITIES[place]: per_day(days, level == place) for place in (3, 2, 1)}
    active = np.sum(list(found.values()), axis=0)
    unworn = per_day(days, minutes.worn) == 0
    return {"sedentary": np.where(unworn, 1440, np.maximum(lengths - active - in_bed_minutes, 0)), **found}


def minute_intensity(minutes: Minutes) -> Ints:
    """Place in INTENSITIES of every elapsed minute; 0 in bed and while it was not worn."""
    level = np.searchsorted(np.array([LIGHT_MET, MODERATE_MET, VIGOROUS_MET]), minutes.met, side="right")
    return np.where(minutes.worn & ~minutes.in_bed, level, 0)


def floors_climbed(minutes: Minutes, rng: np.random.Generator) -> Ints:
    """Floors of every minute: now and then while walking."""
    climbed = minutes.worn & (minutes.steps > 30) & (rng.random(len(minutes.worn)) < 0.06)
    return np.where(climbed, 1 + (rng.random(len(climbed)) < 0.15), 0).astype(np.int64)


def per_day(days: LocalDays, values: Ints | Mask) -> Ints:
    """Sum of a minute array by local day."""
    sums = np.bincount(days.day, weights=values.astype(np.float64), minlength=len(days.dates))
    return sums.astype(np.int64)

"""What the device keeps of a night beside its daily values: variability, oxygen and skin temperature.

They agree with the night's daily values, which are theirs as far as the vendor's own are.
"""

from collections.abc import Iterator
from datetime import UTC

import numpy as np
import polars as pl

from synthetic.life.recording import Recording
from synthetic.life.sleep import DEEP, REM, WAKE, SleepLog
from synthetic.local_days import EPOCH
from synthetic.people.body import Floats
from synthetic.people.profiles import PROFILES, index_of
from synthetic.randomness import generator

WINDOW_MINUTES = 5
INVALID_OXYGEN = 50.0
INVALID_SHARES = (0.15, 0.26)
LOWEST_VALID_OXYGEN = 70.0
DIPS_AN_HOUR = 1.2
DIP_MINUTES = 3
AWAKE_WARMTH = -0.9

HRV_SCHEMA = {
    "local_minute": pl.Int64,
    "rmssd": pl.Float64,
    "coverage": pl.Float64,
    "low_frequency": pl.Float64,
    "high_frequency": pl.Float64,
}
OXYGEN_SCHEMA = {"utc_second": pl.Int64, "value": pl.Float64}
TEMPERATURE_SCHEMA = {"local_minute": pl.Int64, "temperature": pl.Float64}


def hrv_details(recording: Recording) -> pl.DataFrame:
    """Every five minutes of the nights with stages: local_minute (since 1970 on the wall, at the start of the
    five), rmssd in ms, coverage 0 to 1, low and high frequency power in ms2.

    The mean of a night's rmssd, weighted by coverage, is its daily value to within rounding. Windows with
    the body awake are mostly left out.
    """
    rng = generator(recording.seed, "hrv details", recording.person.number)
    nights = [_hrv_night(night, rmssd, rng) for night, rmssd in _nights(recording, "heart_rate_variability")]
    return pl.concat([pl.DataFrame(schema=HRV_SCHEMA), *nights])


def _hrv_night(night: SleepLog, daily: float, rng: np.random.Generator) -> pl.DataFrame:
    first = _local_minute(night)
    start = first + -first % WINDOW_MINUTES
    minutes = np.arange(start, first + night.minutes_in_bed - WINDOW_MINUTES, WINDOW_MINUTES)
    stage = night.levels[2 * (minutes - first)]
    kept = (stage != WAKE) | (rng.random(len(minutes)) < 0.2)
    minutes, stage = minutes[kept], stage[kept]
    level = np.where(stage == DEEP, 0.94, np.where(stage == REM, 0.97, 1.02))
    rmssd = level * np.exp(rng.normal(0, 0.2, len(minutes)))
    coverage = np.round(np.clip(1 - rng.exponential(0.06, len(minutes)), 0.4, 1), 3)
    rmssd *= daily * coverage.sum() / (rmssd * coverage).sum()
    power = rmssd**2
    high = power * np.exp(rng.normal(-0.9, 0.35, len(minutes)))
    return pl.DataFrame(
        {
            "local_minute": minutes,
            "rmssd": np.round(rmssd, 3),
            "coverage": coverage,
            "low_frequency": np.round(high * np.exp(rng.normal(0.35, 0.4, len(minutes))), 3),
            "high_frequency": np.round(high, 3),
        },
        schema=HRV_SCHEMA,
    )


def spo2_minutes(recording: Recording) -> pl.DataFrame:
    """Every minute of the nights with stages: utc_second (since 1970) and value in percent.

    50.0 says that a minute could not be measured: 15 to 26 % of them. The mean of the others is the night's
    mean to within 0.1, and they lie within its bounds.
    """
    rng = generator(recording.seed, "oxygen minutes", recording.person.number)
    share = float(rng.uniform(*INVALID_SHARES))
    dip = PROFILES[index_of(recording.person.profile)].desaturation
    bounds = recording.nightly.select("date", "spo2_min", "spo2_max")
    limits = {day: (low, high) for day, low, high in bounds.iter_rows()}
    nights = [
        _oxygen_night(recording, night, (mean, *limits[night.wake_date]), (share, dip), rng)
        for night, mean in _nights(recording, "spo2_avg")
    ]
    return pl.concat([pl.DataFrame(schema=OXYGEN_SCHEMA), *nights])


def _oxygen_night(
    recording: Recording,
    night: SleepLog,
    mean_low_high: tuple[float, float, float],
    share_and_dip: tuple[float, float],
    rng: np.random.Generator,
) -> pl.DataFrame:
    mean, low, high = mean_low_high
    share, dip = share_and_dip
    length = night.minutes_in_bed
    values = mean + rng.normal(0, 0.45, length) - _dips(length, dip, rng)
    values = np.clip(values - values.mean() + mean, max(low, LOWEST_VALID_OXYGEN), high)
    # Clipping moves the mean a little; what is left is spread over the values that have room.
    values = np.clip(values + (mean - values.mean()), max(low, LOWEST_VALID_OXYGEN), high)
    shown = np.where(rng.random(length) < share, INVALID_OXYGEN, np.round(values, 1))
    start = (recording.days.utc_of(night.start) - EPOCH).total_seconds()
    seconds = int(start) + 60 * np.arange(length) + int(rng.integers(0, 30))
    return pl.DataFrame({"utc_second": seconds, "value": shown}, schema=OXYGEN_SCHEMA)


def _dips(length: int, dip: float, rng: np.random.Generator) -> Floats:
    """Falls of a few minutes, deeper and more of them for who stops breathing at night."""
    count = rng.poisson(DIPS_AN_HOUR * dip * length / 60)
    starts = rng.integers(0, max(length - DIP_MINUTES, 1), count)
    depth = np.zeros(length)
    for ahead, part in enumerate((0.6, 1.0, 0.5)):
        np.maximum.at(depth, starts + ahead, dip * part * rng.uniform(0.3, 1.0, count))
    return depth


def wrist_temperature_minutes(recording: Recording) -> pl.DataFrame:
    """Every worn minute from the first baseline on: local_minute (since 1970 on the wall) and temperature,
    the difference from the personal baseline in degC.

    The mean of a night with a value is that night's variation; by day the skin is cooler and less steady.
    """
    days, minutes = recording.days, recording.minutes
    rng = generator(recording.seed, "wrist temperature", recording.person.number)
    of_day = recording.nightly["skin_temperature_variation"].forward_fill().to_numpy()[days.day]
    slow = np.convolve(rng.normal(0, 1, len(of_day)), np.ones(20) / 20, mode="same")
    level = of_day + np.where(minutes.in_bed, 0.25 * slow, AWAKE_WARMTH + 1.8 * slow)
    for night, variation in _nights(recording, "skin_temperature_variation"):
        start = days.place_of(night.start)
        piece = slice(start, start + night.minutes_in_bed)
        level[piece] = variation + 0.25 * (slow[piece] - slow[piece].mean())
    shown = minutes.worn & ~np.isnan(level)
    return pl.DataFrame(
        {"local_minute": (days.utc_minute + days.offset)[shown], "temperature": np.round(level, 12)[shown]},
        schema=TEMPERATURE_SCHEMA,
    )


def _nights(recording: Recording, column: str) -> Iterator[tuple[SleepLog, float]]:
    """Main sleeps with stages that have a value of the column, by wake date."""
    values = dict(recording.nightly.select("date", column).iter_rows())
    for sleep in recording.sleeps:
        if sleep.is_main and sleep.kind == "stages" and values[sleep.wake_date] is not None:
            yield sleep, values[sleep.wake_date]


def _local_minute(night: SleepLog) -> int:
    """Minutes since 1970 on the wall, rounded down."""
    return int((night.start.replace(tzinfo=UTC) - EPOCH).total_seconds()) // 60

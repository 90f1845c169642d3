"""Google Health API types with a value a day, and daily roll-ups, newest first."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import polars as pl

from synthetic.exports.daily import daily_totals
from synthetic.exports.health_api.text import DERIVED, civil_date, compact, point
from synthetic.life.recording import Recording


def resting_heart_rate(recording: Recording) -> Iterator[str]:
    """Whole bpm, and whether a night was in the data behind it."""
    nights = {sleep.wake_date for sleep in recording.sleeps}
    for day, bpm in _known(recording, "resting_heart_rate"):
        method = "WITH_SLEEP" if day in nights else "ONLY_WITH_AWAKE_DATA"
        value = {
            "date": civil_date(day),
            "beatsPerMinute": str(round(bpm)),
            "dailyRestingHeartRateMetadata": {"calculationMethod": method},
        }
        yield point("dailyRestingHeartRate", value, DERIVED)


def heart_rate_variability(recording: Recording) -> Iterator[str]:
    """RMSSD of the night and of its deep sleep in milliseconds, and the heart rate outside REM sleep."""
    columns = ("heart_rate_variability", "deep_rmssd", "nremhr", "entropy")
    for day, rmssd, deep, bpm, entropy in _known(recording, *columns):
        value = {
            "date": civil_date(day),
            "averageHeartRateVariabilityMilliseconds": rmssd,
            "deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds": deep,
            "nonRemHeartRateBeatsPerMinute": str(round(bpm)),
            "entropy": entropy,
        }
        yield point("dailyHeartRateVariability", value, DERIVED)


def respiratory_rate(recording: Recording) -> Iterator[str]:
    """Breaths a minute of the night."""
    for day, rate in _known(recording, "respiratory_rate"):
        value = {"date": civil_date(day), "breathsPerMinute": rate}
        yield point("dailyRespiratoryRate", value, DERIVED)


def oxygen_saturation(recording: Recording) -> Iterator[str]:
    """Oxygen saturation of the night in percent."""
    for day, mean, low, high in _known(recording, "spo2_avg", "spo2_min", "spo2_max"):
        value = {
            "date": civil_date(day),
            "averagePercentage": mean,
            "lowerBoundPercentage": low,
            "upperBoundPercentage": high,
        }
        yield point("dailyOxygenSaturation", value, DERIVED)


def skin_temperature(recording: Recording) -> Iterator[str]:
    """Skin temperature of the night in degC; the baseline says NaN until there is one."""
    nights = recording.nightly.select("date", "nightly_temperature", "baseline_temperature").reverse()
    for day, nightly, baseline in nights.drop_nulls("nightly_temperature").iter_rows():
        value = {
            "date": civil_date(day),
            "nightlyTemperatureCelsius": nightly,
            "baselineTemperatureCelsius": "NaN" if baseline is None else baseline,
        }
        yield point("dailySleepTemperatureDerivations", value, DERIVED)


def cardio_fitness(recording: Recording) -> Iterator[str]:
    """Cardio fitness in ml/kg/min."""
    for day, fitness in _known(recording, "vo2max"):
        yield point("dailyVo2Max", {"date": civil_date(day), "vo2Max": fitness}, DERIVED)


def energy(recording: Recording) -> Iterator[str]:
    """Kilocalories of every local day, rest included: the service gives them only as a roll-up."""
    for day, kcal in daily_totals(recording).select("date", "energy").reverse().iter_rows():
        yield _roll_up(day, "totalCalories", {"kcalSum": round(kcal, 1)})


def steps(recording: Recording) -> Iterator[str]:
    """Steps of every local day on which the device was worn."""
    worn = daily_totals(recording).filter(pl.col("wear") > 0)
    for day, count in worn.select("date", "steps").reverse().iter_rows():
        yield _roll_up(day, "steps", {"countSum": str(count)})


def _roll_up(day: date, key: str, value: dict[str, object]) -> str:
    following = civil_date(day + timedelta(days=1))
    return compact(
        {
            "civilStartTime": {"date": civil_date(day), "time": {}},
            "civilEndTime": {"date": following, "time": {}},
            key: value,
        }
    )


def _known(recording: Recording, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Days with all of the columns, newest first."""
    return recording.nightly.select("date", *columns).drop_nulls().reverse().iter_rows()

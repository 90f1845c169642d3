"""The one table of file kinds: name pattern, clock, reader, natural key, and the daily values they feed.

A member is known by its own file name, whatever folder it lies in: folders were renamed, translated and
nested anew many times. The reader then checks the header or shape.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ingest.archive import Content
from ingest.fitbit import day_csv, days, exercise, heart_rate, minutes, profile, sleep, weight
from ingest.fitbit.reading import Reading

Clock = Literal["utc", "local", "day"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of member.

    clock: utc or local digits, or a day label that is never shifted.
    key: what makes two rows the same fact. best: of rows with one key the highest wins, in this order;
        ``newer`` is the rank of the export. metrics: columns of daily_summary it feeds.
    """

    name: str
    pattern: re.Pattern[str]
    clock: Clock
    read: Callable[[Content, str], Reading]
    key: tuple[str, ...]
    metrics: tuple[str, ...]
    best: tuple[str, ...] = ("newer",)


# Browsers and file managers add " (1)" to a copy; early exports had no date in the name.
_COPY = r"(?: ?\(\d+\))?"


def _json(stem: str) -> re.Pattern[str]:
    return re.compile(rf"^{stem}(?:-\d{{4}}-\d{{2}}-\d{{2}})?{_COPY}\.json$", re.IGNORECASE)


def _csv(stem: str) -> re.Pattern[str]:
    return re.compile(rf"^{stem}{_COPY}\.csv$", re.IGNORECASE)


_DATED = r" - \d{4}-\d{2}-(?:\d{2})?(?: ?-? ?\d{4}-\d{2}-\d{2})?"
_SLEEP_METRICS = (
    "sleep_minutes",
    "nap_minutes",
    "time_in_bed_minutes",
    "deep_sleep_minutes",
    "rem_sleep_minutes",
    "light_sleep_minutes",
    "awake_minutes",
    "bed_time",
    "wake_up_time",
    "bed_minute",
    "wake_up_minute",
)
ACTIVITY_MINUTES = {
    "sedentary_minutes": "sedentary_minutes",
    "lightly_active_minutes": "lightly_active_minutes",
    "moderately_active_minutes": "fairly_active_minutes",
    "very_active_minutes": "very_active_minutes",
}
_AZM_METRICS = ("active_zone_minutes", *(f"{zone}_active_zone_minutes" for zone in day_csv.ZONES))


def _day(name: str, pattern: re.Pattern[str], read: Callable[[Content, str], Reading], *metrics: str) -> Kind:
    return Kind(name, pattern, "day", read, ("date",), metrics or (name,))


KINDS: tuple[Kind, ...] = (
    Kind("steps", _json("steps"), "utc", minutes.read_steps, ("utc",), ("steps",), ("newer", "steps")),
    Kind(
        "distance",
        _json("distance"),
        "utc",
        minutes.read_distance,
        ("utc",),
        ("distance_m",),
        ("newer", "distance_m"),
    ),
    Kind(
        "calories",
        _json("calories"),
        "local",
        minutes.read_calories,
        ("local",),
        ("calories_kcal",),
        ("newer", "calories_kcal"),
    ),
    Kind(
        "altitude",
        _json("altitude"),
        "local",
        minutes.read_altitude,
        ("local",),
        ("floors",),
        ("newer", "feet"),
    ),
    Kind(
        "heart_rate",
        _json("heart_rate"),
        "utc",
        heart_rate.read_heart_rate,
        ("utc",),
        ("wear_minutes",),
        ("newer", "rows"),
    ),
    *(
        _day(name, _json(name), days.minutes_reader(column), column)
        for name, column in ACTIVITY_MINUTES.items()
    ),
    _day("resting_heart_rate", _json("resting_heart_rate"), days.read_resting_heart_rate),
    _day("vo2max", _json("demographic_vo2_max"), days.read_vo2max),
    # The copy of a log at a chunk's border has no 30-day averages; the whole one wins, then the newer export.
    Kind(
        "sleep",
        _json("sleep"),
        "local",
        sleep.read_sleep,
        ("sleep_id",),
        _SLEEP_METRICS,
        ("has_average", "newer"),
    ),
    Kind(
        "exercise",
        re.compile(rf"^exercise(?:-\d+)?{_COPY}\.json$", re.IGNORECASE),
        "utc",
        exercise.read_exercise,
        ("activity_id",),
        (),
    ),
    Kind("weight", _json("weight"), "local", weight.read_weight, ("weight_id",), ("weight_kg",)),
    _day(
        "heart_rate_variability",
        _csv(r"Daily Heart Rate Variability Summary - \d{4}-\d{2}-(?:\(\d+\))?"),
        day_csv.read_heart_rate_variability,
    ),
    _day("respiratory_rate", _csv(f"Daily Respiratory Rate Summary{_DATED}"), day_csv.read_respiratory_rate),
    _day("spo2", _csv(f"Daily SpO2{_DATED}"), day_csv.read_spo2, "spo2_avg", "spo2_min", "spo2_max"),
    Kind(
        "active_zone_minutes",
        _csv(f"Active Zone Minutes{_DATED}"),
        "local",
        day_csv.read_active_zone_minutes,
        ("local", "zone"),
        _AZM_METRICS,
        ("newer", "minutes"),
    ),
    Kind(
        "sleep_score", _csv("sleep_score"), "local", sleep.read_sleep_score, ("sleep_id",), ("sleep_score",)
    ),
    _day("stress", _csv("Stress Score"), day_csv.read_stress, "stress_management_score"),
    _day("readiness", _csv(f"Daily Readiness Score{_DATED}"), day_csv.read_readiness, "readiness_score"),
    Kind(
        "temperature",
        _csv(f"Computed Temperature{_DATED}"),
        "day",
        day_csv.read_temperature,
        ("date",),
        ("skin_temperature_variation",),
        ("newer", "samples"),
    ),
    Kind("trackers", _csv("Trackers"), "day", profile.read_trackers, ("tracker_id",), ("device",)),
)

# Kinds that write a minute only when something was earned in it.
SPARSE_KINDS = ("altitude", "active_zone_minutes")
ALTITUDE_CHUNK_DAYS = 30
KIND_BY_NAME = {kind.name: kind for kind in KINDS}
PROFILE = _csv("Profile")

# Personal, or no study data. Matched on any folder of the path, before anything else.
NEVER_READ_FOLDERS = frozenset(
    {
        "account changes",
        "atrial fibrillation ecg",
        "atrial fibrillation ppg",
        "challenges",
        "commerce",
        "device events_googledata",
        "discover",
        "menstrual health",
        "social",
        "user security data",
    }
)
# Folders within an export. Where one of them lies on top, the loose files around it are one export.
PRODUCT_FOLDERS = frozenset(
    {
        "active zone minutes (azm)",
        "biometrics",
        "daily readiness",
        "global export data",
        "heart",
        "heart rate variability",
        "other",
        "oxygen saturation (spo2)",
        "paired devices",
        "personal & account",
        "physical activity",
        "sleep",
        "sleep score",
        "stress",
        "stress score",
        "temperature",
        "your profile",
    }
)
_NOT_DATA = re.compile(r"readme|^archive_browser|^\.|^thumbs\.db$|^desktop\.ini$", re.IGNORECASE)
_NESTED = re.compile(r"\.(zip|tgz|tar|gz|7z|rar)$", re.IGNORECASE)


def kind_of(name: str) -> Kind | None:
    """The kind of a member by its file name, or None."""
    return next((kind for kind in KINDS if kind.pattern.match(name)), None)


def ignored_by(path: str, name: str) -> str | None:
    """The rule by which a member is not read, or None for one of a known kind."""
    folders = {part.strip().lower() for part in path.replace("\\", "/").split("/")[:-1]}
    if "__macosx" in folders or _NOT_DATA.search(name):
        return "not_data"
    if folders & NEVER_READ_FOLDERS:
        return "never_read"
    if PROFILE.match(name) or kind_of(name) is not None:
        return None
    return "nested_archive" if _NESTED.search(name) else "unknown_kind"

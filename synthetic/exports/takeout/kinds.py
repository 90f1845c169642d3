"""Every kind of file an account's export holds: its group, its folder by product and by topic, its writer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from synthetic.exports.takeout import (
    account_csv,
    body_json,
    daily_json,
    exercise_json,
    extras,
    google_body,
    google_days,
    google_exercise,
    google_minutes,
    google_settings,
    google_sleep,
    heart_json,
    minute_json,
    night_csv,
    score_csv,
    sleep_json,
    zone_csv,
)
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.generations import Group

ACTIVITY, BODY, SLEEP, OTHER = "Physical Activity", "Personal & Account", "Sleep", "Other"
GLOBAL, HEALTH = "Global Export Data", "Health Fitness Data"


@dataclass(frozen=True, slots=True)
class Kind:
    """Files of one kind. product: their folder where folders are products; topic: where they are topics."""

    group: Group
    product: str
    topic: str
    write: Callable[[Export], Files]


def _google(product: str, *writers: Callable[[Export], Files]) -> tuple[Kind, ...]:
    return tuple(Kind(Group.GOOGLE, product, product, write) for write in writers)


def _readmes() -> tuple[Kind, ...]:
    pages = ((*path.split("/"), text) for path, text in extras.READMES.items())
    return tuple(
        Kind(Group.PRODUCTS, product, OTHER, partial(extras.readme, text, name))
        for product, name, text in pages
    )


KINDS: tuple[Kind, ...] = (
    Kind(Group.JSON, GLOBAL, ACTIVITY, minute_json.steps),
    Kind(Group.JSON, GLOBAL, ACTIVITY, minute_json.distance),
    Kind(Group.JSON, GLOBAL, ACTIVITY, minute_json.calories),
    Kind(Group.JSON, GLOBAL, ACTIVITY, minute_json.altitude),
    Kind(Group.JSON, GLOBAL, ACTIVITY, daily_json.intensity),
    Kind(Group.JSON, GLOBAL, ACTIVITY, daily_json.resting_heart_rate),
    Kind(Group.JSON, GLOBAL, ACTIVITY, daily_json.cardio_fitness),
    Kind(Group.JSON, GLOBAL, ACTIVITY, heart_json.heart_rate),
    Kind(Group.JSON, GLOBAL, ACTIVITY, heart_json.time_in_zones),
    Kind(Group.JSON, GLOBAL, BODY, body_json.weight),
    Kind(Group.JSON, GLOBAL, BODY, body_json.height),
    Kind(Group.JSON, GLOBAL, SLEEP, sleep_json.sleep),
    Kind(Group.JSON, GLOBAL, ACTIVITY, exercise_json.exercise),
    Kind(Group.JSON, "Sleep Score", SLEEP, score_csv.sleep_score),
    Kind(Group.JSON, "Your Profile", BODY, account_csv.profile),
    Kind(Group.PRODUCTS, "Active Zone Minutes (AZM)", ACTIVITY, zone_csv.active_zone_minutes),
    Kind(Group.PRODUCTS, "Heart Rate Variability", SLEEP, night_csv.daily_variability),
    Kind(Group.PRODUCTS, "Heart Rate Variability", SLEEP, night_csv.daily_respiration),
    Kind(Group.PRODUCTS, "Oxygen Saturation (SpO2)", SLEEP, night_csv.daily_saturation),
    Kind(Group.PRODUCTS, "Stress Score", "Stress", score_csv.stress_score),
    Kind(Group.PRODUCTS, "Paired Devices", BODY, account_csv.trackers),
    Kind(Group.PRODUCTS, "Paired Devices", BODY, account_csv.devices),
    *_google(
        ACTIVITY,
        google_minutes.steps,
        google_minutes.distance,
        google_minutes.heart_rate,
        google_minutes.calories,
        google_minutes.active_minutes,
        google_minutes.activity_level,
        google_minutes.active_zone_minutes,
        google_minutes.time_in_heart_rate_zone,
        google_minutes.calories_in_heart_rate_zone,
        google_minutes.cardio_load,
        google_minutes.altitude,
        google_minutes.floors,
        google_minutes.sedentary_period,
        google_days.resting_heart_rate,
        google_days.respiratory_rate,
        google_days.oxygen_saturation,
        google_days.cardio_fitness,
        google_days.heart_rate_zones,
        google_days.observed_load,
        google_days.load_ratio,
        google_body.weight,
        google_body.height,
        google_body.body_fat,
    ),
    *_google(
        HEALTH,
        google_sleep.sleeps,
        google_sleep.stages,
        google_sleep.scores,
        google_exercise.exercises,
        google_settings.demographic,
        google_settings.app_settings,
        google_settings.legacy_settings,
    ),
    *_readmes(),
    Kind(Group.TAKEOUT_EXTRAS, "", "", extras.archive_index),
    Kind(Group.TAKEOUT_EXTRAS, "Tasks", "", extras.other_product),
)

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
    google_nights,
    google_settings,
    google_sleep,
    heart_json,
    minute_json,
    never_read,
    night_csv,
    night_minutes,
    night_summaries,
    score_csv,
    sleep_json,
    workouts,
    zone_csv,
)
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.generations import Group

ACTIVITY, ACCOUNT, SLEEP, OTHER = "Physical Activity", "Personal & Account", "Sleep", "Other"
GLOBAL, HEALTH = "Global Export Data", "Health Fitness Data"


@dataclass(frozen=True, slots=True)
class Kind:
    """Files of one kind. product: their folder where folders are products; topic: where they are topics."""

    group: Group
    product: str
    topic: str
    write: Callable[[Export], Files]


def _kinds(group: Group, product: str, topic: str, *writers: Callable[[Export], Files]) -> tuple[Kind, ...]:
    return tuple(Kind(group, product, topic, write) for write in writers)


def _readmes() -> tuple[Kind, ...]:
    pages = ((*path.split("/"), text) for path, text in extras.READMES.items())
    return tuple(
        Kind(Group.PRODUCTS, product, OTHER, partial(extras.readme, text, name))
        for product, name, text in pages
    )


def _never_read() -> tuple[Kind, ...]:
    return tuple(
        Kind(group, product, product, partial(never_read.one_file, name, text))
        for group, files in (
            (Group.PRODUCTS, never_read.PRODUCT_FILES),
            (Group.GOOGLE, never_read.GOOGLE_FILES),
        )
        for product, name, text in files
    ) + tuple(
        Kind(Group.A0_EXTRAS, GLOBAL, OTHER, partial(never_read.one_file, name, text))
        for name, text in never_read.FIRST_SITE_FILES
    )


KINDS: tuple[Kind, ...] = (
    *_kinds(
        Group.JSON,
        GLOBAL,
        ACTIVITY,
        minute_json.steps,
        minute_json.distance,
        minute_json.calories,
        minute_json.altitude,
        daily_json.intensity,
        daily_json.resting_heart_rate,
        daily_json.cardio_fitness,
        heart_json.heart_rate,
        heart_json.time_in_zones,
        exercise_json.exercise,
        workouts.run_fitness,
        workouts.swim_lengths,
    ),
    *_kinds(Group.JSON, GLOBAL, ACCOUNT, body_json.weight, body_json.height),
    *_kinds(Group.JSON, GLOBAL, SLEEP, sleep_json.sleep),
    *_kinds(Group.JSON, GLOBAL, OTHER, night_minutes.oxygen_variation),
    *_kinds(Group.JSON, "Sleep Score", SLEEP, score_csv.sleep_score),
    *_kinds(Group.JSON, "Your Profile", ACCOUNT, account_csv.profile),
    *_kinds(Group.PRODUCTS, "Active Zone Minutes (AZM)", ACTIVITY, zone_csv.active_zone_minutes),
    *_kinds(
        Group.PRODUCTS,
        "Heart Rate Variability",
        SLEEP,
        night_csv.daily_variability,
        night_csv.daily_respiration,
        night_minutes.variability_details,
        night_summaries.respiration,
        night_summaries.beat_histogram,
    ),
    *_kinds(
        Group.PRODUCTS,
        "Oxygen Saturation (SpO2)",
        SLEEP,
        night_csv.daily_saturation,
        night_minutes.saturation_minutes,
    ),
    *_kinds(
        Group.PRODUCTS,
        "Temperature",
        SLEEP,
        night_summaries.computed_temperature,
        night_minutes.wrist_temperature,
        night_minutes.device_temperature,
    ),
    *_kinds(Group.PRODUCTS, "Stress Score", "Stress", score_csv.stress_score),
    *_kinds(Group.READINESS_SCORE, "Daily Readiness", ACTIVITY, score_csv.readiness_score),
    *_kinds(Group.PRODUCTS, "Daily Readiness", ACTIVITY, score_csv.readiness_properties),
    *_kinds(Group.PRODUCTS, "Paired Devices", ACCOUNT, account_csv.trackers, account_csv.devices),
    *_kinds(
        Group.GOOGLE,
        ACTIVITY,
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
        google_days.variability,
        google_days.respiratory_rate,
        google_days.oxygen_saturation,
        google_days.skin_temperature,
        google_days.readiness,
        google_days.cardio_fitness,
        google_days.heart_rate_zones,
        google_days.observed_load,
        google_days.load_ratio,
        google_nights.variability,
        google_nights.respiration,
        google_nights.saturation,
        google_nights.skin_temperature,
        google_body.weight,
        google_body.height,
        google_body.body_fat,
        workouts.run_fitness_rows,
        workouts.swim_length_rows,
    ),
    *_kinds(
        Group.GOOGLE,
        HEALTH,
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
    *_never_read(),
    *_kinds(Group.PRODUCTS, "Biometrics", "Biometrics", never_read.glucose),
    *_kinds(Group.TAKEOUT_EXTRAS, "", "", extras.archive_index),
    *_kinds(Group.TAKEOUT_EXTRAS, "Tasks", "", extras.other_product),
)

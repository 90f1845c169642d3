"""Kinds of the JSON export (``Global Export Data``, ``user-site-export``): one line a kind."""

from ingest.fitbit import days, exercise, heart_rate, minutes, sleep, weight
from ingest.fitbit.kind import Kind, json_name, named

ACTIVITY_MINUTES = {
    "sedentary_minutes": "sedentary_minutes",
    "lightly_active_minutes": "lightly_active_minutes",
    "moderately_active_minutes": "fairly_active_minutes",
    "very_active_minutes": "very_active_minutes",
}

JSON_KINDS: tuple[Kind, ...] = (
    Kind(
        "steps",
        json_name("steps"),
        "utc",
        minutes.read_steps,
        ("utc",),
        ("newer", "steps"),
        table="steps_minutes",
    ),
    Kind("distance", json_name("distance"), "utc", minutes.read_distance, ("utc",), ("newer", "distance_m")),
    Kind(
        "calories",
        json_name("calories"),
        "local",
        minutes.read_calories,
        ("local",),
        ("newer", "calories_kcal"),
    ),
    Kind("altitude", json_name("altitude"), "local", minutes.read_altitude, ("local",), ("newer", "floors")),
    Kind(
        "heart_rate",
        json_name("heart_rate"),
        "utc",
        heart_rate.read_heart_rate,
        ("utc",),
        ("newer", "rows"),
        table="heart_rate_minutes",
    ),
    *(
        Kind(name, json_name(name), "day", days.minutes_reader(column), ("date",))
        for name, column in ACTIVITY_MINUTES.items()
    ),
    Kind(
        "resting_heart_rate",
        json_name("resting_heart_rate"),
        "day",
        days.read_resting_heart_rate,
        ("date",),
    ),
    Kind("vo2max", json_name("demographic_vo2_max"), "day", days.read_vo2max, ("date",)),
    # The copy of a log at a chunk's border has no 30-day averages; the whole one wins, then the newer export.
    Kind(
        "sleep",
        json_name("sleep"),
        "local",
        sleep.read_sleep,
        ("sleep_id",),
        ("has_average", "newer"),
        table="sleep_sessions",
    ),
    Kind(
        "exercise",
        named(r"exercise(?:-\d+)?", "json", "exercise-N.json"),
        "utc",
        exercise.read_exercise,
        ("activity_id",),
        table="activities",
    ),
    Kind("weight", json_name("weight"), "local", weight.read_weight, ("weight_id",)),
    Kind("height", json_name("height"), "day", days.read_height, ("date",)),
)

"""Kinds of API answers. File names are the scripts' own: every kind is asked, an answer's keys decide."""

from ingest.fitbit.api import (
    health_days,
    health_logs,
    health_minutes,
    night_minutes,
    web_days,
    web_logs,
    web_minutes,
)
from ingest.fitbit.api.document import ANSWER
from ingest.fitbit.kind import Clock, Kind, Reader, named
from ingest.fitbit.stated_days import KEY


def _answer(
    name: str,
    clock: Clock,
    read: Reader,
    *key: str,
    best: tuple[str, ...] = ("newer",),
    table: str = "daily_summary",
) -> Kind:
    return Kind(name, ANSWER, clock, read, key, best, table, sure_name=False)


_MINUTE = ("utc", "recorder")
HEALTH_KINDS: tuple[Kind, ...] = (
    # The one view of the app before what each recorder tells.
    _answer(
        "health_steps_reconciled", "stated", health_minutes.read_health_steps_reconciled, *_MINUTE,
        best=("newer", "steps"), table="steps_minutes",
    ),
    _answer(
        "health_steps", "stated", health_minutes.read_health_steps, *_MINUTE,
        best=("newer", "steps"), table="steps_minutes",
    ),
    _answer("health_distance", "stated", health_minutes.read_health_distance, *_MINUTE),
    _answer("health_floors", "stated", health_minutes.read_health_floors, *_MINUTE),
    _answer("health_altitude", "stated", health_minutes.read_health_altitude, *_MINUTE),
    _answer("health_active_minutes", "stated", health_minutes.read_health_active_minutes, *_MINUTE),
    _answer(
        "health_zone_minutes", "stated", health_minutes.read_health_zone_minutes, "utc", "zone", "recorder",
        best=("newer", "minutes"),
    ),
    _answer(
        "health_heart_rate", "stated", health_minutes.read_health_heart_rate, *_MINUTE,
        best=("newer", "rows"), table="heart_rate_minutes",
    ),
    _answer("health_sleep", "stated", health_logs.read_health_sleep, "sleep_id", table="sleep_sessions"),
    _answer("health_exercise", "stated", health_logs.read_health_exercise, "activity_id", table="activities"),
    _answer("health_weight", "stated", health_logs.read_health_weight, *_MINUTE),
    _answer("health_hrv_minutes", "stated", night_minutes.read_health_variability, *_MINUTE),
    _answer("health_spo2_minutes", "stated", night_minutes.read_health_oxygen, *_MINUTE),
    _answer("health_days", "day", health_days.read_health_days, *KEY),
)  # fmt: skip
WEB_KINDS: tuple[Kind, ...] = (
    _answer("web_days", "day", web_days.read_web_days, *KEY),
    _answer(
        "web_steps", "local", web_minutes.read_web_steps, "local",
        best=("newer", "steps"), table="steps_minutes",
    ),
    _answer(
        "web_heart_rate", "local", web_minutes.read_web_heart_rate, "local",
        best=("newer", "samples"), table="heart_rate_minutes",
    ),
    _answer("web_sleep", "local", web_logs.read_web_sleep, "sleep_id", table="sleep_sessions"),
    _answer("web_exercise", "stated", web_logs.read_web_exercise, "activity_id", table="activities"),
    _answer("web_hrv_minutes", "local", night_minutes.read_web_variability, "local"),
    _answer("web_spo2_minutes", "local", night_minutes.read_web_oxygen, "local"),
    _answer("web_weight", "local", web_logs.read_web_weight, "weight_id"),
)  # fmt: skip
# What no published column rests on.
API_NO_RESULT = (
    named(r"(?:activities_)?elevation_.*", "json"),
    named(r"devices|height_list(?:_.*)?", "json"),
)

"""Kinds of Fitabase files: ``<person>_<kind>_<from>_<to>.csv``, or ``<kind>_merged.csv`` of several."""

from ingest.fitbit.fitabase import days, events, minutes, sleep
from ingest.fitbit.kind import FileName, Kind
from ingest.fitbit.stated_days import KEY


def file_name(stem: str, shown: str | None = None) -> FileName:
    """Names of a kind; a spreadsheet's ``dailyActivity_merged.iso.csv`` is one too."""
    of_one = rf"(?:.+_)?(?:{stem})_\d{{8}}_\d{{8}}"
    return FileName(
        rf"(?:{of_one}|(?:{stem})_merged)(?:[. _-][\w ()-]*)?\.csv", f"PERSON_{shown or stem}_FROM_TO.csv"
    )


FITABASE_KINDS: tuple[Kind, ...] = (
    Kind("fitabase_days", file_name("|".join(days.DAY_FILES), "dailyActivity"), "day", days.read_days, KEY),
    Kind(
        "fitabase_steps",
        file_name("minuteSteps(?:Narrow)?", "minuteStepsNarrow"),
        "local",
        minutes.read_steps,
        ("local",),
        ("newer", "steps"),
        table="steps_minutes",
    ),
    Kind(
        "fitabase_wide_steps",
        file_name("minuteStepsWide"),
        "local",
        minutes.read_wide_steps,
        ("local",),
        ("newer", "steps"),
        table="steps_minutes",
    ),
    Kind("fitabase_hourly_steps", file_name("hourlySteps"), "local", minutes.read_hourly_steps, ("local",)),
    Kind(
        "fitabase_hourly_calories",
        file_name("hourlyCalories"),
        "local",
        minutes.read_hourly_calories,
        ("local",),
    ),
    Kind(
        "fitabase_heart_rate",
        file_name("heartrate_(?:seconds|1min)", "heartrate_seconds"),
        "local",
        minutes.read_heart_rate,
        ("local",),
        ("newer", "samples"),
        table="heart_rate_minutes",
    ),
    Kind(
        "fitabase_sleep",
        file_name("sleepStageLogInfo|sleepLogInfo", "sleepStageLogInfo"),
        "local",
        sleep.read_logs,
        ("sleep_id",),
        ("has_stages_file", "newer"),
        table="sleep_sessions",
    ),
    Kind(
        "fitabase_sleep_minutes",
        file_name("minuteSleep"),
        "log",
        sleep.read_minutes,
        ("sleep_id", "local"),
        table="sleep_stages",
    ),
    Kind(
        "fitabase_sleep_half_minutes",
        file_name("30secondSleepStages"),
        "log",
        sleep.read_half_minutes,
        ("sleep_id", "local"),
        table="sleep_stages",
    ),
    Kind("fitabase_weight", file_name("weightLogInfo"), "local", events.read_weight, ("weight_id",)),
    Kind("fitabase_syncs", file_name("syncEvents"), "local", events.read_sync_events, ("utc",)),
)
# Nothing that is published rests on them.
FITABASE_NO_RESULT = tuple(
    map(
        file_name,
        (
            "hourlyIntensities",
            "minute(?:Calories|Intensities)(?:Narrow|Wide)?",
            "minuteMETs(?:Narrow)?",
            "heartrate_(?:5|15)min",
            "battery",
        ),
    )
)
# Study data whose columns or units nobody has confirmed.
FITABASE_NOT_READ = tuple(
    map(
        file_name,
        (
            "activitylogs",
            "dailyFitbitActiveZoneMinutes",
            "dailyHRV",
            "fitbitBreathingRate",
            "fitbitSkinTemperature",
        ),
    )
)

"""Members that are not read, each by a named rule, decided from the archive's index alone.

never_read: personal (location, messages, account, commerce, reproductive health ...) or the vendor's own bulk
(classifier output, sensor tokens). no_result: known study data that no published column rests on. not_data:
readmes, archive pages, what operating systems leave behind.
"""

import re

from ingest.fitbit.api.kinds import API_NO_RESULT
from ingest.fitbit.fitabase.kinds import FITABASE_NO_RESULT, FITABASE_NOT_READ
from ingest.fitbit.kind import Names, family_name, json_name, named, product_name
from ingest.fitbit.platforms.kinds import PLATFORM_NOT_READ

UNKNOWN = "unknown_kind"
# Study data in a form that is known by name only, or whose units nobody has confirmed: it is told to people.
FORM_NOT_READ = "form_not_read"
# Matched on any folder of the path, before anything else.
NEVER_READ_FOLDERS = frozenset(
    {
        "account changes",
        "activity goals",
        "atrial fibrillation ecg",
        "atrial fibrillation ppg",
        "challenges",
        "commerce",
        "community",
        "device events_googledata",
        "discover",
        "feed",
        "menstrual health",
        "messages",
        "mindfulness",
        "social",
        "stress journal",
        "user security data",
    }
)
_NEVER_READ = (
    *map(
        family_name,
        (
            "gps_location",
            "coarse_physical_location",
            "device_events",
            "environment",
            "weather_forecast",
            "UserActivityProbabilities?",
            "UserSensorCompressionToken.*",
            "UserConversations?",
            "UserMessages?",
            "MedicalRecords?",
            "Coach.*",
            "UserPremium.*",
            "live_pace",
            "micro_(?:motion|stillness)",
            "PersonalRecords?",
            "GoalSettingsHistory",
            "User(?:App|Legacy)SettingData",
            "CalibrationStatusForReadinessAndLoad",
            "nutrition_log",
            "hydration_log",
            "continuous_eda",
        ),
    ),
    named(r"(?:food_logs|menstrual.*|badge|trophy)(?:-.*)?", "json"),
    named(r"(?:Heart Rate Notifications|Glucose|Biometrics|Menstrual.*|AFib.*|Mindfulness.*) ?.*", "csv"),
)
_NO_RESULT = (
    *map(
        json_name,
        ("time_in_heart_rate_zones", "run_vo2_max", "swim_lengths_data", "water_logs", "heart_rate_zones"),
    ),
    named(r"estimated_oxygen_variation(?:-\d{4}-\d{2}-\d{2})?", "csv"),
    *map(
        product_name,
        (
            "Heart Rate Variability Histogram",
            "Respiratory Rate Summary",
            "Device Temperature",
            "Wrist Temperature",
            "Daily Readiness User Properties",
            "Snore Details",
        ),
    ),
    named("Sleep Profile|Devices|Scales", "csv"),
    *FITABASE_NO_RESULT,
    *API_NO_RESULT,
    *map(
        family_name,
        (
            "respiratory_rate_sleep_summary",
            "body_temperature",
            "activity_level",
            "sedentary_period",
            "time_in_heart_rate_zone",
            "calories_in_heart_rate_zone",
            "daily_heart_rate_zones",
            "cardio_load",
            "cardio_load_observed_interval",
            "cardio_acute_chronic_workload_ratio",
            "run_vo2_?max",
            "swim_lengths_data",
            "height",
            "body_fat",
            "cadence",
            "speed",
            "stride_length",
            "ground_contact_time",
            "vertical_.*",
        ),
    ),
)
_NOT_READ = (*FITABASE_NOT_READ, *PLATFORM_NOT_READ)
_UNREAD = Names(
    [
        *(("never_read", file) for file in _NEVER_READ),
        *(("no_result", file) for file in _NO_RESULT),
        *((FORM_NOT_READ, file) for file in _NOT_READ),
    ]
)
_NOT_DATA = re.compile(r"read ?me|^archive_browser|^archiv_|^\.|^thumbs\.db$|^desktop\.ini$", re.IGNORECASE)
_NESTED = re.compile(r"\.(zip|tgz|tar|gz|7z|rar)$", re.IGNORECASE)


def unread_folder(path: str, name: str) -> str | None:
    """The rule by which a member is not read for the folder it lies in or for being no data, or None."""
    folders = {part.strip().lower() for part in path.replace("\\", "/").split("/")[:-1]}
    if "__macosx" in folders or _NOT_DATA.search(name):
        return "not_data"
    return "never_read" if folders & NEVER_READ_FOLDERS else None


def form_not_read(name: str) -> str:
    """The form, as people know it, of a member that is not read for its form."""
    return next(file.shown for file in _NOT_READ if re.fullmatch(file.pattern, name, re.IGNORECASE))


def unread_name(name: str) -> str:
    """The rule by which a member of no kind we read is not read."""
    return _UNREAD.find(name) or ("nested_archive" if _NESTED.search(name) else UNKNOWN)

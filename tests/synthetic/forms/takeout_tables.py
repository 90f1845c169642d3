"""What each file of an account's export looks like, written down from the description of the forms alone.

Nothing here is shared with synthetic/ or ingest/. A cell's form is a regular expression: a missing Z or a
float where there are whole numbers does not pass.
"""

import re
from dataclasses import dataclass

GENERATIONS = ("A0", "A1", "A2", "B", "C", "D", "E", "F")
GOOGLE = ("A2", "C", "D", "E", "F")
LATER = ("A2", "D", "E", "F")

WHOLE = r"-?\d+"
NUMBER = r"-?\d+(\.\d+)?([eE]-?\d+)?"
NUMBER_OR_NAN = rf"{NUMBER}|NaN"
ONE_DECIMAL = r"-?\d+\.\d"
DATE = r"\d{4}-\d\d-\d\d"
UTC = rf"{DATE}T\d\d:\d\d:\d\dZ"
UTC_FRACTION = rf"{DATE}T\d\d:\d\d:\d\d(\.\d{{3,6}})?Z"
LABEL, LABEL_Z = rf"{DATE}T00:00:00", rf"{DATE}T00:00:00Z"
WALL, WALL_MINUTE = rf"{DATE}T\d\d:\d\d:\d\d", rf"{DATE}T\d\d:\d\d"
WALL_SHORT = rf"{DATE}T\d\d:\d\d(:\d\d)?"
US = r"\d\d/\d\d/\d\d \d\d:\d\d:\d\d"
SPACED, ISO = rf"{DATE} \d\d:\d\d:\d\d\+0000", UTC
OFFSET = r"[+-]\d\d:\d\d"
TEXT, ANY = r".+", r"(.|\n)*"
LONG = r"\d{19}"
LEVEL = "LOW|MEDIUM|HIGH"


@dataclass(frozen=True)
class Csv:
    """A CSV kind: the names of its files, and its columns with the form of their cells."""

    name: str
    columns: dict[str, str]

    def names(self, base: str) -> bool:
        """Whether a file has one of its names."""
        return re.fullmatch(self.name, base) is not None


_BREATHS = ("breathing_rate", "standard_deviation", "signal_to_noise")
_PROFILE = [
    "id",
    "full_name",
    "first_name",
    "last_name",
    "display_name_setting",
    "display_name",
    "username",
    "email_address",
    "date_of_birth",
    "child",
    "country",
    "state",
    "city",
    "timezone",
    "locale",
    "member_since",
    "about_me",
    "start_of_week",
    "sleep_tracking",
    "time_display_format",
    "gender",
    "height",
    "weight",
    "stride_length_walking",
    "stride_length_running",
    "weight_unit",
    "distance_unit",
    "height_unit",
    "water_unit",
    "glucose_unit",
    "swim_unit",
]
_TRACKER = [
    "tracker_id",
    "date_added",
    "last_sync_date_time",
    "batt_level",
    "hardware_rev",
    "is_display_distance",
    "is_display_calories",
    "is_display_clock",
    "is_display_flower",
    "is_display_elevation",
    "is_display_chatter",
    "is_right_handed",
    "tracker_name",
    "device_type",
    "on_dominant_hand",
    "is_display_active_minutes",
    "clock_face",
    "enable_ancs",
    "is_bonded",
    "is_display_steps",
    "alarm_update_time",
    "is_display_heart_rate",
    "heart_rate_tracking",
    "heart_rate_tracking_update_time",
    "tap_enabled",
    "tap_screen",
    "flick_enabled",
    "flick_screen",
]

PRODUCTS = (
    Csv(
        rf"Active Zone Minutes - {DATE}\.csv",
        {"date_time": WALL_MINUTE, "heart_zone_id": "FAT_BURN|CARDIO|PEAK", "total_minutes": "1|2"},
    ),
    Csv(
        r"sleep_score\.csv",
        {
            "sleep_log_entry_id": WHOLE, "timestamp": UTC, "overall_score": WHOLE,
            "composition_score": r"\d*",
            "revitalization_score": WHOLE, "duration_score": r"\d*", "deep_sleep_in_minutes": WHOLE,
            "resting_heart_rate": r"\d*", "restlessness": NUMBER,
        },
    ),
    Csv(
        rf"Heart Rate Variability Details - {DATE}\.csv",
        {"timestamp": WALL, "rmssd": NUMBER, "coverage": NUMBER, "low_frequency": NUMBER,
        "high_frequency": NUMBER},
    ),
    Csv(
        r"Daily Heart Rate Variability Summary - \d{4}-\d\d-(\(\d+\))?\.csv",
        {"timestamp": LABEL, "rmssd": NUMBER, "nremhr": NUMBER, "entropy": NUMBER},
    ),
    Csv(
        rf"Daily Respiratory Rate Summary - {DATE}\.csv",
        {"timestamp": LABEL, "daily_respiratory_rate": ONE_DECIMAL},
    ),
    Csv(
        rf"Respiratory Rate Summary - {DATE}\.csv",
        {"timestamp": WALL}
        | {f"{stage}_sleep_{part}": NUMBER for stage in ("full", "deep", "light",
        "rem") for part in _BREATHS},
    ),
    Csv(
        rf"Heart Rate Variability Histogram - {DATE}\.csv",
        {"timestamp": WALL, "bucket_values": r"\[(\d\.\d+, ){28}\d\.\d+\]"},
    ),
    Csv(rf"Minute SpO2 - {DATE}\.csv", {"timestamp": UTC, "value": ONE_DECIMAL}),
    Csv(
        rf"Daily SpO2 - {DATE}-{DATE}\.csv",
        {
            "timestamp": LABEL_Z, "average_value": ONE_DECIMAL, "lower_bound": ONE_DECIMAL,
            "upper_bound": ONE_DECIMAL,
        },
    ),
    Csv(
        rf"Device Temperature - {DATE}\.csv",
        {"recorded_time": WALL_SHORT, "temperature": NUMBER, "sensor_type": TEXT},
    ),
    Csv(rf"Wrist Temperature - {DATE}\.csv", {"recorded_time": WALL_SHORT, "temperature": NUMBER}),
    Csv(
        rf"Computed Temperature - {DATE}\.csv",
        {
            "type": "IDT|SKIN", "sleep_start": WALL_SHORT, "sleep_end": WALL_SHORT,
            "temperature_samples": WHOLE,
            "nightly_temperature": NUMBER, "baseline_relative_sample_sum": NUMBER_OR_NAN,
            "baseline_relative_sample_sum_of_squares": NUMBER_OR_NAN,
            "baseline_relative_nightly_standard_deviation": NUMBER_OR_NAN,
            "baseline_relative_sample_standard_deviation": NUMBER_OR_NAN,
        },
    ),
    Csv(
        rf"Daily Readiness Score - {DATE}\.csv",
        {
            "date": DATE, "readiness_score_value": ONE_DECIMAL, "readiness_state": LEVEL,
            "activity_subcomponent": NUMBER, "sleep_subcomponent": NUMBER, "hrv_subcomponent": NUMBER,
            "activity_state": LEVEL, "sleep_state": LEVEL, "hrv_state": LEVEL,
        },
    ),
    Csv(
        rf"Daily Readiness User Properties - {DATE}\.csv",
        {"property_type": TEXT, "value": TEXT, "last_update": TEXT},
    ),
    Csv(
        r"Stress Score\.csv",
        {
            "DATE": LABEL, "UPDATED_AT": rf"{WALL}\.\d{{3}}", "STRESS_SCORE": WHOLE, "SLEEP_POINTS": WHOLE,
            "MAX_SLEEP_POINTS": "0|30", "RESPONSIVENESS_POINTS": WHOLE, "MAX_RESPONSIVENESS_POINTS": "0|30",
            "EXERTION_POINTS": WHOLE, "MAX_EXERTION_POINTS": "0|40",
            "STATUS": "READY|READY_NOT_PREMIUM|NO_DATA",
            "CALCULATION_FAILED": "true|false",
        },
    ),
    Csv(
        r"Profile\.csv",
        dict.fromkeys(_PROFILE, TEXT)
        | {"date_of_birth": DATE, "member_since": DATE, "height": ONE_DECIMAL, "weight": ONE_DECIMAL},
    ),
    Csv(
        r"Trackers\.csv",
        dict.fromkeys(_TRACKER, ANY)
        | {"tracker_id": r"\d+", "date_added": DATE, "last_sync_date_time": rf"{WALL}\.\d{{3}}Z",
        "device_type": TEXT},
    ),
    Csv(
        r"Devices\.csv",
        {"wire_id": r"\d+", "device_type": TEXT, "serial_number": "", "enabled": "true|false",
        "fw_version": TEXT},
    ),
)  # fmt: skip
OXYGEN_VARIATION = Csv(
    rf"estimated_oxygen_variation-{DATE}\.csv", {"timestamp": US, "Infrared to Red Signal Ratio": WHOLE}
)

_STAGE_FIGURES = (
    "milli breaths per minute", "standard deviation milli breaths per minute", "signal to noise"
)  # fmt: skip
_ZONE = "LIGHT|MODERATE|VIGOROUS|PEAK"

# Families of Physical Activity: columns without the recorder. Their first column says their clock.
FAMILIES: dict[str, dict[str, str]] = {
    "steps": {"timestamp": UTC, "steps": WHOLE},
    "distance": {"timestamp": UTC, "distance": NUMBER},
    "calories": {"timestamp": UTC, "calories": r"\d+\.\d{1,2}"},
    "heart_rate": {"timestamp": UTC, "beats per minute": ONE_DECIMAL},
    "active_minutes": {"timestamp": UTC, "light": "0|1", "moderate": "0|1", "very": "0|1"},
    "active_zone_minutes": {"timestamp": UTC, "heart rate zone": TEXT, "total minutes": "1|2"},
    "activity_level": {
        "timestamp": UTC,
        "level": "SEDENTARY|LIGHTLY_ACTIVE|MODERATELY_ACTIVE|VERY_ACTIVE",
    },
    "time_in_heart_rate_zone": {"timestamp": UTC, "heart rate zone type": _ZONE},
    "calories_in_heart_rate_zone": {"timestamp": UTC, "heart rate zone type": _ZONE, "kcal": NUMBER},
    "daily_resting_heart_rate": {"timestamp": LABEL_Z, "beats per minute": NUMBER},
    "daily_heart_rate_variability": {
        "timestamp": LABEL_Z,
        "average heart rate variability milliseconds": NUMBER,
        "non rem heart rate beats per minute": NUMBER,
        "entropy": NUMBER,
        "deep sleep root mean square of successive differences milliseconds": NUMBER,
    },
    "heart_rate_variability": {
        "timestamp": UTC,
        "root mean square of successive differences milliseconds": NUMBER,
        "standard deviation milliseconds": r"0\.0",
    },
    "daily_respiratory_rate": {"timestamp": LABEL_Z, "breaths per minute": ONE_DECIMAL},
    "respiratory_rate_sleep_summary": {"timestamp": UTC}
    | {
        f"{stage} sleep stats - {figure}": NUMBER
        for stage in ("deep", "light", "rem", "full")
        for figure in _STAGE_FIGURES
    },
    "daily_oxygen_saturation": {
        "timestamp": LABEL_Z,
        "average percentage": NUMBER,
        "lower bound percentage": NUMBER,
        "upper bound percentage": NUMBER,
        "baseline percentage": NUMBER,
        "standard deviation percentage": NUMBER,
    },
    "oxygen_saturation": {"timestamp": UTC, "oxygen saturation percentage": ONE_DECIMAL},
    "daily_sleep_temperature_derivations": {
        "timestamp": LABEL_Z,
        "nightly temperature celsius": NUMBER,
        "baseline temperature celsius": NUMBER_OR_NAN,
        "relative nightly stddev 30d celsius": NUMBER_OR_NAN,
    },
    "body_temperature": {"timestamp": UTC, "temperature celsius": ONE_DECIMAL},
    "daily_readiness": {
        "timestamp": DATE,
        "score": WHOLE,
        "type": LEVEL,
        "readiness level": "TYPE_UNSPECIFIED",
        "sleep readiness": TEXT,
        "heart rate variability readiness": TEXT,
        "resting heart rate readiness": TEXT,
    },
    "demographic_vo2max": {"timestamp": LABEL_Z, "demographic vo2max": NUMBER},
    "run_vo2max": {"timestamp": rf"{WALL}\.\d{{3}}Z", "run VO2 max": NUMBER},
    "cardio_load": {"timestamp": UTC, "workout": NUMBER, "background": NUMBER, "total": NUMBER},
    "cardio_load_observed_interval": {
        "timestamp": DATE, "min observed load": NUMBER, "max observed load": NUMBER
    },
    "cardio_acute_chronic_workload_ratio": {"timestamp": LABEL_Z, "ratio": NUMBER, "label": TEXT},
    "weight": {"timestamp": UTC_FRACTION, "weight grams": WHOLE},
    "height": {"timestamp": UTC_FRACTION, "height millimeters": WHOLE},
    "body_fat": {"timestamp": UTC_FRACTION, "body fat percentage": NUMBER},
    "altitude": {"timestamp": UTC, "gain": WHOLE},
    "floors": {"timestamp": UTC, "floors": WHOLE},
    "daily_heart_rate_zones": {
        "timestamp": LABEL_Z,
        "heart_rate_zone": r'\{"heart_rate_zone_type": LIGHT, "min_heart_rate_bpm": \d+, .*\}',
    },
    "swim_lengths_data": {
        "timestamp": UTC, "lap time": r"00:00:\d\d\.000", "stroke count": WHOLE, "stroke type": TEXT
    },
    "sedentary_period": {"start time": UTC, "end time": UTC},
}  # fmt: skip

USER_SLEEPS = [
    "sleep_id",
    "sleep_type",
    "minutes_in_sleep_period",
    "minutes_after_wake_up",
    "minutes_to_fall_asleep",
    "minutes_asleep",
    "minutes_awake",
    "minutes_longest_awakening",
    "minutes_to_persistent_sleep",
    "start_utc_offset",
    "sleep_start",
    "end_utc_offset",
    "sleep_end",
    "data_source",
    "algorithm_version",
    "sleep_created",
    "sleep_last_updated",
]
USER_STAGES = [
    "sleep_id",
    "sleep_stage_id",
    "sleep_stage_type",
    "start_utc_offset",
    "sleep_stage_start",
    "end_utc_offset",
    "sleep_stage_end",
    "data_source",
    "algorithm_version",
    "sleep_stage_created",
    "sleep_stage_last_updated",
]
USER_SCORES = [
    "sleep_id",
    "sleep_score_id",
    "data_source",
    "score_utc_offset",
    "score_time",
    "overall_score",
    "duration_score",
    "composition_score",
    "revitalization_score",
    "sleep_time_minutes",
    "deep_sleep_minutes",
    "rem_sleep_percent",
    "resting_heart_rate",
    "sleep_goal_minutes",
    "waso_count_long_wakes",
    "waso_count_all_wake_time",
    "restlessness_normalized",
    "hr_below_resting_hr",
    "sleep_score_created",
    "sleep_score_last_updated",
]
USER_EXERCISES = [
    "exercise_id",
    "exercise_start",
    "exercise_end",
    "utc_offset",
    "exercise_created",
    "exercise_last_updated",
    "activity_name",
    "log_type",
    "pool_length",
    "pool_length_unit",
    "intervals",
    "distance_units",
    "tracker_total_calories",
    "tracker_total_steps",
    "tracker_total_distance_mm",
    "tracker_total_altitude_mm",
    "tracker_avg_heart_rate",
    "tracker_peak_heart_rate",
    "tracker_avg_pace_mm_per_second",
    "tracker_avg_speed_mm_per_second",
    "tracker_peak_speed_mm_per_second",
    "tracker_auto_stride_run_mm",
    "tracker_auto_stride_walk_mm",
    "tracker_swim_lengths",
    "tracker_pool_length",
    "tracker_pool_length_unit",
    "tracker_cardio_load",
    "manually_logged_total_calories",
    "manually_logged_total_steps",
    "manually_logged_total_distance_mm",
    "manually_logged_pool_length",
    "manually_logged_pool_length_unit",
    "events",
]
LATER_EXERCISES = [
    "activity_type_probabilities",
    "autodetected_confirmed",
    "autodetected_start_timestamp",
    "autodetected_end_timestamp",
    "autodetected_utc_offset",
    "autodetected_activity_name",
    "autodetected_sensor_based_activity_name",
    "deletion_reason",
    "activity_label",
    "suggested_start_timestamp",
    "suggested_end_timestamp",
    "reconciliation_status",
]
SETTINGS = ["value_time", "setting_name", "setting_value"]

CELLS_BY_ENDING = {
    "_id": LONG,
    "start_utc_offset": OFFSET,
    "end_utc_offset": OFFSET,
    "score_utc_offset": OFFSET,
    "minutes_in_sleep_period": WHOLE,
    "minutes_asleep": WHOLE,
    "minutes_awake": WHOLE,
    "sleep_type": "STAGES|CLASSIC",
    "sleep_stage_type": "AWAKE|LIGHT|DEEP|REM|ASLEEP|RESTLESS",
    "data_source": "DERIVED",
    "algorithm_version": r"sleep_(session|stages)_v[12]",
    "overall_score": NUMBER,
    "_distance_mm": r"\d*",
    "_heart_rate": r"\d*",
}
TIMES = re.compile(r"(sleep|sleep_stage|exercise)_(start|end|created|last_updated)|score_time|value_time")


def health_csv(generation: str) -> tuple[Csv, ...]:
    """The files of Health Fitness Data in a generation."""
    stamp = ISO if generation == "F" else SPACED
    exercises = USER_EXERCISES + (LATER_EXERCISES if generation in LATER else [])

    def columns(names: list[str]) -> dict[str, str]:
        shown = [name for name in names if name != "algorithm_version" or generation in LATER]
        return {name: stamp if TIMES.fullmatch(name) else _cell(name) for name in shown}

    files = {
        "UserSleeps": USER_SLEEPS,
        "UserSleepStages": USER_STAGES,
        "UserSleepScores": USER_SCORES,
        "UserExercises": exercises,
    }
    settings = ("UserDemographicData", "UserAppSettingData", "UserLegacySettingData")
    return tuple(Csv(rf"{name}_{DATE}\.csv", columns(header)) for name, header in files.items()) + tuple(
        Csv(rf"{name}\.csv", columns(SETTINGS)) for name in settings
    )


def _cell(name: str) -> str:
    if name == "utc_offset":
        return OFFSET
    return next((form for ending, form in CELLS_BY_ENDING.items() if name.endswith(ending)), ANY)


def family_csv(generation: str) -> tuple[Csv, ...]:
    """The families of Physical Activity in a generation."""
    found: list[Csv] = []
    for family, columns in FAMILIES.items():
        shown = dict(columns)
        if generation not in LATER:
            shown.pop("readiness level", None)
        else:
            shown["data source"] = TEXT
        found.append(Csv(rf"{family}(_{DATE})?\.csv", shown))
    return tuple(found)


def csv_kinds(generation: str) -> tuple[Csv, ...]:
    """All CSV kinds that a generation may hold."""
    older = tuple(kind for kind in PRODUCTS if kind.names("sleep_score.csv") or kind.names("Profile.csv"))
    products = older if generation == "A0" else PRODUCTS
    if generation in ("C", "D", "E", "F"):
        products = tuple(
            kind for kind in products if not kind.names("Daily Readiness Score - 2026-01-01.csv")
        )
    google = family_csv(generation) + health_csv(generation) if generation in GOOGLE else ()
    return (*products, OXYGEN_VARIATION, *google)


# Records of the JSON files by the beginning of their name. Optional keys end in "?".
MINUTE = {"dateTime": "us", "value": "digits"}
DAY = {"dateTime": "day", "value": "digits"}
LEVEL_SUMMARY = {"count": "int", "minutes": "int", "thirtyDayAvgMinutes?": "int"}
EPOCH = {"dateTime": "iso", "level": "text", "seconds": "int"}
JSON_KINDS: dict[str, object] = {
    "steps": MINUTE,
    "distance": MINUTE,
    "altitude": MINUTE,
    "calories": {"dateTime": "us", "value": "tenths"},
    "heart_rate": {"dateTime": "us", "value": {"bpm": "int", "confidence": "int"}},
    "sedentary_minutes": DAY,
    "lightly_active_minutes": DAY,
    "moderately_active_minutes": DAY,
    "very_active_minutes": DAY,
    "resting_heart_rate": {
        "dateTime": "day", "value": {"date": "us date or null", "value": "float", "error": "float"}
    },
    "demographic_vo2_max": {
        "dateTime": "day",
        "value": {
            "demographicVO2Max": "float", "demographicVO2MaxError": "float",
            "filteredDemographicVO2Max": "float", "filteredDemographicVO2MaxError": "float",
        },
    },
    "run_vo2_max": {
        "dateTime": "us",
        "value": {
            "exerciseId": "int", "runVO2Max": "float", "runVO2MaxError": "float",
            "filteredRunVO2Max": "float",
            "filteredRunVO2MaxError": "float",
        },
    },
    "time_in_heart_rate_zones": {
        "dateTime": "day",
        "value": {
            "valuesInZones": {
                "BELOW_DEFAULT_ZONE_1": "float", "IN_DEFAULT_ZONE_1": "float", "IN_DEFAULT_ZONE_2": "float",
                "IN_DEFAULT_ZONE_3": "float",
            }
        },
    },
    "height": DAY,
    "swim_lengths_data": {
        "dateTime": "us",
        "value": {
            "lapDurationSec": "int", "strokeCount": "int", "swimStrokeType": "text",
            "swimAlgorithmType": "text"
        },
    },
    "weight": {
        "logId": "int", "weight": "float", "bmi": "float", "date": "us date", "time": "time",
        "source?": "text"
    },
    "sleep": {
        "logId": "int", "dateOfSleep": "date", "startTime": "iso", "endTime": "iso", "duration": "int",
        "minutesToFallAsleep": "int", "minutesAsleep": "int", "minutesAwake": "int",
        "minutesAfterWakeup": "int",
        "timeInBed": "int", "efficiency": "int", "type": "text", "infoCode": "int", "logType?": "text",
        "mainSleep": "bool",
        "levels": {
            "summary": {
                f"{level}?": LEVEL_SUMMARY
                for level in ("deep", "light", "rem", "wake", "asleep", "restless", "awake")
            },
            "data": [EPOCH],
            "shortData?": [EPOCH],
        },
    },
    "exercise": {
        "logId": "int", "activityName": "text", "activityTypeId": "int",
        "activityLevel": [{"minutes": "int", "name": "text"}], "averageHeartRate?": "int", "calories": "int",
        "distance?": "float", "distanceUnit?": "text", "duration": "int", "activeDuration": "int",
        "steps?": "int",
        "source?": {"type": "text", "name": "text", "id": "text", "url": "text", "trackerFeatures": ["text"]},
        "logType": "text", "manualValuesSpecified": {"calories": "bool", "distance": "bool", "steps": "bool"},
        "heartRateZones?": [
            {"name": "text", "min": "int", "max": "int", "minutes": "int", "caloriesOut": "float"}
        ],
        "activeZoneMinutes?": {
            "totalMinutes": "int",
            "minutesInHeartRateZones": [
                {"minutes": "int", "zoneName": "text", "order": "int", "type": "text",
                "minuteMultiplier": "int"}
            ],
        },
        "speed?": "float", "pace?": "float", "lastModified": "us", "startTime": "us",
        "originalStartTime": "us",
        "originalDuration": "int", "elevationGain?": "float", "hasGps": "bool", "shouldFetchDetails": "bool",
        "hasActiveZoneMinutes": "bool", "tcxLink?": "text", "vo2Max?": "any", "swimLengths?": "int",
        "poolLength?": "float", "poolLengthUnit?": "text",
    },
}  # fmt: skip

NEVER_READ_PRODUCTS = {
    "Activity Goals", "Social", "Discover", "Commerce", "Account Changes", "User Security Data",
    "Menstrual Health", "Mindfulness", "Atrial Fibrillation ECG", "Heart Rate", "Biometrics",
    "Snore and Noise Detect",
}  # fmt: skip
NEVER_READ_GOOGLE = re.compile(
    r"(gps_location|coarse_physical_location|live_pace|micro_motion|UserConversations|MedicalRecords"
    r"|UserActivityProbabilities|UserSensorCompressionToken|device_events).*"
)

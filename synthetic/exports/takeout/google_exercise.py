"""``UserExercises``: exercises of the Google account, in true UTC."""

from collections.abc import Sequence
from datetime import timedelta

from synthetic.exports.logs import distance_m
from synthetic.exports.takeout.csv_text import month_start, text_rows
from synthetic.exports.takeout.export import Export, Files, long_id
from synthetic.exports.takeout.google_times import instant_text, offset_text
from synthetic.life.living import minutes_of
from synthetic.life.recording import ExerciseLog

HEADER = (
    "exercise_id,exercise_start,exercise_end,utc_offset,exercise_created,exercise_last_updated,activity_name,"
    "log_type,pool_length,pool_length_unit,intervals,distance_units,tracker_total_calories,tracker_total_steps,"
    "tracker_total_distance_mm,tracker_total_altitude_mm,tracker_avg_heart_rate,tracker_peak_heart_rate,"
    "tracker_avg_pace_mm_per_second,tracker_avg_speed_mm_per_second,tracker_peak_speed_mm_per_second,"
    "tracker_auto_stride_run_mm,tracker_auto_stride_walk_mm,tracker_swim_lengths,tracker_pool_length,"
    "tracker_pool_length_unit,tracker_cardio_load,manually_logged_total_calories,manually_logged_total_steps,"
    "manually_logged_total_distance_mm,manually_logged_pool_length,manually_logged_pool_length_unit,events"
)
LATER = (
    ",activity_type_probabilities,autodetected_confirmed,autodetected_start_timestamp,"
    "autodetected_end_timestamp,autodetected_utc_offset,autodetected_activity_name,"
    "autodetected_sensor_based_activity_name,deletion_reason,activity_label,suggested_start_timestamp,"
    "suggested_end_timestamp,reconciliation_status"
)
NAMES = {"Walk": "Outdoor Walk", "Run": "Run", "Bike": "Outdoor Bike", "Weights": "Weightlifting"}
SYNCED_AFTER = timedelta(minutes=7)
MILLIMETRES_A_FLOOR = 3048
# A quoted cell with a comma and a line break.
EVENTS = '"{type: START, offset: 0},\n{type: STOP, offset: 1}"'


def exercises(export: Export) -> Files:
    """A row an exercise; names are English whatever the account's language."""
    header = HEADER + (LATER if export.generation.later_columns else "")
    parts: dict[str, list[str]] = {}
    for log in export.recording.exercises:
        month = month_start(log.exercise.start.date(), export.created)
        parts.setdefault(f"UserExercises_{month}.csv", []).append(_row(export, log, header.split(",")))
    for name, rows in parts.items():
        yield text_rows(name, header, rows)


def exercise_id(log: ExerciseLog) -> int:
    """19 digits, no relation to the log's own id."""
    return long_id(log.log_id, "exercise")


def _row(export: Export, log: ExerciseLog, columns: Sequence[str]) -> str:
    values = _identity(export, log) | _measured(export, log)
    return ",".join(str(values.get(column, "")) for column in columns)


def _identity(export: Export, log: ExerciseLog) -> dict[str, object]:
    start = export.utc_of(log.exercise.start)
    end = start + timedelta(seconds=log.exercise.seconds)
    return {
        "exercise_id": exercise_id(log),
        "exercise_start": instant_text(export, start),
        "exercise_end": instant_text(export, end),
        "utc_offset": offset_text(_offset(export, log)),
        "exercise_created": instant_text(export, end + SYNCED_AFTER),
        "exercise_last_updated": instant_text(export, end + SYNCED_AFTER),
        "activity_name": NAMES.get(log.exercise.sport.name, log.exercise.sport.name),
        "log_type": log.exercise.sport.log_type.upper(),
        "events": EVENTS,
        "autodetected_activity_name": "UNSPECIFIED",
    }


def _offset(export: Export, log: ExerciseLog) -> int:
    """True, but for migrated rows that the device found itself: they have the account's newest offset."""
    if export.generation.false_z and log.exercise.sport.log_type == "auto_detected":
        return int(export.recording.days.offset[-1])
    start = log.exercise.start
    return (start - export.utc_of(start)) // timedelta(minutes=1)


def _measured(export: Export, log: ExerciseLog) -> dict[str, object]:
    """Millimetres and bpm; 0 where nothing was measured."""
    recording = export.recording
    millimetres = round((distance_m(export.person, log) or 0) * 1000)
    return {
        "pool_length": 0,
        "pool_length_unit": "UNSPECIFIED",
        "distance_units": "IMPERIAL" if export.person.miles else "METRIC",
        "tracker_total_calories": log.calories,
        "tracker_total_steps": log.steps,
        "tracker_total_distance_mm": millimetres,
        "tracker_total_altitude_mm": log.floors * MILLIMETRES_A_FLOOR,
        "tracker_avg_heart_rate": log.average_heart_rate,
        "tracker_peak_heart_rate": int(
            recording.minutes.heart_rate[minutes_of(recording.days, log.exercise)].max()
        ),
        "tracker_avg_pace_mm_per_second": 0,
        "tracker_avg_speed_mm_per_second": round(millimetres / log.exercise.seconds),
        "tracker_peak_speed_mm_per_second": round(millimetres / log.exercise.seconds),
        "tracker_auto_stride_run_mm": 0,
        "tracker_auto_stride_walk_mm": 0,
        "tracker_swim_lengths": 0,
        "tracker_pool_length": 0,
        "tracker_pool_length_unit": "UNSPECIFIED",
        "tracker_cardio_load": 0,
    }
